package transport

import (
	"io"
	"sync"
	"time"
)

// How much of a response's body advisors are shown, and how long that is waited for.
const (
	maxPeek  = 4 << 10
	peekTime = 100 * time.Millisecond
)

// Start returns the first bytes of the response's body, at most 4 KiB of what arrives within
// 100 ms, decoded where net/http decodes it. The caller of the transport still gets the
// body whole. It is nil without a body. The bytes must not be changed.
func (r *Result) Start() []byte {
	if r.call == nil || r.Response == nil {
		return nil
	}
	body, ok := r.Response.Body.(*responseBody)
	if !ok {
		return nil
	}
	p, ok := body.inner.(*peeked)
	if !ok {
		p = peek(body.inner)
		body.inner = p
	}
	timer := time.NewTimer(peekTime)
	defer timer.Stop()
	select {
	case <-p.done:
	case <-timer.C:
	case <-r.call.ctx.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.start[:len(p.start):len(p.start)]
}

// peeked is a body whose first bytes are read ahead. They are read again from here.
type peeked struct {
	inner io.ReadCloser
	done  chan struct{} // closed when nothing more is read ahead

	mu    sync.Mutex
	grown sync.Cond // start has grown, or over was set
	start []byte
	over  bool  // nothing more is read ahead
	err   error // that ended it; nil when start is full
	from  int   // how much of start was read again
}

// peek begins to read ahead.
func peek(body io.ReadCloser) *peeked {
	p := &peeked{inner: body, done: make(chan struct{})}
	p.grown.L = &p.mu
	go p.readAhead()
	return p
}

func (p *peeked) readAhead() {
	defer close(p.done)
	buf := make([]byte, maxPeek)
	for n, over := 0, false; !over; {
		m, err := p.inner.Read(buf[n:])
		n += m
		over = err != nil || n == len(buf)
		p.mu.Lock()
		p.start, p.over, p.err = buf[:n], over, err
		p.mu.Unlock()
		p.grown.Broadcast()
	}
}

// Read returns what was read ahead, and goes on behind it.
func (p *peeked) Read(b []byte) (int, error) {
	p.mu.Lock()
	for p.from == len(p.start) && !p.over && len(b) > 0 {
		p.grown.Wait()
	}
	n := copy(b, p.start[p.from:])
	p.from += n
	err := p.err
	p.mu.Unlock()
	switch {
	case n > 0 || len(b) == 0:
		return n, nil
	case err != nil:
		return 0, err
	}
	return p.inner.Read(b)
}

// Close closes the body, which ends a reading ahead that blocks.
func (p *peeked) Close() error { return p.inner.Close() }
