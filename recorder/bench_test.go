package recorder

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"redial/ledger"
)

// nullStore takes everything and keeps nothing.
type nullStore struct{}

func (nullStore) Enrol(context.Context, ledger.Session) (ledger.SessionID, error) { return 1, nil }
func (nullStore) Write(context.Context, *ledger.Batch) error                      { return nil }
func (nullStore) End(context.Context, ledger.SessionID, time.Time, ledger.Counters) error {
	return nil
}

// withHeaders adds the 15 headers of an ordinary request and response.
func withHeaders(c *ledger.Call) *ledger.Call {
	c.AttemptList[0].Request.Header = []ledger.Field{
		{Name: "Accept", Value: "application/json"}, {Name: "User-Agent", Value: "checkout/1.2 (linux; amd64)"},
		{Name: "Authorization", Value: "Bearer 7f3aQz91kP0wLm5x7f3aQz91kP0wLm5x"}, {Name: "Content-Type", Value: "application/json"},
		{Name: "Idempotency-Key", Value: "order-8841"}, {Name: "X-Request-Id", Value: "01HZX3V9Q6W8"},
	}
	c.AttemptList[0].Response.Header = []ledger.Field{
		{Name: "Date", Value: "Mon, 02 Jan 2006 15:04:05 GMT"}, {Name: "Content-Type", Value: "application/json; charset=utf-8"},
		{Name: "Server", Value: "nginx/1.25.3"}, {Name: "Cache-Control", Value: "no-store, max-age=0"},
		{Name: "Set-Cookie", Value: "sid=7f3aQz91kP0wLm5x; Path=/; HttpOnly"}, {Name: "Vary", Value: "Accept-Encoding"},
		{Name: "Etag", Value: `W/"33a64df551425fcc55e4d42a148795d9f25f89d4"`},
		{Name: "Strict-Transport-Security", Value: "max-age=31536000; includeSubDomains"}, {Name: "X-Ratelimit-Remaining", Value: "41"},
	}
	return c
}

// BenchmarkRecord times what a call pays. Calls that find the queue full cost less and are
// kept out of it: the clock stands still while the writer catches up.
func BenchmarkRecord(b *testing.B) {
	for name, prepare := range map[string]func(*ledger.Call) *ledger.Call{
		"plain":   func(c *ledger.Call) *ledger.Call { return c },
		"headers": withHeaders,
	} {
		b.Run(name, func(b *testing.B) {
			r := New(nullStore{}, Options{})
			defer r.Close()
			c := prepare(aCall(r))
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				if n%batchCalls == batchCalls-1 {
					b.StopTimer()
					drained(r)
					b.StartTimer()
				}
				r.Record(c)
			}
			if full := r.Counters().QueueFull; full > 0 {
				b.Errorf("%d calls found the queue full", full)
			}
		})
	}
}

func drained(r *Recorder) {
	for r.queue.backlog() > 0 {
		r.writer.nudge()
		runtime.Gosched()
	}
}

// BenchmarkRecordParallel shows what many goroutines pay at once. Most find the queue full.
func BenchmarkRecordParallel(b *testing.B) {
	r := New(nullStore{}, Options{})
	defer r.Close()
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		c := aCall(r)
		for pb.Next() {
			r.Record(c)
		}
	})
	b.ReportMetric(100*float64(r.Counters().QueueFull)/float64(b.N), "%full")
}

// BenchmarkWriter times all that happens to a call between the queue and the store.
func BenchmarkWriter(b *testing.B) {
	for name, prepare := range map[string]func(*ledger.Call) *ledger.Call{
		"plain":   func(c *ledger.Call) *ledger.Call { return c },
		"headers": withHeaders,
	} {
		b.Run(name, func(b *testing.B) {
			r := New(nullStore{}, Options{})
			_ = r.Close()
			c := prepare(aCall(r))
			w := newWriter(nullStore{}, ledger.Session{}, r)
			w.redact = newRedactor(Options{})
			w.queue = newQueue(1<<20, 1<<40)
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				for range batchCalls {
					w.queue.put(c)
				}
				b.StartTimer()
				w.step()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*batchCalls), "ns/call")
		})
	}
}

func BenchmarkRedactBody(b *testing.B) {
	var list bytes.Buffer
	list.WriteString("[")
	for i := range 500 {
		fmt.Fprintf(&list, `{"id":%d,"name":"order %d","token":"7f3aQz91kP0w","tags":["a","b"],"at":"2026-01-02T15:04:05Z"},`, i, i)
	}
	list.WriteString("{}]")
	for media, data := range map[string][]byte{
		"application/json":         list.Bytes(),
		"application/problem+json": []byte(`{"id":55120,"state":"created","lines":[{"sku":"A-55","count":2},{"sku":"B-7","count":1}]}`),
		"text/plain":               bytes.Repeat([]byte("The quick brown fox jumps over the lazy dog, at 15:04:05.\n"), 1000),
	} {
		b.Run(media, func(b *testing.B) {
			r := newRedactor(Options{})
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				m := ledger.Message{Header: headersOf(media, ""), Body: ledger.Body{Data: data, Size: int64(len(data))}}
				r.message(&m)
			}
		})
	}
}
