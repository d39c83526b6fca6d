package transport_test

import (
	"context"
	"errors"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"redial/ledger"
	"redial/transport"
)

type fields struct {
	retry   transport.Retry
	windows []transport.Window
	routes  []transport.Route
	budget  transport.Budget
}

// invalidCase is a transport that cannot be, and how the error begins that says why.
type invalidCase struct {
	fields
	field string
}

func invalidCases() []invalidCase {
	window := func(host string, limit int, per time.Duration) fields {
		return fields{windows: []transport.Window{{Host: "ok.example.test", Limit: 1, Per: 1}, {Host: host, Limit: limit, Per: per}}}
	}
	kind := func(w transport.Window) fields {
		w.Host, w.Limit, w.Per = "a.example.test", 3, time.Second
		return fields{windows: []transport.Window{w}}
	}
	retry := func(r transport.Retry) fields { return fields{retry: r} }
	route := func(r transport.Route) fields { return fields{routes: []transport.Route{{}, r}} }
	budget := func(b transport.Budget) fields { return fields{budget: b} }
	return []invalidCase{
		{window("a.example.test", 0, time.Second), "Windows[1].Limit is 0"},
		{window("a.example.test", -1, time.Second), "Windows[1].Limit is -1"}, // golang/go#54082
		{window("a.example.test", 3, 0), "Windows[1].Per is 0s"},
		{window("a.example.test", 3, -time.Second), "Windows[1].Per is -1s"},
		{window("", 0, time.Second), `Windows[1].Limit is 0: set how many requests to each host`},
		{kind(transport.Window{Kind: 3}), "Windows[0].Kind is 3"},
		{kind(transport.Window{Burst: 1}), "Windows[0].Burst is 1: only a GCRA"},
		{kind(transport.Window{Kind: transport.SlidingWindow, Burst: 5}), "Windows[0].Burst is 5: only a GCRA"},
		{kind(transport.Window{Kind: transport.GCRA, Burst: -1}), "Windows[0].Burst is -1"},
		{kind(transport.Window{Kind: transport.GCRA, Burst: math.MaxInt}), "Windows[0].Burst is 9223372036854775807: it would take centuries"},
		{window("https://a.example.test", 3, time.Second), "Windows[1].Host"},
		{window("a.example.test/path", 3, time.Second), "Windows[1].Host"},
		{window("a.example.test?q", 3, time.Second), "Windows[1].Host"},
		{window("user@a.example.test", 3, time.Second), "Windows[1].Host"},
		{window("a b", 3, time.Second), "Windows[1].Host"},
		{window("a.example.test:", 3, time.Second), "Windows[1].Host"},
		{window("a.example.test:http", 3, time.Second), "Windows[1].Host"},
		{window("a.example.test:0", 3, time.Second), "Windows[1].Host"},
		{window("a.example.test:65536", 3, time.Second), "Windows[1].Host"},
		{window(":8080", 3, time.Second), "Windows[1].Host"},
		{window(".", 3, time.Second), "Windows[1].Host"},
		{window("[::1", 3, time.Second), "Windows[1].Host"},
		{window("*.example.test\n", 3, time.Second), "Windows[1].Host"},
		{window("*", 3, time.Second), `Windows[1].Host is "*": a window is for one host, such as api.example.test, or without a Host for every host`},
		{window("*.example.test", 3, time.Second), `Windows[1].Host is "*.example.test": a window is for one host`},
		{window("*:8080", 3, time.Second), `Windows[1].Host is "*:8080": a window is for one host`},
		{retry(transport.Retry{Attempts: -1}), "Retry.Attempts is -1"},
		{retry(transport.Retry{Multiplier: 0.5}), "Retry.Multiplier is 0.5"},
		{retry(transport.Retry{Multiplier: -2}), "Retry.Multiplier is -2"},
		{retry(transport.Retry{Multiplier: math.NaN()}), "Retry.Multiplier is NaN"},
		{retry(transport.Retry{Multiplier: math.Inf(1)}), "Retry.Multiplier is +Inf"},
		{retry(transport.Retry{Jitter: 4}), "Retry.Jitter is 4"},
		{retry(transport.Retry{Base: -1}), "Retry.Base is -1ns"},
		{retry(transport.Retry{Max: -1}), "Retry.Max"},
		{retry(transport.Retry{AttemptTimeout: -1}), "Retry.AttemptTimeout"},
		{retry(transport.Retry{Limit: -1}), "Retry.Limit"},
		{retry(transport.Retry{MaxRetryAfter: -1}), "Retry.MaxRetryAfter"},
		{retry(transport.Retry{Statuses: []int{503, 99}}), "Retry.Statuses[1] is 99"},
		{retry(transport.Retry{Statuses: []int{600}}), "Retry.Statuses[0] is 600"},
		{retry(transport.Retry{KeyHeader: "no spaces"}), `Retry.KeyHeader is "no spaces"`},
		{retry(transport.Retry{Statuses: []int{409}}), "Retry.Statuses[0] is 409: a conflict"},
		{retry(transport.Retry{Errors: []transport.ErrorKind{transport.LostError, 4}}), "Retry.Errors[1] is 4"},
		{retry(transport.Retry{Repeat: 5}), "Retry.Repeat is 5"},
		{retry(transport.Retry{Repeat: transport.AlwaysRepeat}), "Retry.Repeat is always: say so in a Route"},
		{retry(transport.Retry{Advisors: []transport.Advisor{transport.GitHubLimits, nil}}), "Retry.Advisors[1] is nil"},
		{route(transport.Route{Methods: []string{"GET", "post"}}), `Routes[1].Methods[1] is "post"`},
		{route(transport.Route{Methods: []string{"G T"}}), `Routes[1].Methods[0] is "G T"`},
		{route(transport.Route{Host: "http://a.example.test"}), "Routes[1].Host is"},
		{route(transport.Route{Host: "*"}), "Routes[1].Host is"},
		{route(transport.Route{Host: "*.*.example.test"}), "Routes[1].Host is"},
		{route(transport.Route{Host: "a.*.example.test"}), "Routes[1].Host is"},
		{route(transport.Route{Path: "orders"}), `Routes[1].Path is "orders": a path pattern begins with a slash`},
		{route(transport.Route{Path: "/{"}), `Routes[1].Path is "/{"`},
		{route(transport.Route{Retry: transport.Retry{Attempts: -1}}), "Routes[1].Retry.Attempts is -1"},
		{route(transport.Route{Retry: transport.Retry{Repeat: transport.AlwaysRepeat}}), "Routes[1].Methods is empty"},
		{route(transport.Route{Budget: transport.Budget{Burst: -1}}), "Routes[1].Budget.Burst is -1"},
		{budget(transport.Budget{Burst: 1<<20 + 1}), "Budget.Burst is 1048577"},
		{budget(transport.Budget{Ratio: -0.1}), "Budget.Ratio is -0.1"},
		{budget(transport.Budget{Ratio: 1.1}), "Budget.Ratio is 1.1"},
		{budget(transport.Budget{Ratio: math.NaN()}), "Budget.Ratio is NaN"},
		{budget(transport.Budget{PerSecond: -1}), "Budget.PerSecond is -1"},
		{budget(transport.Budget{PerSecond: 1e-9}), "Budget.PerSecond is 1e-09"},
		{budget(transport.Budget{PerSecond: math.Inf(1)}), "Budget.PerSecond is +Inf"},
	}
}

