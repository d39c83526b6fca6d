package db_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"redial/ledger"
)

// traffic makes batches of calls as a busy service makes them: of a few hosts and a few
// dozen paths, with 8 % of the calls retried once, after a wait.
type traffic struct {
	session ledger.SessionID
	n       int64
	now     time.Time
	random  *rand.Rand
	calls   []ledger.Call
	every   time.Duration // between the starts of two calls
	headers bool
	bodies  bool
}

func newTraffic(s ledger.SessionID) *traffic {
	return &traffic{session: s, now: start, random: rand.New(rand.NewPCG(1, 2)), every: 6 * time.Microsecond}
}

// batch returns a batch of so many calls, which is valid until the next one is made, and
// how many attempts they have.
func (g *traffic) batch(calls int) (b *ledger.Batch, attempts int64) {
	if len(g.calls) < calls {
		g.calls = make([]ledger.Call, calls)
	}
	for i := range calls {
		g.call(&g.calls[i])
		attempts += int64(g.calls[i].Attempts)
	}
	return &ledger.Batch{Session: g.session, Beat: g.now, Calls: g.calls[:calls],
		Counters: ledger.Counters{Queued: g.n, Written: g.n}}, attempts
}

func (g *traffic) call(c *ledger.Call) {
	g.n++
	g.now = g.now.Add(g.every)
	took := time.Duration(g.random.Int64N(int64(80 * time.Millisecond)))
	attempts, waits := c.AttemptList[:0], c.Waits[:0]
	*c = ledger.Call{
		ID: ledger.NewCallID(g.session, g.n), Method: "GET", Scheme: "https",
		Host: fmt.Sprintf("api%d.example.test", g.n%5), Path: fmt.Sprintf("/v1/resource/%d", g.n%40),
		Key: g.key(), Started: g.now, Took: took, Policy: "3 attempts, 100 ms × 2ⁿ, full jitter, at most 10s",
	}
	status := 200
	if g.random.IntN(100) < 8 {
		attempts = append(attempts, g.attempt(1, 0, took/4, 503))
		waits = append(waits, ledger.Wait{Before: 2, Kind: ledger.BackoffWait, Start: took / 4, Planned: took / 2, Took: took / 2,
			Rule: ledger.Rule{Base: 100 * time.Millisecond, Multiplier: 2, Max: 10 * time.Second, Fraction: 0.25}})
	} else if g.random.IntN(100) < 2 {
		status = 404
	}
	c.AttemptList = append(attempts, g.attempt(len(attempts)+1, took*3/4, took/4, status))
	c.Waits = waits
	c.Summarise()
}

// key returns an idempotency key for one call in a hundred.
func (g *traffic) key() string {
	if g.n%100 != 0 {
		return ""
	}
	return fmt.Sprintf("order-%d", g.n)
}

func (g *traffic) attempt(n int, start, took time.Duration, status int) ledger.Attempt {
	a := ledger.Attempt{
		N: n, Start: start, Took: took, Status: status, Proto: "HTTP/1.1", Outcome: ledger.Answered, RetryAfter: -1,
		Phases: ledger.Phases{Send: took / 20, Wait: took / 2, Receive: took / 3},
		Remote: "192.0.2.1:443", Reused: true, WireSends: 1, BytesReceived: 512, Decision: ledger.Done,
	}
	if g.headers {
		a.Request.Header, a.Response.Header = requestHeader(), responseHeader(g.now, g.n)
	}
	if g.bodies {
		a.Request.Body = bodyOf(fmt.Sprintf(`{"order":%d,"sku":"A-55"}`, g.n))
		a.Response.Body = bodyOf(fmt.Sprintf(`{"id":%d,"state":"created","lines":[{"sku":"A-55","count":2},{"sku":"B-7","count":1}]}`, g.n))
	}
	return a
}

func bodyOf(text string) ledger.Body {
	return ledger.Body{Data: []byte(text), Size: int64(len(text)), SHA256: sha256.Sum256([]byte(text))}
}

func requestHeader() []ledger.Field {
	return []ledger.Field{{Name: "Accept", Value: "application/json"}, {Name: "Authorization", Value: "[redacted]"},
		{Name: "User-Agent", Value: "checkout/1.2.3 (linux; amd64)"}, {Name: "X-Client", Value: "checkout"}}
}

func responseHeader(now time.Time, n int64) []ledger.Field {
	return []ledger.Field{{Name: "Content-Type", Value: "application/json; charset=utf-8"}, {Name: "Server", Value: "vendor/7"},
		{Name: "Cache-Control", Value: "no-store"}, {Name: "Vary", Value: "Accept-Encoding"}, {Name: "X-Frame-Options", Value: "DENY"},
		{Name: "Strict-Transport-Security", Value: "max-age=31536000; includeSubDomains"}, {Name: "X-Content-Type-Options", Value: "nosniff"},
		{Name: "Date", Value: now.Format(time.RFC1123)}, {Name: "X-Request-Id", Value: fmt.Sprintf("%016x", n)}}
}

// BenchmarkWrite writes batches of 4096 calls with indexes and rollups, one after another.
// With -benchtime=60s it tells what can be sustained.
func BenchmarkWrite(b *testing.B) {
	b.Run("plain", func(b *testing.B) { benchmarkWrite(b, false, false) })
	b.Run("headers", func(b *testing.B) { benchmarkWrite(b, true, false) })
	b.Run("bodies", func(b *testing.B) { benchmarkWrite(b, true, true) })
}

func benchmarkWrite(b *testing.B, headers, bodies bool) {
	path := filepath.Join(b.TempDir(), "redial.db")
	d := open(b, path)
	g := newTraffic(enrol(b, d, session("bench")))
	g.headers, g.bodies = headers, bodies
	attempts, took, cpu := int64(0), time.Duration(0), time.Duration(0)
	for b.Loop() {
		batch, n := g.batch(4096)
		began, used := time.Now(), processorTime()
		if err := d.Write(context.Background(), batch); err != nil {
			b.Fatal(err)
		}
		took, cpu = took+time.Since(began), cpu+processorTime()-used
		attempts += n
	}
	b.StopTimer()
	log, _ := os.Stat(path + "-wal")
	if err := d.Close(); err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(attempts)/took.Seconds(), "attempts/s")
	b.ReportMetric(float64(attempts)/cpu.Seconds(), "attempts/cpu-s") // what it would be on idle processors
	b.ReportMetric(float64(info.Size())/float64(attempts), "bytes/attempt")
	b.ReportMetric(float64(log.Size())/(1<<20), "MB-log")
}
