package transport_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
	"redial/transport"
)

// A POST whose connection was reset after the server had done the work is not sent again
// (axios-retry#66, node-request-retry#145); nor is one that was answered with a status on
// the list (logstash-output-http#105). With a key both are, and do the work once.
func TestAnOrderIsPlacedOnce(t *testing.T) {
	for _, c := range []struct {
		failure string
		key     bool
		want    int // requests
	}{{"reset", false, 1}, {"500", false, 1}, {"reset", true, 2}, {"500", true, 2}} {
		var mu sync.Mutex
		requests, orders := 0, map[string]bool{}
		server := serve(t, func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			mu.Lock()
			defer mu.Unlock()
			requests++
			key := r.Header.Get("Idempotency-Key")
			if done := orders[key]; done && key != "" {
				return
			}
			orders[key] = true
			if c.failure == "reset" {
				reset(w)
				return
			}
			w.WriteHeader(500)
		})
		retry := quick
		retry.Statuses = []int{500, 503}
		rt := &transport.Transport{Base: server.Client().Transport, Recorder: newJournal(), Retry: retry}
		req, _ := http.NewRequest(http.MethodPost, server.URL, strings.NewReader(payload))
		if c.key {
			keyed(req)
		}
		finish(rt.RoundTrip(req))
		mu.Lock()
		if requests != c.want || len(orders) != 1 {
			t.Errorf("%s, key %v: %d requests and %d orders, want %d and 1", c.failure, c.key, requests, len(orders), c.want)
		}
		mu.Unlock()
	}
}

// A server promises to keep a connection and closes it as the next request arrives. With a
// key net/http sends that again by itself (golang/go#19943, #22158), and what is on record
// is what was on the wire; without one it is sent once, and is unknown.
func TestAConnectionThatIsClosedAsARequestArrives(t *testing.T) {
	for _, key := range []bool{true, false} {
		var requests atomic.Int32
		server := serve(t, func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			if requests.Add(1) == 2 {
				conn, _, _ := w.(http.Hijacker).Hijack()
				conn.Close()
			}
		})
		j := newJournal()
		rt := &transport.Transport{Base: server.Client().Transport, Recorder: j, Retry: quick}
		get(t, rt, server.URL)
		req, _ := http.NewRequest(http.MethodPost, server.URL, strings.NewReader(payload))
		want, outcome := 1, ledger.Unknown
		if key {
			keyed(req)
			want, outcome = 2, ledger.Answered
		}
		finish(rt.RoundTrip(req))
		call := j.all()[1]
		if n := int(requests.Load()) - 1; n != want || call.WireSends != want || call.Outcome != outcome {
			t.Errorf("key %v: the server saw %d requests, on record are %d and %v, want %d and %v", key, n, call.WireSends, call.Outcome, want, outcome)
		}
	}
}

// http.Client.Timeout spans all attempts. An attempt's own timeout leaves time for the next
// one, and the client's still has the last word (terraform-provider-posthog#157,
// retryablehttp-go#554).
func TestAClientsTimeoutSpansAllAttempts(t *testing.T) {
	for _, c := range []struct {
		attempt  time.Duration
		hangs    int // attempts that hang
		ok       bool
		took     time.Duration
		requests int
	}{
		{0, 1, false, 10 * time.Second, 1},
		{3 * time.Second, 1, true, 4 * time.Second, 2},
		{3 * time.Second, 9, false, 10 * time.Second, 3},
	} {
		synctest.Test(t, func(t *testing.T) {
			seen := newArrivals()
			base := pipe(t, func(w http.ResponseWriter, r *http.Request) {
				seen.note("")
				if len(seen.times()) <= c.hangs {
					<-r.Context().Done()
				}
			})
			retry := plain(transport.Retry{Attempts: 9, Base: time.Second, Multiplier: 1, AttemptTimeout: c.attempt})
			client := &http.Client{Transport: &transport.Transport{Base: base, Retry: retry}, Timeout: 10 * time.Second}
			resp, err := client.Get(api)
			if err == nil {
				resp.Body.Close()
			} else if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v is not the timeout", err)
			}
			synctest.Wait()
			if took := time.Since(seen.start); (err == nil) != c.ok || took != c.took || len(seen.times()) != c.requests {
				t.Errorf("%v for each of %d: %v after %v and %d requests, want %v and %d", c.attempt, c.hangs, err, took, len(seen.times()), c.took, c.requests)
			}
		})
	}
}

