package transport_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
	"redial/transport"
)

// All pauses of an attempt in one direction are on record as one wait, with the limit that
// they were for.
func TestBandwidthOnRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := pipe(t, func(w http.ResponseWriter, r *http.Request) {
			sink(r)
			elapse(3 * time.Second)
			io.Copy(w, zeros(1050))
		})
		j := newJournal()
		rt := &transport.Transport{Base: base, Recorder: j, Bandwidth: []transport.Bandwidth{
			{Up: 10_000, Down: 10_000}, {Host: "api.example.test", Up: 1000}, {Host: "api.example.test:80", Down: 100},
		}}
		req, _ := http.NewRequest(http.MethodPut, api, zeros(2050))
		if _, body, err := finish(rt.RoundTrip(req)); len(body) != 1050 || err != nil {
			t.Fatal(len(body), err)
		}
		c := j.only(t)
		if len(c.Waits) != 2 || c.Waited != c.Waits[0].Took+c.Waits[1].Took || c.WaitedFor != 1<<ledger.BandwidthWait {
			t.Fatalf("waits %+v", c.Waits)
		}
		for i, want := range []struct {
			start, took time.Duration
			rule        ledger.Rule
		}{
			{0, 2 * time.Second, ledger.Rule{Rate: 1000, Upload: true}},
			{5 * time.Second, 10450 * time.Millisecond, ledger.Rule{Rate: 100}},
		} {
			w := c.Waits[i]
			if w.Before != 1 || w.Kind != ledger.BandwidthWait || w.Rule != want.rule || w.Planned != 0 || !near(w.Start, want.start) || !near(w.Took, want.took) {
				t.Errorf("wait %d: %+v, want %+v", i, w, want)
			}
		}
		if a := c.AttemptList[0]; a.BytesSent != 2050 || a.BytesReceived != 1050 || a.Request.Body.Size != 2050 || !near(a.Phases.Send, 2*time.Second) {
			t.Errorf("attempt %+v", a)
		}
	})
}

// near reports whether two times differ by less than a piece of a body takes.
func near(a, b time.Duration) bool { return (a - b).Abs() <= 60*time.Millisecond }

// The pauses are seen while they last, in both directions.
func TestBandwidthIsSeenWhileItLasts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := pipe(t, func(w http.ResponseWriter, r *http.Request) {
			sink(r)
			io.Copy(w, zeros(10_000))
		})
		j := newJournal()
		rt := &transport.Transport{Base: base, Recorder: j, Bandwidth: []transport.Bandwidth{{Up: 1000, Down: 2000}}}
		see := func(state ledger.State, waited ...time.Duration) {
			t.Helper()
			running := j.running()
			if len(running) != 1 || len(running[0].Waits) != len(waited) || running[0].State != state {
				t.Fatalf("running: %+v, want waits of %v", running, waited)
			}
			total := time.Duration(0)
			for i, w := range running[0].Waits {
				total += w.Took
				if !near(w.Took, waited[i]) || w.Kind != ledger.BandwidthWait || w.Rule.Upload != (i == 0) {
					t.Errorf("wait %+v, want %v", w, waited[i])
				}
			}
			if running[0].Waited != total {
				t.Errorf("waited %v, want %v", running[0].Waited, total)
			}
		}
		req, _ := http.NewRequest(http.MethodPut, api, zeros(10_000))
		go func() { finish(rt.RoundTrip(req)) }()
		elapse(4 * time.Second)
		see(ledger.Sending, 4*time.Second)
		if sent := j.running()[0].AttemptList[0].BytesSent; sent < 3900 || sent > 4100 {
			t.Errorf("%d bytes sent after 4 s", sent)
		}
		elapse(8 * time.Second)
		see(ledger.Receiving, 10*time.Second, 2*time.Second)
		elapse(4 * time.Second)
		if n := len(j.running()); n != 0 {
			t.Errorf("%d still run", n)
		}
	})
}

