package transport

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
)

// layer is the context key by which a transport knows that another redial transport sends
// through it: the value is that one's [attemptContext]. Only one layer may retry: two would
// multiply their attempts. Nearer to the transport the value can be a [Watched].
type layer struct{}

// attemptContext is the context of one attempt. It is the caller's, with the hooks of the
// attempt's trace. It is made anew for each attempt, since net/http holds on to it for a
// while after the attempt has ended.
type attemptContext struct {
	context.Context
	trace *trace       // nil if the hooks are part of Context already
	asked atomic.Int32 // how often the hooks were handed out; closed is added at the end
	over  atomic.Pointer[resentTooOften]
}

// maxSends is how many wire sends an attempt may have. Over HTTP/2 net/http goes on for
// ever, without a pause, while a server accepts connections and ends each of them before
// it answers. Over HTTP/1 it resends only on connections that were idle, and so ends by
// itself.
const maxSends = 10

// resentTooOften ends an attempt that net/http has sent too often.
type resentTooOften struct{ done chan struct{} }

// Error says what happened, and what it may come from.
func (*resentTooOften) Error() string {
	return fmt.Sprintf("redial: net/http sent the request on %d connections, and each was lost without an answer: "+
		"see whether the server refuses this request or is shutting down", maxSends)
}

// sentAgain ends the context when its attempt has had too many sends. A context of its own
// that can be cancelled would cost every attempt as much again as all else that is done
// for it, so this one changes its answer instead. HTTP/2 asks the request's context before
// each send, and that is where there is a loop to be ended.
func (c *attemptContext) sentAgain(sends int) {
	if sends > maxSends && c.over.Load() == nil {
		e := &resentTooOften{done: make(chan struct{})}
		close(e.done)
		c.over.CompareAndSwap(nil, e)
	}
}

// Done returns a channel that is closed when the attempt is over.
func (c *attemptContext) Done() <-chan struct{} {
	if e := c.over.Load(); e != nil {
		return e.done
	}
	return c.Context.Done()
}

// Err returns why the attempt is over, nil while it is not.
func (c *attemptContext) Err() error {
	if e := c.over.Load(); e != nil {
		return e
	}
	return c.Context.Err()
}

// closed marks a context that hands out no more hooks.
const closed = 1 << 30

// outgoing is the request of one attempt and its context, in one piece of memory.
type outgoing struct {
	ctx attemptContext
	req http.Request
}

// newOutgoing returns a shallow copy of the caller's request whose context is parent with
// the hooks of t, and with those that the caller may have put into it.
func newOutgoing(r *http.Request, parent context.Context, t *trace) *outgoing {
	o := new(outgoing)
	o.ctx.Context, o.ctx.trace = parent, t
	if httptrace.ContextClientTrace(parent) != nil {
		hooks := t.hooks // The package composes it with the caller's.
		o.ctx.Context, o.ctx.trace = httptrace.WithClientTrace(parent, &hooks), nil
	}
	o.req = *r.WithContext(&o.ctx)
	return o
}

// Value returns the attempt's hooks for net/http, and for the rest what the caller's
// context has.
func (c *attemptContext) Value(key any) any {
	if key == (layer{}) {
		return c
	}
	if c.trace != nil {
		if v := c.trace.ctx.Value(key); v != nil && c.asked.Add(1) < closed {
			return v
		}
	}
	return c.Context.Value(key)
}

// close ends the handing out of hooks and returns how often it was done. The hooks of a
// caller's trace may be anywhere, so with one it is more often than anyone can count.
func (c *attemptContext) close() int32 {
	if c.trace == nil {
		return closed
	}
	return c.asked.Add(closed) - closed
}

// layerOf returns what watches the calls that are made with the context, nil for nobody,
// and whether another redial transport makes them.
func layerOf(ctx context.Context) (w *Watched, inner bool) {
	switch v := ctx.Value(layer{}).(type) {
	case *Watched:
		return v, v.inner
	case *attemptContext:
		return nil, true
	}
	return nil, false
}
