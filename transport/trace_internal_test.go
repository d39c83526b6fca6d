package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"sync"
	"testing"
	"time"

	"redial/ledger"
)

// send makes one request through base with a trace, reads it to the end, and returns the
// facts and how often the hooks were asked for.
func traced(t *testing.T, base http.RoundTripper, tr *trace, url string) (s stamps, asked int32) {
	t.Helper()
	tr.mu.Lock()
	tr.reset()
	tr.mu.Unlock()
	tr.begin(nil, time.Now(), 0)
	req, _ := http.NewRequest(http.MethodGet, url, nil)
	o := newOutgoing(req, context.Background(), tr)
	resp, err := base.RoundTrip(&o.req)
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	asked = o.ctx.close()
	tr.mu.Lock()
	defer tr.mu.Unlock()
	return tr.stamps, asked
}

// What net/http does on a clean, reused connection is what quiet takes for clean, so that
// hooks are used again there; and nothing else is.
func TestHooksAreUsedAgainOnlyAfterACleanSend(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "x") }))
	defer s.Close()
	base := s.Client().Transport
	tr := newTrace()
	if s, asked := traced(t, base, tr, s.URL); s.quiet(asked) {
		t.Errorf("a fresh connection is called quiet: %+v", s)
	}
	tr = newTrace()
	for range 3 {
		if s, asked := traced(t, base, tr, s.URL); !s.quiet(asked) {
			t.Errorf("a reused connection is not called quiet, after %d questions: %+v", asked, s)
		}
	}

	h2 := httptest.NewUnstartedServer(s.Config.Handler)
	h2.EnableHTTP2 = true
	h2.StartTLS()
	defer h2.Close()
	for range 3 {
		if s, asked := traced(t, h2.Client().Transport, newTrace(), h2.URL); s.quiet(asked) {
			t.Errorf("HTTP/2 is called quiet, after %d questions", asked)
		}
	}
}

func TestQuietNeedsEveryProof(t *testing.T) {
	clean := stamps{gets: 1, gots: 1, idle: true, reused: true, wrotes: 1, firstByte: 1}
	if !clean.quiet(2) {
		t.Fatal("a clean send is not quiet")
	}
	for name, spoil := range map[string]func(s *stamps){
		"asked again":   func(s *stamps) { s.gets = 2 },
		"got again":     func(s *stamps) { s.gots = 2 },
		"not idle":      func(s *stamps) { s.idle = false },
		"fresh":         func(s *stamps) { s.reused = false },
		"not written":   func(s *stamps) { s.wrotes = 0 },
		"written twice": func(s *stamps) { s.wrotes = 2 }, // golang/go#18305
		"no response":   func(s *stamps) { s.firstByte = 0 },
		"a dial":        func(s *stamps) { s.netHooks = true },
	} {
		s := clean
		if spoil(&s); s.quiet(2) {
			t.Errorf("%s: called quiet", name)
		}
	}
	if clean.quiet(3) {
		t.Error("hooks in a third hand are called quiet")
	}
}

// Hooks that are asked for after the attempt are not handed out any more.
func TestNoHooksAfterTheAttempt(t *testing.T) {
	tr := newTrace()
	ctx := &newOutgoing(new(http.Request), context.Background(), tr).ctx
	if httptrace.ContextClientTrace(ctx) == nil {
		t.Error("no hooks during the attempt")
	}
	if n := ctx.close(); n != 1 {
		t.Errorf("asked %d times", n)
	}
	if httptrace.ContextClientTrace(ctx) != nil {
		t.Error("hooks after the attempt")
	}
}

// last is a recorder that keeps the last call's attempts.
type last struct {
	mu       sync.Mutex
	n        int64
	attempts []ledger.Attempt
}

func (l *last) NewID() ledger.CallID {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n++
	return ledger.CallID(l.n)
}
func (*last) BodyLimit() int64  { return 0 }
func (*last) Watch(ledger.Live) {}
func (l *last) Record(c *ledger.Call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.attempts = append(l.attempts[:0], c.AttemptList...)
}

// A base transport that fires hooks long after its attempt has ended, as hedging and
// racing dials do, does not touch the calls that come after (go-agent#4895 and its kind).
func TestLateHooksTouchNoOtherCall(t *testing.T) {
	var late []*httptrace.ClientTrace
	l := &last{}
	rt := &Transport{Recorder: l, Base: roundTripper(func(r *http.Request) (*http.Response, error) {
		h := httptrace.ContextClientTrace(r.Context())
		if r.URL.Path == "/second" {
			for _, h := range late { // of the first calls, while the second is under way
				h.GetConn("x")
				h.GotConn(httptrace.GotConnInfo{})
				h.WroteRequest(httptrace.WroteRequestInfo{Err: errors.New("late")})
				h.ConnectStart("tcp", "x")
				h.TLSHandshakeDone(tls.ConnectionState{}, nil)
			}
			return nil, errors.New("lost")
		}
		h.GetConn("x")
		h.GotConn(httptrace.GotConnInfo{Reused: true, WasIdle: true})
		h.WroteRequest(httptrace.WroteRequestInfo{})
		h.GotFirstResponseByte()
		for range 2 { // one more than net/http would
			late = append(late, httptrace.ContextClientTrace(r.Context()))
		}
		return &http.Response{StatusCode: 200, Body: http.NoBody, Request: r}, nil
	})}
	for range 10 {
		for _, path := range []string{"/first", "/second"} {
			req, _ := http.NewRequest(http.MethodPost, "http://api.example.test"+path, nil)
			rt.RoundTrip(req)
		}
		if a := l.attempts[0]; a.WireSends != 0 || a.Outcome != ledger.Unknown || a.Phases != (ledger.Phases{}) {
			t.Fatalf("late hooks are in another call's record: %+v", a)
		}
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// Addresses are put into words once, and again when they change.
func TestRemoteAddress(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer s.Close()
	other := httptest.NewServer(s.Config.Handler)
	defer other.Close()
	tr := newTrace()
	for _, s := range []*httptest.Server{s, other, s, s} {
		tr.netHooks, tr.dials = false, nil
		if got, _ := traced(t, http.DefaultTransport, tr, s.URL); got.remote != s.Listener.Addr().String() {
			t.Errorf("remote %q, want %q", got.remote, s.Listener.Addr())
		}
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
}
