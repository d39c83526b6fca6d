package transport

import (
	"context"
	"io"
	"net/http"
	"reflect"
	"time"

	"redial/ledger"
)

// send makes attempt n and returns what Base gave. With a response the attempt goes on
// until the response's body has ended, without one it has ended.
func (c *call) send(n int) (*http.Response, error) {
	out := c.beginAttempt(n)
	c.inBase = true
	resp, err := c.base.RoundTrip(out)
	c.inBase = false
	if err == nil && resp == nil {
		err = errNoAnswer
	}
	if err != nil {
		if resp != nil && resp.Body != nil {
			resp.Body.Close()
		}
		c.mu.Lock()
		c.endAttempt(c.elapsed(), ledger.Body{}, err)
		c.mu.Unlock()
		if c.upload != nil {
			c.upload.discard()
		}
		if c.last().Outcome == ledger.NotSent {
			c.giveBack()
		}
		c.lastErr = err
		return nil, err
	}
	c.lastErr = nil
	c.headArrived(resp)
	return resp, nil
}

// beginAttempt notes that attempt n begins and returns the request for it: a shallow copy
// of the caller's with a context and, if need be, a body and headers of its own.
func (c *call) beginAttempt(n int) *http.Request {
	t := c.spare
	if c.spare = nil; t == nil {
		t = newTrace()
	}
	parent, cancel := c.attemptParent(n)
	o := newOutgoing(c.req, parent, t)
	if c.auth.sent != nil {
		o.req.Header = c.auth.sent.Header
	}
	if !c.repeatable && (c.policy.keyed || c.strict()) {
		o.req.Header = muted(o.req.Header)
	}
	if c.upload != nil {
		c.attach(&o.req, t)
	}

	c.mu.Lock()
	defer c.mu.Unlock()
	c.publish()
	c.enterAttempt(o, t, cancel)
	c.state, c.since = ledger.Sending, 0
	if n > 1 || len(c.rec.Waits) > 0 { // else it begins with the call
		c.since = c.elapsed()
	}
	t.begin(&o.ctx, c.rec.Started, c.since)
	a := c.addAttempt()
	a.N, a.Start, a.Reason = n, c.since, c.reason(n)
	if c.e.recorder != nil {
		c.keepHeader(a, &o.req)
	}
	return &o.req
}

// reason returns why attempt n is made.
func (c *call) reason(n int) ledger.Reason {
	switch {
	case c.auth.leg:
		return ledger.AuthLeg
	case n > 1:
		return ledger.Retry
	case c.op != nil:
		return c.op.Reason
	}
	return ledger.First
}

// keepHeader copies the request's header for the record, with a Host of its own if it has one.
func (c *call) keepHeader(a *ledger.Attempt, out *http.Request) {
	a.Request.Header = appendFields(a.Request.Header, out.Header)
	if out.Host != "" && out.Host != out.URL.Host {
		a.Request.Header = append(a.Request.Header, ledger.Field{Name: "Host", Value: out.Host})
	}
}

// attemptParent returns the context that the attempt's is made from: the caller's, never
// that of an earlier attempt, with the attempt's timeout.
func (c *call) attemptParent(n int) (context.Context, context.CancelFunc) {
	d := c.policy.AttemptTimeout
	if c.op != nil && c.op.Timeout > 0 {
		d = c.op.Timeout
	}
	if c.policy.ShareDeadline {
		d = c.share(n, d)
	}
	if d == 0 {
		return c.ctx, nil
	}
	return context.WithTimeoutCause(c.ctx, d, &AttemptTimeoutError{After: d})
}

// share returns the timeout of attempt n where each gets its part of the time until the
// caller's deadline: d, or the part if that is less. A request that would not be sent again
// after it has all the time there is.
func (c *call) share(n int, d time.Duration) time.Duration {
	deadline, ok := c.ctx.Deadline()
	left := c.policy.Attempts - c.tries(n) + 1
	if !ok || left < 2 || !c.repeatable || c.op != nil || c.inner || c.upload != nil && c.req.GetBody == nil {
		return d
	}
	part := max(time.Until(deadline)/time.Duration(left), 1)
	if d == 0 {
		return part
	}
	return min(d, part)
}

// attach gives the request its body, and the GetBody that net/http may use for replays of
// its own. A request that may not be repeated has no GetBody where HTTP/2 may be spoken:
// with one, net/http would replay even after a PROTOCOL_ERROR, which proves nothing, and
// without one it says in its error what happened, so that the gate can decide. Nor has it
// one under a strict policy. A transport that does not retry leaves net/http as it is.
func (c *call) attach(out *http.Request, t *trace) {
	u := c.upload
	u.mu.Lock()
	u.trace, u.native = t, isNative(c.base)
	if c.e.widths != nil {
		u.hold(c.newPace(c.e.widths.up.of(c.req.URL), out.Context(), true))
	}
	out.Body = u.hand()
	u.mu.Unlock()
	if out.GetBody == nil {
		return
	}
	u.again = c.req.GetBody
	u.free = c.repeatable || !c.strict()
	u.plain = certainHTTP1(c.base)
	out.GetBody = u.replay
	if !u.free && (c.policy.Strict || c.maySpeakHTTP2()) {
		out.GetBody = nil
	}
}

