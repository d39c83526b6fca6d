package transport

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"redial/ledger"
)

// verdict is what was decided after an attempt.
type verdict struct {
	decision ledger.Decision
	err      error // what RoundTrip returns if that was the last attempt; nil: the response

	// If it is sent again:
	kind ledger.WaitKind
	rule ledger.Rule
	wait time.Duration // from the response's head, or from the error
	from time.Duration // when that was
	body *upload       // what the next attempt sends; nil without a body
}

// judge decides after attempt n whether to send again. Whatever needs no wait is decided
// here, while the response is open, so that the caller can still have it.
func (c *call) judge(n int, resp *http.Response, err error) verdict {
	v := verdict{err: err}
	v.decision = c.gate(n, resp, err)
	if !v.decision.SendsAgain() {
		if v.decision == ledger.Cancelled && n > 1 {
			ctxErr, cause := c.givenUp()
			v.err = c.gaveUp(fmt.Sprintf("in attempt %d", n), ctxErr, cause)
		}
		return v
	}
	if d := c.schedule(&v, n, resp); d != ledger.Undecided {
		v.decision = d
		return v
	}
	if d, bodyErr := c.rebuild(&v); d != ledger.Undecided {
		v.decision = d
		if err != nil {
			v.err = errors.Join(err, bodyErr)
		}
	}
	return v
}

// gate is the replay gate: whether the request may be sent again at all.
func (c *call) gate(n int, resp *http.Response, err error) ledger.Decision {
	var again ledger.Decision
	switch {
	case resp != nil && !c.e.policy.retries(resp.StatusCode):
		return ledger.Done
	case resp != nil:
		again = ledger.AgainStatus
	default:
		if d := c.hopeless(err); d != ledger.Undecided {
			return d
		}
		again = ledger.AgainUnknown
		if c.last().Outcome == ledger.NotSent {
			again = ledger.AgainNotSent
		}
	}
	switch {
	case again != ledger.AgainNotSent && !c.repeatable:
		return ledger.NotRepeatable
	case c.upload != nil && c.req.GetBody == nil:
		return ledger.BodyGone
	case c.inner && c.e.policy.Attempts > 1:
		return ledger.InnerLayer
	case n >= c.e.policy.Attempts || !isHTTP(c.req):
		return ledger.NoAttemptsLeft
	}
	return again
}

// hopeless returns the reason why an error cannot be helped by sending again, if there is
// one. The end of the caller's context comes first: it may have caused all the others. An
// attempt's own timeout is not the caller's.
func (c *call) hopeless(err error) ledger.Decision {
	if ctxErr, _ := c.givenUp(); ctxErr != nil {
		return ledger.Cancelled
	}
	if c.bodyFailed() {
		return ledger.BodyFailed
	}
	if permanent(err) || checkFields(c.req) != nil {
		return ledger.Permanent
	}
	return ledger.Undecided
}

// bodyFailed reports whether the request's body returned an error, or was not as long as
// the request said.
func (c *call) bodyFailed() bool {
	if c.upload == nil {
		return false
	}
	b := c.upload.body
	if _, err := b.finish(); err != nil {
		return true
	}
	n, whole := b.length()
	want := c.req.ContentLength
	return want > 0 && (n > want || whole && n < want)
}

// schedule sets the wait before the next attempt, or returns why there is none.
func (c *call) schedule(v *verdict, n int, resp *http.Response) ledger.Decision {
	p := &c.e.policy
	status := 0
	v.from = c.elapsed()
	if resp != nil {
		status, v.from = resp.StatusCode, c.cur.head
		asked, byDate, ok := c.retryAfter(resp)
		if ok && asked > p.MaxRetryAfter {
			return ledger.RetryAfterTooLong
		}
		if ok && asked > 0 {
			v.kind, v.wait = ledger.RetryAfterWait, asked
			v.rule = ledger.Rule{Asked: asked, ByDate: byDate}
		}
	}
	if v.kind != ledger.RetryAfterWait {
		v.kind = ledger.BackoffWait
		v.wait, v.rule = p.backoff(n, status)
	}
	return c.tooSoon(v)
}

// tooSoon returns a decision if the caller's deadline or the policy's limit would pass
// before the next attempt, which may also have to wait for a window.
func (c *call) tooSoon(v *verdict) ledger.Decision {
	now := c.elapsed()
	begin := later(v.from, v.wait)
	if c.host != nil {
		begin = max(begin, later(now, c.host.opensIn(c.port)))
	}
	if deadline, ok := c.ctx.Deadline(); ok && begin >= deadline.Sub(c.rec.Started) {
		if v.err != nil {
			v.err = c.gaveUp("before the next attempt", context.DeadlineExceeded, nil)
		}
		return ledger.DeadlineTooSoon
	}
	if limit := c.e.policy.Limit; limit > 0 && begin > limit {
		if v.err != nil {
			v.err = c.gaveUp("before the next attempt", c.limitError(), nil)
		}
		return ledger.LimitTooSoon
	}
	return ledger.Undecided
}

// limitError says that the policy's limit is over.
func (c *call) limitError() error {
	return fmt.Errorf("no attempt may begin later than %v after the first", c.e.policy.Limit)
}

// later returns the moment d after at. The sum of two long times is the longest.
func later(at, d time.Duration) time.Duration {
	if d > maxWait-at {
		return maxWait
	}
	return at + d
}

// rebuild makes the body for the next attempt again.
func (c *call) rebuild(v *verdict) (ledger.Decision, error) {
	if c.upload == nil {
		return ledger.Undecided, nil
	}
	body, err := c.req.GetBody()
	if err == nil && body == nil {
		err = errNoBody
	}
	if err != nil {
		return ledger.GetBodyFailed, fmt.Errorf("redial: make the request body again: %w", err)
	}
	v.body = newUpload(body, c.bodyLimit)
	return ledger.Undecided, nil
}
