package transport_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
	"redial/transport"
)

// Running calls can be pulled in each of their states.
func TestRunningCallsAreSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		next := make(chan struct{})
		base := newScript(status(503), func(r *http.Request) (*http.Response, error) {
			h := httptrace.ContextClientTrace(r.Context())
			h.GetConn("x")
			h.GotConn(httptrace.GotConnInfo{Reused: true})
			<-next
			return answer(r, 200, "the body"), nil
		})
		j := newJournal()
		rt := &transport.Transport{Base: base, Recorder: j, Retry: plain(transport.Retry{Attempts: 2, Base: 10 * time.Second})}
		req, _ := http.NewRequest(http.MethodPut, api, strings.NewReader(payload))
		resps := make(chan *http.Response)
		start := time.Now()
		go func() {
			resp, _ := rt.RoundTrip(req)
			resps <- resp
		}()
		see := func(state ledger.State, attempts, waits int) ledger.Call {
			t.Helper()
			synctest.Wait()
			running := j.running()
			if len(running) != 1 {
				t.Fatalf("%d running", len(running))
			}
			c := running[0]
			if c.State != state || len(c.AttemptList) != attempts || c.Attempts != attempts || len(c.Waits) != waits || c.Took != 0 || c.Outcome != ledger.NoOutcome || !c.Started.Equal(start) {
				t.Fatalf("%+v", c)
			}
			return c
		}
		c := see(ledger.Waiting, 1, 1)
		if w := c.Waits[0]; w.Took != 0 || w.Planned != 10*time.Second || !c.Since.Equal(start) || c.Status != 503 || c.AttemptList[0].Decision != ledger.AgainStatus {
			t.Errorf("waiting: %+v", c)
		}
		elapse(13 * time.Second)
		c = see(ledger.Sending, 2, 1)
		if a := c.AttemptList[1]; a.Took != 0 || a.Outcome != ledger.NoOutcome || a.BytesSent != 9 || !a.Reused || a.WireSends != 1 || a.Phases.Send != 3*time.Second || !c.Since.Equal(start.Add(10*time.Second)) {
			t.Errorf("sending: %+v", c)
		}
		next <- struct{}{}
		resp := <-resps
		resp.Body.Read(make([]byte, 3))
		c = see(ledger.Receiving, 2, 1)
		if a := c.AttemptList[1]; a.Took != 0 || a.BytesReceived != 3 || a.Status != 200 || a.Request.Header != nil || a.Response.Body.Data != nil {
			t.Errorf("receiving: %+v", c)
		}
		if young := j.runningBefore(start); len(young) != 0 {
			t.Errorf("%d started before the call", len(young))
		}
		resp.Body.Close()
		if n := len(j.running()); n != 0 {
			t.Errorf("%d running after the end", n)
		}
	})
}

// Pulling goes on while calls of every kind come and go, without a race, and every call is
// either running or recorded.
func TestPullingWhileCallsRun(t *testing.T) {
	var n atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sink(r)
		switch n.Add(1) % 4 {
		case 0:
			w.WriteHeader(503)
		case 1:
			reset(w)
			return
		}
		io.WriteString(w, "body")
	}))
	defer s.Close()
	j := newJournal()
	base := s.Client().Transport.(*http.Transport).Clone()
	defer base.CloseIdleConnections()
	rt := &transport.Transport{Base: base, Recorder: j, Retry: quick, Windows: []transport.Window{{Host: "127.0.0.1", Limit: 50, Per: 5 * time.Millisecond}}}
	const callers, each = 16, 50
	done := make(chan struct{})
	for range callers {
		go func() {
			defer func() { done <- struct{}{} }()
			for range each {
				req, _ := http.NewRequest(http.MethodPut, s.URL, strings.NewReader(payload))
				finish(rt.RoundTrip(req))
			}
		}()
	}
	for left := callers; left > 0; {
		for _, c := range j.running() {
			if !c.Running() || c.ID == 0 || c.Method != "PUT" {
				t.Errorf("pulled %+v", c)
			}
		}
		j.windows()
		select {
		case <-done:
			left--
		case <-time.After(time.Millisecond):
		}
	}
	seen := map[ledger.CallID]bool{}
	for _, c := range j.all() {
		if seen[c.ID] {
			t.Errorf("call %v was recorded twice", c.ID)
		}
		seen[c.ID] = true
		for i, a := range c.AttemptList {
			if a.N != i+1 || a.Took == 0 || a.Outcome == ledger.NoOutcome || a.Decision == ledger.Undecided || a.Decision.SendsAgain() != (i+1 < c.Attempts) {
				t.Errorf("call %v: attempt %+v", c.ID, a)
			}
		}
	}
	if len(seen) != callers*each || len(j.running()) != 0 {
		t.Errorf("%d recorded, %d running", len(seen), len(j.running()))
	}
}

// overlapping is a recorder that looks whether a call still runs when it is handed over.
type overlapping struct {
	*journal
	missing atomic.Int32
}

func (o *overlapping) Record(c *ledger.Call) {
	if !slices.ContainsFunc(o.running(), func(r ledger.Call) bool { return r.ID == c.ID && r.Running() }) {
		o.missing.Add(1)
	}
	o.journal.Record(c)
}