// A pause for bandwidth and the backoff that follows stand in order, also when the limit
// holds up what is drained of the last response.
func TestBandwidthBesideBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		base := pipe(t, func(w http.ResponseWriter, r *http.Request) {
			sink(r)
			if n++; n == 1 {
				w.WriteHeader(503)
			}
			io.Copy(w, zeros(2000))
		})
		j := newJournal()
		rt := &transport.Transport{
			Base: base, Recorder: j, Retry: plain(transport.Retry{Attempts: 2, Base: time.Second}),
			Bandwidth: []transport.Bandwidth{{Up: 1000, Down: 1000}},
		}
		req, _ := http.NewRequest(http.MethodPut, api, zeros(1050))
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(zeros(1050)), nil }
		if code, _, err := finish(rt.RoundTrip(req)); code != 200 || err != nil {
			t.Fatal(code, err)
		}
		type kind struct {
			before int
			kind   ledger.WaitKind
			upload bool
		}
		var got []kind
		for _, w := range j.only(t).Waits {
			got = append(got, kind{w.Before, w.Kind, w.Rule.Upload})
			if w.Took <= 0 || w.Kind == ledger.BackoffWait && w.Took != time.Second {
				t.Errorf("wait %+v", w)
			}
		}
		want := []kind{{1, ledger.BandwidthWait, true}, {1, ledger.BandwidthWait, false}, {2, ledger.BackoffWait, false}, {2, ledger.BandwidthWait, true}, {2, ledger.BandwidthWait, false}}
		if !slices.Equal(got, want) {
			t.Errorf("waits %v, want %v", got, want)
		}
	})
}

// Whoever gives up is let go at once, with the context's error and its cause, in either
// direction, and in the first attempt as in any other.
func TestBandwidthPauseIsCancelled(t *testing.T) {
	for name, end := range map[string]func(ctx context.Context) (context.Context, error){
		"cancelled": func(ctx context.Context) (context.Context, error) {
			ctx, cancel := context.WithCancelCause(ctx)
			time.AfterFunc(2500*time.Millisecond, func() { cancel(errShutdown) })
			return ctx, errShutdown
		},
		"deadline": func(ctx context.Context) (context.Context, error) {
			ctx, cancel := context.WithTimeout(ctx, 2500*time.Millisecond)
			context.AfterFunc(ctx, cancel)
			return ctx, context.DeadlineExceeded
		},
	} {
		for _, up := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s up %v", name, up), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					base := pipe(t, func(w http.ResponseWriter, r *http.Request) {
						sink(r)
						io.Copy(w, zeros(100))
					})
					j := newJournal()
					way := transport.Bandwidth{Down: 1}
					if up {
						way = transport.Bandwidth{Up: 1}
					}
					rt := &transport.Transport{Base: base, Recorder: j, Retry: quick, Bandwidth: []transport.Bandwidth{way}}
					ctx, cause := end(t.Context())
					bs := &bodies{text: "a body that takes 29 seconds."}
					req := bs.request(t, http.MethodPut, api, true).WithContext(ctx)
					start := time.Now()
					_, _, err := finish(rt.RoundTrip(req))
					if took := time.Since(start); took != 2500*time.Millisecond {
						t.Errorf("returned after %v", took)
					}
					var gaveUp *transport.GaveUpError
					if !errors.Is(err, ctx.Err()) || !errors.Is(err, cause) || !errors.As(err, &gaveUp) {
						t.Errorf("%v, want the context's error and %q", err, cause)
					}
					c := j.only(t)
					if len(c.Waits) != 1 || c.Waits[0].Took != 2500*time.Millisecond || c.Waits[0].Rule.Upload != up {
						t.Errorf("waits %+v", c.Waits)
					}
					if d := decisions(c); up && !slices.Equal(d, []ledger.Decision{ledger.Cancelled}) {
						t.Errorf("decided %v", d)
					}
					bs.closedOnce(t)
				})
			})
		}
	}
}

// Closing a response's body ends a pause of who reads it.
func TestCloseEndsABandwidthPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := pipe(t, func(w http.ResponseWriter, r *http.Request) { io.Copy(w, zeros(100)) })
		j := newJournal()
		rt := &transport.Transport{Base: base, Recorder: j, Bandwidth: []transport.Bandwidth{{Down: 1}}}
		req, _ := http.NewRequest(http.MethodGet, api, nil)
		resp, err := rt.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(1500*time.Millisecond, func() { resp.Body.Close() })
		start := time.Now()
		n, err := io.Copy(io.Discard, resp.Body)
		if took := time.Since(start); n != 2 || err == nil || took != 1500*time.Millisecond {
			t.Errorf("%d bytes and %v after %v", n, err, took)
		}
		if c := j.only(t); c.Waits[0].Took != 1500*time.Millisecond || c.AttemptList[0].BytesReceived != 2 {
			t.Errorf("recorded %+v", c)
		}
	})
}

