package books

import (
	"encoding/binary"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// conn is a connection that can be broken from below.
type conn struct {
	*net.TCPConn
	ended    func()
	endOnce  sync.Once
	poisoned atomic.Bool
	writes   atomic.Int32
	greeted  chan struct{} // closed when a TLS server has written more than its part of the handshake
}

// handshakeWrites is how often a TLS 1.3 server without session tickets writes until the
// handshake is done.
const handshakeWrites = 1

// Write writes, and notes when the handshake is over.
func (c *conn) Write(b []byte) (int, error) {
	n, err := c.TCPConn.Write(b)
	if c.writes.Add(1) == handshakeWrites+1 {
		close(c.greeted)
	}
	return n, err
}

// Close closes it, and counts it as closed once.
func (c *conn) Close() error {
	err := c.TCPConn.Close()
	c.endOnce.Do(c.ended)
	return err
}

// poison is a record that no TLS connection can decrypt.
var poison = [37]byte{0x17, 3, 3, 0, 32}

// Read reads what the client sent, or the poison.
func (c *conn) Read(b []byte) (int, error) {
	n, err := 0, error(nil)
	if !c.poisoned.Load() {
		n, err = c.TCPConn.Read(b)
	}
	if c.poisoned.CompareAndSwap(true, false) {
		return copy(b, poison[:]), nil // The TLS layer never reads with less room than that.
	}
	return n, err
}

// alert makes the TLS layer above send a fatal alert: it reads a record that it cannot
// decrypt, as if the wire had garbled it.
func (c *conn) alert() {
	c.poisoned.Store(true)
	_ = c.SetReadDeadline(time.Unix(1, 0)) // wakes a Read that waits
}

// reset closes a connection so that the other side is told that it is gone, and not that
// it has ended.
func reset(c *net.TCPConn) {
	_ = c.SetLinger(0)
	_ = c.Close()
}

// reset does so through Close, which counts.
func (c *conn) reset() {
	_ = c.SetLinger(0)
	_ = c.Close()
}

// cut ends the request without a word more: with HTTP/1 by a reset of its connection, with
// HTTP/2 of its stream, which leaves the other streams of the connection alone.
func (v *visit) cut() {
	if !v.http2() {
		v.line.raw.reset()
	}
	panic(http.ErrAbortHandler)
}

// alert ends the request and its connection with a fatal TLS alert.
func (v *visit) alert() {
	v.line.raw.alert()
	v.await(v.s.options.Hang)
	panic(http.ErrAbortHandler)
}

// lastStream is the highest number that a stream can have.
const lastStream = 1<<31 - 1

// goAway writes a GOAWAY frame (RFC 9113, section 6.8) past net/http, which has no way to
// ask for one. A write to a TLS connection is never interleaved with another, and replies
// this short are always written as whole frames. It must not come before the SETTINGS, the
// first thing that net/http writes.
func (v *visit) goAway(last, code uint32) {
	select {
	case <-v.line.raw.greeted:
	case <-v.r.Context().Done():
	case <-v.s.closing:
	}
	frame := make([]byte, 17)
	frame[2], frame[3] = 8, 7 // length of the payload, type
	binary.BigEndian.PutUint32(frame[9:], last)
	binary.BigEndian.PutUint32(frame[13:], code)
	_, _ = v.line.tls.Write(frame)
}

// disown sends a GOAWAY that says that this stream was not worked on. The client closes
// the connection or the stream.
func (v *visit) disown() {
	v.goAway(0, 0)
	v.await(v.s.options.Hang)
	panic(http.ErrAbortHandler)
}

// leave sends a GOAWAY that says that the stream may have been worked on, and closes.
func (v *visit) leave() {
	v.goAway(lastStream, 2)
	_ = v.line.raw.Close()
	panic(http.ErrAbortHandler)
}

// await waits until the client has given up, but no longer than d.
func (v *visit) await(d time.Duration) {
	select {
	case <-v.r.Context().Done():
	case <-v.s.options.Clock.After(d):
	case <-v.s.closing:
	}
}
