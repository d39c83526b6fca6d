package transport_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
	"redial/transport"
)

// An attempt's own timeout is not the caller's cancellation: it is sent again
// (turbopuffer-go#138), with a fresh context each time (asecurityteam/transport#14).
func TestAttemptTimeoutIsRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := newArrivals()
		base := pipe(t, func(w http.ResponseWriter, r *http.Request) {
			seen.note("")
			<-r.Context().Done()
		})
		j := newJournal()
		rt := &transport.Transport{Base: base, Recorder: j, Retry: plain(transport.Retry{Attempts: 4, Base: time.Second, Multiplier: 1, AttemptTimeout: time.Second})}
		_, _, err := get(t, rt, api)
		var timeout *transport.AttemptTimeoutError
		if !errors.As(err, &timeout) || !errors.Is(err, context.DeadlineExceeded) || timeout.After != time.Second || !timeout.Timeout() {
			t.Errorf("%v, want the attempt's timeout", err)
		}
		if want := []time.Duration{0, 2 * time.Second, 4 * time.Second, 6 * time.Second}; !slices.Equal(seen.times(), want) {
			t.Errorf("requests at %v, want %v", seen.times(), want)
		}
		want := []ledger.Decision{ledger.AgainUnknown, ledger.AgainUnknown, ledger.AgainUnknown, ledger.NoAttemptsLeft}
		if call := j.only(t); !slices.Equal(decisions(call), want) || call.Outcome != ledger.Unknown {
			t.Errorf("decided %v, outcome %v", decisions(call), call.Outcome)
		}
	})
}

// The timeout covers the body, and ends with it; before that, the body is whole however
// long after RoundTrip it is read (MSAL-Go#634, test-engine-client#543, failsafe-go#123).
func TestAttemptTimeoutCoversTheBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := pipe(t, func(w http.ResponseWriter, r *http.Request) {
			for range 50 {
				w.Write(make([]byte, 100<<10))
				w.(http.Flusher).Flush()
				select {
				case <-time.After(10 * time.Millisecond):
				case <-r.Context().Done():
				}
			}
		})
		for _, c := range []struct {
			timeout time.Duration
			whole   bool
		}{{time.Second, true}, {200 * time.Millisecond, false}} {
			rt := &transport.Transport{Base: base, Recorder: newJournal(), Retry: transport.Retry{Attempts: 2, AttemptTimeout: c.timeout}}
			_, body, err := get(t, rt, api)
			if whole := len(body) == 50*100<<10 && err == nil; whole != c.whole {
				t.Errorf("timeout %v: %d bytes, %v", c.timeout, len(body), err)
			}
			if !c.whole && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v, want the attempt's timeout", err)
			}
		}
	})
}

// A connection that switched protocols is not cut off by the attempt's timeout.
func TestAttemptTimeoutAndSwitchedProtocols(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := pipe(t, func(w http.ResponseWriter, r *http.Request) {
			conn, rw, _ := w.(http.Hijacker).Hijack()
			defer conn.Close()
			io.WriteString(rw, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
			rw.Flush()
			io.Copy(conn, rw)
		})
		j := newJournal()
		rt := &transport.Transport{Base: base, Recorder: j, Retry: transport.Retry{AttemptTimeout: time.Second}}
		req, _ := http.NewRequest(http.MethodGet, api, nil)
		req.Header.Set("Connection", "Upgrade")
		req.Header.Set("Upgrade", "echo")
		resp, err := rt.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		elapse(time.Hour)
		io.WriteString(resp.Body.(io.Writer), "hello")
		hello := make([]byte, 5)
		if _, err := io.ReadFull(resp.Body, hello); string(hello) != "hello" || err != nil {
			t.Errorf("%q %v", hello, err)
		}
		resp.Body.Close()
		if call := j.only(t); call.Status != 101 || call.Took != time.Hour || call.AttemptList[0].BytesReceived != 5 {
			t.Errorf("recorded %+v", call)
		}
	})
}

// Reading to the end, or closing, ends the attempt's context: nothing is left behind.
func TestAttemptContextEndsWithTheBody(t *testing.T) {
	for _, read := range []bool{true, false} {
		var ctx context.Context
		rt := &transport.Transport{Retry: transport.Retry{AttemptTimeout: time.Hour}, Base: baseFunc(func(r *http.Request) (*http.Response, error) {
			ctx = r.Context()
			return answer(r, 200, "x"), nil
		})}
		req, _ := http.NewRequest(http.MethodGet, api, nil)
		resp, err := rt.RoundTrip(req)
		if err != nil || ctx.Err() != nil {
			t.Fatal(err, ctx.Err())
		}
		if read {
			io.ReadAll(resp.Body)
		} else {
			resp.Body.Close()
		}
		if ctx.Err() == nil {
			t.Errorf("read %v: the attempt's context is still alive", read)
		}
	}
}

// An attempt that may take its share of the deadline, and no more, leaves time for the
// next one (go-retryablehttp#127).
func TestAttemptsShareTheDeadline(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		name    string
		method  string
		retry   transport.Retry
		getBody bool
		within  time.Duration
		want    []time.Duration // when requests arrive
	}{
		{"a third each", "PUT", transport.Retry{Attempts: 3, Base: 1}, true, 30 * s, []time.Duration{0, 10 * s, 20 * s}},
		{"what a delay leaves is shared", "PUT", transport.Retry{Attempts: 2, Base: 4 * s}, true, 20 * s, []time.Duration{0, 14 * s}},
		{"the shorter of two", "PUT", transport.Retry{Attempts: 3, Base: 1, AttemptTimeout: s}, true, 30 * s, []time.Duration{0, s, 2 * s}},
		{"the shorter is the share", "PUT", transport.Retry{Attempts: 3, Base: 1, AttemptTimeout: 20 * s}, true, 30 * s, []time.Duration{0, 10 * s, 20 * s}},
		{"not to be repeated", "POST", transport.Retry{Attempts: 3, Base: 1}, true, 30 * s, []time.Duration{0}},
		{"no body to send again", "PUT", transport.Retry{Attempts: 3, Base: 1}, false, 30 * s, []time.Duration{0}},
	} {
		synctest.Test(t, func(t *testing.T) {
			c.retry.ShareDeadline = true
			hang := func(r *http.Request) (*http.Response, error) {
				<-r.Context().Done()
				return nil, context.Cause(r.Context())
			}
			base := newScript(hang)
			rt := &transport.Transport{Base: base, Retry: plain(c.retry)}
			ctx, cancel := context.WithTimeout(t.Context(), c.within)
			defer cancel()
			bs := &bodies{text: payload}
			_, err := rt.RoundTrip(bs.request(t, c.method, api, c.getBody).WithContext(ctx))
			var got []time.Duration
			for _, at := range base.times() {
				got = append(got, at.Round(time.Millisecond))
			}
			if !slices.Equal(got, c.want) || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: requests at %v, want %v; %v", c.name, got, c.want, err)
			}
			if c.method == "POST" && time.Since(base.start) != c.within {
				t.Errorf("%s: it had %v of %v", c.name, time.Since(base.start), c.within)
			}
		})
	}
}
