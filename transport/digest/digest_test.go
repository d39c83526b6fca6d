package digest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mccutchen/go-httpbin/v2/httpbin"

	"redial/ledger"
	"redial/transport"
)

// A server that nobody here wrote lets the right user in, and no other.
func TestHTTPBin(t *testing.T) {
	var requests atomic.Int32
	bin := httpbin.New()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		bin.ServeHTTP(w, r)
	}))
	defer s.Close()
	for _, path := range []string{"/digest-auth/auth/op/pw1", "/digest-auth/auth/op/pw1/MD5", "/digest-auth/auth/op/pw1/SHA-256"} {
		rt := &transport.Transport{Base: s.Client().Transport, Auth: operator(s.URL)}
		for i, want := range []int32{2, 1, 1} {
			requests.Store(0)
			status, body := send(t, rt, newRequest(t, "GET", s.URL+path, ""))
			if status != 200 || !strings.Contains(body, `"op"`) || requests.Load() != want {
				t.Errorf("call %d of %s: %d %s after %d requests", i+1, path, status, body, requests.Load())
			}
		}
		requests.Store(0)
		wrong := &Digest{Username: "op", Password: "pw2", Origins: []string{s.URL}}
		if status, _ := send(t, &transport.Transport{Base: s.Client().Transport, Auth: wrong}, newRequest(t, "GET", s.URL+path, "")); status != 401 || requests.Load() != 2 {
			t.Errorf("with a wrong password: %d after %d requests", status, requests.Load())
		}
	}
}

// Every form that servers use is answered, with and without a body, by the same bytes.
func TestEveryFormOfDigest(t *testing.T) {
	for _, line := range []string{
		`Digest realm="R", nonce="NONCE"`, md5Line, sha256Line,
		`Digest realm="R", nonce="NONCE", qop="auth-int"`,
		`Digest realm="R", nonce="NONCE", qop="auth", algorithm=MD5-sess`,
		`Digest realm="R", nonce="NONCE", qop="auth-int", algorithm=SHA-256-sess`,
		`Digest realm="R", nonce="NONCE", qop="auth-int,auth", algorithm=SHA-512-256`,
		`Digest realm="R", nonce="NONCE", qop="auth", algorithm=SHA-512-256-sess, userhash=true, charset=UTF-8`,
		`Basic realm="x", Digest realm="Unit, Organization",nonce="NONCE",opaque="",qop=auth`,
	} {
		g := newGuard(line)
		s := httptest.NewServer(g)
		rt := &transport.Transport{Base: s.Client().Transport, Auth: operator(s.URL)}
		body := strings.Repeat("redial", 50_000)
		for _, method := range []string{"GET", "PUT", "POST"} {
			sent := body
			if method == "GET" {
				sent = ""
			}
			if status, got := send(t, rt, newRequest(t, method, s.URL+"/x?a=1", sent)); status != 200 || got != "in: "+sent {
				t.Errorf("%s with %s: %d, %d bytes", method, line, status, len(got))
			}
		}
		if g.blame(t); len(g.asked()) != 4 {
			t.Errorf("%d requests for three calls with %s", len(g.asked()), line)
		}
		s.Close()
	}
}

// A wrong password is tried once in a call, whatever nonce the server sends then
// (rburgst/okhttp-digest#12, tornado-http-auth#11), and the last 401 can be read.
func TestRefusedCredentialsAreNotTriedAgain(t *testing.T) {
	g, n := newGuard(md5Line), new(notes)
	s := httptest.NewServer(g)
	defer s.Close()
	d := operator(s.URL)
	d.Password = "pw2"
	rt := &transport.Transport{Base: s.Client().Transport, Recorder: n, Auth: d, Retry: transport.SafeRetry}
	for call := range 2 {
		if status, body := send(t, rt, newRequest(t, "GET", s.URL, "")); status != 401 || body != "who are you?" || len(g.asked()) != 2*(call+1) {
			t.Errorf("%d %q after %d requests", status, body, len(g.asked()))
		}
		last := n.last(t)[1]
		if last.Decision != ledger.AuthRefused || last.Reason != ledger.AuthLeg || last.Err != errRefused.Error() || strings.Contains(last.Err, "pw2") {
			t.Errorf("recorded %+v", last)
		}
	}
}

