package transport_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"redial/ledger"
	"redial/transport"
)

// localRefusals are requests that net/http itself refuses, over one protocol or over both.
var localRefusals = []struct {
	name         string
	http1, http2 bool // refused over it
	unsent       bool // without a connection
	spoil        func(*http.Request)
}{
	{"nil header", true, true, true, func(r *http.Request) { r.Header = nil }},
	{"length without a body", true, false, false, func(r *http.Request) { r.ContentLength, r.Body = 5, nil }},
	{"host with a space", false, true, false, func(r *http.Request) { r.Host = "a b" }},
	{"host that is no name", true, true, false, func(r *http.Request) { r.Host = "xn--ü" }},
	{"upgrade", false, true, false, func(r *http.Request) { r.Header.Set("Upgrade", "x") }},
	{"connection", false, true, false, func(r *http.Request) { r.Header.Set("Connection", "x-hop") }},
	{"transfer encoding", false, true, false, func(r *http.Request) { r.Header.Set("Transfer-Encoding", "gzip") }},
	{"path without a slash", false, true, false, func(r *http.Request) { r.URL.Opaque = "x" }},
	{"trailer named after the length", true, true, false, func(r *http.Request) {
		r.Trailer = http.Header{"Content-Length": nil}
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader("x")), -1
	}},
	{"port beyond the last", true, true, true, func(r *http.Request) { r.URL.Host = "127.0.0.1:99999" }},
	{"port that is none", true, true, true, func(r *http.Request) { r.URL.Host = "127.0.0.1:abc" }},
}

// What net/http refuses by itself was not sent, and is refused once.
func TestLocalRefusalsArePermanentAndNotSent(t *testing.T) {
	server := func(http2 bool) *httptest.Server {
		s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { sink(r) }))
		s.EnableHTTP2 = http2
		s.StartTLS()
		t.Cleanup(s.Close)
		return s
	}
	servers := map[bool]*httptest.Server{false: server(false), true: server(true)}
	for _, c := range localRefusals {
		for over2, s := range servers {
			if over2 && !c.http2 || !over2 && !c.http1 {
				continue
			}
			t.Run(fmt.Sprintf("%s, HTTP/2 %v", c.name, over2), func(t *testing.T) {
				j := newJournal()
				rt := &transport.Transport{Base: s.Client().Transport, Recorder: j, Retry: quick}
				get(t, &transport.Transport{Base: rt.Base}, s.URL) // so that a connection can be reused
				r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/x", nil)
				c.spoil(r)
				_, _, err := finish(rt.RoundTrip(r))
				call := j.only(t)
				if err == nil || call.Outcome != ledger.NotSent || call.Attempts > 1 {
					t.Fatalf("%v after %d attempts, error %v", call.Outcome, call.Attempts, err)
				}
				if d := decisions(call); len(d) == 1 && d[0] != ledger.Permanent {
					t.Errorf("decided %v", d)
				}
				if c.unsent && call.WireSends != 0 {
					t.Errorf("%d sends", call.WireSends)
				}
			})
		}
	}
}

// What is certain to be refused takes no place in a window; what another base transport
// may accept reaches it.
func TestCertainRefusalsTakeNoPlace(t *testing.T) {
	for name, spoil := range map[string]func(*http.Request){
		"nil header":            func(r *http.Request) { r.Header = nil },
		"length without a body": func(r *http.Request) { r.ContentLength = 5 },
	} {
		j := newJournal()
		window := []transport.Window{{Host: "api.example.test", Limit: 1, Per: time.Hour}}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		r, _ := http.NewRequestWithContext(ctx, http.MethodGet, api, nil)
		spoil(r)
		rt := &transport.Transport{Base: &http.Transport{}, Recorder: j, Retry: quick, Windows: window}
		if _, _, err := finish(rt.RoundTrip(r)); err == nil || j.only(t).Attempts != 0 || len(j.windows()) != 0 {
			t.Errorf("%s: error %v, recorded %+v", name, err, j.only(t))
		}
		rt = &transport.Transport{Base: newScript(status(200)), Recorder: newJournal(), Retry: quick, Windows: window}
		if code, _, err := finish(rt.RoundTrip(r)); code != 200 || err != nil {
			t.Errorf("%s, through another base: %d %v", name, code, err)
		}
	}
}

// That the last send was refused here says nothing of one before it.
func TestLocalRefusalAfterASendIsUnknown(t *testing.T) {
	refusal := "invalid Trailer key \"Content-Length\""
	for _, c := range []struct {
		err  string
		sent []string // how each write of the request ended; "" as it should
		want ledger.Outcome
	}{
		{refusal, []string{refusal}, ledger.NotSent},
		{refusal, []string{refusal, refusal}, ledger.NotSent},
		{refusal, []string{"", refusal}, ledger.Unknown},
		{refusal, []string{"broken pipe", refusal}, ledger.Unknown},
		{refusal, []string{""}, ledger.Unknown},
	} {
		call, _ := verdictOf(t, baseFunc(func(r *http.Request) (*http.Response, error) {
			sink(r)
			h := httptrace.ContextClientTrace(r.Context())
			for _, text := range c.sent {
				h.GetConn("x")
				h.GotConn(httptrace.GotConnInfo{})
				var info httptrace.WroteRequestInfo
				if text != "" {
					info.Err = fmt.Errorf("%s", text)
				}
				h.WroteRequest(info)
			}
			return nil, fmt.Errorf("%s", c.err)
		}), api)
		if call.Outcome != c.want || !slices.Equal(decisions(call), []ledger.Decision{ledger.Permanent}) {
			t.Errorf("%q: %v, %v, want %v", c.sent, call.Outcome, decisions(call), c.want)
		}
	}
	for sends, want := range map[int]ledger.Outcome{1: ledger.NotSent, 2: ledger.Unknown} {
		call, _ := verdictOf(t, baseFunc(func(r *http.Request) (*http.Response, error) {
			sink(r)
			for range sends {
				httptrace.ContextClientTrace(r.Context()).GotConn(httptrace.GotConnInfo{})
			}
			return nil, fmt.Errorf("http2: invalid Host header")
		}), api)
		if call.Outcome != want || call.Attempts != 1 {
			t.Errorf("HTTP/2, %d sends: %v after %d attempts, want %v", sends, call.Outcome, call.Attempts, want)
		}
	}
}

// A proxy that wants other credentials wants them the next time too.
func TestProxyThatWantsCredentialsIsAskedOnce(t *testing.T) {
	asked := 0
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.WriteHeader(http.StatusProxyAuthRequired)
	}))
	defer proxy.Close()
	through, _ := url.Parse(proxy.URL)
	through.User = url.UserPassword("u", "canary")
	call, err := verdictOf(t, &http.Transport{Proxy: http.ProxyURL(through)}, "https://api.example.test/")
	if asked != 1 || call.Outcome != ledger.NotSent || !slices.Equal(decisions(call), []ledger.Decision{ledger.Permanent}) {
		t.Errorf("asked %d times, %v, %v, error %v", asked, call.Outcome, decisions(call), err)
	}
}
