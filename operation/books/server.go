package books

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"time"
)

// Server is a server with its books. It outlives its clients.
type Server struct {
	seed    uint64
	options Options
	http    *httptest.Server
	port    *port
	refused *refusedPort

	closing   chan struct{}
	closeOnce sync.Once

	mu       sync.Mutex
	accounts map[string]*account
	byKey    map[string][]string // business ids that a key came with
	slots    map[slotName]*slot
	plans    map[plan][]Fault
	alerts   int           // TLS handshakes that are still to be turned away
	running  int           // requests that are being worked on
	changed  chan struct{} // closed and renewed when a request or a connection ends
}

// New starts a server on a free port of 127.0.0.1.
func New(seed uint64, o Options) (*Server, error) {
	s := &Server{
		seed: seed, options: o.withDefaults(),
		closing: make(chan struct{}), changed: make(chan struct{}),
		accounts: map[string]*account{}, byKey: map[string][]string{}, slots: map[slotName]*slot{}, plans: map[plan][]Fault{},
	}
	var err error
	if s.port, err = openPort(s); err != nil {
		return nil, err
	}
	if s.refused, err = openRefusedPort(); err != nil {
		return nil, errors.Join(err, s.port.Close())
	}
	s.serve()
	return s, nil
}

func (s *Server) serve() {
	s.http = &httptest.Server{Listener: s.port, Config: &http.Server{
		Handler:     http.HandlerFunc(s.handle),
		ConnContext: withLine,
		ErrorLog:    log.New(misuse{}, "", 0),
		// With one stream on a connection at a time no fault hits another request, and a GOAWAY
		// that disowns its stream tells the truth of all others.
		HTTP2: &http.HTTP2Config{MaxConcurrentStreams: 1},
	}}
	if !s.options.TLS {
		s.http.Start()
		return
	}
	s.http.EnableHTTP2 = true
	s.http.TLS = &tls.Config{
		MinVersion: tls.VersionTLS13, SessionTicketsDisabled: true, // See handshakeWrites.
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
			if s.turnsAway() {
				return nil, errors.New("turned away")
			}
			return nil, nil
		},
	}
	s.http.StartTLS()
}

// misuse drops what net/http complains of, since broken connections are the server's trade,
// but for its own panics.
type misuse struct{}

func (misuse) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte("books: ")) {
		return os.Stderr.Write(b)
	}
	return len(b), nil
}

// Close ends every request, waits for what [Options.OnPoint] holds up, and frees the ports.
// The books stay.
func (s *Server) Close() {
	s.closeOnce.Do(func() {
		close(s.closing)
		_ = s.http.Config.Close()
		_ = s.Idle(context.Background())
		s.http.Close()
		s.refused.close()
	})
}

// URL returns the address of the server, without a slash at its end.
func (s *Server) URL() string { return s.http.URL }

// OrdersURL returns where orders of a mode are posted and looked up.
func (s *Server) OrdersURL(m Mode) string { return s.http.URL + "/" + m.String() + "/orders" }

// RefusedURL returns an address whose port refuses every connection.
func (s *Server) RefusedURL() string { return "http://" + s.refused.addr }

// Certificate returns what a client has to trust, or nil without TLS.
func (s *Server) Certificate() *x509.Certificate { return s.http.Certificate() }

// Transport returns a new plain transport that trusts the server and speaks HTTP/2 if asked
// to, which needs TLS.
func (s *Server) Transport(http2 bool) *http.Transport {
	t := &http.Transport{Protocols: new(http.Protocols)}
	t.Protocols.SetHTTP1(!http2)
	t.Protocols.SetHTTP2(http2)
	if cert := s.Certificate(); cert != nil {
		pool := x509.NewCertPool()
		pool.AddCert(cert)
		t.TLSClientConfig = &tls.Config{RootCAs: pool}
	}
	return t
}

// Seed returns the seed.
func (s *Server) Seed() uint64 { return s.seed }

// String names the server and its seed.
func (s *Server) String() string { return fmt.Sprintf("books: seed %d at %s", s.seed, s.URL()) }

// RefuseNext closes the next n connections as they are accepted, before anything is read.
func (s *Server) RefuseNext(n int) { s.port.refuseNext(n) }

// AlertNext turns the next n TLS handshakes away with a fatal alert.
func (s *Server) AlertNext(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.alerts = n
}

func (s *Server) turnsAway() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.alerts == 0 {
		return false
	}
	s.alerts--
	return true
}

// Down makes the port refuse new connections. Those that stand go on.
func (s *Server) Down() { s.port.down() }

// Up ends [Server.Down].
func (s *Server) Up() error { return s.port.up() }

// Idle waits until no request is being worked on, which includes those that hang and
// those that land late.
func (s *Server) Idle(ctx context.Context) error {
	return s.until(ctx, func() bool { return s.running == 0 })
}

// Gone waits until everything that ended clients have sent is dealt with: each of their
// connections was accepted, read to its end and closed, and nothing is being worked on.
// It does not return while a client keeps a connection.
func (s *Server) Gone(ctx context.Context) error {
	if err := s.port.drain(ctx); err != nil {
		return err
	}
	return s.until(ctx, func() bool { return s.running == 0 && s.port.open.Load() == 0 })
}

// until waits until a condition, which is asked for with the server locked, holds.
func (s *Server) until(ctx context.Context, holds func() bool) error {
	for {
		s.mu.Lock()
		done, changed := holds(), s.changed
		s.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			s.mu.Lock()
			defer s.mu.Unlock()
			return fmt.Errorf("wait for the server, which works on %d requests and has %d connections: %w", s.running, s.port.open.Load(), ctx.Err())
		}
	}
}

// count changes how many requests are running, and tells those who wait.
func (s *Server) count(by int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running += by
	close(s.changed)
	s.changed = make(chan struct{})
}

// pause waits for the server's clock. If the server is closed meanwhile, the request ends
// without an answer.
func (s *Server) pause(d time.Duration) {
	select {
	case <-s.options.Clock.After(d):
	case <-s.closing:
		panic(http.ErrAbortHandler)
	}
}

func (s *Server) point(id string, p Point) {
	if s.options.OnPoint != nil {
		s.options.OnPoint(id, p)
	}
}

// line is the connection that a request came on.
type line struct {
	raw *conn
	tls *tls.Conn // nil without TLS
}

type lineKey struct{}

func withLine(ctx context.Context, c net.Conn) context.Context {
	var l line
	if l.tls, _ = c.(*tls.Conn); l.tls != nil {
		c = l.tls.NetConn()
	}
	l.raw = c.(*conn)
	return context.WithValue(ctx, lineKey{}, l)
}
