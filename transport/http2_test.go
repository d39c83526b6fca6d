package transport_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
	"redial/transport"
)

// Frame types and flags of HTTP/2 (RFC 9113, section 6).
const (
	frameData      = 0x0
	frameHeaders   = 0x1
	frameRST       = 0x3
	frameSettings  = 0x4
	frameGoAway    = 0x7
	flagEndStream  = 0x1
	flagAck        = 0x1
	flagEndHeaders = 0x4

	codeNo       = 0
	codeProtocol = 1
	codeRefused  = 7
)

// frames is one HTTP/2 connection of a server that does what a test wants. It writes in
// the background, since a connection in memory holds nothing.
type frames struct {
	r   *bufio.Reader
	out chan []byte
}

// seenRequest is a request as such a server got it.
type seenRequest struct {
	stream uint32
	body   string
	whole  bool // the end of the stream was seen
}

func newFrames(conn net.Conn) *frames {
	f := &frames{bufio.NewReader(conn), make(chan []byte, 100)}
	go func() {
		defer conn.Close()
		for b := range f.out {
			conn.Write(b)
		}
	}()
	io.CopyN(io.Discard, f.r, int64(len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")))
	f.write(frameSettings, 0, 0, nil)
	return f
}

func (f *frames) write(kind, flags byte, stream uint32, payload []byte) {
	b := []byte{byte(len(payload) >> 16), byte(len(payload) >> 8), byte(len(payload)), kind, flags}
	b = binary.BigEndian.AppendUint32(b, stream)
	f.out <- append(b, payload...)
}

// hangUp closes the connection when all is written.
func (f *frames) hangUp() { close(f.out) }

// next reads up to the end of a request, or as many bytes of its body as given.
func (f *frames) next(most int) (req seenRequest, err error) {
	for {
		var head [9]byte
		if _, err := io.ReadFull(f.r, head[:]); err != nil {
			return req, err
		}
		payload := make([]byte, int(head[0])<<16|int(head[1])<<8|int(head[2]))
		if _, err := io.ReadFull(f.r, payload); err != nil {
			return req, err
		}
		kind, flags, stream := head[3], head[4], binary.BigEndian.Uint32(head[5:])
		switch kind {
		case frameSettings:
			if flags&flagAck == 0 {
				f.write(frameSettings, flagAck, 0, nil)
			}
			continue
		case frameHeaders:
			req.stream = stream
		case frameData:
			req.body += string(payload)
		default:
			continue
		}
		req.whole = flags&flagEndStream != 0
		if req.whole || req.body != "" && len(req.body) >= most {
			return req, nil
		}
	}
}

// ok, reset and goAway answer, and say whether the server hangs up then.
func (f *frames) ok(stream uint32) bool {
	f.write(frameHeaders, flagEndHeaders|flagEndStream, stream, []byte{0x88})
	return false
}

func (f *frames) reset(stream, code uint32) bool {
	f.write(frameRST, 0, stream, binary.BigEndian.AppendUint32(nil, code))
	return false
}

func (f *frames) goAway(last, code uint32) bool {
	f.write(frameGoAway, 0, 0, binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, last), code))
	return true
}

// h2Server serves connections with what a test does for the n-th request, from 1.
type h2Server struct {
	mu   sync.Mutex
	seen []seenRequest
	do   func(n int, f *frames, req seenRequest) (hangUp bool)
}

func (s *h2Server) serve(conn net.Conn) {
	f := newFrames(conn)
	defer f.hangUp()
	for over := false; !over; {
		req, err := f.next(5)
		if err != nil {
			return
		}
		s.mu.Lock()
		s.seen = append(s.seen, req)
		n := len(s.seen)
		s.mu.Unlock()
		over = s.do(n, f, req)
	}
}

func (s *h2Server) requests() []seenRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen)
}

// listen serves TLS on a real socket.
func (s *h2Server) listen(t *testing.T) (base *http.Transport, url string) {
	cert := httptest.NewUnstartedServer(nil)
	cert.StartTLS()
	t.Cleanup(cert.Close)
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: cert.TLS.Certificates, NextProtos: []string{"h2"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go s.serve(conn)
		}
	}()
	roots := x509.NewCertPool()
	roots.AddCert(cert.Certificate())
	base = &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}
	t.Cleanup(base.CloseIdleConnections)
	return base, "https://" + l.Addr().String()
}

