package transport_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"redial/transport"
)

// A body that fails is the caller's trouble: its error comes through, and nothing is sent
// again (rehttp: MockClientFailBufferBody). rehttp reads bodies into memory first and so sends
// nothing at all; redial streams them.
func TestPeersABodyThatFailsIsNotSentAgain(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { sink(r) })
	j := newJournal()
	rt := &transport.Transport{Base: new(http.Transport), Retry: quick, Recorder: j}
	body := iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("hello")))
	_, err := (&http.Client{Transport: rt}).Post(s.URL, "text/plain", body)
	if call := j.only(t); !errors.Is(err, iotest.ErrTimeout) || call.Attempts != 1 {
		t.Errorf("%v after %d attempts", err, call.Attempts)
	}
}

// A request with a body is sent again with the same body if it may be, and once if it may not
// (rehttp: MockClientRetryWithBody, MockClientPreventRetryWithBody, ClientRetryWithBody). rehttp sends a
// POST again that nobody called repeatable; redial wants a key.
func TestPeersBodiesAreSentAgain(t *testing.T) {
	for _, c := range []struct {
		name string
		key  string
		body io.Reader
		want int
	}{
		{"with a key", "k1", strings.NewReader("hello"), 3},
		{"without a key", "", strings.NewReader("hello"), 1},
		{"one-shot", "k1", io.MultiReader(strings.NewReader("hello")), 1},
	} {
		var got []string
		rt := &transport.Transport{Retry: quick, Base: baseFunc(func(r *http.Request) (*http.Response, error) {
			got = append(got, sink(r))
			return nil, errLost
		})}
		req, _ := http.NewRequest(http.MethodPost, api, c.body)
		if c.key != "" {
			req.Header.Set("Idempotency-Key", c.key)
		}
		_, err := (&http.Client{Transport: rt}).Do(req)
		if !errors.Is(err, errLost) || len(got) != c.want || strings.Join(got, "") != strings.Repeat("hello", c.want) {
			t.Errorf("%s: %v, sent %q", c.name, err, got)
		}
	}
}

// bubble runs a test in fake time against a server that answers as the n-th request is
// answered, from 1.
func bubble(t *testing.T, answer func(n int, w http.ResponseWriter, r *http.Request), test func(t *testing.T, base http.RoundTripper, seen *arrivals)) {
	synctest.Test(t, func(t *testing.T) {
		seen := newArrivals()
		test(t, pipe(t, func(w http.ResponseWriter, r *http.Request) {
			seen.note(r.URL.Path)
			answer(len(seen.times()), w, r)
		}), seen)
	})
}

// hold lets a request wait, for as long as its client does.
func hold(r *http.Request, d time.Duration) {
	select {
	case <-time.After(d):
	case <-r.Context().Done():
	}
}

// Each attempt has its own timeout, and an attempt that is fast enough never meets it
// (rehttp: Transport_RoundTripTimeouts).
func TestPeersTimeoutsOfAttempts(t *testing.T) {
	for _, timeout := range []time.Duration{10 * time.Millisecond, time.Second, 0} {
		bubble(t, func(n int, w http.ResponseWriter, r *http.Request) {
			hold(r, 100*time.Millisecond)
			w.WriteHeader(429)
		}, func(t *testing.T, base http.RoundTripper, seen *arrivals) {
			rt := &transport.Transport{Base: base, Retry: transport.Retry{Attempts: 4, Base: 1, Max: 1, AttemptTimeout: timeout}}
			code, _, err := through(rt, api)
			if short := timeout == 10*time.Millisecond; short != (err != nil) || !short && code != 429 || len(seen.times()) != 4 {
				t.Errorf("%v: %d %v after %d requests", timeout, code, err, len(seen.times()))
			}
		})
	}
}

// The caller's deadline bounds them all (rehttp: Transport_RoundTripOverallTimeout), and a body
// may be read after RoundTrip as long as the attempt has time (CancelReader).
func TestPeersOneDeadlineForAllAttempts(t *testing.T) {
	bubble(t, func(n int, w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/large" {
			w.Write(make([]byte, 102_400))
			return
		}
		hold(r, 2*time.Second)
		w.WriteHeader(429)
	}, func(t *testing.T, base http.RoundTripper, seen *arrivals) {
		rt := &transport.Transport{Base: base, Retry: transport.Retry{Attempts: 4, Base: 1, Max: 1, AttemptTimeout: time.Second}}
		ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
		defer cancel()
		req, _ := http.NewRequestWithContext(ctx, http.MethodGet, api, nil)
		if _, _, err := finish(rt.RoundTrip(req)); !errors.Is(err, context.DeadlineExceeded) || len(seen.times()) != 2 {
			t.Errorf("%v after %d requests", err, len(seen.times()))
		}
		if code, body, err := get(t, rt, "http://api.example.test/large"); code != 200 || len(body) != 102_400 || err != nil {
			t.Errorf("%d, %d bytes, %v", code, len(body), err)
		}
	})
}

