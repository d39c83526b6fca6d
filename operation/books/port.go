package books

import (
	"context"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
)

// port is a listener that can refuse: each connection before it is read, or, when it is
// down, by not listening at all.
type port struct {
	s    *Server
	addr string
	open atomic.Int64 // connections that were accepted and not closed

	mu       sync.Mutex
	inner    net.Listener
	isDown   bool
	closed   bool
	back     chan struct{} // closed when it is no longer down
	refusals int
	accepted int
}

func openPort(s *Server) (*port, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("open a port: %w", err)
	}
	return &port{s: s, inner: l, addr: l.Addr().String(), back: make(chan struct{})}, nil
}

// Accept returns the next connection that is not refused.
func (p *port) Accept() (net.Conn, error) {
	for {
		p.mu.Lock()
		inner, back := p.inner, p.back
		p.mu.Unlock()
		c, err := inner.Accept()
		switch {
		case err == nil && p.refuses():
			reset(c.(*net.TCPConn))
		case err == nil:
			p.open.Add(1)
			return &conn{TCPConn: c.(*net.TCPConn), ended: p.ended, greeted: make(chan struct{})}, nil
		case !p.mayComeBack():
			return nil, err
		default:
			<-back
		}
	}
}

// mayComeBack reports whether the port was taken down, and not closed.
func (p *port) mayComeBack() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.isDown && !p.closed
}

// refuses reports whether the connection that was just accepted is closed unread.
func (p *port) refuses() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.accepted++
	if p.refusals > 0 {
		p.refusals--
		return true
	}
	return p.s.share("connection", "", p.accepted) < p.s.options.RefuseRate
}

func (p *port) refuseNext(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refusals = n
}

func (p *port) ended() {
	p.open.Add(-1)
	p.s.count(0)
}

func (p *port) down() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.isDown {
		p.isDown = true
		_ = p.inner.Close()
	}
}

func (p *port) up() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.isDown || p.closed {
		return nil
	}
	l, err := net.Listen("tcp", p.addr)
	if err != nil {
		return fmt.Errorf("open the port again: %w", err)
	}
	p.inner, p.isDown = l, false
	close(p.back)
	p.back = make(chan struct{})
	return nil
}

// Close ends it for good.
func (p *port) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil
	}
	p.closed = true
	close(p.back)
	return p.inner.Close()
}

// Addr returns its address, which stays the same when it goes down and comes back.
func (p *port) Addr() net.Addr {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.inner.Addr()
}

// drain waits until whoever has connected so far was accepted: connections are accepted in
// the order in which they came, so one more that got its answer was behind all of them.
func (p *port) drain(ctx context.Context) error {
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", p.addr)
	if err != nil {
		return ctx.Err() // It is down, and nobody is left in its queue.
	}
	defer c.Close()
	defer context.AfterFunc(ctx, func() { _ = c.Close() })()
	_, _ = io.WriteString(c, "GET / HTTP/1.0\r\n\r\n")
	_, _ = io.Copy(io.Discard, c)
	return ctx.Err()
}

// refusedPort is a port that nobody can listen on: it belongs to a connection that leads
// from it to another place.
type refusedPort struct {
	addr     string
	from, to net.Conn
}

func openRefusedPort() (*refusedPort, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("open a port that refuses: %w", err)
	}
	defer l.Close()
	from, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return nil, fmt.Errorf("open a port that refuses: %w", err)
	}
	to, err := l.Accept()
	if err != nil {
		return nil, fmt.Errorf("open a port that refuses: %w", err)
	}
	return &refusedPort{addr: from.LocalAddr().String(), from: from, to: to}, nil
}

func (p *refusedPort) close() {
	_ = p.from.Close()
	_ = p.to.Close()
}
