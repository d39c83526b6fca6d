package transport

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"redial/ledger"
)

// plan is how a request is sent again.
type plan struct {
	wait ledger.Wait // begins at the response's head, or at the error
	body *upload     // what the next attempt sends; nil without a body
}

// judge decides after attempt n whether to send again, and plans it. Whatever needs no
// wait is decided here, while the response is open, so that the caller can still have it.
// The error is what RoundTrip returns if it is not sent again, nil for the response.
func (c *call) judge(n int, resp *http.Response, err error) (ledger.Decision, *plan, error) {
	advice := c.ask(n, resp, err)
	d := c.gate(n, resp, err, advice)
	switch {
	case d.SendsAgain():
		return c.plan(d, n, resp, err, advice)
	case d == ledger.Done:
		c.earn()
	case d == ledger.Cancelled || d == ledger.BodyFailed || d == ledger.Permanent:
		c.refund() // The retry did not fail in a way that retries are for.
	}
	switch {
	case d == ledger.Cancelled && (n > 1 || c.heldBack()):
		ctxErr, cause := c.givenUp()
		err = c.gaveUp(fmt.Sprintf("in attempt %d", n), ctxErr, cause)
	case d == ledger.BodyFailed:
		if cause := c.bodyFailed(); !errors.Is(err, cause) {
			err = fmt.Errorf("%w: %w", cause, err)
		}
	}
	return d, nil, err
}

// plan plans what the gate allowed, if there is time for it, a retry left in the budget,
// and a body.
func (c *call) plan(again ledger.Decision, n int, resp *http.Response, err error, advice Advice) (ledger.Decision, *plan, error) {
	p := &plan{wait: ledger.Wait{Before: n + 1, Start: c.elapsed()}}
	if !c.schedule(p, n, resp, advice) {
		return ledger.RetryAfterTooLong, nil, err
	}
	if d, reason := c.tooSoon(p.wait.Start, p.wait.Planned); d != ledger.Undecided {
		if err != nil {
			err = c.gaveUp(fmt.Sprintf("before attempt %d", n+1), reason, nil)
		}
		return d, nil, err
	}
	if !c.spend() {
		return ledger.BudgetSpent, nil, err
	}
	body, bodyErr := c.rebuild()
	if bodyErr != nil {
		c.refund()
		if err != nil {
			err = errors.Join(err, bodyErr)
		} else { // RoundTrip returns the response, and the record alone can tell.
			c.note(bodyErr)
		}
		return ledger.GetBodyFailed, nil, err
	}
	p.body = body
	return again, p, err
}

// gate is the replay gate: whether the request may be sent again at all.
func (c *call) gate(n int, resp *http.Response, err error, advice Advice) ledger.Decision {
	again := c.reasonAfter(resp, err, advice)
	switch {
	case !again.SendsAgain():
		return again
	case c.op != nil:
		return ledger.OperationDecides
	case (again != ledger.AgainNotSent || c.policy.Strict) && !c.repeatable:
		return ledger.NotRepeatable
	case c.upload != nil && c.req.GetBody == nil:
		return ledger.BodyGone
	case c.inner && c.policy.Attempts > 1:
		return ledger.InnerLayer
	case c.tries(n) >= c.policy.Attempts || !isHTTP(c.req):
		return ledger.NoAttemptsLeft
	}
	return again
}

// reasonAfter returns the reason to send again, or why there is none, whatever the request
// is. A veto concerns only what would have been a reason.
func (c *call) reasonAfter(resp *http.Response, err error, advice Advice) ledger.Decision {
	again := ledger.AgainUnknown
	switch {
	case resp != nil && (advice.Verdict == Again || advice.Verdict == RateLimit):
		return ledger.AgainPushback
	case resp != nil && !c.policy.retries(resp.StatusCode) && !c.inFlight(resp):
		return ledger.Done
	case resp != nil:
		again = ledger.AgainStatus
	default:
		if d := c.hopeless(err); d != ledger.Undecided {
			return d
		}
		if c.last().Outcome == ledger.NotSent {
			again = ledger.AgainNotSent
		}
	}
	if advice.Verdict == Veto || err != nil && !c.policy.errors[errorKind(err)] && advice.Verdict == NoOpinion {
		return ledger.Vetoed
	}
	return again
}

// inFlight reports whether the response says that a request with this key is still being
// worked on.
func (c *call) inFlight(resp *http.Response) bool {
	return resp.StatusCode == http.StatusConflict && c.keyed && c.policy.InFlight != nil && c.policy.InFlight(resp)
}

