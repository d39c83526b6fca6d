package transport_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
	"redial/transport"
)

// The tests of these files hold redial to what the suites of other retrying clients assert:
// go-retryablehttp and failsafe-go's failsafehttp here, rehttp and net/http in their own
// files. Where redial does otherwise on purpose, the test says why, and so does the package
// comment. What their suites assert about features that redial has not (hooks that log,
// response handlers, fallbacks, hedges, breakers) is not here.

// through sends a GET through an http.Client around rt.
func through(rt http.RoundTripper, url string) (int, string, error) {
	resp, err := (&http.Client{Transport: rt}).Get(url)
	return finish(resp, err)
}

// counting serves h and counts the requests.
func counting(t *testing.T, h http.HandlerFunc) (*httptest.Server, *atomic.Int32) {
	n := new(atomic.Int32)
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		n.Add(1)
		h(w, r)
	}), n
}

// on makes a policy send again after these statuses, as often as needed.
func on(statuses ...int) transport.Retry {
	return transport.Retry{Attempts: 20, Base: time.Millisecond, Max: time.Millisecond, Statuses: statuses}
}

// Whatever is wrong at first, every attempt carries the whole body and all headers
// (go-retryablehttp: Client_Do; rehttp: ClientRetryWithHeaders). What go-retryablehttp does for a body
// that nobody can make again, to keep all of it in memory, redial does not do: it is sent once.
func TestPeersEveryKindOfBodyIsSentWholeEachTime(t *testing.T) {
	text := "hello"
	for name, body := range map[string]io.Reader{
		"bytes.Buffer":   bytes.NewBufferString(text),
		"bytes.Reader":   bytes.NewReader([]byte(text)),
		"strings.Reader": strings.NewReader(text),
		"another reader": io.LimitReader(strings.NewReader(text), 100),
	} {
		t.Run(name, func(t *testing.T) {
			var n atomic.Int32
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				got := sink(r)
				if got != text || r.Method != http.MethodPut || r.RequestURI != "/v1/foo" || r.Header.Get("Foo") != "bar" {
					t.Errorf("the server got %s %s, Foo: %q, %q", r.Method, r.RequestURI, r.Header["Foo"], got)
				}
				if n.Add(1) < 5 {
					w.WriteHeader(500)
				}
			})
			rt := &transport.Transport{Base: &http.Transport{DialContext: refuseFirst()}, Retry: on(500)}
			defer rt.CloseIdleConnections()
			req, _ := http.NewRequest(http.MethodPut, s.URL+"/v1/foo", body)
			req.Header.Set("Foo", "bar")
			status, _, err := finish(rt.RoundTrip(req))
			if name == "another reader" {
				if !errors.Is(err, syscall.ECONNREFUSED) || n.Load() != 0 {
					t.Errorf("%d %v, the server saw %d", status, err, n.Load())
				}
				return
			}
			if status != 200 || err != nil || n.Load() != 5 {
				t.Errorf("%d %v, the server saw %d", status, err, n.Load())
			}
		})
	}
}

// When attempts run out, the caller gets the last response, with its body. (failsafehttp does
// that if asked to; go-retryablehttp: Client_Do_fails swallows it for "giving up after 3 attempt(s)".)
func TestPeersTheLastResponseIsTheCallers(t *testing.T) {
	for _, code := range []int{429, 503} {
		s, n := counting(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Reason", "overload")
			w.WriteHeader(code)
			io.WriteString(w, "foo")
		})
		resp, err := (&http.Client{Transport: &transport.Transport{Retry: quick}}).Get(s.URL)
		if err != nil || resp.Header.Get("X-Reason") != "overload" {
			t.Fatalf("%d: %v, %v", code, resp, err)
		}
		if got, body, err := finish(resp, nil); got != code || body != "foo" || err != nil || n.Load() != 3 {
			t.Errorf("%d %q %v after %d requests", got, body, err, n.Load())
		}
	}
}

// The name and password of a URL are in no error (go-retryablehttp: Client_Do_fails).
func TestPeersErrorsShowNoPassword(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	rt := &transport.Transport{Retry: quick, Base: baseFunc(func(r *http.Request) (*http.Response, error) {
		cancel()
		return nil, errLost
	})}
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://user:pasten@api.example.test/", nil)
	_, err := (&http.Client{Transport: rt}).Do(req)
	if err == nil || strings.Contains(err.Error(), "pasten") {
		t.Error(err)
	}
}

// Refused, then throttled, then answered: three attempts (failsafehttp: ClientRetryPolicyWithError,
// ClientRetryPolicyWith429ThenSuccess).
func TestPeersThirdTimeLucky(t *testing.T) {
	_, _, err := through(&transport.Transport{Retry: quick}, "http://127.0.0.1:1")
	if !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("%v, want the refusal itself", err)
	}
	var n atomic.Int32
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1) < 3 {
			w.WriteHeader(429)
		}
		io.WriteString(w, "foo")
	})
	if code, body, err := through(&transport.Transport{Retry: quick}, s.URL); code != 200 || body != "foo" || err != nil || n.Load() != 3 {
		t.Errorf("%d %q %v after %d requests", code, body, err, n.Load())
	}
}

