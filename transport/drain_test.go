package transport_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
	"redial/transport"
)

// slowBody gives a byte at a time, for ever, until it is closed.
type slowBody struct {
	pace   time.Duration // between bytes; 0: as fast as they are read; negative: never
	read   atomic.Int64
	closes atomic.Int32
	done   chan struct{}
}

func newSlowBody(pace time.Duration) *slowBody {
	return &slowBody{pace: pace, done: make(chan struct{})}
}

func (b *slowBody) Read(p []byte) (int, error) {
	n := len(p)
	if b.pace != 0 {
		n = 1
		wait := b.pace
		if wait < 0 {
			wait = 1000 * time.Hour
		}
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-b.done:
			return 0, errors.New("closed")
		}
	}
	b.read.Add(int64(n))
	return n, nil
}

func (b *slowBody) Close() error {
	if b.closes.Add(1) == 1 {
		close(b.done)
	}
	return nil
}

// A response that is given up is drained within bounds and closed, whatever its server
// does (rehttp, heimdall; alpacax/alpacon-cli#298; failsafe-go: bodies never closed).
func TestDrainIsBounded(t *testing.T) {
	for _, c := range []struct {
		name string
		pace time.Duration
		took time.Duration
	}{
		{"endless", 0, 0},
		{"dribbling", time.Millisecond, 100 * time.Millisecond},
		{"stalled", -1, 100 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				body := newSlowBody(c.pace)
				base := newScript(func(r *http.Request) (*http.Response, error) {
					resp := answer(r, 503, "")
					resp.Body, resp.ContentLength = body, -1
					return resp, nil
				}, status(200))
				j := newJournal()
				rt := &transport.Transport{Base: base, Recorder: j, Retry: plain(transport.Retry{Attempts: 2, Base: 1})}
				if code, _, err := get(t, rt, api); code != 200 || err != nil {
					t.Fatal(code, err)
				}
				synctest.Wait()
				if got := base.times()[1]; got > c.took+1 || body.read.Load() > 64<<10 || body.closes.Load() != 1 {
					t.Errorf("sent again after %v, %d bytes read, closed %d times", got, body.read.Load(), body.closes.Load())
				}
				if a := j.only(t).AttemptList[0]; a.BytesReceived < body.read.Load()-1 || a.Decision != ledger.AgainStatus || a.Took == 0 {
					t.Errorf("recorded %+v", a)
				}
			})
		})
	}
}

// Cancelling does not wait for the drain.
func TestCancelWhileDraining(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		body := newSlowBody(-1)
		base := newScript(func(r *http.Request) (*http.Response, error) {
			resp := answer(r, 503, "")
			resp.Body, resp.ContentLength = body, -1
			return resp, nil
		})
		rt := &transport.Transport{Base: base, Recorder: newJournal(), Retry: plain(transport.Retry{Attempts: 2, Base: time.Second})}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(20*time.Millisecond, cancel)
		req, _ := http.NewRequestWithContext(ctx, http.MethodGet, api, nil)
		if _, err := rt.RoundTrip(req); !errors.Is(err, context.Canceled) || time.Since(base.start) != 20*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(base.start))
		}
		synctest.Wait()
		if body.closes.Load() != 1 {
			t.Errorf("closed %d times", body.closes.Load())
		}
	})
}

// stuckBody is one whose Close waits until it is let go, and its Read too if it is to stall.
type stuckBody struct {
	stall  bool
	closes atomic.Int32
	letGo  chan struct{}
}

func (b *stuckBody) Read([]byte) (int, error) {
	if b.stall {
		<-b.letGo
	}
	return 0, io.EOF
}

func (b *stuckBody) Close() error {
	b.closes.Add(1)
	<-b.letGo
	return nil
}

