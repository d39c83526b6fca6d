package transport_test

import (
	"bytes"
	"crypto/sha256"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
	"redial/transport"
)

func field(fields []ledger.Field, name string) (values []string) {
	for _, f := range fields {
		if f.Name == name {
			values = append(values, f.Value)
		}
	}
	return values
}

func TestACallOnRecord(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sink(r)
		w.Header().Set("X-Answer", "yes")
		w.WriteHeader(201)
		io.WriteString(w, "created")
	}))
	defer s.Close()
	j := newJournal()
	rt := &transport.Transport{Base: s.Client().Transport, Recorder: j, Retry: transport.SafeRetry}
	for range 2 {
		req, _ := http.NewRequest(http.MethodPost, "http://user:secret@"+s.Listener.Addr().String()+"/or%2Fders?q=1#part", strings.NewReader(payload))
		req.Header["X-Twice"] = []string{"a", "b"}
		req.Host = "virtual.example.test"
		before := time.Now()
		if _, _, err := finish(rt.RoundTrip(keyed(req))); err != nil {
			t.Fatal(err)
		}
		if c := j.all()[0]; c.Started.Before(before) && c.ID.N() != 1 {
			t.Errorf("started %v", c.Started)
		}
	}
	for i, c := range j.all() {
		if c.ID.N() != int64(i+1) || c.Key != "order-8841" || c.Method != "POST" || c.State != ledger.Ended || !c.Since.IsZero() ||
			c.URL() != "http://"+s.Listener.Addr().String()+"/or%2Fders?q=1" || c.Error != "" || c.Took <= 0 {
			t.Errorf("call %+v", c)
		}
		if c.Attempts != 1 || c.WireSends != 1 || c.Status != 201 || c.Outcome != ledger.Answered || c.Waited != 0 {
			t.Errorf("summary %+v", c)
		}
		if !strings.HasPrefix(c.Policy, "3 attempts, 200ms × 2^n up to 30s, full jitter") {
			t.Errorf("policy %q", c.Policy)
		}
		checkAttempt(t, c.AttemptList[0], s.Listener.Addr().String(), i == 1)
	}
}

func checkAttempt(t *testing.T, a ledger.Attempt, remote string, reused bool) {
	t.Helper()
	if a.N != 1 || a.Reason != ledger.First || a.Status != 201 || a.Proto != "HTTP/1.1" || a.RetryAfter >= 0 || a.Decision != ledger.Done {
		t.Errorf("attempt %+v", a)
	}
	if a.Remote != remote || a.Reused != reused || a.BytesSent != 9 || a.BytesReceived != 7 {
		t.Errorf("remote %q, reused %v, sent %d, received %d", a.Remote, a.Reused, a.BytesSent, a.BytesReceived)
	}
	if !slices.Equal(field(a.Request.Header, "X-Twice"), []string{"a", "b"}) || !slices.Equal(field(a.Request.Header, "Host"), []string{"virtual.example.test"}) ||
		!slices.Equal(field(a.Response.Header, "X-Answer"), []string{"yes"}) {
		t.Errorf("headers %v and %v", a.Request.Header, a.Response.Header)
	}
	for text, body := range map[string]ledger.Body{payload: a.Request.Body, "created": a.Response.Body} {
		if string(body.Data) != text || body.Size != int64(len(text)) || body.SHA256 != sha256.Sum256([]byte(text)) || body.Truncated {
			t.Errorf("body %+v, want %q", body, text)
		}
	}
	p := a.Phases
	if (p.Connect > 0) == reused || p.DNS != 0 || p.TLS != 0 || p.Send <= 0 || p.Receive <= 0 {
		t.Errorf("phases %+v, reused %v", p, reused)
	}
	if sum := p.DNS + p.Connect + p.TLS + p.Send + p.Wait + p.Receive; sum > a.Took {
		t.Errorf("phases %+v add up to more than %v", p, a.Took)
	}
}