// The end of the caller's time ends an attempt and a wait alike (rehttp: ContextCancel,
// ContextCancelOnRetry, ClientTimeoutOnRetry), as an error that is a timeout. But where the deadline
// would pass before a wait is over, redial does not begin it, and returns the answer that
// there is. (Client.Timeout is no deadline that a RoundTripper could see in all cases; what
// is seen of it is the context's.)
func TestPeersDeadlinesWhileRetrying(t *testing.T) {
	for _, c := range []struct {
		name  string
		delay time.Duration
		want  int // requests
	}{{"in the second attempt", 1, 2}, {"in the wait before it", 2 * time.Second, 1}} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(n int, w http.ResponseWriter, r *http.Request) {
				if n == 1 {
					w.WriteHeader(500)
					return
				}
				hold(r, 2*time.Second)
			}, func(t *testing.T, base http.RoundTripper, seen *arrivals) {
				retry := plain(transport.Retry{Attempts: 2, Base: c.delay, Max: c.delay, Statuses: []int{500}})
				client := &http.Client{Transport: &transport.Transport{Base: base, Retry: retry}, Timeout: time.Second}
				code, _, err := finish(client.Get(api))
				if c.want == 1 && (code != 500 || err != nil || time.Since(seen.start) != 0) {
					t.Errorf("%d %v after %v, want the 500 at once", code, err, time.Since(seen.start))
				}
				var timeout net.Error
				if c.want == 2 && (!errors.As(err, &timeout) || !timeout.Timeout() || time.Since(seen.start) != time.Second) {
					t.Errorf("%v after %v", err, time.Since(seen.start))
				}
				if len(seen.times()) != c.want {
					t.Errorf("%d requests", len(seen.times()))
				}
			})
		})
	}
}

// Client.Timeout covers a slow body too, with the same bytes and the same kind of error as
// without redial (rehttp: ClientTimeoutSlowBody, ClientTimeout).
func TestPeersClientTimeoutInTheBody(t *testing.T) {
	bubble(t, func(n int, w http.ResponseWriter, r *http.Request) {
		for range 100 {
			io.WriteString(w, "xx")
			w.(http.Flusher).Flush()
			hold(r, time.Second/2)
		}
	}, func(t *testing.T, base http.RoundTripper, seen *arrivals) {
		var got []string
		for _, rt := range []http.RoundTripper{base, &transport.Transport{Base: base, Retry: quick}} {
			resp, err := (&http.Client{Transport: rt, Timeout: 1200 * time.Millisecond}).Get(api)
			_, body, err := finish(resp, err)
			var timeout net.Error
			if !errors.As(err, &timeout) || !timeout.Timeout() || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v is no timeout", err)
			}
			got = append(got, body)
		}
		if got[0] != got[1] || len(seen.times()) != 2 {
			t.Errorf("%q, %d requests", got, len(seen.times()))
		}
	})
}

// A base transport's own timeout is like any other failure: tried again, and returned in the
// end (rehttp: TransportTimeout).
func TestPeersResponseHeaderTimeoutIsRetried(t *testing.T) {
	bubble(t, func(n int, w http.ResponseWriter, r *http.Request) { hold(r, time.Hour) },
		func(t *testing.T, base http.RoundTripper, seen *arrivals) {
			base.(*http.Transport).ResponseHeaderTimeout = time.Second
			_, _, err := through(&transport.Transport{Base: base, Retry: quick}, api)
			var timeout net.Error
			if !errors.As(err, &timeout) || !timeout.Timeout() || len(seen.times()) != 3 {
				t.Errorf("%v after %d requests", err, len(seen.times()))
			}
		})
}

// Redirects and retries may come by turns; each hop keeps its body and may be sent again
// (rehttp: Redirects). A POST that may not be repeated ends with the answer that it got.
func TestPeersRedirectsAndRetriesByTurns(t *testing.T) {
	for _, c := range []struct {
		name, body, key string
		statuses        []int
		want            int
		hops            string
	}{
		{"neither", "", "k1", nil, 200, "/test"},
		{"redirects", "", "k1", []int{307, 307}, 200, "/test /1 /2"},
		{"both", "", "k1", []int{500, 307, 500, 307}, 200, "/test /test /2 /2 /4"},
		{"both, with a body", "payload", "k1", []int{500, 307, 500, 307}, 200, "/test /test /2 /2 /4"},
		{"both, without a key", "payload", "", []int{307, 500, 307}, 500, "/test /1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(n int, w http.ResponseWriter, r *http.Request) {
				body := sink(r)
				switch {
				case n > len(c.statuses):
					io.WriteString(w, body)
				case c.statuses[n-1] == 307:
					http.Redirect(w, r, fmt.Sprintf("/%d", n), http.StatusTemporaryRedirect)
				default:
					w.WriteHeader(c.statuses[n-1])
				}
			}, func(t *testing.T, base http.RoundTripper, seen *arrivals) {
				req, _ := http.NewRequest(http.MethodPost, "http://api.example.test/test", strings.NewReader(c.body))
				if c.key != "" {
					req.Header.Set("Idempotency-Key", c.key)
				}
				code, body, err := finish((&http.Client{Transport: &transport.Transport{Base: base, Retry: on(500)}}).Do(req))
				if code != c.want || err != nil || code == 200 && body != c.body || strings.Join(seen.names(), " ") != c.hops {
					t.Errorf("%d %q %v by way of %v", code, body, err, seen.names())
				}
			})
		})
	}
}