// A body whose Close blocks holds up neither the next attempt beyond the drain's own time
// nor a caller who gives up, and is closed once all the same.
func TestCloseThatBlocksIsBounded(t *testing.T) {
	for _, stall := range []bool{false, true} {
		for _, c := range []struct {
			deadline time.Duration
			took     time.Duration
		}{{time.Hour, 100 * time.Millisecond}, {30 * time.Millisecond, 30 * time.Millisecond}} {
			t.Run(fmt.Sprintf("stall %v, deadline %v", stall, c.deadline), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					body := &stuckBody{stall: stall, letGo: make(chan struct{})}
					base := newScript(func(r *http.Request) (*http.Response, error) {
						resp := answer(r, 503, "")
						resp.Body, resp.ContentLength = body, -1
						return resp, nil
					}, status(200))
					j := newJournal()
					rt := &transport.Transport{Base: base, Recorder: j, Retry: plain(transport.Retry{Attempts: 2, Base: 20 * time.Millisecond})}
					ctx, cancel := context.WithTimeout(t.Context(), c.deadline)
					defer cancel()
					time.AfterFunc(time.Minute, func() { close(body.letGo) })
					req, _ := http.NewRequestWithContext(ctx, http.MethodGet, api, nil)
					code, _, err := finish(rt.RoundTrip(req))
					if took := time.Since(base.start); took != c.took {
						t.Errorf("%d, %v after %v, want after %v", code, err, took, c.took)
					}
					if (err == nil) != (c.deadline == time.Hour) || err != nil && !errors.Is(err, context.DeadlineExceeded) {
						t.Errorf("%d, %v", code, err)
					}
					call := j.only(t)
					if a := call.AttemptList[0]; a.Status != 503 || a.Took == 0 || a.Took > c.took {
						t.Errorf("recorded %+v", a)
					}
					elapse(2 * time.Minute)
					if body.closes.Load() != 1 {
						t.Errorf("closed %d times", body.closes.Load())
					}
				})
			})
		}
	}
}

// Connections of responses that were given up are used again where they can be, and
// dropped where they cannot (openai-go#495, go-retryablehttp#82).
func TestConnectionsAfterRetries(t *testing.T) {
	for _, c := range []struct {
		name string
		size int
		max  int32 // connections for 100 calls of 3 attempts
	}{{"small bodies", 1000, 1}, {"no bodies", 0, 1}, {"just small enough", 64 << 10, 1}, {"too large", 1 << 20, 201}} {
		t.Run(c.name, func(t *testing.T) {
			var dials, n atomic.Int32
			body := strings.Repeat("x", c.size)
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if n.Add(1)%3 != 0 {
					w.WriteHeader(500)
					io.WriteString(w, body)
				}
			}))
			defer s.Close()
			base := &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
				dials.Add(1)
				return new(net.Dialer).DialContext(ctx, network, addr)
			}}
			defer base.CloseIdleConnections()
			retry := transport.Retry{Attempts: 3, Base: 1, Max: 1, Statuses: []int{500}}
			rt := &transport.Transport{Base: base, Retry: retry, Recorder: newJournal()}
			for range 100 {
				if code, _, err := get(t, rt, s.URL); code != 200 || err != nil {
					t.Fatal(code, err)
				}
			}
			if got := dials.Load(); got > c.max {
				t.Errorf("%d connections, want at most %d", got, c.max)
			}
		})
	}
}

// Nothing is left behind by thousands of calls that end in every way.
func TestNothingLeaks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // fails if a goroutine outlives the bubble
		base := pipe(t, func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Query().Get("do") {
			case "busy":
				w.WriteHeader(503)
				io.WriteString(w, "busy")
			case "hang":
				<-r.Context().Done()
			case "stream":
				for r.Context().Err() == nil {
					io.WriteString(w, "more\n")
					w.(http.Flusher).Flush()
				}
			}
		})
		j := newJournal()
		rt := &transport.Transport{
			Base: base, Recorder: j,
			Retry:   transport.Retry{Attempts: 3, Base: time.Millisecond, AttemptTimeout: time.Second},
			Windows: []transport.Window{{Host: "api.example.test", Limit: 50, Per: time.Second}},
		}
		var all sync.WaitGroup
		for i := range 400 {
			all.Go(func() {
				do := []string{"ok", "busy", "hang", "stream"}[i%4]
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*20*time.Millisecond)
				defer cancel()
				req, _ := http.NewRequestWithContext(ctx, http.MethodGet, api+"?do="+do, nil)
				if resp, err := rt.RoundTrip(req); err == nil {
					if do != "stream" {
						io.Copy(io.Discard, resp.Body)
					}
					resp.Body.Close()
				}
			})
		}
		all.Wait()
		if n := len(j.all()); n != 400 || len(j.running()) != 0 {
			t.Errorf("%d calls recorded, %d still running", n, len(j.running()))
		}
		for _, w := range j.windows() {
			if w.Waiting != 0 {
				t.Errorf("somebody still waits: %+v", w)
			}
		}
	})
}
