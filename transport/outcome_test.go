package transport_test

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"redial/ledger"
	"redial/transport"
)

// verdictOf sends one POST without a key, the request that proof matters for.
func verdictOf(t *testing.T, base http.RoundTripper, url string) (ledger.Call, error) {
	t.Helper()
	j := newJournal()
	rt := &transport.Transport{Base: base, Recorder: j, Retry: quick}
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(payload))
	_, _, err := finish(rt.RoundTrip(req))
	return j.only(t), err
}

// tlsServer is quiet about the handshakes that tests make fail.
func tlsServer(t *testing.T, config *tls.Config) *httptest.Server {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { sink(r) }))
	s.TLS = config
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

// What cannot be helped by asking again is asked once (go-retryablehttp#176, #201,
// hephaestus#440, failsafe-go).
func TestTLSFailuresArePermanentAndNotSent(t *testing.T) {
	trusting := tlsServer(t, nil)
	demanding := tlsServer(t, &tls.Config{ClientAuth: tls.RequireAnyClientCert, MinVersion: tls.VersionTLS13})
	demanding12 := tlsServer(t, &tls.Config{ClientAuth: tls.RequireAnyClientCert, MaxVersion: tls.VersionTLS12})
	clear := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer clear.Close()
	for _, c := range []struct {
		name string
		base http.RoundTripper
		url  string
	}{
		{"unknown authority", &http.Transport{}, trusting.URL},
		{"wrong name", renamed(trusting), trusting.URL},
		{"plain HTTP behind https", &http.Transport{}, strings.Replace(clear.URL, "http:", "https:", 1)},
		{"client certificate, TLS 1.3", demanding.Client().Transport, demanding.URL},
		{"client certificate, TLS 1.2", demanding12.Client().Transport, demanding12.URL},
	} {
		t.Run(c.name, func(t *testing.T) {
			call, err := verdictOf(t, c.base, c.url)
			// In TLS 1.3 the server's alert races with the client's writes, which may
			// fail first and then hide it.
			for i := 0; strings.HasSuffix(c.name, "1.3") && !strings.Contains(err.Error(), "remote error") && i < 1000; i++ {
				if call.Outcome != ledger.Unknown || call.Attempts != 1 {
					t.Errorf("%v after %d attempts, error %v", call.Outcome, call.Attempts, err)
				}
				call, err = verdictOf(t, c.base, c.url)
			}
			if err == nil || !slices.Equal(decisions(call), []ledger.Decision{ledger.Permanent}) || call.Outcome != ledger.NotSent {
				t.Errorf("%v, %v, error %v", decisions(call), call.Outcome, err)
			}
		})
	}
}

// renamed expects another name of the server than its certificate has.
func renamed(s *httptest.Server) *http.Transport {
	base := s.Client().Transport.(*http.Transport).Clone()
	base.TLSClientConfig.ServerName = "other.example.test"
	return base
}

// net/http's own hint about HTTP behind https depends on the error being left alone.
func TestSchemeMismatchKeepsItsHint(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer s.Close()
	client := &http.Client{Transport: &transport.Transport{Base: &http.Transport{}, Retry: quick}}
	if _, err := client.Get(strings.Replace(s.URL, "http:", "https:", 1)); !errors.Is(err, http.ErrSchemeMismatch) {
		t.Error(err)
	}
}