// A call is handed over before it stops being among the running, so that whoever looks at
// those first and at the recorded ones then never misses it.
func TestNoCallIsInNeitherPlace(t *testing.T) {
	o := &overlapping{journal: newJournal()}
	base := newScript(status(503), status(200), failure(errLost), func(r *http.Request) (*http.Response, error) {
		return answer(r, 200, ""), nil
	})
	rt := &transport.Transport{Base: base, Recorder: o, Retry: transport.Retry{Attempts: 2, Base: 1, Statuses: []int{503}}}
	for range 3 {
		get(t, rt, api)
	}
	get(t, rt, "http://")
	if n := o.missing.Load(); n != 0 || len(o.all()) != 4 || len(o.running()) != 0 {
		t.Errorf("%d of %d calls were in neither, %d still run", n, len(o.all()), len(o.running()))
	}
}

// Hooks that the caller put into the context fire as well.
func TestCallersHooksFire(t *testing.T) {
	v := newVendor(t)
	var got atomic.Int32
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { got.Add(1) }})
	j := newJournal()
	rt := &transport.Transport{Base: v.Client().Transport, Recorder: j, Retry: quick}
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, v.URL+"/503/hooks", nil)
	finish(rt.RoundTrip(req))
	if call := j.only(t); got.Load() != 2 || call.WireSends != 2 {
		t.Errorf("the caller saw %d connections, %d are recorded", got.Load(), call.WireSends)
	}
}

// One layer retries: the outer one. The inner one says so on record, and sends once.
func TestOnlyTheOuterLayerRetries(t *testing.T) {
	base := newScript(status(503))
	outer, inner := newJournal(), newJournal()
	rt := &transport.Transport{
		Base:     &transport.Transport{Base: base, Recorder: inner, Retry: quick},
		Recorder: outer, Retry: quick,
	}
	if code, _, err := get(t, rt, api); code != 503 || err != nil || len(base.times()) != 3 {
		t.Errorf("%d %v after %d requests, want 3", code, err, len(base.times()))
	}
	for _, c := range inner.all() {
		if d := decisions(c); !slices.Equal(d, []ledger.Decision{ledger.InnerLayer}) {
			t.Errorf("inner call: %v", d)
		}
	}
	if d := decisions(outer.only(t)); len(inner.all()) != 3 || d[2] != ledger.NoAttemptsLeft {
		t.Errorf("%d inner calls, outer decided %v", len(inner.all()), d)
	}
}

// Whichever of two nested transports has what, the inner one keeps to its own windows and
// sends once for each attempt of the outer; only what does nothing is no layer.
func TestNestedLayers(t *testing.T) {
	window := []transport.Window{{Host: "api.example.test", Limit: 100, Per: time.Hour}}
	for name, c := range map[string]struct {
		outer, inner         *transport.Transport
		sent, taken, retries int
	}{
		"both retry":                         {&transport.Transport{Retry: quick}, &transport.Transport{Retry: quick, Windows: window}, 3, 3, 2},
		"only the outer retries":             {&transport.Transport{Retry: quick}, &transport.Transport{Windows: window}, 3, 3, 2},
		"the outer holds the window":         {&transport.Transport{Retry: quick, Windows: window}, &transport.Transport{Retry: quick}, 3, 3, 2},
		"the outer does nothing":             {&transport.Transport{}, &transport.Transport{Retry: quick, Windows: window}, 3, 3, 2},
		"the outer decides, and it does not": {&transport.Transport{Windows: window}, &transport.Transport{Retry: quick}, 1, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			base := newScript(status(503))
			j := newJournal()
			c.inner.Base = base
			c.outer.Base = baseFunc(func(r *http.Request) (*http.Response, error) { // as oauth2 and others do
				return c.inner.RoundTrip(r.Clone(r.Context()))
			})
			for _, rt := range []*transport.Transport{c.outer, c.inner} {
				if rt.Windows != nil {
					rt.Recorder = j
				}
			}
			bs := &bodies{text: payload}
			code, _, err := finish(c.outer.RoundTrip(bs.request(t, http.MethodPut, api, true)))
			if retries := c.outer.Stats().Retries + c.inner.Stats().Retries; code != 503 || err != nil || len(base.times()) != c.sent || int(retries) != c.retries {
				t.Errorf("%d %v: sent %d times and retried %d, want %d and %d", code, err, len(base.times()), retries, c.sent, c.retries)
			}
			if w := j.windows(); len(w) != 1 || w[0].Used != c.taken {
				t.Errorf("windows %+v, want %d places taken", w, c.taken)
			}
			bs.closedOnce(t)
		})
	}
}

// Goroutines may share a request, and the header maps of different ones.
func TestSharedRequests(t *testing.T) {
	v := newVendor(t)
	rt := &transport.Transport{Base: v.Client().Transport, Recorder: newJournal(), Retry: quick}
	shared, _ := http.NewRequest(http.MethodGet, v.URL+"/503/shared", nil)
	shared.Header.Set("Idempotency-Key", "")
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			req := shared
			if i%2 == 0 {
				req, _ = http.NewRequest(http.MethodPost, v.URL+"/ok/shared", strings.NewReader(payload))
				req.Header = shared.Header
			}
			if code, _, err := finish(rt.RoundTrip(req)); code != 200 || err != nil {
				t.Error(code, err)
			}
		})
	}
	all.Wait()
}

// The values of the caller's context reach the base transport.
func TestContextValuesReachTheBase(t *testing.T) {
	type key struct{}
	ctx := context.WithValue(t.Context(), key{}, "value")
	rt := &transport.Transport{Recorder: newJournal(), Base: baseFunc(func(r *http.Request) (*http.Response, error) {
		if r.Context().Value(key{}) != "value" || r.Context().Value("other") != nil {
			return nil, errors.New("the context's values are lost")
		}
		return answer(r, 200, ""), nil
	})}
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, api, nil)
	if _, _, err := finish(rt.RoundTrip(req)); err != nil {
		t.Error(err)
	}
}
