package transport_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"redial/ledger"
	"redial/transport"
)

// vendor is a real server that fails the first request to each path in the way that the
// path says, and remembers the bodies of all of them.
type vendor struct {
	*httptest.Server
	mu   sync.Mutex
	seen map[string][]string
}

func newVendor(t *testing.T) *vendor {
	v := &vendor{seen: map[string][]string{}}
	v.Server = httptest.NewServer(v)
	t.Cleanup(v.Close)
	return v
}

func (v *vendor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	v.mu.Lock()
	v.seen[r.URL.Path] = append(v.seen[r.URL.Path], string(body))
	first := len(v.seen[r.URL.Path]) == 1
	v.mu.Unlock()
	failure := strings.Split(r.URL.Path, "/")[1]
	switch {
	case !first:
	case failure == "503":
		w.WriteHeader(503)
	case failure == "reset":
		reset(w)
	case failure == "hangup":
		conn, _, _ := w.(http.Hijacker).Hijack()
		conn.Close()
	}
}

// reset ends the connection with an RST, after the request was read.
func reset(w http.ResponseWriter) {
	conn, _, _ := w.(http.Hijacker).Hijack()
	conn.(*net.TCPConn).SetLinger(0)
	conn.Close()
}

func (v *vendor) bodies(path string) []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.seen[path])
}

// refuseFirst dials, but for the first time.
func refuseFirst() func(context.Context, string, string) (net.Conn, error) {
	var once sync.Once
	return func(ctx context.Context, network, addr string) (conn net.Conn, err error) {
		err = nil
		once.Do(func() {
			err = &net.OpError{Op: "dial", Net: network, Err: syscall.ECONNREFUSED}
		})
		if err != nil {
			return nil, err
		}
		return new(net.Dialer).DialContext(ctx, network, addr)
	}
}

const payload = `{"qty":3}`

// gateCase is one cell of the matrix.
type gateCase struct{ failure, method, key, body string }

func (g gateCase) String() string {
	return fmt.Sprintf("%s/%s/key=%s/body=%s", g.failure, g.method, g.key, g.body)
}

func gateMatrix() (cases []gateCase) {
	for _, failure := range []string{"refused", "503", "reset", "hangup"} {
		for _, method := range []string{"GET", "HEAD", "OPTIONS", "PUT", "DELETE", "POST", "PATCH"} {
			for _, key := range []string{"none", "given", "given-x", "declared", "empty", "lower"} {
				for _, body := range []string{"none", "rebuilt", "once", "memory", "memory-once"} {
					if method == "HEAD" && body != "none" {
						continue
					}
					cases = append(cases, gateCase{failure, method, key, body})
				}
			}
		}
	}
	return cases
}

// repeatable is the gate's rule, written down a second time.
func (g gateCase) repeatable() bool {
	return slices.Contains([]string{"GET", "HEAD", "OPTIONS", "PUT", "DELETE"}, g.method) ||
		slices.Contains([]string{"given", "given-x", "declared"}, g.key)
}

func (g gateCase) rebuilt() bool { return !strings.HasSuffix(g.body, "once") }

func (g gateCase) sentAgain() bool {
	return g.rebuilt() && (g.failure == "refused" || g.repeatable())
}

func (g gateCase) request(t *testing.T, bs *bodies, url string) *http.Request {
	if g.body != "none" {
		bs.text = payload
	}
	r := bs.request(t, g.method, url+"/"+g.String(), g.rebuilt())
	if strings.HasPrefix(g.body, "memory") { // of a kind that net/http knows
		again := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(payload)), nil }
		bs.made = nil
		if r.Body, _ = again(); r.GetBody != nil {
			r.GetBody = again
		}
	}
	switch g.key {
	case "given":
		r.Header.Set("Idempotency-Key", "k1")
	case "given-x":
		r.Header.Set("X-Idempotency-Key", "k1")
	case "declared":
		r.Header["X-Idempotency-Key"] = nil
	case "empty":
		r.Header.Set("Idempotency-Key", "")
	case "lower":
		r.Header["idempotency-key"] = []string{"k1"}
	}
	return r
}

// first returns the decision and the outcome after the first attempt.
func (g gateCase) first() (ledger.Decision, ledger.Outcome) {
	again, outcome := ledger.AgainUnknown, ledger.Unknown
	switch g.failure {
	case "refused":
		again, outcome = ledger.AgainNotSent, ledger.NotSent
	case "503":
		again, outcome = ledger.AgainStatus, ledger.Answered
	}
	switch {
	case g.failure != "refused" && !g.repeatable():
		return ledger.NotRepeatable, outcome
	case !g.rebuilt():
		return ledger.BodyGone, outcome
	}
	return again, outcome
}

// Every method, with every kind of key and body, against every kind of failure, over real
// sockets: sent again exactly when the gate says so, with the same bytes, and the server
// saw as many requests as were recorded.
func TestGateMatrix(t *testing.T) {
	v := newVendor(t)
	for _, g := range gateMatrix() {
		t.Run(g.String(), func(t *testing.T) { checkGate(t, v, g) })
	}
}

