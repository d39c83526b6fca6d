package transport_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
	"redial/transport"
)

// A caller reads the attempts and waits of its call whatever the call ended with, and
// whatever stands between it and the transport.
func TestACallerReadsItsCall(t *testing.T) {
	for _, c := range []struct {
		name     string
		base     func(*http.Request) (*http.Response, error)
		timeout  time.Duration // of the client, which then wraps the response's body
		attempts int
		status   int
		outcome  ledger.Outcome
	}{
		{"a body", status(503), 0, 3, 503, ledger.Answered},
		{"a body that the client wraps", status(503), time.Hour, 3, 503, ledger.Answered},
		{"no body", func(r *http.Request) (*http.Response, error) { return answer(r, 204, ""), nil }, time.Hour, 1, 204, ledger.Answered},
		{"an error", failure(errLost), 0, 3, 0, ledger.Unknown},
		{"a refusal", func(r *http.Request) (*http.Response, error) { return nil, errors.New("unsupported protocol scheme ") }, 0, 1, 0, ledger.Unknown},
	} {
		for _, recorded := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, recorded %v", c.name, recorded), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					j := newJournal()
					rt := &transport.Transport{Base: baseFunc(c.base), Retry: plain(transport.Retry{Attempts: 3, Base: time.Second})}
					if recorded {
						rt.Recorder = j
					}
					client := &http.Client{Transport: rt, Timeout: c.timeout}
					ctx, watched := transport.Watch(t.Context())
					req, _ := http.NewRequestWithContext(ctx, http.MethodGet, api, nil)
					resp, err := client.Do(req)
					if resp != nil {
						if call, ok := transport.CallOf(resp); !ok || call.Attempts != c.attempts || call.Status != c.status {
							t.Errorf("of the response: %v %+v", ok, call)
						}
						io.Copy(io.Discard, resp.Body)
						resp.Body.Close()
					}
					call, ok := watched.Last()
					if !ok || call.Attempts != c.attempts || len(call.AttemptList) != c.attempts || call.Status != c.status || call.Outcome != c.outcome || call.Running() || call.Took == 0 {
						t.Errorf("%v %+v, response %v, error %v", ok, call, resp, err)
					}
					if len(call.Waits) != c.attempts-1 || call.Waited != time.Duration(max(0, 3*(c.attempts-2)))*time.Second {
						t.Errorf("waits %+v", call.Waits)
					}
					if recorded && call.ID != j.only(t).ID {
						t.Errorf("id %v, want %v", call.ID, j.only(t).ID)
					}
				})
			})
		}
	}
}

// While the response's body is open, and while the call waits, what there is so far can be
// read.
func TestACallerReadsItsCallWhileItRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := newScript(status(503), func(r *http.Request) (*http.Response, error) { return answer(r, 200, "the body"), nil })
		rt := &transport.Transport{Base: base, Retry: plain(transport.Retry{Attempts: 2, Base: 10 * time.Second})}
		ctx, watched := transport.Watch(t.Context())
		if _, ok := watched.Last(); ok || len(watched.Calls()) != 0 {
			t.Error("there is a call before the first")
		}
		req, _ := http.NewRequestWithContext(ctx, http.MethodGet, api, nil)
		resps := make(chan *http.Response)
		go func() {
			resp, _ := rt.RoundTrip(req)
			resps <- resp
		}()
		elapse(4 * time.Second)
		if call, ok := watched.Last(); !ok || !call.Running() || call.State != ledger.Waiting || call.Status != 503 || len(call.Waits) != 1 {
			t.Errorf("waiting: %v %+v", ok, call)
		}
		resp := <-resps
		call, ok := transport.CallOf(resp)
		if !ok || !call.Running() || call.State != ledger.Receiving || call.Attempts != 2 || call.Status != 200 || call.Outcome != ledger.NoOutcome || call.Waited != 10*time.Second {
			t.Errorf("receiving: %v %+v", ok, call)
		}
		resp.Body.Close()
		if call, ok := transport.CallOf(resp); !ok || call.Running() || call.Outcome != ledger.Answered {
			t.Errorf("afterwards: %v %+v", ok, call)
		}
	})
}

// What is read belongs to the reader: later calls and other readers do not change it.
func TestWhatACallerReadIsItsOwn(t *testing.T) {
	rt := &transport.Transport{Base: newScript(status(503)), Retry: quick}
	ctx, watched := transport.Watch(t.Context())
	send := func(method string) {
		req, _ := http.NewRequestWithContext(ctx, method, api, nil)
		finish(rt.RoundTrip(req))
	}
	send(http.MethodGet)
	first, _ := watched.Last()
	first.AttemptList[0].Status = 1
	send(http.MethodPut)
	for range 20 { // Calls that nobody watches get the memory of those that have ended.
		get(t, rt, "http://other.example.test")
	}
	calls := watched.Calls()
	if len(calls) != 2 || calls[0].Method != "GET" || calls[1].Method != "PUT" || calls[1].Host != "api.example.test" || calls[0].AttemptList[0].Status != 503 {
		t.Errorf("%+v", calls)
	}
}

