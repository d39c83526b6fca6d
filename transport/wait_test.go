package transport_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
	"redial/transport"
)

// script is a base transport that answers by turns and notes when it was asked.
type script struct {
	*arrivals
	steps []func(*http.Request) (*http.Response, error)
}

func newScript(steps ...func(*http.Request) (*http.Response, error)) *script {
	return &script{newArrivals(), steps}
}

func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	sink(r)
	s.note(r.Method)
	step := s.steps[min(len(s.times()), len(s.steps))-1]
	return step(r)
}

func status(code int, header ...string) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) { return answer(r, code, "body", header...), nil }
}

func failure(err error) func(*http.Request) (*http.Response, error) {
	return func(*http.Request) (*http.Response, error) { return nil, err }
}

var errLost = errors.New("connection lost")

// plain makes the delays of a policy predictable.
func plain(r transport.Retry) transport.Retry {
	r.Jitter = transport.NoJitter
	return r
}

func TestRetryAfterIsObeyed(t *testing.T) {
	for _, c := range []struct {
		name    string
		first   func(*http.Request) (*http.Response, error)
		want    time.Duration // between the requests
		kind    ledger.WaitKind
		asked   time.Duration // in the attempt's record
		byDate  bool
		attempt int
	}{
		{name: "seconds", first: status(503, "Retry-After", "7"), want: 7 * time.Second, kind: ledger.RetryAfterWait, asked: 7 * time.Second},
		{name: "fraction", first: status(429, "Retry-After", "1.2"), want: 2 * time.Second, kind: ledger.RetryAfterWait, asked: 2 * time.Second},
		{name: "date", first: dated(9 * time.Second), want: 9 * time.Second, kind: ledger.RetryAfterWait, asked: 9 * time.Second, byDate: true},
		{name: "date by a clock that is behind", first: behind(time.Hour, 9*time.Second), want: 9 * time.Second, kind: ledger.RetryAfterWait, asked: 9 * time.Second, byDate: true},
		{name: "shorter than the backoff", first: status(503, "Retry-After", "1"), want: time.Second, kind: ledger.RetryAfterWait, asked: time.Second},
		{name: "zero", first: status(503, "Retry-After", "0"), want: 4 * time.Second, kind: ledger.BackoffWait},
		{name: "date in the past", first: dated(-2 * time.Hour), want: 4 * time.Second, kind: ledger.BackoffWait},
		{name: "negative", first: status(503, "Retry-After", "-1"), want: 4 * time.Second, kind: ledger.BackoffWait, asked: -1},
		{name: "nonsense", first: status(503, "Retry-After", "soon"), want: 4 * time.Second, kind: ledger.BackoffWait, asked: -1},
		{name: "absent", first: status(503), want: 4 * time.Second, kind: ledger.BackoffWait, asked: -1},
		{name: "error", first: failure(errLost), want: 4 * time.Second, kind: ledger.BackoffWait, asked: -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				base := newScript(c.first, status(200))
				j := newJournal()
				rt := &transport.Transport{Base: base, Recorder: j, Retry: plain(transport.Retry{Attempts: 2, Base: 4 * time.Second})}
				if code, _, err := get(t, rt, api); code != 200 || err != nil {
					t.Fatal(code, err)
				}
				if want := []time.Duration{0, c.want}; !slices.Equal(base.times(), want) {
					t.Errorf("requests at %v, want %v", base.times(), want)
				}
				call := j.only(t)
				w := call.Waits[0]
				if w.Kind != c.kind || w.Before != 2 || w.Planned != c.want || w.Took != c.want || w.Rule.ByDate != c.byDate {
					t.Errorf("wait %+v", w)
				}
				if got := call.AttemptList[0].RetryAfter; got != c.asked && (got >= 0 || c.asked >= 0) {
					t.Errorf("recorded as asked: %v, want %v", got, c.asked)
				}
			})
		})
	}
}

// dated answers 503 with a Retry-After so far from now.
func dated(d time.Duration) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		return status(503, "Retry-After", time.Now().Add(d).UTC().Format(http.TimeFormat))(r)
	}
}

// behind is dated by a server whose clock is behind by lag, and that says so.
func behind(lag, d time.Duration) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		clock := time.Now().Add(-lag).UTC()
		return status(503, "Date", clock.Format(http.TimeFormat), "Retry-After", clock.Add(d).Format(http.TimeFormat))(r)
	}
}

// A Retry-After above the maximum means stop, with the response whole, not "retry sooner"
// (go-retryablehttp#247, #295, openai-python#3799).
func TestRetryAfterTooLongStops(t *testing.T) {
	for _, v := range []string{"3600", "9223372037", "99999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT", "10.5"} {
		synctest.Test(t, func(t *testing.T) {
			base := newScript(status(429, "Retry-After", v))
			j := newJournal()
			rt := &transport.Transport{Base: base, Recorder: j, Retry: transport.Retry{Attempts: 3, MaxRetryAfter: 10 * time.Second}}
			req, _ := http.NewRequest(http.MethodGet, api, nil)
			resp, err := rt.RoundTrip(req)
			if err != nil || resp.StatusCode != 429 || resp.Header.Get("Retry-After") != v {
				t.Fatalf("%s: %v, %v", v, resp, err)
			}
			if _, body, err := finish(resp, nil); body != "body" || err != nil {
				t.Errorf("%s: the body is %q, %v", v, body, err)
			}
			call := j.only(t)
			if d := decisions(call); len(base.times()) != 1 || d[0] != ledger.RetryAfterTooLong || call.Waited != 0 {
				t.Errorf("%s: %d requests, %v, waited %v", v, len(base.times()), d, call.Waited)
			}
		})
	}
}