// A body that stalls ends with the caller's deadline, in the context's error, and the
// answer stays an answer.
func TestABodyThatStallsEndsWithTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := pipe(t, func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, "half")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		})
		j := newJournal()
		rt := &transport.Transport{Base: base, Recorder: j, Retry: transport.SafeRetry}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		req, _ := http.NewRequestWithContext(ctx, http.MethodGet, api, nil)
		code, body, err := finish(rt.RoundTrip(req))
		if code != 200 || body != "half" || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%d %q %v", code, body, err)
		}
		if call := j.only(t); call.Outcome != ledger.Answered || call.Attempts != 1 || call.Took != time.Minute {
			t.Errorf("%v, %d attempts, %v", call.Outcome, call.Attempts, call.Took)
		}
	})
}

// Hints that come before the answer reach the caller's hook, who may keep and change them
// (golang/go#65123).
func TestEarlyHintsAreTheCallers(t *testing.T) {
	var tries atomic.Int32
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Link", "</style.css>; rel=preload")
		w.WriteHeader(http.StatusEarlyHints)
		if tries.Add(1) == 1 {
			w.WriteHeader(503)
		}
	})
	var mu sync.Mutex
	var hints []http.Header
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{Got1xxResponse: func(code int, h textproto.MIMEHeader) error {
		mu.Lock()
		defer mu.Unlock()
		h.Set("Seen", "yes")
		hints = append(hints, http.Header(h))
		return nil
	}})
	j := newJournal()
	rt := &transport.Transport{Base: server.Client().Transport, Recorder: j, Retry: quick}
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, nil)
	if code, _, err := finish(rt.RoundTrip(req)); code != 200 || err != nil {
		t.Errorf("%d %v", code, err)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(hints) != 2 || hints[0].Get("Link") == "" {
		t.Errorf("hints: %v", hints)
	}
	for _, a := range j.only(t).AttemptList {
		if field(a.Response.Header, "Seen") != nil {
			t.Error("a hint got into the record of the answer")
		}
	}
}

// A redirect loop is a call for each hop. They are bounded by the client, and their
// retries by the budget of the host.
func TestARedirectLoopIsBounded(t *testing.T) {
	for _, c := range []struct {
		budget   transport.Budget
		requests int
	}{{transport.Budget{}, 20}, {transport.Budget{Burst: 1, PerSecond: 1.0 / 3600}, 20}} {
		n := 0
		base := baseFunc(func(r *http.Request) (*http.Response, error) {
			if n++; n%2 == 1 {
				return answer(r, 503, ""), nil
			}
			return answer(r, 302, "", "Location", api), nil
		})
		j := newJournal()
		client := &http.Client{Transport: &transport.Transport{Base: base, Recorder: j, Retry: quick, Budget: c.budget}}
		resp, err := client.Get(api)
		if err == nil || resp == nil || n != c.requests || len(j.all()) != 10 {
			t.Errorf("%v, %v: %d requests in %d calls", resp, err, n, len(j.all()))
		}
	}
}

// More than three attempts of the safe policy would be much load for little
// (dotnet/extensions#7686).
func TestTheSafePolicyMakesThreeAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := newScript(status(503))
		get(t, &transport.Transport{Base: base, Retry: transport.SafeRetry}, api)
		if n := len(base.times()); n != 3 {
			t.Errorf("%d requests", n)
		}
	})
}

// Where layers are nested, the outer one pays for retries: the inner one has none to pay for.
func TestNestedLayersShareOneBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMeter(hourly)
		inner := m.Transport
		outer := &transport.Transport{Base: inner, Retry: m.Retry, Budget: hourly}
		m.answer = status(503)
		for range 20 {
			get(t, outer, api)
		}
		if m.asked != 20+10 {
			t.Errorf("20 calls are %d requests, want 30", m.asked)
		}
		if n := m.send(t, 5, api, status(503)); n != 15 {
			t.Errorf("the inner layer has paid for retries of the outer one: 5 calls are %d requests", n)
		}
	})
}
