// Package compose_test shows that a redial transport stands above and below other
// RoundTrippers that services use: credentials, spans and caches.
package compose_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gregjones/httpcache"
	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"golang.org/x/oauth2"

	"redial/ledger"
	"redial/transport"
)

// vendor answers each path with 503 the first time, and notes what it was asked.
type vendor struct {
	*httptest.Server
	mu   sync.Mutex
	seen []request
}

type request struct{ line, authorization, traceparent, body string }

func newVendor(t *testing.T, answer http.HandlerFunc) *vendor {
	v := new(vendor)
	asked := map[string]bool{}
	v.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		v.mu.Lock()
		v.seen = append(v.seen, request{r.Method + " " + r.URL.Path, r.Header.Get("Authorization"), r.Header.Get("Traceparent"), string(body)})
		again := asked[r.URL.Path]
		asked[r.URL.Path] = true
		v.mu.Unlock()
		if !again {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		answer(w, r)
	}))
	t.Cleanup(v.Close)
	return v
}

func (v *vendor) requests() []request {
	v.mu.Lock()
	defer v.mu.Unlock()
	return append([]request(nil), v.seen...)
}

// body is a request's body that counts how often it is closed.
type body struct {
	io.Reader
	closes *atomic.Int32
}

func (b body) Close() error { b.closes.Add(1); return nil }

// send makes a PUT whose bodies are counted, and returns its calls as its caller sees them.
func send(t *testing.T, client *http.Client, url string) (text string, calls []ledger.Call) {
	t.Helper()
	const sent = "three apples"
	var made, closes atomic.Int32
	again := func() (io.ReadCloser, error) {
		made.Add(1)
		return body{strings.NewReader(sent), &closes}, nil
	}
	ctx, watched := transport.Watch(t.Context())
	first, _ := again()
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, url, first)
	if err != nil {
		t.Fatal(err)
	}
	req.ContentLength, req.GetBody = int64(len(sent)), again
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatal(resp.StatusCode, err)
	}
	if len(req.Header) != 0 {
		t.Errorf("the caller's request has got %v", req.Header)
	}
	for deadline := time.Now().Add(time.Minute); closes.Load() < made.Load() && time.Now().Before(deadline); {
		<-time.After(time.Millisecond)
	}
	calls = watched.Calls()
	if len(calls) == 1 && made.Load() != closes.Load() { // http.Client closes the body of a hop once more.
		t.Errorf("%d bodies were closed %d times", made.Load(), closes.Load())
	}
	return string(got), calls
}

// orders puts a redial transport and another above each other, either way round.
func orders(t *testing.T, base http.RoundTripper, other func(http.RoundTripper) http.RoundTripper, test func(t *testing.T, above bool, client *http.Client)) {
	retry := transport.Retry{Attempts: 3, Base: time.Millisecond}
	t.Run("above redial", func(t *testing.T) {
		test(t, true, &http.Client{Timeout: time.Minute, Transport: other(&transport.Transport{Base: base, Retry: retry})})
	})
	t.Run("below redial", func(t *testing.T) {
		test(t, false, transport.Wrap(&http.Client{Timeout: time.Minute, Transport: other(base)}, &transport.Transport{Retry: retry}))
	})
}

// tokens is a token source that counts.
type tokens struct{ n atomic.Int32 }

func (s *tokens) Token() (*oauth2.Token, error) {
	s.n.Add(1)
	return &oauth2.Token{AccessToken: "t0k3n"}, nil
}

// Every attempt carries the token. Below redial it is asked for each attempt, and so is
// never older than that.
func TestOAuth2(t *testing.T) {
	source := new(tokens)
	other := func(base http.RoundTripper) http.RoundTripper { return &oauth2.Transport{Source: source, Base: base} }
	orders(t, http.DefaultTransport, other, func(t *testing.T, above bool, client *http.Client) {
		v := newVendor(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "done") })
		source.n.Store(0)
		text, calls := send(t, client, v.URL+"/orders")
		if text != "done" || len(calls) != 1 || calls[0].Attempts != 2 || calls[0].WireSends != 2 {
			t.Errorf("%q, calls %+v", text, calls)
		}
		want := request{"PUT /orders", "Bearer t0k3n", "", "three apples"}
		if got := v.requests(); len(got) != 2 || got[0] != want || got[1] != want {
			t.Errorf("the vendor saw %+v", got)
		}
		if n := source.n.Load(); above != (n == 1) || !above && n != 2 {
			t.Errorf("%d tokens were asked for", n)
		}
	})
}