func checkGate(t *testing.T, v *vendor, g gateCase) {
	base := &http.Transport{}
	defer base.CloseIdleConnections()
	if g.failure == "refused" {
		base.DialContext = refuseFirst()
	}
	j := newJournal()
	rt := &transport.Transport{Base: base, Recorder: j, Retry: quick}
	bs := &bodies{}
	req := g.request(t, bs, v.URL)
	status, _, err := finish(rt.RoundTrip(req))

	call := j.only(t)
	attempts, sends := 1, 1
	if g.sentAgain() {
		attempts, sends = 2, 2
	}
	if g.failure == "refused" {
		sends--
	}
	if answered := g.failure == "503" || attempts == 2; answered != (err == nil) {
		t.Errorf("status %d, error %v", status, err)
	}
	if attempts == 2 && status != 200 {
		t.Errorf("status %d after the second attempt", status)
	}
	got := v.bodies(req.URL.Path)
	if call.Attempts != attempts || call.WireSends != sends || len(got) != sends {
		t.Errorf("%d attempts, %d wire sends, server saw %d; want %d, %d, %d",
			call.Attempts, call.WireSends, len(got), attempts, sends, sends)
	}
	for _, body := range got {
		if body != bs.text {
			t.Errorf("server got %q, want %q", body, bs.text)
		}
	}
	decision, outcome := g.first()
	if a := call.AttemptList[0]; a.Decision != decision || a.Outcome != outcome {
		t.Errorf("first attempt: %v, %v; want %v, %v", a.Decision, a.Outcome, decision, outcome)
	}
	bs.closedOnce(t)
}

// On a connection that was used before, net/http replays by itself what it takes for
// idempotent. It is kept to the same gate, and its sends are counted.
func TestGateMatrixOnReusedConnection(t *testing.T) {
	v := newVendor(t)
	for _, g := range gateMatrix() {
		if g.failure == "refused" {
			continue
		}
		t.Run(g.String(), func(t *testing.T) {
			base := &http.Transport{}
			defer base.CloseIdleConnections()
			j := newJournal()
			rt := &transport.Transport{Base: base, Recorder: j, Retry: quick}
			if status, _, err := get(t, rt, v.URL+"/warm"); status != 200 || err != nil {
				t.Fatal(status, err)
			}
			bs := &bodies{}
			req := g.request(t, bs, v.URL)
			req.URL.Path = "/" + g.failure + "/reused" + req.URL.Path
			finish(rt.RoundTrip(req))

			call := j.all()[1]
			got := v.bodies(req.URL.Path)
			want := 1
			if g.sentAgain() {
				want = 2
			}
			if len(got) != want || call.WireSends != want {
				t.Errorf("server saw %d requests, %d wire sends recorded, want %d", len(got), call.WireSends, want)
			}
			for _, body := range got {
				if body != bs.text {
					t.Errorf("server got %q, want %q", body, bs.text)
				}
			}
			bs.closedOnce(t)
		})
	}
}

// A header other than the policy's makes nothing repeatable, and net/http must not
// replay because of it either. It still arrives.
func TestForeignKeyHeaderDoesNotMakeNetHTTPReplay(t *testing.T) {
	for _, header := range []string{"Idempotency-Key", "X-Idempotency-Key"} {
		t.Run(header, func(t *testing.T) {
			var mu sync.Mutex
			var got []string
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodPost {
					mu.Lock()
					got = append(got, r.Header.Get(header))
					mu.Unlock()
					reset(w)
				}
			}))
			defer s.Close()
			retry := quick
			retry.KeyHeader = "X-Order"
			rt := &transport.Transport{Base: s.Client().Transport, Retry: retry}
			get(t, rt, s.URL)
			req, _ := http.NewRequest(http.MethodPost, s.URL, strings.NewReader(payload))
			req.Header.Set(header, "k1")
			if _, err := rt.RoundTrip(req); err == nil {
				t.Error("no error for a lost POST")
			}
			mu.Lock()
			defer mu.Unlock()
			if !slices.Equal(got, []string{"k1"}) {
				t.Errorf("server saw keys %q, want k1 once", got)
			}
			if _, ok := req.Header[header]; !ok {
				t.Error("the caller's header was changed")
			}
		})
	}
}

func TestPolicyKeyHeaderMakesRepeatable(t *testing.T) {
	v := newVendor(t)
	retry := quick
	retry.KeyHeader = "x-order" // any case
	j := newJournal()
	rt := &transport.Transport{Base: v.Client().Transport, Recorder: j, Retry: retry}
	req, _ := http.NewRequest(http.MethodPost, v.URL+"/503/order", strings.NewReader(payload))
	req.Header.Set("X-Order", "8841")
	status, _, err := finish(rt.RoundTrip(req))
	if call := j.only(t); status != 200 || err != nil || call.Key != "8841" || call.Attempts != 2 {
		t.Errorf("%d %v, recorded %+v", status, err, call)
	}
}

// A method that nobody knows may do anything.
func TestUnknownMethodsAreNotRepeated(t *testing.T) {
	for _, method := range []string{"get", "PURGE", "QUERY", "CONNECT"} {
		n := 0
		rt := &transport.Transport{Retry: quick, Base: baseFunc(func(r *http.Request) (*http.Response, error) {
			n++
			return answer(r, 503, ""), nil
		})}
		req, _ := http.NewRequest(method, "http://api.example.test/", nil)
		if status, _, err := finish(rt.RoundTrip(req)); status != 503 || err != nil || n != 1 {
			t.Errorf("%s: %d %v after %d attempts", method, status, err, n)
		}
	}
}

func TestEmptyMethodIsGet(t *testing.T) {
	n := 0
	j := newJournal()
	rt := &transport.Transport{Recorder: j, Retry: quick, Base: baseFunc(func(r *http.Request) (*http.Response, error) {
		n++
		return nil, errors.New("lost")
	})}
	req, _ := http.NewRequest("GET", "http://api.example.test/", nil)
	req.Method = ""
	finish(rt.RoundTrip(req))
	if call := j.only(t); n != 3 || call.Method != "GET" {
		t.Errorf("%d attempts of %q, want 3 of GET", n, call.Method)
	}
}