// A transport that cannot be is refused with one line that names the field, before
// anything is sent, and says the same when asked beforehand.
func TestInvalidTransport(t *testing.T) {
	for _, c := range invalidCases() {
		rt := &transport.Transport{Retry: c.retry, Windows: c.windows, Routes: c.routes, Budget: c.budget}
		rt.Base = baseFunc(func(*http.Request) (*http.Response, error) {
			t.Errorf("%s: something was sent", c.field)
			return nil, errors.New("sent")
		})
		err := rt.Validate()
		if err == nil || !strings.Contains(err.Error(), c.field) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q does not name %s in one line", err, c.field)
		}
		var field *transport.FieldError
		if !errors.As(err, &field) || !strings.HasPrefix(c.field, field.Field) {
			t.Errorf("%q is not about %s for errors.As", err, c.field)
		}
		bs := &bodies{text: payload}
		if _, sent := rt.RoundTrip(bs.request(t, http.MethodPost, api, true)); sent == nil || sent.Error() != err.Error() {
			t.Errorf("RoundTrip says %q, Validate %q", sent, err)
		}
		bs.closedOnce(t)
	}
}

func TestValidTransport(t *testing.T) {
	for _, host := range []string{"a.example.test", "A.Example.Test:8443", "127.0.0.1", "::1", "[::1]", "[::1]:8080", "localhost", "xn--bcher-kva.example"} {
		rt := &transport.Transport{Windows: []transport.Window{{Host: host, Limit: 1, Per: 1}}}
		if err := rt.Validate(); err != nil {
			t.Errorf("%s: %v", host, err)
		}
	}
	for _, r := range []transport.Retry{{}, transport.SafeRetry, transport.ArticleRetry, {Multiplier: 1}} {
		if err := (&transport.Transport{Retry: r}).Validate(); err != nil {
			t.Errorf("%+v: %v", r, err)
		}
	}
}