// What HTTP/2 servers say about a request that they did not answer, and what follows for
// a POST without a key, the request that must never be sent twice by mistake.
func TestHTTP2Refusals(t *testing.T) {
	goAwayBefore := func(f *frames, req seenRequest) bool { return f.goAway(0, codeNo) }
	refused := func(f *frames, req seenRequest) bool { return f.reset(req.stream, codeRefused) }
	protocol := func(f *frames, req seenRequest) bool { return f.reset(req.stream, codeProtocol) }
	goAwayAfter := func(f *frames, req seenRequest) bool { return f.goAway(req.stream, codeNo) }
	const no, yes = ledger.NotSent, ledger.Unknown
	for _, c := range []struct {
		name    string
		do      func(f *frames, req seenRequest) (hangUp bool)
		body    string
		getBody bool
		outcome ledger.Outcome // of the first attempt
		want    []string       // bodies that the server saw
	}{
		{"GOAWAY before it (golang/go#39086)", goAwayBefore, "0123456789", true, no, []string{"0123456789", "0123456789"}},
		{"GOAWAY before it, one-shot body (golang/go#32441)", goAwayBefore, "0123456789", false, no, []string{"0123456789"}},
		{"REFUSED_STREAM (golang/go#20985)", refused, "0123456789", true, no, []string{"0123456789", "0123456789"}},
		{"REFUSED_STREAM, one-shot body", refused, "0123456789", false, no, []string{"0123456789"}},
		{"PROTOCOL_ERROR proves nothing", protocol, "0123456789", true, yes, []string{"0123456789"}},
		{"PROTOCOL_ERROR, one-shot body", protocol, "0123456789", false, yes, []string{"0123456789"}},
		{"GOAWAY after it (golang/go#18639)", goAwayAfter, "0123456789", true, yes, []string{"0123456789"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &h2Server{do: func(n int, f *frames, req seenRequest) bool {
				if n == 1 {
					return c.do(f, req)
				}
				return f.ok(req.stream)
			}}
			base, url := s.listen(t)
			j := newJournal()
			rt := &transport.Transport{Base: base, Recorder: j, Retry: quick}
			bs := &bodies{text: c.body}
			_, _, err := finish(rt.RoundTrip(bs.request(t, http.MethodPost, url, c.getBody)))
			if again := len(c.want) == 2; again != (err == nil) {
				t.Errorf("error %v", err)
			}
			var got []string
			for _, r := range s.requests() {
				got = append(got, r.body)
			}
			call := j.only(t)
			if !slices.Equal(got, c.want) || call.WireSends != len(got) {
				t.Errorf("server saw %q, %d recorded; want %q", got, call.WireSends, c.want)
			}
			if o := call.AttemptList[0]; o.Outcome != c.outcome || o.Proto != "" {
				t.Errorf("first attempt %v, error %v", o.Outcome, o.Err)
			}
			bs.closedOnce(t)
		})
	}
}

// A transport that does not retry leaves net/http as it is.
func TestHTTP2ReplaysOfNetHTTPStayWithoutRetry(t *testing.T) {
	s := &h2Server{do: func(n int, f *frames, req seenRequest) bool {
		if n == 1 {
			return f.reset(req.stream, codeRefused)
		}
		return f.ok(req.stream)
	}}
	base, url := s.listen(t)
	j := newJournal()
	rt := &transport.Transport{Base: base, Recorder: j}
	bs := &bodies{text: "0123456789"}
	status, _, err := finish(rt.RoundTrip(bs.request(t, http.MethodPost, url, true)))
	if call := j.only(t); status != 200 || err != nil || call.WireSends != 2 || call.Attempts != 1 || call.AttemptList[0].BytesSent != 20 {
		t.Errorf("%d %v, recorded %+v", status, err, call)
	}
	bs.closedOnce(t)
}

