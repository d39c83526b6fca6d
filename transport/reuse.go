package transport

import "redial/ledger"

// A call's memory serves one call after another. What follows empties it field by field:
// a whole new value of so many pointers keeps the garbage collector's write barriers
// busy, which costs a sixth of a recorded call.

// recycle forgets the call and makes its memory ready for another.
func (c *call) recycle() {
	e := c.e
	c.mu.Lock()
	c.use++
	c.listed, c.final = false, false
	c.req, c.ctx, c.cur.ctx = nil, nil, nil
	c.rec.AttemptList, c.rec.Waits = c.rec.AttemptList[:0], c.rec.Waits[:0]
	setZero(&c.rec.Error)
	setZero(&c.upload)
	setZero(&c.lastErr)
	setZero(&c.cur.upload)
	setZero(&c.cur.down)
	if c.cur.cancel != nil {
		c.cur.cancel = nil
	}
	c.mu.Unlock()
	e.calls.Put(c)
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
	empty(&a.Request)
	empty(&a.Response)
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
