package transport

import (
	"context"

	"redial/ledger"
)

// A call's memory serves one call after another. What follows empties it field by field,
// since a whole new value of so many pointers keeps the garbage collector's write barriers
// busy. What the last call was about may stay behind in it, but for what is large.

// maxKept is how many attempts or waits a call may have had for the memory of its lists
// to be kept.
const maxKept = 16

// recycle forgets the call and makes its memory ready for another.
func (c *call) recycle() {
	e := c.e
	c.mu.Lock()
	c.use++
	c.listed, c.final = false, false
	c.req, c.ctx, c.cur.ctx = nil, nil, nil
	c.emptyLists()
	c.claim.reset()
	setZero(&c.rec.Error)
	setZero(&c.upload)
	setZero(&c.lastErr)
	setZero(&c.auth)
	setZero(&c.watched)
	setZero(&c.sight)
	setZero(&c.cur.upload)
	setZero(&c.cur.down)
	if c.cur.cancel != nil {
		c.cur.cancel = nil
	}
	c.mu.Unlock()
	e.calls.Put(c)
}

func (c *call) emptyLists() {
	for i := range c.rec.AttemptList {
		a := &c.rec.AttemptList[i]
		empty(&a.Request)
		empty(&a.Response)
	}
	c.rec.AttemptList, c.rec.Waits = c.rec.AttemptList[:0], c.rec.Waits[:0]
	if cap(c.rec.AttemptList) > maxKept {
		c.rec.AttemptList = nil
	}
	if cap(c.rec.Waits) > maxKept {
		c.rec.Waits = nil
	}
}

// enterAttempt sets what is under way.
func (c *call) enterAttempt(o *outgoing, t *trace, cancel context.CancelFunc) {
	c.cur.ctx, c.cur.trace, c.cur.answered = &o.ctx, t, false
	setZero(&c.cur.down)
	if c.cur.cancel != nil || cancel != nil {
		c.cur.cancel = cancel
	}
	if c.cur.upload != c.upload {
		c.cur.upload = c.upload
	}
}

// addAttempt appends an empty attempt, in the memory of an earlier call if there is any.
func (c *call) addAttempt() *ledger.Attempt {
	list := c.rec.AttemptList
	if len(list) == cap(list) {
		c.rec.AttemptList = append(list, ledger.Attempt{RetryAfter: -1})
		return c.last()
	}
	c.rec.AttemptList = list[:len(list)+1]
	a := c.last()
	a.Reason, a.Took, a.Status, a.Outcome, a.RetryAfter, a.Decision = 0, 0, 0, 0, -1, 0
	a.BytesSent, a.BytesReceived = 0, 0
	setZero(&a.Proto)
	setZero(&a.Err)
	return a
}

// empty empties a message but keeps the memory of its header.
func empty(m *ledger.Message) {
	m.Header = m.Header[:0]
	if m.Body.Size != 0 || m.Body.Data != nil {
		m.Body = ledger.Body{}
	}
}

// setZero sets v to its zero value if it is another.
func setZero[T comparable](v *T) {
	var zero T
	if *v != zero {
		*v = zero
	}
}