// The error of the base transport comes through as it is (go-retryablehttp:
// TransportFailureErrorHandling; rehttp: MockClientRetry, MockClientRetryTimeout).
func TestPeersErrorsComeThroughAsTheyAre(t *testing.T) {
	dns := &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Name: "999.999.999.999", Err: "no such host", IsNotFound: true}}
	for _, want := range []error{errLost, dns, &net.OpError{Err: deadlinePassed{}}} {
		base := newScript(failure(want))
		_, _, err := through(&transport.Transport{Base: base, Retry: quick}, api)
		var outer *url.Error
		if !errors.As(err, &outer) || outer.Err != want || len(base.times()) != 3 {
			t.Errorf("%#v after %d attempts, want %#v after 3", err, len(base.times()), want)
		}
	}
}

type deadlinePassed struct{}

func (deadlinePassed) Error() string { return "i/o timeout" }
func (deadlinePassed) Timeout() bool { return true }

// What can never succeed is tried once (go-retryablehttp: DefaultRetryPolicy_TLS, _redirects,
// _invalidscheme, _invalidheadername, _invalidheadervalue; failsafehttp: WithRedirects,
// WithUnsupportedProtocolScheme).
func TestPeersHopelessRequestsAreTriedOnce(t *testing.T) {
	untrusted := tlsServer(t, nil)
	s, n := counting(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusFound) })
	for _, c := range []struct {
		name, url     string
		header, value string
		calls         int // one for each redirect that the client follows
	}{
		{name: "certificate", url: untrusted.URL, calls: 1},
		{name: "scheme", url: "rstp://localhost", calls: 1},
		{name: "scheme of another protocol", url: strings.Replace(s.URL, "http", "ftp", 1), calls: 1},
		{name: "header name", url: s.URL, header: "Header-Name-\033", value: "header value", calls: 1},
		{name: "header value", url: s.URL, header: "Header-Name", value: "bad header value \033", calls: 1},
		{name: "too many redirects", url: s.URL, calls: 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			n.Store(0)
			j := newJournal()
			client := &http.Client{Transport: &transport.Transport{Base: new(http.Transport), Retry: quick, Recorder: j}}
			defer client.CloseIdleConnections()
			req, _ := http.NewRequest(http.MethodGet, c.url, nil)
			if c.header != "" {
				req.Header[c.header] = []string{c.value}
			}
			_, err := client.Do(req)
			calls := j.all()
			if err == nil || len(calls) != c.calls || c.calls == 1 && n.Load() != 0 {
				t.Errorf("%v: %d calls, the server saw %d", err, len(calls), n.Load())
			}
			for _, call := range calls {
				if call.Attempts != 1 {
					t.Errorf("%d attempts", call.Attempts)
				}
			}
		})
	}
}

// A context that was cancelled beforehand sends nothing. (go-retryablehttp:
// Client_RequestWithContext still makes one attempt.)
func TestPeersCancelledBeforehandSendsNothing(t *testing.T) {
	base := newScript(status(200))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, api, nil)
	_, err := (&http.Client{Transport: &transport.Transport{Base: base, Retry: quick}}).Do(req)
	if !errors.Is(err, context.Canceled) || len(base.times()) != 0 {
		t.Errorf("%v after %d attempts", err, len(base.times()))
	}
}

// A policy decides which statuses are sent again after, and which are answers
// (go-retryablehttp: CheckRetry, CheckRetryStop, RoundTripper_RoundTrip).
func TestPeersThePolicyDecidesAboutStatuses(t *testing.T) {
	for _, c := range []struct {
		retry transport.Retry
		first int
		want  int // requests
	}{
		{on(404), 404, 3},
		{on(), 500, 1},
		{on(503), 500, 1},
		{quick, 500, 1}, // go-retryablehttp takes every 5xx for a reason; redial asks the policy
		{quick, 501, 1},
		{quick, 200, 1},
	} {
		if len(c.retry.Statuses) == 0 && c.retry.Attempts == 20 {
			c.retry.Statuses = []int{}
		}
		base := newScript(status(c.first), status(c.first), status(200))
		if _, _, err := through(&transport.Transport{Base: base, Retry: c.retry}, api); err != nil || len(base.times()) != c.want {
			t.Errorf("%v, %d: %v after %d requests, want %d", c.retry.Statuses, c.first, err, len(base.times()), c.want)
		}
	}
}