// Retry-After is no reason to send again by itself.
func TestRetryAfterOnOtherStatuses(t *testing.T) {
	for _, code := range []int{200, 202, 301, 307, 400, 401, 403, 404, 409, 413, 421, 500, 501, 505, 511} {
		base := newScript(status(code, "Retry-After", "1"))
		j := newJournal()
		rt := &transport.Transport{Base: base, Recorder: j, Retry: quick}
		if got, _, err := get(t, rt, api); got != code || err != nil || len(base.times()) != 1 {
			t.Errorf("%d: got %d %v after %d requests", code, got, err, len(base.times()))
		}
		if a := j.only(t).AttemptList[0]; a.Decision != ledger.Done || a.RetryAfter != time.Second {
			t.Errorf("%d: %v, asked %v", code, a.Decision, a.RetryAfter)
		}
	}
}

// An endless wait is asked for, and the policy allows it: the caller's context still ends it.
func TestLongestRetryAfterDoesNotOverflow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := newScript(status(503, "Retry-After", "9223372037"))
		rt := &transport.Transport{Base: base, Retry: transport.Retry{Attempts: 3, MaxRetryAfter: 1<<63 - 1}}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Hour, cancel)
		req, _ := http.NewRequestWithContext(ctx, http.MethodGet, api, nil)
		if _, err := rt.RoundTrip(req); !errors.Is(err, context.Canceled) || len(base.times()) != 1 {
			t.Errorf("%v after %d requests", err, len(base.times()))
		}
	})
}

// No wait that the caller's deadline would cut short is begun
// (go-retryablehttp#272, pace/bricks#63).
func TestDeadlineBeforeTheNextAttempt(t *testing.T) {
	for _, c := range []struct {
		name  string
		first func(*http.Request) (*http.Response, error)
	}{
		{"backoff after a response", status(503)},
		{"Retry-After", status(503, "Retry-After", "10")},
		{"backoff after an error", failure(errLost)},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				base := newScript(c.first)
				j := newJournal()
				rt := &transport.Transport{Base: base, Recorder: j, Retry: plain(transport.Retry{Attempts: 3, Base: 10 * time.Second})}
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second) // just as long
				defer cancel()
				req, _ := http.NewRequestWithContext(ctx, http.MethodGet, api, nil)
				code, body, err := finish(rt.RoundTrip(req))
				if took := time.Since(base.start); took != 0 || len(base.times()) != 1 {
					t.Errorf("returned after %v and %d requests", took, len(base.times()))
				}
				if code != 0 && (code != 503 || body != "body" || err != nil) {
					t.Errorf("%d %q %v", code, body, err)
				}
				if code == 0 && (!errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, errLost)) {
					t.Errorf("%v, want the deadline and the cause", err)
				}
				if d := decisions(j.only(t)); d[0] != ledger.DeadlineTooSoon {
					t.Errorf("decided %v", d)
				}
			})
		})
	}
}

func TestLimitBoundsTheBeginningOfAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := newScript(status(503), status(503), failure(errLost))
		j := newJournal()
		rt := &transport.Transport{Base: base, Recorder: j, Retry: plain(transport.Retry{Attempts: 9, Base: time.Second, Limit: 3 * time.Second})}
		_, _, err := get(t, rt, api)
		if want := []time.Duration{0, time.Second, 3 * time.Second}; !slices.Equal(base.times(), want) {
			t.Errorf("requests at %v, want %v", base.times(), want)
		}
		if d := decisions(j.only(t)); d[2] != ledger.LimitTooSoon || !errors.Is(err, errLost) || !strings.Contains(err.Error(), "3s") {
			t.Errorf("decided %v, error %v", d, err)
		}
	})
}

// errShutdown is a cause, as services give one.
var errShutdown = errors.New("service is shutting down")

// A wait ends with the context, at once, with all that is known of why (heimdall#145,
// terraform-provider-power-platform#1244).
func TestCancelledWhileWaiting(t *testing.T) {
	for _, c := range []struct {
		name   string
		steps  []func(*http.Request) (*http.Response, error)
		status string
	}{
		{"after a response", []func(*http.Request) (*http.Response, error){status(503)}, "503"},
		{"after an error", []func(*http.Request) (*http.Response, error){failure(errLost)}, "connection lost"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				base := newScript(c.steps...)
				j := newJournal()
				rt := &transport.Transport{Base: base, Recorder: j, Retry: plain(transport.Retry{Attempts: 3, Base: time.Hour, Max: time.Hour})}
				ctx, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(time.Minute, func() { cancel(errShutdown) })
				req, _ := http.NewRequestWithContext(ctx, http.MethodGet, api, nil)
				_, err := rt.RoundTrip(req)
				if took := time.Since(base.start); took != time.Minute || len(base.times()) != 1 {
					t.Errorf("returned after %v and %d requests", took, len(base.times()))
				}
				if !errors.Is(err, context.Canceled) || !errors.Is(err, errShutdown) || !strings.Contains(err.Error(), c.status) {
					t.Errorf("%v lacks something", err)
				}
				if w := j.only(t).Waits[0]; w.Planned != time.Hour || w.Took != time.Minute {
					t.Errorf("wait %+v", w)
				}
			})
		})
	}
}

func TestDeadlineWhileWaitingIsATimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := newScript(status(503))
		rt := &transport.Transport{Base: base, Windows: []transport.Window{{Host: "api.example.test", Limit: 1, Per: time.Hour}}}
		get(t, rt, api)
		var gaveUp *transport.GaveUpError
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		req, _ := http.NewRequestWithContext(ctx, http.MethodGet, api, nil)
		if _, err := rt.RoundTrip(req); !errors.As(err, &gaveUp) || gaveUp.Timeout() {
			t.Errorf("%v is a timeout, but it was cancelled", err)
		}
		client := &http.Client{Transport: rt, Timeout: time.Second}
		_, err := client.Get(api)
		if !errors.As(err, &gaveUp) || !gaveUp.Timeout() || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v is no timeout", err)
		}
	})
}

// The deprecated Cancel channel ends waits as well.
func TestRequestCancelWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := newScript(status(503))
		rt := &transport.Transport{Base: base, Retry: plain(transport.Retry{Attempts: 3, Base: time.Hour, Max: time.Hour})}
		cancel := make(chan struct{})
		time.AfterFunc(time.Minute, func() { close(cancel) })
		req, _ := http.NewRequest(http.MethodGet, api, nil)
		//lint:ignore SA1019 It still works, as with net/http.
		req.Cancel = cancel
		if _, err := rt.RoundTrip(req); !errors.Is(err, context.Canceled) || time.Since(base.start) != time.Minute {
			t.Errorf("%v after %v", err, time.Since(base.start))
		}
	})
}

// A request that is cancelled already costs nothing (golang/go#46206,
// rreading-glasses#452, gkit#134).
func TestCancelledBeforehand(t *testing.T) {
	base := newScript(status(200))
	j := newJournal()
	rt := &transport.Transport{Base: base, Recorder: j, Retry: quick, Windows: []transport.Window{{Host: "api.example.test", Limit: 1, Per: time.Hour}}}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errShutdown)
	for range 1000 {
		req, _ := http.NewRequestWithContext(ctx, http.MethodGet, api, nil)
		if _, err := rt.RoundTrip(req); !errors.Is(err, context.Canceled) || !errors.Is(err, errShutdown) {
			t.Fatal(err)
		}
	}
	if len(base.times()) != 0 || len(j.windows()) != 0 {
		t.Errorf("%d requests, windows %v", len(base.times()), j.windows())
	}
	if code, _, err := get(t, rt, api); code != 200 || err != nil {
		t.Errorf("no place was left: %d %v", code, err)
	}
}

// No attempt follows the caller's cancellation (go-retryablehttp#22, imroc/req#339).
func TestCancelledInAnAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, context.Cause(r.Context())
		}
		base := newScript(status(503), hang)
		j := newJournal()
		rt := &transport.Transport{Base: base, Recorder: j, Retry: plain(transport.Retry{Attempts: 5, Base: time.Second, AttemptTimeout: 2 * time.Minute})}
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Minute, func() { cancel(errShutdown) })
		req, _ := http.NewRequestWithContext(ctx, http.MethodGet, api, nil)
		_, err := rt.RoundTrip(req)
		if !errors.Is(err, context.Canceled) || !errors.Is(err, errShutdown) || !strings.Contains(err.Error(), "503") || len(base.times()) != 2 {
			t.Errorf("%v after %d requests", err, len(base.times()))
		}
		if took := time.Since(base.start); took != time.Minute {
			t.Errorf("returned after %v", took)
		}
		if d := decisions(j.only(t)); !slices.Equal(d, []ledger.Decision{ledger.AgainStatus, ledger.Cancelled}) {
			t.Errorf("decided %v", d)
		}
	})
}

// With decorrelated jitter each delay of a call goes by the one before it, and each call
// begins anew.
func TestDecorrelatedDelaysOfACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJournal()
		retry := transport.Retry{Attempts: 6, Base: time.Second, Max: 20 * time.Second, Jitter: transport.DecorrelatedJitter}
		rt := &transport.Transport{Base: newScript(status(503)), Recorder: j, Retry: retry}
		for range 5 {
			get(t, rt, api)
		}
		for _, c := range j.all() {
			before := time.Second
			for i, w := range c.Waits {
				if w.Rule.Max != min(3*before, 20*time.Second) || w.Planned < time.Second || w.Planned > w.Rule.Max || w.Took != w.Planned {
					t.Errorf("wait %d after %v: %+v", i+1, before, w)
				}
				before = w.Planned
			}
		}
	})
}