// Above redial there is one span for the call, below it one for each attempt.
func TestOpenTelemetry(t *testing.T) {
	spans := tracetest.NewInMemoryExporter()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))
	other := func(base http.RoundTripper) http.RoundTripper {
		return otelhttp.NewTransport(base, otelhttp.WithTracerProvider(provider))
	}
	orders(t, http.DefaultTransport, other, func(t *testing.T, above bool, client *http.Client) {
		v := newVendor(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "done") })
		spans.Reset()
		text, calls := send(t, client, v.URL+"/orders")
		if text != "done" || len(calls) != 1 || calls[0].Attempts != 2 || calls[0].AttemptList[0].Status != 503 || calls[0].Outcome != ledger.Answered {
			t.Errorf("%q, calls %+v", text, calls)
		}
		want := 2
		if above {
			want = 1
		}
		if got := spans.GetSpans(); len(got) != want {
			t.Errorf("%d spans, want %d", len(got), want)
		}
		for _, r := range v.requests() {
			if r.body != "three apples" {
				t.Errorf("the vendor saw %+v", r)
			}
		}
	})
}

// What a cache answers by itself is no call where redial is below it, and one without a
// wire send where it is above; what it asks the server about is retried either way.
func TestCache(t *testing.T) {
	var cache httpcache.Cache
	other := func(base http.RoundTripper) http.RoundTripper {
		cached := httpcache.NewTransport(cache)
		cached.Transport = base
		return cached
	}
	for _, c := range []struct {
		control   string
		asked     int // requests that the server saw for three that were made
		last      int // the status of the last call
		aboveSeen int // calls that redial saw where the cache is above it
	}{
		{"max-age=60", 2, 200, 1}, // 503, 200, and then from the cache
		{"no-cache", 4, 304, 3},   // 503, 200, and then revalidated
	} {
		cache = httpcache.NewMemoryCache()
		orders(t, http.DefaultTransport, other, func(t *testing.T, above bool, client *http.Client) {
			cache.Delete("")
			v := newVendor(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Cache-Control", c.control)
				w.Header().Set("ETag", `"1"`)
				if r.Header.Get("If-None-Match") != "" {
					w.WriteHeader(http.StatusNotModified)
					return
				}
				io.WriteString(w, "price list")
			})
			ctx, watched := transport.Watch(t.Context())
			for range 3 {
				req, _ := http.NewRequestWithContext(ctx, http.MethodGet, v.URL+"/prices", nil)
				resp, err := client.Do(req)
				if err != nil {
					t.Fatal(err)
				}
				text, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				if string(text) != "price list" || err != nil || resp.StatusCode != 200 {
					t.Errorf("%d %q %v", resp.StatusCode, text, err)
				}
			}
			calls := watched.Calls()
			want := 3
			if above {
				want = c.aboveSeen
			}
			if n := len(v.requests()); n != c.asked || len(calls) != want || calls[0].Attempts != 2 {
				t.Errorf("the server saw %d requests, want %d; %d calls, want %d", n, c.asked, len(calls), want)
			}
			for _, call := range calls {
				if call.Running() || call.Outcome == ledger.NoOutcome {
					t.Errorf("%+v", call)
				}
			}
			if last := calls[len(calls)-1]; above && last.Status != c.last || !above && c.asked == 2 && last.WireSends != 0 {
				t.Errorf("the last call: %+v", last)
			}
		})
	}
}

// All of them together, under a client that follows redirects: each hop is a call with
// attempts of its own, its token, and a link to the one before it.
func TestAllTogether(t *testing.T) {
	v := newVendor(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/old" {
			http.Redirect(w, r, "/new", http.StatusTemporaryRedirect)
			return
		}
		io.WriteString(w, "done")
	})
	seen := new(memory)
	rt := &transport.Transport{
		Recorder: seen, Retry: transport.Retry{Attempts: 3, Base: time.Millisecond},
		Bandwidth: []transport.Bandwidth{{Up: 1 << 30, Down: 1 << 30}},
	}
	cached := httpcache.NewTransport(httpcache.NewMemoryCache())
	cached.Transport = &oauth2.Transport{Source: new(tokens), Base: rt}
	client := &http.Client{Timeout: time.Minute, Transport: otelhttp.NewTransport(cached)}
	text, calls := send(t, client, v.URL+"/old")
	if text != "done" || len(calls) != 2 || calls[0].Attempts != 2 || calls[1].Attempts != 2 || calls[1].Previous != calls[0].ID || calls[0].ID == 0 || calls[0].Previous != 0 {
		t.Errorf("%q, calls %+v", text, calls)
	}
	for _, r := range v.requests() {
		if r.authorization != "Bearer t0k3n" || r.body != "three apples" {
			t.Errorf("the vendor saw %+v", r)
		}
	}
	if s := rt.Stats(); s.Calls != 2 || s.Retries != 2 || s.Running != 0 || seen.n.Load() != 2 {
		t.Errorf("%+v, %d recorded", s, seen.n.Load())
	}
}

// memory is a recorder that counts.
type memory struct{ id, n atomic.Int64 }

func (m *memory) NewID() ledger.CallID { return ledger.NewCallID(1, m.id.Add(1)) }
func (*memory) BodyLimit() int64       { return 1 << 10 }
func (m *memory) Record(*ledger.Call)  { m.n.Add(1) }
func (*memory) Watch(ledger.Live)      {}
