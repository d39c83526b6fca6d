package digest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"redial/ledger"
	"redial/transport"
)

// Fifty at once share the credentials of one user on a server that accepts only rising
// counts and lets each nonce go after some uses (traefik/traefik#6569, #4281). Each
// call gets through, and no count of a nonce is used twice.
func TestManyShareOneUser(t *testing.T) {
	for _, c := range []struct {
		h2, silent bool
		uses       int
	}{{false, false, 4}, {false, true, 7}, {true, false, 4}, {true, true, 0}} {
		t.Run(fmt.Sprintf("HTTP/2 %v, silent %v, %d uses", c.h2, c.silent, c.uses), func(t *testing.T) {
			g := newGuard(sha256Line)
			g.strict, g.silent, g.uses = true, c.silent, c.uses
			s := httptest.NewUnstartedServer(g)
			if s.EnableHTTP2 = c.h2; c.h2 {
				s.StartTLS()
			} else {
				s.Start()
			}
			defer s.Close()
			rt := &transport.Transport{Base: s.Client().Transport, Auth: operator(s.URL)}
			send(t, rt, newRequest(t, "GET", s.URL, "")) // From here on there is one nonce, which all share at first.
			var all sync.WaitGroup
			for i := range 50 {
				all.Go(func() {
					for k := range 10 {
						body := fmt.Sprintf("%d/%d", i, k)
						if status, got := send(t, rt, newRequest(t, "POST", s.URL, body)); status != 200 || got != "in: "+body {
							t.Errorf("%d %q", status, got)
						}
					}
				})
			}
			all.Wait()
			g.blame(t)
			used := map[string]bool{}
			for _, header := range g.asked() {
				f := fields(header)
				pair := f["nonce"] + " " + f["nc"]
				if header != "" && used[pair] {
					t.Errorf("%s was used twice", pair)
				}
				used[pair] = true
			}
			t.Logf("%d requests for 501 calls with %d nonces", len(g.asked()), g.made)
		})
	}
}

// challenged answers a challenge of a nonce, and returns the credentials.
func challenged(t *testing.T, d *Digest, line string) *http.Request {
	t.Helper()
	r := newRequest(t, "GET", "http://api.example.test/x", "")
	if err := d.Authorize(r, &http.Response{StatusCode: 401, Header: http.Header{"Www-Authenticate": {line}}}); err != nil {
		t.Fatal(err)
	}
	return r
}

// beforehand returns nonce and count of what is sent without a challenge, "" for nothing.
func beforehand(t *testing.T, d *Digest) (*http.Request, string) {
	t.Helper()
	r := newRequest(t, "GET", "http://api.example.test/x", "")
	if err := d.Authorize(r, nil); err != nil {
		t.Fatal(err)
	}
	f := fields(r.Header.Get("Authorization"))
	return r, strings.TrimSpace(f["nonce"] + " " + f["nc"])
}

func TestWhichNonceIsUsedBeforehand(t *testing.T) {
	d, ok := operator("http://api.example.test"), &http.Response{StatusCode: 200}
	want := func(r *http.Request, got, want string) *http.Request {
		t.Helper()
		if got != want {
			t.Errorf("%q is used, want %q", got, want)
		}
		return r
	}
	_, got := beforehand(t, d)
	want(nil, got, "")

	first := challenged(t, d, `Digest realm="R", nonce="a", qop="auth"`)
	_, got = beforehand(t, d)
	want(nil, got, "") // Nobody knows yet whether it is accepted.
	d.Answer(challenged(t, d, `Digest realm="R", nonce="c", qop="auth"`), &http.Response{StatusCode: 407}, 1)
	_, got = beforehand(t, d)
	want(nil, got, "") // A proxy answered, and the server has not seen it.
	d.Answer(first, ok, 1)

	r, got := beforehand(t, d)
	one := want(r, got, "a 00000002")
	r, got = beforehand(t, d)
	two := want(r, got, "a 00000003") // Shared, since there is no other.

	second := challenged(t, d, `Digest realm="R", nonce="b", qop="auth"`)
	d.Answer(second, ok, 1)
	r, got = beforehand(t, d)
	three := want(r, got, "b 00000002") // Nobody else has it.

	d.Answer(one, nil, 0) // No answer says nothing about a nonce.
	d.Answer(two, ok, 0)
	r, got = beforehand(t, d)
	four := want(r, got, "a 00000004")

	d.Answer(three, &http.Response{StatusCode: 401, Header: http.Header{}}, 0)
	d.Answer(four, ok, 0)
	for _, count := range []string{"00000005", "00000006"} {
		_, got = beforehand(t, d)
		want(nil, got, "a "+count) // b was refused.
	}

	// A server that gives everybody the same nonce sees one count of it.
	r = challenged(t, d, `Digest realm="R", nonce="a", qop="auth"`)
	if got := fields(r.Header.Get("Authorization"))["nc"]; got != "00000007" {
		t.Errorf("nc=%s", got)
	}
}