// Each response is told from the others, also where a request was sent more than once, or
// the response was put into another by somebody in between.
func TestCallOfEachResponse(t *testing.T) {
	n := 0
	base := baseFunc(func(r *http.Request) (*http.Response, error) {
		n++
		return answer(r, 200+n, ""), nil
	})
	rt := &transport.Transport{Base: base, Retry: quick}
	ctx, _ := transport.Watch(t.Context())
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, api, nil)
	first, _ := rt.RoundTrip(req)
	second, _ := rt.RoundTrip(req)
	copied := *second
	for _, resp := range []*http.Response{first, second, &copied} {
		if call, ok := transport.CallOf(resp); !ok || call.Status != resp.StatusCode {
			t.Errorf("%v, status %d, want %d", ok, call.Status, resp.StatusCode)
		}
	}
	foreign := answer(req.WithContext(ctx), 200, "")
	plain, _ := http.NewRequest(http.MethodGet, api, nil)
	unwatched, _ := rt.RoundTrip(plain)
	for i, resp := range []*http.Response{nil, {}, foreign, unwatched} {
		if call, ok := transport.CallOf(resp); ok {
			t.Errorf("%d: %+v", i, call)
		}
	}
}

// Of nested transports it is the outer call that is seen, which the inner ones serve; but
// one that does nothing is none.
func TestNestedTransportsAreSeenOnce(t *testing.T) {
	inner := &transport.Transport{Base: newScript(status(503)), Retry: quick}
	for name, c := range map[string]struct {
		outer    *transport.Transport
		attempts int
		last     ledger.Decision
	}{
		"outer retries":      {&transport.Transport{Base: inner, Retry: transport.Retry{Attempts: 2, Base: 1}}, 2, ledger.NoAttemptsLeft},
		"outer does nothing": {&transport.Transport{Base: inner}, 3, ledger.NoAttemptsLeft},
	} {
		ctx, watched := transport.Watch(t.Context())
		ctx, again := transport.Watch(ctx)
		req, _ := http.NewRequestWithContext(ctx, http.MethodGet, api, nil)
		finish(c.outer.RoundTrip(req))
		for _, w := range []*transport.Watched{watched, again} {
			if calls := w.Calls(); len(calls) != 1 || calls[0].Attempts != c.attempts || decisions(calls[0])[c.attempts-1] != c.last {
				t.Errorf("%s: %+v", name, calls)
			}
		}
	}
}

// A request that is made while another is sent, by something below the transport and with
// the attempt's context, is still one of an inner layer when somebody watches it.
func TestWatchingDoesNotHideALayer(t *testing.T) {
	inner := &transport.Transport{Base: newScript(status(503)), Retry: quick}
	var seen []ledger.Call
	rt := &transport.Transport{Retry: transport.Retry{Attempts: 2, Base: 1}, Base: baseFunc(func(r *http.Request) (*http.Response, error) {
		ctx, watched := transport.Watch(r.Context())
		resp, err := inner.RoundTrip(r.WithContext(ctx))
		seen = append(seen, watched.Calls()...)
		return resp, err
	})}
	get(t, rt, api)
	if len(seen) != 2 || decisions(seen[0])[0] != ledger.InnerLayer {
		t.Errorf("%+v", seen)
	}
}

// A context that serves for long keeps no more than the last hundred calls, and may be used
// by many at once.
func TestWatchIsBoundedAndShared(t *testing.T) {
	rt := &transport.Transport{Base: newScript(status(200)), Retry: quick}
	ctx, watched := transport.Watch(t.Context())
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				req, _ := http.NewRequestWithContext(ctx, http.MethodGet, api, nil)
				if resp, err := rt.RoundTrip(req); err == nil {
					watched.Last()
					transport.CallOf(resp)
					resp.Body.Close()
				}
			}
		})
	}
	all.Go(func() {
		for range 100 {
			for _, c := range watched.Calls() {
				if c.Method != "GET" || c.Attempts > 1 {
					t.Errorf("seen %+v", c)
				}
			}
		}
	})
	all.Wait()
	if n := len(watched.Calls()); n != 100 {
		t.Errorf("%d calls are kept", n)
	}
}

// The hops of a redirect are seen one by one, and linked.
func TestRedirectsAreSeenHopByHop(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if n := strings.Count(r.URL.Path, "x"); n < 4 {
			http.Redirect(w, r, r.URL.Path+"x", http.StatusFound)
		}
	})
	j := newJournal()
	client := &http.Client{Transport: &transport.Transport{Base: s.Client().Transport, Recorder: j, Retry: quick}, Timeout: time.Minute}
	ctx, watched := transport.Watch(context.WithoutCancel(t.Context()))
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if call, ok := transport.CallOf(resp); !ok || call.Path != "/xxxx" {
		t.Errorf("of the response: %+v", call)
	}
	var paths []string
	previous := ledger.CallID(0)
	for _, c := range watched.Calls() {
		paths = append(paths, c.Path)
		if c.Previous != previous {
			t.Errorf("%s follows %v, want %v", c.Path, c.Previous, previous)
		}
		previous = c.ID
	}
	if want := []string{"", "/x", "/xx", "/xxx", "/xxxx"}; !slices.Equal(paths, want) {
		t.Errorf("hops %q, want %q", paths, want)
	}
}
