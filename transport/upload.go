package transport

import (
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"sync"
	"sync/atomic"

	"redial/ledger"
)

// errReplayVetoed is the answer to net/http when it wants to send a body again that may
// not be.
var errReplayVetoed = errors.New("redial: the connection was lost after part of the request was sent, and the request may not be repeated")

// errNoBody is the error of a GetBody that returns nothing.
var errNoBody = errors.New("GetBody returned neither a body nor an error")

// upload is the request body of one attempt, and of net/http's own replays of it.
type upload struct {
	sent  atomic.Int64                  // bytes read of all its bodies
	again func() (io.ReadCloser, error) // the caller's GetBody
	free  bool                          // net/http may replay as it likes
	plain bool                          // a connection without TLS is certain to speak HTTP/1
	limit int64                         // of the capture
	pace  *pace                         // nil: as fast as it goes

	native bool         // the base is net/http's own transport
	taken  atomic.Int64 // bytes of bodies in memory that were taken in whole; see hand

	mu     sync.Mutex
	trace  *trace // of the attempt; nil before and after it
	making bool   // the caller's GetBody is under way, or panicked
	body   *requestBody
	first  requestBody // what body is at first
}

// newUpload returns the upload of a body, of which limit bytes are to be kept.
func newUpload(body io.ReadCloser, limit int64) *upload {
	u := &upload{limit: limit}
	u.body = &u.first
	u.wrap(body)
	return u
}

// wrap makes body the one that is sent.
func (u *upload) wrap(body io.ReadCloser) {
	u.body.inner, u.body.sent, u.body.capture.limit = body, &u.sent, u.limit
	u.body.slow = u.pace.throttle()
}

// hold makes the upload keep to a pace, before anybody has its body.
func (u *upload) hold(p *pace) {
	u.pace = p
	u.body.slow = p.throttle()
}

// replay is the GetBody that net/http sees. It calls it when it is about to send the
// request again by itself. That is refused where the gate would not allow it: when the
// body was read and the request is not repeatable. One case is allowed all the same: over
// HTTP/1 net/http does this with a request that is not idempotent, and carries no key that
// it knows, only if not one byte of it was written.
func (u *upload) replay() (io.ReadCloser, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.trace == nil || !u.free && u.body.started() && !u.overHTTP1() {
		return nil, errReplayVetoed
	}
	u.making = true
	body, err := u.again()
	u.making = false
	if err != nil {
		return nil, err
	}
	if body == nil {
		return nil, errNoBody
	}
	u.body.discard()
	u.body = new(requestBody)
	u.wrap(body)
	return u.hand(), nil
}

// remaking reports whether a replay has called the caller's GetBody and not come back.
func (u *upload) remaking() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.making
}

// overHTTP1 reports whether the last connection is certain to speak HTTP/1.
func (u *upload) overHTTP1() bool {
	u.trace.mu.Lock()
	conn := u.trace.conn
	u.trace.mu.Unlock()
	if t, ok := conn.(*tls.Conn); ok {
		return t.ConnectionState().NegotiatedProtocol != "h2"
	}
	return conn != nil && u.plain
}

// finish ends the attempt's part in the upload and returns what was captured of it, and
// why its last body failed, if it did.
func (u *upload) finish() (ledger.Body, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.trace = nil
	return u.body.finish()
}

// discard closes the upload's body if the base transport has not.
func (u *upload) discard() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.body.discard()
}

// settle closes the upload's body after the response has ended, if the base transport is
// certain to have no more use for it: it read it to the end, or not at all.
func (u *upload) settle() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.body.settle()
}

// requestBody is a body of the caller on its way to the base transport. It is closed
// exactly once, whoever closes it and however often. The base transport may go on reading
// it after RoundTrip has returned.
type requestBody struct {
	inner io.ReadCloser
	sent  *atomic.Int64
	slow  *throttle

	mu       sync.Mutex
	capture  capture
	finished bool  // the attempt has ended: nothing more is captured
	reading  bool  // a Read is under way
	begun    bool  // Read was called
	eof      bool  // the end was reached
	err      error // the error that Read returned, other than io.EOF and before Close
	closing  bool  // to be closed as soon as the Read under way returns
	closed   bool
}

// Read reads from the caller's body and captures what it gets.
func (b *requestBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	if b.closed || b.closing {
		b.mu.Unlock()
		return 0, http.ErrBodyReadAfterClose
	}
	b.reading, b.begun = true, true
	b.mu.Unlock()
	n, err := b.inner.Read(b.slow.cut(p))
	held := b.slow.pay(n)
	if held != nil { // Nobody gets these bytes.
		n, err = 0, nil
	}
	b.sent.Add(int64(n))
	b.mu.Lock()
	b.reading = false
	b.note(p[:n], err)
	late := b.closing && !b.closed
	b.closed = b.closed || late
	b.mu.Unlock()
	if late {
		b.inner.Close()
	}
	if held != nil {
		return 0, held
	}
	return n, err
}

func (b *requestBody) note(p []byte, err error) {
	if b.finished {
		return
	}
	b.capture.add(p)
	switch {
	case err == io.EOF:
		b.eof = true
	case err != nil && !b.closed:
		b.err = err
	}
}

// Close closes the caller's body, at the first call.
func (b *requestBody) Close() error {
	b.mu.Lock()
	done := b.closed
	b.closed = true
	b.mu.Unlock()
	b.slow.end()
	if done {
		return nil
	}
	return b.inner.Close()
}

// discard closes the body if nobody has. Unlike Close it waits for a Read under way, since
// not every reader bears to be closed beneath one.
func (b *requestBody) discard() {
	b.mu.Lock()
	b.closing = true
	now := !b.reading && !b.closed
	b.closed = b.closed || now
	b.mu.Unlock()
	b.slow.end()
	if now {
		b.inner.Close()
	}
}

func (b *requestBody) settle() {
	b.mu.Lock()
	done := b.eof || !b.begun
	b.mu.Unlock()
	if done {
		b.discard()
	}
}

// started reports whether anybody has begun to read the body.
func (b *requestBody) started() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.begun
}

// finish returns what was captured and the error that Read returned, and captures no more.
func (b *requestBody) finish() (ledger.Body, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.finished = true
	return b.capture.take(), b.err
}

// length returns how much was read, and whether that was to the end.
func (b *requestBody) length() (n int64, whole bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.capture.body.Size, b.eof
}
