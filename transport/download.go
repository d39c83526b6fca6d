package transport

import (
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"redial/ledger"
)

// responseBody hands a response's body to the caller and captures what is read. When the
// body was read to the end, failed or was closed, the attempt has ended. Read and Close
// may be called at the same time, as with net/http's own bodies.
type responseBody struct {
	inner io.ReadCloser
	got   atomic.Int64
	slow  *throttle

	mu      sync.Mutex
	call    *call // nil once the body has ended: the call may then be another's
	capture capture
}

// Read reads from the response.
func (b *responseBody) Read(p []byte) (int, error) {
	n, err := b.inner.Read(b.slow.cut(p))
	if held := b.slow.pay(n); held != nil {
		n, err = 0, held
	}
	if n > 0 || err != nil {
		b.note(p[:n], err)
	}
	return n, err
}

func (b *responseBody) note(p []byte, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.call == nil {
		return
	}
	b.got.Add(int64(len(p)))
	b.capture.add(p)
	switch err {
	case nil:
	case io.EOF:
		b.end(nil)
	default:
		b.end(err)
	}
}

// Close closes the response's body.
func (b *responseBody) Close() error {
	b.slow.end()
	err := b.inner.Close()
	b.leave()
	return err
}

// end tells the call. The lock is held throughout, so that whoever closes the body beside a
// Read that reached its end returns only after that.
func (b *responseBody) end(err error) {
	c := b.call
	b.call = nil
	b.slow.end()
	c.bodyEnded(b.capture.take(), err)
}

// switchedBody is the body of a response that switched protocols: the connection itself,
// which can be written to.
type switchedBody struct {
	*responseBody
	io.Writer
}

// CloseWrite closes the writing side, if the connection can do that.
func (b switchedBody) CloseWrite() error {
	if w, ok := b.inner.(interface{ CloseWrite() error }); ok {
		return w.CloseWrite()
	}
	return fmt.Errorf("redial: close write: %w", http.ErrNotSupported)
}

// watch wraps the response's body for the call c.
func (c *call) watch(resp *http.Response) *responseBody {
	b := &responseBody{inner: resp.Body, call: c, capture: capture{limit: c.bodyLimit}}
	if c.e.widths != nil && resp.StatusCode != http.StatusSwitchingProtocols {
		b.slow = c.newPace(c.e.widths.down.of(c.req.URL), c.cur.ctx, false).throttle()
	}
	resp.Body = b
	if w, ok := b.inner.(io.Writer); ok && resp.StatusCode == http.StatusSwitchingProtocols {
		resp.Body = switchedBody{b, w}
	}
	return b
}

// How much of a response that is given up is read so that its connection can be used
// again, and for how long.
const (
	maxDrain  = 64 << 10
	drainTime = 100 * time.Millisecond
)

// drain reads what is left of a body that its call gives up, and closes it, within its
// bounds and until stop or cancel. A Read that blocks beyond that is ended by closing the
// body beneath it; a Close that blocks is left to itself. When drain returns, the attempt
// has ended.
func (b *responseBody) drain(stop, cancel <-chan struct{}) {
	var closing atomic.Bool
	closeInner := func() {
		if closing.CompareAndSwap(false, true) {
			b.inner.Close()
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		io.CopyN(io.Discard, b, maxDrain)
		closeInner()
	}()
	timer := time.NewTimer(drainTime)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
		go closeInner()
	case <-stop:
		go closeInner()
	case <-cancel:
		go closeInner()
	}
	b.leave()
}

// leave ends the attempt whether or not the body has ended. The call is not told of what
// the body does after that.
func (b *responseBody) leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.call != nil {
		b.end(nil)
	}
}

var _ ledger.Live = (*engine)(nil)