// What no server could be asked is refused before a place in a window is taken, and is
// never tried again.
func TestInvalidRequestsTakeNoPlace(t *testing.T) {
	j := newJournal()
	rt := &transport.Transport{
		Base: &http.Transport{}, Recorder: j, Retry: quick,
		Windows: []transport.Window{{Host: "api.example.test", Limit: 1, Per: time.Hour}},
	}
	for name, spoil := range map[string]func(*http.Request){
		"no host":        func(r *http.Request) { r.URL.Host = "" },
		"no URL":         func(r *http.Request) { r.URL = nil },
		"method":         func(r *http.Request) { r.Method = "GE T" },
		"header name":    func(r *http.Request) { r.Header["a b"] = []string{"x"} },
		"header value":   func(r *http.Request) { r.Header["A"] = []string{"secret\r\nB: c"} },
		"trailer name":   func(r *http.Request) { r.Trailer = http.Header{"": {"x"}} },
		"unknown scheme": func(r *http.Request) { r.URL.Scheme = "ftp" },
		"query":          func(r *http.Request) { r.URL.RawQuery = "a=secret\nb" },
		"opaque URL":     func(r *http.Request) { r.URL.Opaque = "/secret\x01" },
		"URL's host":     func(r *http.Request) { r.URL.Host += "\t" },
		"host":           func(r *http.Request) { r.Host = "secret\x7f" },
	} {
		bs := &bodies{text: payload}
		r := bs.request(t, http.MethodPut, api, true)
		spoil(r)
		_, err := rt.RoundTrip(r)
		if err == nil || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
		bs.closedOnce(t)
	}
	for _, c := range j.all() {
		if c.Outcome.String() != "not-sent" || c.Attempts > 1 || c.Error == "" {
			t.Errorf("recorded %+v", c)
		}
	}
	if len(j.windows()) != 0 {
		t.Errorf("a place was taken: %+v", j.windows())
	}
}

// A control character in the URL makes an HTTP/2 server hang up and net/http try again
// for ever. It is refused before anything is sent, with or without a window.
func TestControlCharactersInTheURLAreNotSent(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	s.EnableHTTP2 = true
	s.StartTLS()
	defer s.Close()
	for name, spoil := range map[string]func(*http.Request){
		"query":      func(r *http.Request) { r.URL.RawQuery = "name=line one\nline two" },
		"opaque URL": func(r *http.Request) { r.URL.Opaque = "/a\x01b" },
		"host":       func(r *http.Request) { r.Host = "a\rb" },
	} {
		j := newJournal()
		rt := &transport.Transport{Base: s.Client().Transport, Recorder: j, Retry: quick}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		r, _ := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
		spoil(r)
		_, _, err := finish(rt.RoundTrip(r))
		cancel()
		c := j.only(t)
		if err == nil || !strings.Contains(err.Error(), "has a control character") || strings.ContainsAny(err.Error(), "\n\r\x01") {
			t.Errorf("%s: error %q", name, err)
		}
		if c.Attempts != 0 || c.WireSends != 0 || c.Outcome != ledger.NotSent || c.Error != err.Error() {
			t.Errorf("%s: recorded %+v", name, c)
		}
	}
}

// Control characters that net/http escapes, and whatever is beyond ASCII, go through.
func TestOtherCharactersInTheURLAreSent(t *testing.T) {
	for name, spoil := range map[string]func(*http.Request){
		"path":       func(r *http.Request) { r.URL.Path = "/a\nb" },
		"raw path":   func(r *http.Request) { r.URL.Path, r.URL.RawPath = "/a\nb", "/a\nb" },
		"query":      func(r *http.Request) { r.URL.RawQuery = "a=ü b" },
		"fragment":   func(r *http.Request) { r.URL.Fragment = "a\nb" },
		"opaque URL": func(r *http.Request) { r.URL.Opaque = "/a%0Ab" },
	} {
		j := newJournal()
		rt := &transport.Transport{Base: newScript(status(200)), Recorder: j, Retry: quick}
		r, _ := http.NewRequest(http.MethodGet, api, nil)
		spoil(r)
		if code, _, err := finish(rt.RoundTrip(r)); code != 200 || err != nil {
			t.Errorf("%s: %d, %v", name, code, err)
		}
	}
}

// Without a window it is the base transport that finds them, and once is enough.
func TestInvalidRequestsAreNotSentAgain(t *testing.T) {
	for name, spoil := range map[string]func(*http.Request){
		"method":         func(r *http.Request) { r.Method = "GE T" },
		"header name":    func(r *http.Request) { r.Header["a b"] = []string{"x"} },
		"header value":   func(r *http.Request) { r.Header["A"] = []string{"x\x00"} },
		"unknown scheme": func(r *http.Request) { r.URL.Scheme = "ftp" },
	} {
		j := newJournal()
		rt := &transport.Transport{Base: &http.Transport{}, Recorder: j, Retry: quick}
		r, _ := http.NewRequest(http.MethodGet, api, nil)
		spoil(r)
		rt.RoundTrip(r)
		c := j.only(t)
		if d := decisions(c); len(d) != 1 || d[0].String() != "permanent" || c.Outcome.String() != "not-sent" {
			t.Errorf("%s: %v, %v", name, d, c.Outcome)
		}
	}
}