// The delays double up to their maximum (go-retryablehttp: Backoff), and Retry-After takes
// their place, in seconds or as a date, after a 429 or a 503 (Client_DefaultBackoff). Of two
// go-retryablehttp takes the first; redial the longer one, not to ask too early.
func TestPeersDelays(t *testing.T) {
	in2s := func(code int) func(*http.Request) (*http.Response, error) {
		return func(r *http.Request) (*http.Response, error) {
			return answer(r, code, "", "Retry-After", time.Now().Add(2*time.Second).UTC().Format(http.TimeFormat)), nil
		}
	}
	for _, c := range []struct {
		name  string
		first func(*http.Request) (*http.Response, error)
		want  []time.Duration // between attempts, in seconds
	}{
		{"none asked", status(503), []time.Duration{1, 2, 4, 8, 10, 10}},
		{"429 in seconds", status(429, "Retry-After", "2"), []time.Duration{2, 2, 2}},
		{"503 in seconds", status(503, "Retry-After", "2"), []time.Duration{2, 2, 2}},
		{"429 by date", in2s(429), []time.Duration{2, 2, 2}},
		{"503 by date", in2s(503), []time.Duration{2, 2, 2}},
		{"two", status(429, "Retry-After", "2", "Retry-After", "3"), []time.Duration{3, 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				base := newScript(c.first)
				retry := plain(transport.Retry{Attempts: len(c.want) + 1, Base: time.Second, Max: 10 * time.Second})
				through(&transport.Transport{Base: base, Retry: retry}, api)
				at, want := time.Duration(0), []time.Duration{0}
				for _, d := range c.want {
					at += d * time.Second
					want = append(want, at)
				}
				if got := base.times(); !slices.Equal(got, want) {
					t.Errorf("attempts at %v, want %v", got, want)
				}
			})
		})
	}
}

// HEAD, POST and forms arrive as they were sent (go-retryablehttp: Client_Head, Client_Post,
// Client_PostForm; failsafehttp: ClientSuccess; rehttp: ClientNoRetry).
func TestPeersPlainRequestsArrive(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got := strings.TrimSpace(fmt.Sprintf("%s %s %s %s", r.Method, r.RequestURI, r.Header.Get("Content-Type"), sink(r)))
		w.Header().Set("X-Got", got)
		io.WriteString(w, got)
	})
	j := newJournal()
	client := &http.Client{Transport: &transport.Transport{Retry: quick, Recorder: j}}
	head, err := client.Head(s.URL + "/foo/bar")
	if err != nil || head.Header.Get("X-Got") != "HEAD /foo/bar" {
		t.Errorf("%v %v", head, err)
	}
	if _, got, err := finish(client.Post(s.URL+"/foo/bar", "application/json", strings.NewReader(`{"hello":"world"}`))); got != `POST /foo/bar application/json {"hello":"world"}` {
		t.Errorf("%q %v", got, err)
	}
	if _, got, err := finish(client.PostForm(s.URL+"/foo/bar", url.Values{"hello": {"world"}})); got != "POST /foo/bar application/x-www-form-urlencoded hello=world" {
		t.Errorf("%q %v", got, err)
	}
	for _, c := range j.all() {
		if c.Attempts != 1 || c.WireSends != 1 || c.Outcome != ledger.Answered {
			t.Errorf("recorded %+v", c)
		}
	}
}

// What a 307 sends on is the same body, or none (go-retryablehttp: Client_RedirectWithBody).
func TestPeersRedirectsKeepTheBody(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if body := sink(r); r.URL.Path == "/redirect" {
			http.Redirect(w, r, "/target", http.StatusTemporaryRedirect)
		} else {
			w.WriteHeader(http.StatusCreated)
			io.WriteString(w, body)
		}
	})
	client := &http.Client{Transport: &transport.Transport{Retry: quick}}
	for _, want := range []string{`{"foo":"bar"}`, ""} {
		if code, body, err := finish(client.Post(s.URL+"/redirect", "", strings.NewReader(want))); code != 201 || body != want || err != nil {
			t.Errorf("%d %q %v, want %q", code, body, err, want)
		}
	}
}

// A caller who leaves is not kept, whether it waits for the answer or for its own deadline
// (failsafehttp: ClientCancelWithContext, ClientCancelWithTimeout), and nobody ends a body that is still
// read (ContextCancellation).
func TestPeersContextsEndWhenTheyShould(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		large := strings.Repeat("x", 100_000)
		base := pipe(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/slow" {
				select {
				case <-time.After(time.Hour):
				case <-r.Context().Done():
				}
			}
			io.WriteString(w, large)
		})
		rt := &transport.Transport{Base: base, Retry: transport.Retry{Attempts: 3, AttemptTimeout: 10 * time.Minute}}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(50*time.Millisecond, cancel)
		start := time.Now()
		req, _ := http.NewRequestWithContext(ctx, http.MethodGet, api+"/slow", nil)
		req.URL.Path = "/slow"
		if _, err := rt.RoundTrip(req); !errors.Is(err, context.Canceled) || time.Since(start) != 50*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		if code, body, err := get(t, rt, api); code != 200 || body != large || err != nil {
			t.Errorf("%d, %d bytes, %v", code, len(body), err)
		}
	})
}