// The phases tell where the time went, to the nanosecond in a bubble.
func TestPhases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJournal()
		rt := &transport.Transport{Recorder: j, Base: baseFunc(func(r *http.Request) (*http.Response, error) {
			h := httptrace.ContextClientTrace(r.Context())
			h.GetConn("x")
			elapse(time.Second)
			h.DNSStart(httptrace.DNSStartInfo{})
			elapse(1 * time.Second)
			h.DNSDone(httptrace.DNSDoneInfo{})
			h.ConnectStart("tcp", "192.0.2.1:80") // lost
			elapse(1 * time.Second)
			h.ConnectStart("tcp", "pipe") // won
			elapse(2 * time.Second)
			h.ConnectDone("tcp", "pipe", nil)
			h.TLSHandshakeStart()
			elapse(3 * time.Second)
			h.TLSHandshakeDone(tls.ConnectionState{}, nil)
			near, _ := net.Pipe()
			h.GotConn(httptrace.GotConnInfo{Conn: near})
			elapse(4 * time.Second)
			h.WroteRequest(httptrace.WroteRequestInfo{})
			elapse(5 * time.Second)
			h.GotFirstResponseByte()
			h.ConnectDone("tcp", "192.0.2.1:80", errLost)
			return answer(r, 200, "x"), nil
		})}
		req, _ := http.NewRequest(http.MethodGet, api, nil)
		resp, err := rt.RoundTrip(req)
		elapse(6 * time.Second)
		finish(resp, err)
		want := ledger.Phases{DNS: 1 * time.Second, Connect: 2 * time.Second, TLS: 3 * time.Second, Send: 4 * time.Second, Wait: 5 * time.Second, Receive: 6 * time.Second}
		if a := j.only(t).AttemptList[0]; a.Phases != want || a.Took != 23*time.Second || a.Remote != "pipe" {
			t.Errorf("%+v took %v, want %+v", a.Phases, a.Took, want)
		}
	})
}

// A phase that never ended lasted until the attempt did.
func TestPhasesOfAttemptsThatFail(t *testing.T) {
	for name, c := range map[string]struct {
		fire func(h *httptrace.ClientTrace)
		want ledger.Phases
	}{
		"lookup":    {func(h *httptrace.ClientTrace) { h.DNSStart(httptrace.DNSStartInfo{}) }, ledger.Phases{DNS: time.Second}},
		"connect":   {func(h *httptrace.ClientTrace) { h.ConnectStart("tcp", "x") }, ledger.Phases{Connect: time.Second}},
		"handshake": {func(h *httptrace.ClientTrace) { h.TLSHandshakeStart() }, ledger.Phases{TLS: time.Second}},
		"send":      {func(h *httptrace.ClientTrace) { h.GotConn(httptrace.GotConnInfo{}) }, ledger.Phases{Send: time.Second}},
		"wait": {func(h *httptrace.ClientTrace) {
			h.GotConn(httptrace.GotConnInfo{})
			h.WroteRequest(httptrace.WroteRequestInfo{})
		}, ledger.Phases{Send: 1, Wait: time.Second}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				j := newJournal()
				rt := &transport.Transport{Recorder: j, Base: baseFunc(func(r *http.Request) (*http.Response, error) {
					elapse(time.Millisecond)
					c.fire(httptrace.ContextClientTrace(r.Context()))
					elapse(time.Second)
					return nil, errLost
				})}
				get(t, rt, api)
				if got := j.only(t).AttemptList[0].Phases; got != c.want {
					t.Errorf("%+v, want %+v", got, c.want)
				}
			})
		})
	}
}