// Those who give up leave no hole: the others go on as if they had never been there.
func TestGivingUpABandwidthPauseLeavesNoHole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := pipe(t, func(w http.ResponseWriter, r *http.Request) { io.Copy(w, zeros(1000)) })
		rt := &transport.Transport{Base: base, Bandwidth: []transport.Bandwidth{{Down: 100}}}
		f := newFlow()
		var group sync.WaitGroup
		group.Go(func() { download(t, rt, api, f) })
		for i := range 50 {
			group.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*time.Millisecond)
				defer cancel()
				req, _ := http.NewRequestWithContext(ctx, http.MethodGet, api, nil)
				if resp, err := rt.RoundTrip(req); err == nil {
					io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
				}
			})
		}
		group.Wait()
		if f.total != 1000 || f.took() > 11*time.Second {
			t.Errorf("%d bytes after %v", f.total, f.took())
		}
	})
}

// A slow upload is not taken for a server that does not answer: ResponseHeaderTimeout
// begins when it is over.
func TestBandwidthAndResponseHeaderTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := pipe(t, func(w http.ResponseWriter, r *http.Request) { sink(r) })
		base.ResponseHeaderTimeout = time.Second
		rt := &transport.Transport{Base: base, Bandwidth: []transport.Bandwidth{{Up: 100}}}
		req, _ := http.NewRequest(http.MethodPut, api, zeros(2005))
		start := time.Now()
		code, _, err := finish(rt.RoundTrip(req))
		if took := time.Since(start); code != 200 || err != nil || !near(took, 20*time.Second) {
			t.Errorf("%d %v after %v", code, err, took)
		}
	})
}

// The attempt's own timeout does bound it. That is no fault of the body, so that it is sent
// again like any other attempt that timed out.
func TestBandwidthAndAttemptTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := pipe(t, func(w http.ResponseWriter, r *http.Request) { sink(r) })
		j := newJournal()
		rt := &transport.Transport{
			Base: base, Recorder: j, Retry: plain(transport.Retry{Attempts: 2, Base: time.Second, AttemptTimeout: 3 * time.Second}),
			Bandwidth: []transport.Bandwidth{{Up: 10}},
		}
		bs := &bodies{text: string(make([]byte, 1000))}
		start := time.Now()
		_, _, err := finish(rt.RoundTrip(bs.request(t, http.MethodPut, api, true)))
		var timeout *transport.AttemptTimeoutError
		if took := time.Since(start); !errors.As(err, &timeout) || took != 7*time.Second {
			t.Errorf("%v after %v", err, took)
		}
		want := []ledger.Decision{ledger.AgainUnknown, ledger.NoAttemptsLeft}
		if c := j.only(t); !slices.Equal(decisions(c), want) || len(c.Waits) != 3 {
			t.Errorf("decided %v, waits %+v", decisions(c), c.Waits)
		}
		bs.closedOnce(t)
	})
}

// A connection that switched protocols is no body, and is not limited.
func TestBandwidthAndSwitchedProtocols(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := pipe(t, func(w http.ResponseWriter, r *http.Request) {
			conn, rw, _ := w.(http.Hijacker).Hijack()
			defer conn.Close()
			io.WriteString(rw, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: zeros\r\n\r\n")
			io.Copy(rw, zeros(100))
			rw.Flush()
		})
		rt := &transport.Transport{Base: base, Bandwidth: []transport.Bandwidth{{Up: 1, Down: 1}}}
		req, _ := http.NewRequest(http.MethodGet, api, nil)
		req.Header.Set("Connection", "Upgrade")
		req.Header.Set("Upgrade", "zeros")
		start := time.Now()
		if _, body, err := finish(rt.RoundTrip(req)); len(body) != 100 || err != nil || time.Since(start) > 0 {
			t.Errorf("%d bytes, %v, after %v", len(body), err, time.Since(start))
		}
	})
}
