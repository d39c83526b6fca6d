package transport_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// site is a server on a raw listener that does what a point says, and remembers what it saw.
type site struct {
	point         *point
	l             net.Listener
	leave         context.CancelFunc // ends the caller's context
	dialled       chan struct{}      // one for each connection that the client has got
	serving       sync.WaitGroup
	got, accepted atomic.Int64 // connections, by the client and by the site

	mu    sync.Mutex
	dials int
	warm  bool // the request that made the connection a used one is over
	seen  []sighting
	done  int             // how often the work was done
	keys  map[string]bool // of the work that was done
}

// sighting is one arrival of a request.
type sighting struct {
	nothing bool // not a byte was read
	whole   bool
	body    string
}

func newSite(p *point) (*site, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &site{point: p, l: l, warm: !p.reused, keys: map[string]bool{}, dialled: make(chan struct{}, 100)}
	if p.certificates != nil {
		s.l = tls.NewListener(l, &tls.Config{Certificates: p.certificates})
	}
	s.serving.Go(func() {
		for {
			c, err := s.l.Accept()
			if err != nil {
				return
			}
			s.accepted.Add(1)
			s.serving.Go(func() { s.serve(c) })
		}
	})
	return s, nil
}

func (s *site) url() string {
	if s.point.certificates != nil {
		return "https://" + s.l.Addr().String()
	}
	return "http://" + s.l.Addr().String()
}

// dial connects to the site, or at first to where nobody listens.
func (s *site) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	s.mu.Lock()
	s.dials++
	refused := s.dials <= s.point.refusals
	s.mu.Unlock()
	if refused {
		addr = "127.0.0.1:1"
	}
	c, err := new(net.Dialer).DialContext(ctx, network, addr)
	if err == nil {
		s.got.Add(1)
		s.dialled <- struct{}{}
	}
	return c, err
}

// close waits until the site has seen all that was sent. The client has closed its
// connections by then, but the site may not have accepted them all.
func (s *site) close(t *testing.T) {
	eventually(t, "the site accepted all connections", func() bool { return s.got.Load() == s.accepted.Load() })
	s.l.Close()
	s.serving.Wait()
}

// serve begins once the client knows that it is connected: a reset before that could be
// taken for a refusal.
func (s *site) serve(c net.Conn) {
	defer c.Close()
	<-s.dialled
	from := bufio.NewReader(c)
	for {
		if a := s.peek(); a.read == unread {
			s.take(sighting{nothing: true}, false, "")
			a.leave(c)
			return
		}
		r, err := http.ReadRequest(from)
		if err != nil || !s.answer(c, r) {
			return
		}
	}
}

// answer acts on one request, and reports whether the connection is to be kept.
func (s *site) answer(c net.Conn, r *http.Request) bool {
	if s.warmUp() {
		io.WriteString(c, works.say)
		return true
	}
	a, seen := s.peek(), sighting{}
	if a.read == wholly {
		body, err := io.ReadAll(r.Body)
		seen = sighting{whole: err == nil, body: string(body)}
	}
	s.take(seen, a.work && seen.whole, r.Header.Get("Idempotency-Key"))
	if a.read == wholly && !seen.whole {
		return false
	}
	if s.point.leaves {
		s.leave()
	}
	io.WriteString(c, a.say)
	return a.leave(c)
}

// leave ends an exchange, and reports whether the connection is to be kept.
func (a act) leave(c net.Conn) bool {
	switch a.end {
	case hangs:
		c.Read(make([]byte, 1)) // Nothing comes but the end.
	case resets:
		c.(*net.TCPConn).SetLinger(0)
	}
	return a.end == keeps
}

// warmUp reports whether the request is the one that makes the connection a used one.
func (s *site) warmUp() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.warm
	s.warm = true
	return !was
}

// peek returns what is to be done with the next request.
func (s *site) peek() act {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.seen) < len(s.point.acts) {
		return s.point.acts[len(s.seen)]
	}
	return works
}

// take notes a request, and does its work if its key has not seen that done.
func (s *site) take(seen sighting, work bool, key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, seen)
	if work && !s.keys[key] {
		s.done++
		s.keys[key] = key != ""
	}
}

// read says how much was read of each request that arrived.
func (s *site) read() string {
	var all []string
	for _, seen := range s.seen {
		switch {
		case seen.nothing:
			all = append(all, "-")
		case !seen.whole:
			all = append(all, "part")
		default:
			all = append(all, "whole")
		}
	}
	return strings.Join(all, ", ")
}