// hopeless returns the reason why an error cannot be helped by sending again, if there is
// one. The end of the caller's context comes first: it may have caused all the others. An
// attempt's own timeout is not the caller's.
func (c *call) hopeless(err error) ledger.Decision {
	if ctxErr, _ := c.givenUp(); ctxErr != nil {
		return ledger.Cancelled
	}
	if c.bodyFailed() != nil {
		return ledger.BodyFailed
	}
	if permanent(err) || checkFields(c.req) != nil {
		return ledger.Permanent
	}
	return ledger.Undecided
}

// bodyFailed returns the error that the request's body returned, or one that says that it
// was not as long as the request said; else nil. net/http hangs up on such a request, and it
// is chance whether it then says why, or only that the connection is gone.
func (c *call) bodyFailed() error {
	if c.upload == nil {
		return nil
	}
	b := c.upload.body
	if _, err := b.finish(); err != nil {
		return err
	}
	n, whole := b.length()
	switch want := c.req.ContentLength; {
	case want > 0 && n > want:
		return fmt.Errorf("redial: the request's ContentLength is %d, but its body is longer", want)
	case want > 0 && whole && n < want:
		return fmt.Errorf("redial: the request's ContentLength is %d, but its body had %d bytes", want, n)
	}
	return nil
}

// schedule sets the wait before the next attempt. It reports false if the server asked for
// a longer one than the policy allows.
func (c *call) schedule(p *plan, n int, resp *http.Response, advice Advice) bool {
	status := 0
	asked, byDate := advice.Wait, false
	if resp != nil {
		status, p.wait.Start = resp.StatusCode, c.cur.head
		if a, date, ok := c.retryAfter(resp); ok && a >= asked {
			asked, byDate = a, date
		}
		c.noteAsked(asked)
	}
	if asked > c.policy.MaxRetryAfter {
		return false
	}
	if asked > 0 {
		p.wait.Kind, p.wait.Planned = ledger.RetryAfterWait, asked
		p.wait.Rule = ledger.Rule{Asked: asked, ByDate: byDate}
		return true
	}
	if advice.Verdict == RateLimit {
		status = http.StatusTooManyRequests
	}
	p.wait.Kind = ledger.BackoffWait
	p.wait.Planned, p.wait.Rule = c.policy.backoff(c.tries(n), status, c.delayed)
	c.delayed = p.wait.Planned
	return true
}

// noteAsked records what the server asked for in other ways than Retry-After.
func (c *call) noteAsked(asked time.Duration) {
	if asked = roundUp(asked, time.Millisecond); asked > c.last().RetryAfter && asked > 0 {
		c.mu.Lock()
		c.last().RetryAfter = asked
		c.mu.Unlock()
	}
}

// tooSoon returns a decision, and the reason in words, if the caller's deadline or the
// policy's limit would pass before a wait from start is over. The next attempt may also
// have to wait for a window.
func (c *call) tooSoon(start, wait time.Duration) (ledger.Decision, error) {
	begin := later(start, wait)
	least, pause := c.outlook()
	if pause-wait > c.policy.MaxRetryAfter {
		return ledger.RetryAfterTooLong, c.pausedError(pause)
	}
	begin = max(begin, later(c.elapsed(), least))
	if deadline, ok := c.ctx.Deadline(); ok && begin >= deadline.Sub(c.rec.Started) {
		return ledger.DeadlineTooSoon, context.DeadlineExceeded
	}
	if limit := c.policy.Limit; limit > 0 && begin > limit {
		return ledger.LimitTooSoon, c.limitError()
	}
	return ledger.Undecided, nil
}

// limitError says that the policy's limit is over.
func (c *call) limitError() error {
	return fmt.Errorf("no attempt may begin later than %v after the first", c.policy.Limit)
}

// later returns the moment d after at. The sum of two long times is the longest.
func later(at, d time.Duration) time.Duration {
	if at > 0 && d > maxWait-at {
		return maxWait
	}
	return at + d
}

// rebuild makes the body for the next attempt again, if there is one.
func (c *call) rebuild() (*upload, error) {
	if c.upload == nil {
		return nil, nil
	}
	c.inGetBody = true
	body, err := c.req.GetBody()
	c.inGetBody = false
	if err == nil && body == nil {
		err = errNoBody
	}
	if err != nil {
		return nil, fmt.Errorf("redial: make the request body again: %w", err)
	}
	return newUpload(body, c.bodyLimit), nil
}