// An endless body costs no more memory than the limit, and its true length and hash are
// on record all the same.
func TestBodiesAreCutAtTheLimit(t *testing.T) {
	const size = 10 << 20
	big := bytes.Repeat([]byte("0123456789abcdef"), size/16)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) }))
	defer s.Close()
	for _, limit := range []int64{0, 1000} {
		j := newJournal()
		j.limit = limit
		rt := &transport.Transport{Base: s.Client().Transport, Recorder: j}
		req, _ := http.NewRequest(http.MethodPost, s.URL, bytes.NewReader(big))
		if _, body, err := finish(rt.RoundTrip(req)); body != string(big) || err != nil {
			t.Fatal(len(body), err)
		}
		a := j.only(t).AttemptList[0]
		for _, b := range []ledger.Body{a.Request.Body, a.Response.Body} {
			if b.Size != size || int64(len(b.Data)) != limit || cap(b.Data) > 2048 || !b.Truncated || !bytes.Equal(b.Data, big[:limit]) {
				t.Errorf("limit %d: size %d, kept %d of %d", limit, b.Size, len(b.Data), cap(b.Data))
			}
			if hashed := b.SHA256 == sha256.Sum256(big); hashed != (limit > 0) {
				t.Errorf("limit %d: hash %x", limit, b.SHA256)
			}
		}
	}
}

// A call is handed over once, when its body has ended, however that came about.
func TestACallEndsWithItsBody(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(body io.ReadCloser)
		size int64
		err  bool
	}{
		{"read to the end", func(b io.ReadCloser) { io.ReadAll(b) }, 8, false},
		{"read and closed", func(b io.ReadCloser) { io.ReadAll(b); b.Close(); b.Close() }, 8, false},
		{"closed early", func(b io.ReadCloser) { b.Read(make([]byte, 3)); b.Close() }, 3, false},
		{"closed at once", func(b io.ReadCloser) { b.Close() }, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := newJournal()
			rt := &transport.Transport{Recorder: j, Base: baseFunc(func(r *http.Request) (*http.Response, error) {
				return answer(r, 200, "the body"), nil
			})}
			req, _ := http.NewRequest(http.MethodGet, api, nil)
			resp, err := rt.RoundTrip(req)
			if err != nil || len(j.all()) != 0 || len(j.running()) != 1 {
				t.Fatalf("%v, %d recorded, %d running before the body was read", err, len(j.all()), len(j.running()))
			}
			c.end(resp.Body)
			a := j.only(t).AttemptList[0]
			if a.BytesReceived != c.size || a.Response.Body.Size != c.size || (a.Err != "") != c.err || len(j.running()) != 0 {
				t.Errorf("attempt %+v, running %v", a, j.running())
			}
		})
	}
}

// A response that breaks off is answered, and the error that its reader saw is the call's.
func TestBodyThatBreaksOff(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "100")
		io.WriteString(w, "half")
		w.(http.Flusher).Flush()
		reset(w)
	}))
	defer s.Close()
	j := newJournal()
	rt := &transport.Transport{Base: s.Client().Transport, Recorder: j, Retry: quick}
	_, body, err := get(t, rt, s.URL)
	call := j.only(t)
	if a := call.AttemptList[0]; body != "half" || err == nil || a.Err != err.Error() || a.Outcome != ledger.Answered || a.Decision != ledger.Done || call.Error != err.Error() {
		t.Errorf("%q %v, recorded %+v", body, err, call)
	}
}

// Callers change their header maps; the record has them as they were sent.
func TestHeadersAreCopiedBeforeRoundTripReturns(t *testing.T) {
	j := newJournal()
	var answered *http.Response
	rt := &transport.Transport{Recorder: j, Base: baseFunc(func(r *http.Request) (*http.Response, error) {
		answered = answer(r, 200, "x", "B", "before")
		return answered, nil
	})}
	req, _ := http.NewRequest(http.MethodGet, api, nil)
	req.Header.Set("A", "before")
	resp, _ := rt.RoundTrip(req)
	req.Header.Set("A", "after")
	resp.Header.Set("B", "after")
	finish(resp, nil)
	a := j.only(t).AttemptList[0]
	if !slices.Equal(field(a.Request.Header, "A"), []string{"before"}) || !slices.Equal(field(a.Response.Header, "B"), []string{"before"}) {
		t.Errorf("%v %v", a.Request.Header, a.Response.Header)
	}
}