// maySpeakHTTP2 reports whether the next connection may do so.
func (c *call) maySpeakHTTP2() bool {
	if c.req.URL.Scheme == "https" {
		return !c.e.http1.has(c.req.URL.Host)
	}
	t, ok := c.base.(*http.Transport)
	return ok && !certainHTTP1(t)
}

// certainHTTP1 reports whether base certainly speaks HTTP/1 on connections without TLS.
func certainHTTP1(base http.RoundTripper) bool {
	t, ok := base.(*http.Transport)
	return ok && (t.Protocols == nil || !t.Protocols.UnencryptedHTTP2())
}

// headArrived notes the response and puts the call between it and its reader.
func (c *call) headArrived(resp *http.Response) {
	now := c.elapsed()
	if c.upload != nil && resp.ProtoMajor == 1 && c.req.URL.Scheme == "https" && c.maySpeakHTTP2() {
		c.e.http1.add(c.req.URL.Host)
	}
	c.learn(resp, now)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cur.answered, c.cur.head = true, now
	c.state, c.since = ledger.Receiving, now
	a := c.last()
	a.Status, a.Proto = resp.StatusCode, resp.Proto
	if wait, _, ok := c.retryAfter(resp); ok {
		a.RetryAfter = roundUp(wait, time.Millisecond)
	}
	if c.e.recorder != nil {
		a.Response.Header = appendFields(a.Response.Header, resp.Header)
	}
	resp.Request = c.req
	if resp.Body == nil {
		resp.Body = http.NoBody
	}
	if bodyless(resp.Body) {
		c.endAttempt(now, ledger.Body{}, nil)
		return
	}
	c.cur.down = c.watch(resp)
}

// bodyless reports whether there is nothing to read and nothing to close in a body. Callers
// know that of responses to HEAD and of 204, and do not always close them. net/http has
// types of its own for empty bodies over HTTP/2, whose names it does not export.
func bodyless(body io.ReadCloser) bool {
	if body == http.NoBody {
		return true
	}
	t := reflect.TypeOf(body)
	return t.Kind() == reflect.Struct && t.Size() == 0 &&
		(t.String() == "http.http2noBodyReader" || t.String() == "http2.noBodyReader")
}

// retryAfter returns what the response that has just arrived asks for: its Retry-After, or
// what a 429 without one says about when its limit is reset.
func (c *call) retryAfter(resp *http.Response) (wait time.Duration, byDate, ok bool) {
	if len(resp.Header["Retry-After"]) == 0 && resp.StatusCode != http.StatusTooManyRequests {
		return 0, false, false
	}
	now := c.rec.Started.Add(c.cur.head)
	if wait, byDate, ok = retryAfter(resp.Header, now); ok || resp.StatusCode != http.StatusTooManyRequests {
		return wait, byDate, ok
	}
	ls := readLimits(resp.Header, now)
	wait = ls.wait()
	return wait, false, wait > 0
}

// roundUp rounds up to a multiple of unit, but for durations too long for that.
func roundUp(d, unit time.Duration) time.Duration {
	if d > maxWait-unit {
		return d
	}
	return (d + unit - 1) / unit * unit
}

// endAttempt notes, with the lock held, how the attempt under way ended. kept is what is
// kept of its response's body.
func (c *call) endAttempt(end time.Duration, kept ledger.Body, err error) {
	if c.cur.cancel != nil {
		c.cur.cancel()
	}
	asked := c.cur.ctx.close()
	a := c.last()
	a.Took = max(end-a.Start, 1)
	if kept.Size > 0 {
		a.Response.Body = kept
	}
	if err != nil {
		a.Err = err.Error()
	}
	if u := c.cur.upload; u != nil {
		a.Request.Body, _ = u.finish()
		if c.cur.answered {
			u.settle()
		}
	}
	if c.e.widths != nil {
		c.rec.Waits = c.addPauses(c.rec.Waits)
	}
	t := c.cur.trace
	c.cur.trace = nil
	t.mu.Lock()
	defer t.mu.Unlock()
	c.fill(a, t, end)
	a.Outcome = outcome(c.cur.answered, refusedHere(c.base, c.req, err), err, &t.stamps)
	if t.quiet(asked) {
		t.reset()
		c.spare = t
	}
}

// fill sets what can be said of the attempt at end, or while it runs. The trace is locked.
func (c *call) fill(a *ledger.Attempt, t *trace, end time.Duration) {
	head := time.Duration(0)
	if c.cur.answered {
		head = max(c.cur.head, 1)
	}
	t.phases(&a.Phases, head, end)
	a.Remote, a.Reused, a.WireSends = "", t.reused, t.gots
	if t.gots > 0 {
		a.Remote = t.remote
	}
	if u := c.cur.upload; u != nil {
		a.BytesSent = u.read(&t.stamps)
	}
	if d := c.cur.down; d != nil {
		a.BytesReceived = d.got.Load()
	}
}
