package transport_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"redial/ledger"
	"redial/transport"
)

// sendOnce sends one request with a body that can be rebuilt to a base that fails in the
// way given, and returns the call.
func sendOnce(t *testing.T, rt *transport.Transport, method, url string, key bool, steps ...func(*http.Request) (*http.Response, error)) (ledger.Call, int) {
	t.Helper()
	base, j := newScript(steps...), newJournal()
	rt.Base, rt.Recorder = base, j
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(payload))
	if err != nil {
		t.Fatal(err)
	}
	if key {
		keyed(r)
	}
	finish(rt.RoundTrip(r))
	return j.only(t), len(base.times())
}

func TestTheFirstRouteThatFitsIsInForce(t *testing.T) {
	again := func(n int) transport.Retry {
		r := quick
		r.Attempts = n
		return r
	}
	routes := []transport.Route{
		{Name: "lookups", Methods: []string{"GET", "HEAD"}, Host: "api.example.test", Path: "/orders/{id}", Retry: again(2)},
		{Methods: []string{"PUT"}, Path: "/orders/", Retry: again(3)},
		{Host: "*.example.test:8443", Retry: again(4)},
		{Host: "old.example.test"},
		{Path: "/", Host: "all.example.test", Retry: again(5)},
	}
	for _, c := range []struct {
		method, url string
		attempts    int
		words       string // how the policy on record begins
	}{
		{"GET", "http://api.example.test/orders/1", 2, "route lookups: 2 attempts"},
		{"GET", "https://API.Example.Test.:8443/orders/1?q=/", 2, "route lookups: 2 attempts"},
		{"PUT", "http://api.example.test/orders/1", 3, "route PUT /orders/: 3 attempts"},
		{"PUT", "http://api.example.test/orders/1/lines", 3, "route PUT /orders/"},
		{"GET", "http://api.example.test/orders/1/lines", 6, "6 attempts"},
		{"GET", "http://api.example.test", 6, "6 attempts"},
		{"GET", "http://eu.api.example.test:8443/x", 4, "route *.example.test:8443: 4 attempts"},
		{"GET", "http://example.test:8443/x", 6, "6 attempts"},
		{"GET", "http://notexample.test:8443/x", 6, "6 attempts"},
		{"GET", "http://old.example.test/x", 1, "route old.example.test: 1 attempt"},
		{"GET", "http://all.example.test", 5, "route all.example.test/: 5 attempts"},
	} {
		call, sent := sendOnce(t, &transport.Transport{Retry: again(6), Routes: routes}, c.method, c.url, false, status(503))
		if sent != c.attempts || !strings.HasPrefix(call.Policy, c.words) {
			t.Errorf("%s %s: %d sends by %q, want %d by %q", c.method, c.url, sent, call.Policy, c.attempts, c.words)
		}
	}
}

// What may be repeated is what the API's contract says: a PUT can lose updates, a POST can
// only read, and a key can mean nothing.
func TestAPolicySaysWhatMayBeRepeated(t *testing.T) {
	for _, c := range []struct {
		repeat transport.Repeat
		once   string // what is sent once; with + it has a key
		twice  string
	}{
		{transport.ByMethodOrKey, "POST PATCH", "GET HEAD PUT DELETE OPTIONS TRACE POST+ PATCH+ PUT+"},
		{transport.ByMethod, "POST PATCH POST+ PATCH+", "GET HEAD PUT DELETE PUT+"},
		{transport.ByKey, "POST PATCH PUT DELETE", "GET HEAD OPTIONS TRACE PUT+ DELETE+ POST+"},
		{transport.AlwaysRepeat, "", "GET POST PATCH PUT POST+"},
		{transport.NeverRepeat, "GET PUT DELETE POST POST+ PUT+", ""},
	} {
		for wantSends, methods := range map[int]string{1: c.once, 2: c.twice} {
			for _, m := range strings.Fields(methods) {
				method, key := strings.CutSuffix(m, "+")
				for name, step := range map[string]func(*http.Request) (*http.Response, error){"503": status(503), "loss": failure(errLost)} {
					retry := quick
					retry.Repeat = c.repeat
					rt := &transport.Transport{Routes: []transport.Route{{Methods: []string{method}, Retry: retry}}}
					call, sent := sendOnce(t, rt, method, api, key, step, status(200))
					if sent != wantSends {
						t.Errorf("repeated %v: %s after %s is sent %d times: %v", c.repeat, m, name, sent, decisions(call))
					}
					if want := ledger.NotRepeatable; wantSends == 1 && decisions(call)[0] != want {
						t.Errorf("repeated %v: %s after %s: decided %v, want %v", c.repeat, m, name, decisions(call)[0], want)
					}
					if key && call.Key != "order-8841" {
						t.Errorf("repeated %v: the key of %s is not on record: %q", c.repeat, m, call.Key)
					}
				}
			}
		}
	}
}