// A request without a body is sent again by net/http itself, whatever its method. That
// cannot be kept from it, but is counted.
func TestHTTP2HiddenResendsAreCounted(t *testing.T) {
	s := &h2Server{do: func(n int, f *frames, req seenRequest) bool {
		if n == 1 {
			return f.reset(req.stream, codeRefused)
		}
		return f.ok(req.stream)
	}}
	base, url := s.listen(t)
	j := newJournal()
	rt := &transport.Transport{Base: base, Recorder: j, Retry: quick}
	req, _ := http.NewRequest(http.MethodPost, url, nil)
	status, _, err := finish(rt.RoundTrip(req))
	if call := j.only(t); status != 200 || err != nil || call.WireSends != 2 || len(s.requests()) != 2 || call.Attempts != 1 {
		t.Errorf("%d %v, %d seen, recorded %+v", status, err, len(s.requests()), call)
	}
}

// A server that refuses every stream makes net/http try again and again; the caller's
// deadline ends it, and every send is on record (golang/go#52459, #60636).
func TestHTTP2EndlessRefusalsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &h2Server{do: func(_ int, f *frames, req seenRequest) bool { return f.reset(req.stream, codeRefused) }}
		protocols := new(http.Protocols)
		protocols.SetUnencryptedHTTP2(true)
		base := &http.Transport{Protocols: protocols, DialContext: func(context.Context, string, string) (net.Conn, error) {
			near, far := net.Pipe()
			go s.serve(far)
			return near, nil
		}}
		defer base.CloseIdleConnections()
		j := newJournal()
		rt := &transport.Transport{Base: base, Recorder: j, Retry: transport.Retry{Attempts: 3, Base: time.Second}}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		req, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://api.example.test", nil)
		start := time.Now()
		if _, err := rt.RoundTrip(req); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 20*time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		synctest.Wait()
		if call := j.only(t); call.WireSends != len(s.requests()) || call.WireSends < 5 || call.Outcome != ledger.Unknown {
			t.Errorf("%d sends seen, %d recorded, outcome %v", len(s.requests()), call.WireSends, call.Outcome)
		}
	})
}

// Over HTTP/1 with TLS the first request teaches that net/http may be trusted again with a
// body of which nothing was written.
func TestHTTP2UnkeyedUploadsOverHTTP1(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, sink(r)) }))
	defer s.Close()
	var had []bool
	rt := &transport.Transport{Retry: quick, Recorder: newJournal(), Base: baseFunc(func(r *http.Request) (*http.Response, error) {
		had = append(had, r.GetBody != nil)
		return s.Client().Transport.RoundTrip(r)
	})}
	for range 2 {
		req, _ := http.NewRequest(http.MethodPost, s.URL, strings.NewReader(payload))
		if _, body, err := finish(rt.RoundTrip(req)); body != payload || err != nil {
			t.Fatal(body, err)
		}
	}
	if !slices.Equal(had, []bool{false, true}) {
		t.Errorf("GetBody was there: %v", had)
	}
}

// A server that ends every connection makes net/http try on new ones without a pause and
// without an end, whether or not the caller has a deadline or hooks of his own.
func TestHTTP2EndlessConnectionsAreBounded(t *testing.T) {
	for name, ctx := range map[string]context.Context{
		"no hooks":           t.Context(),
		"the caller's hooks": httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) {}}),
	} {
		t.Run(name, func(t *testing.T) {
			s := &h2Server{do: func(n int, f *frames, req seenRequest) bool {
				if n > 500 { // so that this test ends, too
					return f.ok(req.stream)
				}
				return f.goAway(0, codeNo)
			}}
			base, url := s.listen(t)
			j := newJournal()
			rt := &transport.Transport{Base: base, Recorder: j, Retry: transport.Retry{Attempts: 2, Base: time.Millisecond}}
			req, _ := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
			_, _, err := finish(rt.RoundTrip(req))
			if err == nil || !strings.Contains(err.Error(), "net/http sent the request on 10 connections") {
				t.Errorf("error %v", err)
			}
			call := j.only(t)
			if n := len(s.requests()); n > 20 || call.WireSends > 22 || call.Outcome != ledger.Unknown {
				t.Errorf("%d sends seen, %d recorded, outcome %v", n, call.WireSends, call.Outcome)
			}
			if want := []ledger.Decision{ledger.AgainUnknown, ledger.NoAttemptsLeft}; !slices.Equal(decisions(call), want) {
				t.Errorf("decided %v", decisions(call))
			}
		})
	}
}