// Nonces that run out cost a leg and no call (libwww-perl#166, monero-project/monero#10695),
// also where the server does not say that they were stale.
func TestStaleNonces(t *testing.T) {
	for _, silent := range []bool{false, true} {
		g, n := newGuard(sha256Line), new(notes)
		g.uses, g.silent = 1, silent
		s := httptest.NewServer(g)
		rt := &transport.Transport{Base: s.Client().Transport, Recorder: n, Auth: operator(s.URL)}
		for call := range 5 {
			if status, _ := send(t, rt, newRequest(t, "POST", s.URL, "order")); status != 200 {
				t.Errorf("call %d: %d", call+1, status)
			}
			if all := n.last(t); len(all) != 2 || all[0].Decision != ledger.AgainAuth || all[1].Decision != ledger.Done {
				t.Errorf("call %d: %+v", call+1, all)
			}
		}
		g.blame(t)
		s.Close()
	}
}

// A server that calls every nonce stale is asked three times.
func TestStaleForEver(t *testing.T) {
	g := newGuard(md5Line + ", stale=true")
	g.password = "another"
	s := httptest.NewServer(g)
	defer s.Close()
	rt := &transport.Transport{Base: s.Client().Transport, Auth: operator(s.URL)}
	if status, body := send(t, rt, newRequest(t, "GET", s.URL, "")); status != 401 || body != "who are you?" || len(g.asked()) != 3 {
		t.Errorf("%d %q after %d requests", status, body, len(g.asked()))
	}
}

// Who offers Basic alone gets no password, unless that is allowed (koush/scrypted#891,
// JoshADC/hikvision_isapi#5), and its 401 can be read.
func TestBasicIsNeverAnsweredUnasked(t *testing.T) {
	var seen []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header.Get("Authorization"))
		if user, password, ok := r.BasicAuth(); !ok || user != "op" || password != "pw1" {
			w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
			http.Error(w, "who are you?", http.StatusUnauthorized)
		}
	}))
	defer s.Close()
	n, d := new(notes), operator(s.URL)
	if status, body := send(t, &transport.Transport{Base: s.Client().Transport, Recorder: n, Auth: d}, newRequest(t, "GET", s.URL, "")); status != 401 || body != "who are you?\n" || !slices.Equal(seen, []string{""}) {
		t.Errorf("%d %q, and it was shown %q", status, body, seen)
	}
	if a := n.last(t)[0]; a.Decision != ledger.AuthRefused || !strings.Contains(a.Err, "offers no digest that can be answered, but Basic") {
		t.Errorf("recorded %v, %q", a.Decision, a.Err)
	}
	allowed := operator(s.URL)
	allowed.AllowBasic = true
	rt := &transport.Transport{Base: s.Client().Transport, Auth: allowed}
	for range 2 {
		if status, _ := send(t, rt, newRequest(t, "GET", s.URL, "")); status != 200 {
			t.Errorf("%d", status)
		}
	}
	if len(seen) != 4 || seen[1] != "" || seen[2] != seen[3] {
		t.Errorf("it was shown %q", seen)
	}
}

// The nonce that a server names for the next request spares the leg; with -sess it is asked
// for a challenge.
func TestNextNonce(t *testing.T) {
	for line, want := range map[string]int{
		md5Line: 6, `Digest realm="R", nonce="NONCE", qop="auth", algorithm=MD5-sess`: 10,
	} {
		g := newGuard(line)
		g.next, g.uses = true, 1
		s := httptest.NewServer(g)
		rt := &transport.Transport{Base: s.Client().Transport, Auth: operator(s.URL)}
		for range 5 {
			if status, _ := send(t, rt, newRequest(t, "GET", s.URL, "")); status != 200 {
				t.Errorf("%d", status)
			}
		}
		if g.blame(t); len(g.asked()) != want {
			t.Errorf("%d requests with %s", len(g.asked()), line)
		}
		s.Close()
	}
}

// Credentials are sent beforehand where the protection space is, and not elsewhere.
func TestProtectionSpaces(t *testing.T) {
	g := newGuard(md5Line + `, domain="/a/ b"`)
	s := httptest.NewServer(g)
	defer s.Close()
	rt := &transport.Transport{Base: s.Client().Transport, Auth: operator(s.URL)}
	for _, c := range []struct {
		path string
		want int
	}{{"/a/1", 2}, {"/a/2", 1}, {"/c", 2}, {"/a/3", 1}, {"/c", 2}, {"/a", 2}} {
		before := len(g.asked())
		if status, _ := send(t, rt, newRequest(t, "GET", s.URL+c.path, "")); status != 200 || len(g.asked())-before != c.want {
			t.Errorf("%s: %d after %d requests, want %d", c.path, status, len(g.asked())-before, c.want)
		}
	}
	g.blame(t)
}