// A strict policy does not even send again what never reached the server, if it may not be
// repeated; any other does.
func TestStrictRetrySendsNoUnkeyedPostAgain(t *testing.T) {
	refused := func() *http.Transport { return &http.Transport{DialContext: refuseFirst()} }
	v := newVendor(t)
	for _, c := range []struct {
		retry  transport.Retry
		method string
		key    bool
		want   ledger.Decision
	}{
		{transport.StrictRetry, "POST", false, ledger.NotRepeatable},
		{transport.StrictRetry, "PATCH", false, ledger.NotRepeatable},
		{transport.StrictRetry, "POST", true, ledger.AgainNotSent},
		{transport.StrictRetry, "PUT", false, ledger.AgainNotSent},
		{transport.SafeRetry, "POST", false, ledger.AgainNotSent},
	} {
		c.retry.Base = 1
		j := newJournal()
		rt := &transport.Transport{Base: refused(), Recorder: j, Retry: c.retry}
		r, _ := http.NewRequest(c.method, v.URL, strings.NewReader(payload))
		if c.key {
			keyed(r)
		}
		finish(rt.RoundTrip(r))
		rt.CloseIdleConnections()
		if d := decisions(j.only(t)); d[0] != c.want {
			t.Errorf("%s, key %v, strict %v: decided %v, want %v", c.method, c.key, c.retry.Strict, d, c.want)
		}
	}
}

// A conflict says that something already exists, and so is final
// (terraform-provider-launchdarkly#197). Only where the API is known to say so is it a
// request with the same key that is still being worked on.
func TestAConflictIsSentAgainOnlyWhileItsKeyIsInFlight(t *testing.T) {
	inFlight := func(r *http.Response) bool { return r.Header.Get("X-In-Flight") == "1" }
	for _, c := range []struct {
		name   string
		method string
		key    bool
		retry  func(*transport.Retry)
		answer func(*http.Request) (*http.Response, error)
		want   ledger.Decision
	}{
		{"keyed, not declared", "POST", true, func(*transport.Retry) {}, status(409, "X-In-Flight", "1"), ledger.Done},
		{"keyed, marked", "POST", true, func(r *transport.Retry) { r.InFlight = inFlight }, status(409, "X-In-Flight", "1"), ledger.AgainStatus},
		{"keyed, not marked", "POST", true, func(r *transport.Retry) { r.InFlight = inFlight }, status(409), ledger.Done},
		{"not keyed", "PUT", false, func(r *transport.Retry) { r.InFlight = inFlight }, status(409, "X-In-Flight", "1"), ledger.Done},
		{"key means nothing", "PUT", true, func(r *transport.Retry) { r.InFlight, r.Repeat = inFlight, transport.ByMethod },
			status(409, "X-In-Flight", "1"), ledger.Done},
		{"other status", "POST", true, func(r *transport.Retry) { r.InFlight = inFlight }, status(422, "X-In-Flight", "1"), ledger.Done},
	} {
		retry := quick
		c.retry(&retry)
		call, _ := sendOnce(t, &transport.Transport{Retry: retry}, c.method, api, c.key, c.answer, status(200))
		if d := decisions(call)[0]; d != c.want {
			t.Errorf("%s: %v, want %v", c.name, d, c.want)
		}
		if words := ledger.Explain(&call, &call.AttemptList[0]); c.want == ledger.AgainStatus && !strings.Contains(words, "still being worked on") {
			t.Errorf("%s: %s", c.name, words)
		}
	}
}

func TestStatusesThatAreFinalAndThoseThatAreNot(t *testing.T) {
	again := []int{408, 425, 429, 502, 503, 504}
	for code := 200; code < 600; code++ {
		retry := quick
		retry.Attempts = 2
		base := newScript(status(code, "Retry-After", "0"))
		rt := &transport.Transport{Base: base, Retry: retry}
		got, body, err := get(t, rt, api)
		want := 1
		if slices.Contains(again, code) {
			want = 2
		}
		if n := len(base.times()); n != want || got != code || body != "body" || err != nil {
			t.Errorf("%d is sent %d times and returned as %d %q %v", code, n, got, body, err)
		}
	}
}