// With -sess the first cnonce is part of the session key, so it stays.
func TestSessionsKeepTheirClientNonce(t *testing.T) {
	d := operator("http://api.example.test")
	first := challenged(t, d, `Digest realm="R", nonce="a", qop="auth", algorithm=MD5-sess`)
	d.Answer(first, &http.Response{StatusCode: 200}, 1)
	second, _ := beforehand(t, d)
	a, b := fields(first.Header.Get("Authorization")), fields(second.Header.Get("Authorization"))
	if a["cnonce"] == "" || a["cnonce"] != b["cnonce"] || b["nc"] != "00000002" {
		t.Errorf("%v and then %v", a, b)
	}
}

// Servers that never run out of nonces and realms fill no memory.
func TestWhatIsRememberedIsBounded(t *testing.T) {
	d := operator("http://api.example.test")
	good := challenged(t, d, `Digest realm="good", nonce="good", qop="auth"`)
	d.Answer(good, &http.Response{StatusCode: 200}, 1)
	for i := range 3 * maxNonces {
		r := challenged(t, d, fmt.Sprintf(`Digest realm="R%d", nonce="n%d", qop="auth", domain="/%s"`, i, i, strings.Repeat("x", 100_000)))
		d.Answer(r, &http.Response{StatusCode: 401, Header: http.Header{}}, 1)
	}
	kept := 0
	for _, n := range d.nonces.all {
		for _, text := range n.offer.domain {
			kept += len(text)
		}
	}
	if len(d.nonces.all) > maxNonces || kept > maxNonces*maxValue {
		t.Errorf("%d nonces and %d bytes are remembered", len(d.nonces.all), kept)
	}
	if _, got := beforehand(t, d); got != "good 00000002" {
		t.Errorf("%q is used: what was accepted is forgotten before what was refused", got)
	}
}

// No lock is held while a request is under way, or while a body is hashed.
func TestNobodyWaitsForAnother(t *testing.T) {
	hang, started := make(chan struct{}), make(chan struct{})
	g := newGuard(`Digest realm="R", nonce="NONCE", qop="auth-int"`)
	g.inner = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			close(started)
			<-hang
		}
	})
	s := httptest.NewServer(g)
	defer s.Close()
	d := operator(s.URL)
	rt := &transport.Transport{Base: s.Client().Transport, Auth: d}
	var all sync.WaitGroup
	all.Go(func() { send(t, rt, newRequest(t, "GET", s.URL+"/slow", "")) })
	<-started
	hashing := newRequest(t, "PUT", s.URL+"/x", "body")
	inside, get := make(chan struct{}), hashing.GetBody
	copies := 0
	hashing.GetBody = func() (io.ReadCloser, error) {
		if copies++; copies == 2 {
			close(inside)
			<-hang
		}
		return get()
	}
	all.Go(func() { send(t, rt, hashing) })
	<-inside
	if status, _ := send(t, rt, newRequest(t, "GET", s.URL+"/fast", "")); status != 200 {
		t.Errorf("%d", status)
	}
	close(hang)
	all.Wait()
	g.blame(t)
}