// A connection that was never got is proof; the kind of error does not matter.
func TestNoConnectionIsNotSent(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	strange := errors.New("the dialer has a bad day")
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(502) }))
	defer proxy.Close()
	for name, base := range map[string]*http.Transport{
		"refused":      {},
		"custom error": {DialContext: func(context.Context, string, string) (net.Conn, error) { return nil, strange }},
		"proxy is not there": {Proxy: func(r *http.Request) (*url.URL, error) {
			return url.Parse("http://" + closed.Addr().String())
		}},
		"proxy refuses CONNECT": {Proxy: func(r *http.Request) (*url.URL, error) { return url.Parse(proxy.URL) }},
	} {
		t.Run(name, func(t *testing.T) {
			target := "http://" + closed.Addr().String()
			if strings.HasSuffix(name, "CONNECT") {
				target = "https://" + closed.Addr().String()
			}
			call, err := verdictOf(t, base, target)
			want := []ledger.Decision{ledger.AgainNotSent, ledger.AgainNotSent, ledger.NoAttemptsLeft}
			if err == nil || !slices.Equal(decisions(call), want) || call.Outcome != ledger.NotSent || call.WireSends != 0 {
				t.Errorf("%v, %v, error %v", decisions(call), call.Outcome, err)
			}
		})
	}
}

// The hooks of httptrace, as evidence: what a base transport that fires them in some order
// and then fails proves about a POST.
func TestEvidence(t *testing.T) {
	dial := &net.OpError{Op: "dial", Err: errors.New("refused")}
	for _, c := range []struct {
		name string
		fire func(h *httptrace.ClientTrace)
		err  error
		want ledger.Outcome
	}{
		{"no hooks at all", func(*httptrace.ClientTrace) {}, errLost, ledger.Unknown},
		{"no hooks, but a dial error", func(*httptrace.ClientTrace) {}, dial, ledger.NotSent},
		{"no hooks, but a lookup error", func(*httptrace.ClientTrace) {}, &net.DNSError{Err: "no such host"}, ledger.NotSent},
		{"asked for a connection", func(h *httptrace.ClientTrace) { h.GetConn("x") }, errLost, ledger.NotSent},
		{"got one", func(h *httptrace.ClientTrace) { h.GetConn("x"); h.GotConn(httptrace.GotConnInfo{}) }, errLost, ledger.Unknown},
		{"got one without asking", func(h *httptrace.ClientTrace) { h.GotConn(httptrace.GotConnInfo{}) }, errLost, ledger.Unknown},
		{"wrote the request", func(h *httptrace.ClientTrace) {
			h.GetConn("x")
			h.GotConn(httptrace.GotConnInfo{})
			h.WroteRequest(httptrace.WroteRequestInfo{})
		}, errLost, ledger.Unknown},
		{"failed to write it", func(h *httptrace.ClientTrace) {
			h.GetConn("x")
			h.GotConn(httptrace.GotConnInfo{})
			h.WroteRequest(httptrace.WroteRequestInfo{Err: errLost})
		}, errLost, ledger.Unknown},
		{"sent, and then a dial failed", func(h *httptrace.ClientTrace) {
			h.GetConn("x")
			h.GotConn(httptrace.GotConnInfo{})
			h.GetConn("x")
		}, dial, ledger.Unknown},
		{"refused by the protocol", func(h *httptrace.ClientTrace) { h.GetConn("x"); h.GotConn(httptrace.GotConnInfo{}) },
			errors.New("stream error: stream ID 3; REFUSED_STREAM; received from peer"), ledger.NotSent},
		{"refused by the protocol, after another send", func(h *httptrace.ClientTrace) {
			h.GetConn("x")
			h.GotConn(httptrace.GotConnInfo{})
			h.GotConn(httptrace.GotConnInfo{})
		}, errors.New("stream error: stream ID 3; REFUSED_STREAM; received from peer"), ledger.Unknown},
		{"a server that says so in its own words", func(h *httptrace.ClientTrace) { h.GetConn("x"); h.GotConn(httptrace.GotConnInfo{}) },
			errors.New(`http2: server sent GOAWAY and closed the connection; LastStreamID=1, ErrCode=NO_ERROR, debug="stream error: stream ID 3; REFUSED_STREAM; received from peer"`), ledger.Unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			call, err := verdictOf(t, baseFunc(func(r *http.Request) (*http.Response, error) {
				sink(r)
				c.fire(httptrace.ContextClientTrace(r.Context()))
				return nil, c.err
			}), api)
			if got := call.AttemptList[0].Outcome; got != c.want || !errors.Is(err, c.err) {
				t.Errorf("outcome %v, want %v; error %v", got, c.want, err)
			}
			if again := call.Attempts > 1; again != (c.want == ledger.NotSent) {
				t.Errorf("%d attempts of a POST", call.Attempts)
			}
		})
	}
}

