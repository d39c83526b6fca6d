package transport

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"runtime"
	"sync"
	"testing"
	"time"
)

// After whatever happened to the bodies that used them, the limits are as they were: nobody
// waits, and nobody is taken to be still under way.
func TestNothingStaysBehindInALimit(t *testing.T) {
	long := func() io.ReadCloser { return io.NopCloser(io.LimitReader(endless{}, 1<<20)) }
	rt := &Transport{
		Recorder: &last{}, Retry: Retry{Attempts: 2, Base: 1},
		Bandwidth: []Bandwidth{{Up: 20_000, Down: 20_000}, {Host: "api.example.test", Up: 10_000, Down: 10_000}},
		Base: roundTripper(func(r *http.Request) (*http.Response, error) {
			switch r.URL.Path {
			case "/fails":
				r.Body.Close()
				return nil, io.ErrUnexpectedEOF
			case "/busy":
				r.Body.Read(make([]byte, 10))
				r.Body.Close()
				return &http.Response{StatusCode: 503, Body: long()}, nil
			case "/reads":
				io.Copy(io.Discard, r.Body)
				r.Body.Close()
				return nil, context.Cause(r.Context())
			}
			r.Body.Close()
			return &http.Response{StatusCode: 200, Body: long()}, nil
		}),
	}
	var all sync.WaitGroup
	for _, path := range []string{"/fails", "/busy", "/reads", "/answers", "/cancelled", "://"} {
		for i := range 5 {
			all.Go(func() {
				ctx, cancel := context.WithTimeout(context.Background(), time.Duration(i*20)*time.Millisecond)
				defer cancel()
				req, err := http.NewRequestWithContext(ctx, http.MethodPut, "http://api.example.test"+path, long())
				if err != nil {
					req, _ = http.NewRequestWithContext(ctx, http.MethodPut, "http://", long())
				}
				req.GetBody = func() (io.ReadCloser, error) { return long(), nil }
				if resp, err := rt.RoundTrip(req); err == nil {
					io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
				}
			})
		}
	}
	all.Wait()
	// The drain of a response goes on for a moment after its call has ended.
	for deadline := time.Now().Add(time.Minute); rt.prepare().widths.busy() && time.Now().Before(deadline); {
		runtime.Gosched()
	}
	for _, way := range []*traffic{rt.prepare().widths.up, rt.prepare().widths.down} {
		way.mu.Lock()
		defer way.mu.Unlock()
		if way.waiting != 0 {
			t.Errorf("%d pieces wait", way.waiting)
		}
		for _, l := range way.lanes {
			if l.first != nil || l.last != nil {
				t.Error("a piece is left in a lane")
			}
		}
		for _, b := range way.buckets {
			if n := b.users.Load(); n != 0 {
				t.Errorf("a limit at %.0f has %d users left", b.rate, n)
			}
			if b.has < 0 || b.has > float64(b.size) {
				t.Errorf("a limit at %.0f has %.1f", b.rate, b.has)
			}
		}
	}
}

// busy reports whether anybody waits.
func (b *bandwidths) busy() bool {
	b.up.mu.Lock()
	defer b.up.mu.Unlock()
	b.down.mu.Lock()
	defer b.down.mu.Unlock()
	return b.up.waiting+b.down.waiting > 0
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// The limits of a request are those of its port, its host and of all hosts, and no others.
func TestLimitsByHostAndPort(t *testing.T) {
	ways := newBandwidths([]Bandwidth{
		{Up: 1}, {Host: "A.example.test.", Up: 2, Down: 20}, {Host: "a.example.test:443", Up: 4}, {Host: "[::1]:80", Up: 8},
	})
	for _, c := range []struct {
		url      string
		up, down float64 // the sums of the rates
	}{
		{"http://b.example.test", 1, 0},
		{"http://a.example.test", 3, 20},
		{"https://a.example.test", 7, 20},
		{"http://a.EXAMPLE.test:443/x", 7, 20},
		{"https://a.example.test:444", 3, 20},
		{"http://[::1]", 9, 0},
		{"https://[::1]", 1, 0},
		{"https://a.example.test.", 7, 20},
	} {
		u, err := url.Parse(c.url)
		if err != nil {
			t.Fatal(err)
		}
		sum := func(l *lane) (sum float64) {
			if l == nil {
				return 0
			}
			for _, b := range l.buckets {
				sum += b.rate
			}
			return sum
		}
		if up, down := sum(ways.up.of(u)), sum(ways.down.of(u)); up != c.up || down != c.down {
			t.Errorf("%s: up %v down %v, want %v and %v", c.url, up, down, c.up, c.down)
		}
	}
}