// The caller's own credentials are left alone, and their 401 is no leg.
func TestTheCallersCredentialsWin(t *testing.T) {
	g, n := newGuard(md5Line), new(notes)
	s := httptest.NewServer(g)
	defer s.Close()
	rt := &transport.Transport{Base: s.Client().Transport, Recorder: n, Auth: operator(s.URL)}
	send(t, rt, newRequest(t, "GET", s.URL, "")) // From here on a nonce is known.
	for _, name := range []string{"Authorization", "authorization"} {
		r := newRequest(t, "GET", s.URL, "")
		r.Header[name] = []string{"Bearer mine"}
		status, _ := send(t, rt, r)
		if seen := g.asked(); status != 401 || seen[len(seen)-1] != "Bearer mine" || n.last(t)[0].Decision != ledger.Done {
			t.Errorf("%d, it was shown %q, and %v", status, seen, n.last(t)[0].Decision)
		}
	}
	if len(g.asked()) != 4 {
		t.Errorf("%d requests", len(g.asked()))
	}
}

// A retry after a leg that got lost still answers the challenge, with the next count.
func TestARetryAfterALeg(t *testing.T) {
	g, n := newGuard(md5Line), new(notes)
	g.strict = true
	s := httptest.NewServer(g)
	defer s.Close()
	requests := 0
	base := roundTripper(func(r *http.Request) (*http.Response, error) {
		resp, err := s.Client().Transport.RoundTrip(r)
		if requests++; requests == 2 && err == nil {
			resp.Body.Close()
			return nil, http.ErrHandlerTimeout
		}
		return resp, err
	})
	rt := &transport.Transport{Base: base, Recorder: n, Auth: operator(s.URL), Retry: transport.Retry{Attempts: 2, Base: time.Millisecond}}
	if status, _ := send(t, rt, newRequest(t, "PUT", s.URL, "body")); status != 200 {
		t.Errorf("%d", status)
	}
	seen := g.asked()
	if len(seen) != 3 || fields(seen[1])["nc"] != "00000001" || fields(seen[2])["nc"] != "00000002" || fields(seen[1])["nonce"] != fields(seen[2])["nonce"] {
		t.Errorf("it was shown %q", seen)
	}
	g.blame(t)
}

// A caller that gives up while its body is hashed waits for nothing more.
func TestGivingUpWhileABodyIsHashed(t *testing.T) {
	d := operator("http://api.example.test")
	base := roundTripper(func(r *http.Request) (*http.Response, error) {
		r.Body.Close()
		return &http.Response{StatusCode: 401, Header: http.Header{"Www-Authenticate": {`Digest realm="R", nonce="n", qop="auth-int"`}}, Body: http.NoBody}, nil
	})
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("the service stops")
	r := newRequest(t, "PUT", "http://api.example.test/x", "body").WithContext(ctx)
	copies := 0
	r.GetBody = func() (io.ReadCloser, error) {
		if copies++; copies == 2 { // for the hash
			return io.NopCloser(&endless{after: 100, cancel: func() { cancel(stopped) }}), nil
		}
		return io.NopCloser(strings.NewReader("body")), nil
	}
	_, err := (&transport.Transport{Base: base, Auth: d}).RoundTrip(r)
	if !errors.Is(err, context.Canceled) || !errors.Is(err, stopped) || !strings.Contains(err.Error(), "status 401") {
		t.Errorf("%v", err)
	}
}

// endless is a body without an end, whose reader gives up after some reads.
type endless struct {
	after  int
	cancel func()
}

func (e *endless) Read(p []byte) (int, error) {
	if e.after--; e.after == 0 {
		e.cancel()
	}
	return len(p), nil
}

// A nonce that was accepted and is not known any more when the request is sent again is no
// refusal of the user, also where the server does not say that it was stale.
func TestANonceThatIsForgottenBetweenRetries(t *testing.T) {
	g := newGuard(md5Line)
	g.uses, g.silent = 1, true
	busy := 1
	g.inner = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if busy--; busy >= 0 {
			w.WriteHeader(503)
		}
	})
	s := httptest.NewServer(g)
	defer s.Close()
	rt := &transport.Transport{Base: s.Client().Transport, Auth: operator(s.URL), Retry: transport.Retry{Attempts: 2, Base: time.Millisecond}}
	if status, _ := send(t, rt, newRequest(t, "GET", s.URL, "")); status != 200 || len(g.asked()) != 4 {
		t.Errorf("%d after %d requests", status, len(g.asked()))
	}
}