// Some devices have a header of their own for the challenge (evcc-io/evcc#33864).
func TestAnotherHeaderForTheChallenge(t *testing.T) {
	g := newGuard(`Digest realm="R", nonce="NONCE", qop="auth", algorithm=SHA256`)
	g.header = "X-WWW-Authenticate"
	s := httptest.NewServer(g)
	defer s.Close()
	d := operator(s.URL)
	d.ChallengeHeader = "x-www-authenticate"
	if status, _ := send(t, &transport.Transport{Base: s.Client().Transport, Auth: d}, newRequest(t, "GET", s.URL, "")); status != 200 {
		t.Errorf("%d", status)
	}
	if status, _ := send(t, &transport.Transport{Base: s.Client().Transport, Auth: operator(s.URL)}, newRequest(t, "GET", s.URL, "")); status != 401 {
		t.Errorf("%d without its name", status)
	}
}

// The body of a first request waits for the server where that is asked for.
func TestABodyCanWaitForTheServer(t *testing.T) {
	for _, wait := range []bool{false, true} {
		g, n := newGuard(md5Line), new(notes)
		s := httptest.NewServer(g)
		base := s.Client().Transport.(*http.Transport).Clone()
		base.ExpectContinueTimeout = time.Minute
		d := operator(s.URL)
		d.ExpectContinue = wait
		rt := &transport.Transport{Base: base, Recorder: n, Auth: d}
		body := strings.Repeat("redial", 500_000)
		for range 2 {
			r := newRequest(t, "POST", s.URL, body)
			if status, got := send(t, rt, r); status != 200 || got != "in: "+body || r.Header.Get("Expect") != "" {
				t.Errorf("%d, %d bytes", status, len(got))
			}
		}
		first := n.calls[0].AttemptList
		// Without waiting it is a race between the body and the refusal.
		if wait && first[0].BytesSent != 0 || first[1].BytesSent != int64(len(body)) {
			t.Errorf("waiting %v, %d and %d bytes were sent", wait, first[0].BytesSent, first[1].BytesSent)
		}
		if len(g.asked()) != 3 {
			t.Errorf("%d requests", len(g.asked()))
		}
		base.CloseIdleConnections()
		s.Close()
	}
}

// A plain proxy is answered if it is known to be the one that asks, and nobody else is.
func TestProxies(t *testing.T) {
	target := newGuard(sha256Line)
	server := httptest.NewServer(target)
	defer server.Close()
	relay := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out := r.Clone(r.Context())
		out.RequestURI = ""
		out.Header.Del("Proxy-Authorization")
		resp, err := http.DefaultTransport.RoundTrip(out)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer resp.Body.Close()
		for k, v := range resp.Header {
			w.Header()[k] = v
		}
		w.WriteHeader(resp.StatusCode)
		io.Copy(w, resp.Body)
	})
	g := newGuard(md5Line)
	g.user, g.password, g.proxy, g.inner = "px", "pw2", true, relay
	proxy := httptest.NewServer(g)
	defer proxy.Close()
	at, _ := url.Parse(proxy.URL)
	base := &http.Transport{Proxy: http.ProxyURL(at)}
	defer base.CloseIdleConnections()
	forProxy := &Digest{Username: "px", Password: "pw2", Origins: []string{proxy.URL}, Proxy: base.Proxy}

	rt := &transport.Transport{Base: base, Auth: transport.Auths{forProxy, operator(server.URL)}}
	for _, want := range []int{3, 4} {
		if status, _ := send(t, rt, newRequest(t, "GET", server.URL+"/x", "")); status != 200 || len(g.asked()) != want {
			t.Errorf("%d after %d requests", status, len(g.asked()))
		}
	}
	g.blame(t)
	target.blame(t)

	asked := len(g.asked())
	unnamed := &Digest{Username: "px", Password: "pw2", Origins: []string{proxy.URL}}
	if status, _ := send(t, &transport.Transport{Base: base, Auth: unnamed}, newRequest(t, "GET", server.URL, "")); status != 407 || len(g.asked()) != asked+1 {
		t.Errorf("%d after %d requests", status, len(g.asked())-asked)
	}
	direct := &http.Transport{} // A server that claims to be a proxy.
	defer direct.CloseIdleConnections()
	elsewhere := &Digest{Username: "px", Password: "pw2", Origins: []string{"http://other.example.test"}, Proxy: base.Proxy}
	if status, _ := send(t, &transport.Transport{Base: direct, Auth: elsewhere}, newRequest(t, "GET", proxy.URL, "")); status != 407 {
		t.Errorf("%d", status)
	}
	if seen := g.asked(); seen[len(seen)-1] != "" {
		t.Errorf("it was shown %q", seen[len(seen)-1])
	}
}
