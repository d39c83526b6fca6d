package transport

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"redial/ledger"
)

// Why a place was refused to a caller with a deadline.
var (
	errWindowLate = errors.New("the rate window opens too late")
	errPauseLate  = errors.New("the server wants to be left alone for longer")
)

// pause waits for the time of attempt n+1. The response is drained and closed meanwhile.
func (c *call) pause(n int, resp *http.Response, d ledger.Decision, p *plan) error {
	c.mu.Lock()
	c.last().Decision = d
	c.mu.Unlock()
	c.beginWait(p.wait)
	c.replace(resp, p.body)

	timer := time.NewTimer(later(p.wait.Start, p.wait.Planned) - c.elapsed())
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-c.ctx.Done():
	case <-legacyCancel(c.req):
	}
	c.endWait()
	if err, cause := c.givenUp(); err != nil {
		return c.gaveUp(fmt.Sprintf("waiting for attempt %d", n+1), err, cause)
	}
	return nil
}

// replace gives up what the attempt has left, its response and its body, for the next
// attempt's body. The response is drained within bounds, and closed.
func (c *call) replace(resp *http.Response, next *upload) {
	if resp != nil && !bodyless(resp.Body) {
		c.cur.down.drain(c.ctx.Done(), legacyCancel(c.req))
	}
	if c.upload != nil {
		c.upload.discard()
	}
	c.upload = next
}

// enter takes a place in the windows that the request falls into, and waits for it if need
// be, and for a pause that the server asked for. It comes before every attempt n, whatever
// the reason for that. Nothing is spent for a caller that has given up.
func (c *call) enter(n int) error {
	if err, cause := c.givenUp(); err != nil {
		return c.gaveUp(fmt.Sprintf("before attempt %d", n), err, cause)
	}
	if c.e.hosts == nil {
		return nil
	}
	deadline, limited := c.deadline(n)
	t := c.e.hosts.take(&c.claim, c.req.URL, asking{deadline, c.policy.MaxRetryAfter})
	if t.waiter != nil {
		c.beginWait(ledger.Wait{Before: n, Kind: ledger.WindowWait, Start: c.elapsed(), Planned: t.planned, Rule: t.rule})
		err, cause := c.stand(t.waiter, deadline, limited)
		c.endWait()
		if err != nil {
			c.claim.host.leave(t.waiter)
			return c.gaveUp(fmt.Sprintf("waiting for a window before attempt %d", n), err, cause)
		}
		t.err = t.waiter.err
	}
	return c.refused(n, t.err, limited)
}

// refused returns the error of a call that was refused a place in a window.
func (c *call) refused(n int, err error, limited bool) error {
	if err == nil {
		return nil
	}
	doing := fmt.Sprintf("before attempt %d", n)
	switch {
	case limited && (err == errWindowLate || err == errPauseLate):
		return c.gaveUp(doing, c.limitError(), err)
	case err == errWindowLate || err == errPauseLate:
		return c.gaveUp(doing, context.DeadlineExceeded, err)
	case n > 1:
		return c.gaveUp(doing, err, nil)
	}
	return err
}

// deadline returns until when attempt n may begin, the zero time for ever, and whether it
// is the policy's limit that says so. The limit does not concern the first attempt.
func (c *call) deadline(n int) (t time.Time, limited bool) {
	t, _ = c.ctx.Deadline()
	if limit := c.policy.Limit; limit > 0 && n > 1 {
		if l := c.rec.Started.Add(limit); t.IsZero() || l.Before(t) {
			return l, true
		}
	}
	return t, false
}

// stand waits in the queue until it is the call's turn, or says why that was given up.
func (c *call) stand(q *waiter, deadline time.Time, limited bool) (err, cause error) {
	var over <-chan time.Time
	if limited {
		timer := time.NewTimer(time.Until(deadline))
		defer timer.Stop()
		over = timer.C
	}
	select {
	case <-q.ready:
	case <-c.ctx.Done():
	case <-legacyCancel(c.req):
	case <-over:
		return c.limitError(), nil
	}
	return c.givenUp()
}

// beginWait notes a wait while it lasts, so that it can be counted down.
func (c *call) beginWait(w ledger.Wait) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.publish()
	c.rec.Waits = append(c.rec.Waits, w)
	c.state, c.since = ledger.Waiting, w.Start
}

func (c *call) endWait() {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := &c.rec.Waits[len(c.rec.Waits)-1]
	w.Took = max(c.elapsed()-w.Start, 1)
}
