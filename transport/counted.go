package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"sync"
	"time"
)

// CountWrites returns a function for [http.Transport.DialContext] whose connections count
// what is written to them. With it an attempt over HTTP/1 that ended before a single byte
// left is known to be not-sent; without it, having got a connection means that nobody
// knows. If dial is nil, it dials as http.DefaultTransport does.
//
//	base := http.DefaultTransport.(*http.Transport).Clone()
//	base.DialContext = transport.CountWrites(base.DialContext)
func CountWrites(dial func(ctx context.Context, network, addr string) (net.Conn, error)) func(ctx context.Context, network, addr string) (net.Conn, error) {
	if dial == nil {
		dial = (&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}).DialContext
	}
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return &countedConn{Conn: c}, nil
	}
}

// countedConn counts the bytes that it was given to write and that may have left.
type countedConn struct {
	net.Conn
	mu     sync.Mutex
	bytes  int64 // those of a write that has not returned are taken to have left
	sealed bool
}

var errSealed = errors.New("redial: the attempt was found not to have been sent, so nothing is written any more")

func (c *countedConn) Write(b []byte) (int, error) {
	c.mu.Lock()
	if c.sealed {
		c.mu.Unlock()
		return 0, errSealed
	}
	c.bytes += int64(len(b))
	c.mu.Unlock()
	n, err := c.Conn.Write(b)
	if n < len(b) {
		c.mu.Lock()
		c.bytes -= int64(len(b) - max(n, 0))
		c.mu.Unlock()
	}
	return n, err
}

// written returns how many bytes may have left.
func (c *countedConn) written() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes
}

// seal reports whether nothing has left since there were so many bytes. If so nothing will:
// what net/http still holds in its buffer must not leave after it was found not to be sent.
func (c *countedConn) seal(since int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sealed = c.sealed || c.bytes == since
	return c.bytes == since
}

// counted returns the connection below conn that counts, nil if there is none or if it
// speaks HTTP/2, where other requests share it.
func counted(conn net.Conn) *countedConn {
	for conn != nil {
		switch c := conn.(type) {
		case *countedConn:
			return c
		case *tls.Conn:
			if c.ConnectionState().NegotiatedProtocol == "h2" {
				return nil
			}
			conn = c.NetConn()
		case interface{ NetConn() net.Conn }:
			conn = c.NetConn()
		default:
			return nil
		}
	}
	return nil
}
