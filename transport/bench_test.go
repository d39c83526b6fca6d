package transport_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"redial/ledger"
	"redial/transport"
)

// blind is a recorder that keeps nothing: what remains is the cost of the transport.
type blind struct{ ids atomic.Int64 }

func (b *blind) NewID() ledger.CallID { return ledger.CallID(b.ids.Add(1)) }
func (*blind) BodyLimit() int64       { return 0 }
func (*blind) Record(*ledger.Call)    {}
func (*blind) Watch(ledger.Live)      {}

// memory is a base transport that answers from memory, and fires the hooks that net/http
// fires for a request on a connection that was used before.
type memory struct{ header http.Header }

func (m *memory) RoundTrip(r *http.Request) (*http.Response, error) {
	if h := httptrace.ContextClientTrace(r.Context()); h != nil {
		h.GetConn("api.example.test:80")
		h.GotConn(httptrace.GotConnInfo{Reused: true, WasIdle: true})
		h.WroteRequest(httptrace.WroteRequestInfo{})
		h.GotFirstResponseByte()
	}
	return &http.Response{
		Status: "200 OK", StatusCode: 200, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: m.header, Body: http.NoBody, Request: r,
	}, nil
}

func someHeaders(n int, side string) http.Header {
	h := http.Header{}
	for i := range n {
		h.Set(fmt.Sprintf("X-%s-Header-%02d", side, i), strings.Repeat("v", 10+i))
	}
	return h
}

// BenchmarkAttempt compares one call with one attempt through the transport with the same
// call through its base alone: subtract "bare" from the others.
func BenchmarkAttempt(b *testing.B) {
	for _, headers := range []int{0, 15} {
		base := &memory{header: someHeaders(headers/2, "Response")}
		req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, "http://api.example.test/orders/8841", nil)
		if err != nil {
			b.Fatal(err)
		}
		req.Header = someHeaders(headers-headers/2, "Request")
		for _, c := range []struct {
			name string
			rt   http.RoundTripper
		}{
			{"bare", base},
			{"zero", &transport.Transport{Base: base}},
			{"recorded", &transport.Transport{Base: base, Recorder: &blind{}}},
			{"retry+windows", &transport.Transport{
				Base: base, Recorder: &blind{}, Retry: transport.SafeRetry,
				Windows: []transport.Window{
					{Host: "api.example.test", Limit: 1 << 40, Per: time.Second},
					{Host: "api.example.test", Limit: 1 << 40, Per: time.Minute},
				},
			}},
			{"retry+windows+routes", &transport.Transport{
				Base: base, Recorder: &blind{}, Retry: transport.SafeRetry,
				Windows: []transport.Window{
					{Host: "api.example.test", Limit: 1 << 40, Per: time.Second},
					{Host: "api.example.test", Limit: 1 << 40, Per: time.Minute},
				},
				Routes: []transport.Route{
					{Host: "other.example.test"},
					{Methods: []string{"POST"}, Path: "/search/"},
					{Host: "*.example.test", Path: "/orders/{id}", Retry: transport.SafeRetry},
				},
			}},
		} {
			b.Run(fmt.Sprintf("headers=%d/%s", headers, c.name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					resp, err := c.rt.RoundTrip(req)
					if err != nil {
						b.Fatal(err)
					}
					resp.Body.Close()
				}
			})
		}
	}
}

// BenchmarkAttemptParallel is the same from many goroutines at once.
func BenchmarkAttemptParallel(b *testing.B) {
	base := &memory{header: someHeaders(7, "Response")}
	for _, c := range []struct {
		name string
		rt   http.RoundTripper
	}{
		{"bare", base},
		{"recorded", &transport.Transport{Base: base, Recorder: &blind{}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.RunParallel(func(pb *testing.PB) {
				req, _ := http.NewRequest(http.MethodGet, "http://api.example.test/orders/8841", nil)
				req.Header = someHeaders(8, "Request")
				for pb.Next() {
					resp, err := c.rt.RoundTrip(req)
					if err != nil {
						b.Fatal(err)
					}
					resp.Body.Close()
				}
			})
		})
	}
}

// BenchmarkQueue joins and leaves a queue that others wait in. It costs the same however
// many they are, but for what the garbage collector has to do about the stack of each, so
// that is left out.
func BenchmarkQueue(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for _, others := range []int{0, 100, 10_000} {
		b.Run(fmt.Sprintf("waiting=%d", others), func(b *testing.B) {
			j := newJournal()
			rt := &transport.Transport{
				Base: &memory{}, Recorder: j,
				Windows: []transport.Window{{Host: "api.example.test", Limit: 1, Per: 1000 * time.Hour}},
			}
			crowd, disperse := context.WithCancel(context.Background())
			send := func(ctx context.Context) {
				req, _ := http.NewRequestWithContext(ctx, http.MethodGet, api, nil)
				if resp, err := rt.RoundTrip(req); err == nil {
					resp.Body.Close()
				}
			}
			send(crowd) // takes the only place
			var all sync.WaitGroup
			for range others {
				all.Go(func() { send(crowd) })
			}
			for j.windows()[0].Waiting < others {
				runtime.Gosched()
			}
			for b.Loop() {
				ctx, cancel := context.WithCancel(context.Background())
				time.AfterFunc(0, cancel)
				send(ctx)
			}
			disperse()
			all.Wait()
		})
	}
}