// A reset while the body is still being sent proves nothing: the server has part of it.
func TestResetDuringUploadIsUnknown(t *testing.T) {
	var n atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n.Add(1)
		io.CopyN(io.Discard, r.Body, 1000)
		reset(w)
	}))
	defer s.Close()
	j := newJournal()
	rt := &transport.Transport{Base: s.Client().Transport, Recorder: j, Retry: quick}
	bs := &bodies{text: strings.Repeat("x", 8<<20)}
	_, _, err := finish(rt.RoundTrip(bs.request(t, http.MethodPost, s.URL, true)))
	call := j.only(t)
	if err == nil || n.Load() != 1 || call.Outcome != ledger.Unknown || decisions(call)[0] != ledger.NotRepeatable {
		t.Errorf("%v, server saw %d, outcome %v, decided %v", err, n.Load(), call.Outcome, decisions(call))
	}
	bs.closedOnce(t)
}

// replaying is a base transport that does what net/http does when a connection is lost: it
// asks for the body again.
func replaying(read bool, conn net.Conn) http.RoundTripper {
	base := &http.Transport{}
	base.RegisterProtocol("http", baseFunc(func(r *http.Request) (*http.Response, error) {
		h := httptrace.ContextClientTrace(r.Context())
		h.GetConn("x")
		h.GotConn(httptrace.GotConnInfo{Conn: conn})
		if read {
			io.Copy(io.Discard, r.Body)
		}
		r.Body.Close()
		if r.GetBody == nil {
			return nil, errLost
		}
		body, err := r.GetBody()
		if err != nil {
			return nil, err
		}
		h.GotConn(httptrace.GotConnInfo{Conn: conn})
		io.Copy(io.Discard, body)
		body.Close()
		return answer(r, 200, ""), nil
	}))
	return base
}

// net/http may ask for a body again where the gate would send it again, where nobody has
// read it, and over HTTP/1, where it does so with a POST only if nothing was written.
func TestHiddenReplaysAreHeldToTheGate(t *testing.T) {
	near, far := net.Pipe()
	defer near.Close()
	defer far.Close()
	wrapped := func(base http.RoundTripper) http.RoundTripper { return baseFunc(base.RoundTrip) }
	for _, c := range []struct {
		name   string
		base   http.RoundTripper
		method string
		ok     bool
	}{
		{"PUT", replaying(true, near), http.MethodPut, true},
		{"POST over HTTP/1", replaying(true, near), http.MethodPost, true},
		{"POST, nothing read", wrapped(replaying(false, near)), http.MethodPost, true},
		{"POST over who knows what", wrapped(replaying(true, near)), http.MethodPost, false},
		{"PUT over who knows what", wrapped(replaying(true, near)), http.MethodPut, true},
		{"POST, no connection known", replaying(true, nil), http.MethodPost, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := newJournal()
			rt := &transport.Transport{Base: c.base, Recorder: j, Retry: quick}
			bs := &bodies{text: payload}
			_, _, err := finish(rt.RoundTrip(bs.request(t, c.method, api, true)))
			call := j.only(t)
			want := 1
			if c.ok {
				want = 2
			}
			if (err == nil) != c.ok || call.WireSends != want || call.Attempts != 1 {
				t.Errorf("error %v, %d wire sends, %d attempts", err, call.WireSends, call.Attempts)
			}
			if sent := call.AttemptList[0].BytesSent; c.ok && sent != 9 && sent != 18 {
				t.Errorf("%d bytes sent", sent)
			}
			bs.closedOnce(t)
		})
	}
}
