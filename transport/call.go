package transport

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"redial/ledger"
)

// call is one RoundTrip under way, from its start until its last response's body has
// ended. It is used for one call after another.
type call struct {
	e      *engine
	policy *policy // chosen by the request's route
	base   http.RoundTripper
	req    *http.Request // the caller's
	ctx    context.Context

	claim claim // places in the windows that the request falls into

	inBase    bool // Base.RoundTrip is under way
	inGetBody bool // the request's GetBody is, called by the transport itself
	inAuth    bool // Transport.Auth is

	op         *ledger.Trace // of the operation that the request is made for; nil without one
	inner      bool          // another redial transport sends through this one
	watched    *Watched      // who wants to see the call; nil: nobody
	tally      *tally        // where it is counted, the same for all calls that this memory serves
	keyed      bool          // it has a key that means something under its policy
	repeatable bool          // by its method or its key
	bodyLimit  int64
	upload     *upload       // of the next attempt, or of the one under way; nil without a body
	lastErr    error         // of the last attempt
	delayed    time.Duration // the last backoff, which decorrelated jitter goes by; 0 for none
	spent      int           // retries that were taken from the host's budget
	spare      *trace        // for the next attempt, of this call or of another; nil: make one
	auth       authState

	mu    sync.Mutex // guards what follows against those who look at running calls
	rec   ledger.Call
	state ledger.State
	since time.Duration // when state began
	cur   current
	final bool // the attempt under way is the last

	listed bool      // it was published
	sight  *sighting // of watched; nil before that
	use    uint64    // counts the calls that this memory has served

	prev, next *call // in the list of running calls, under its lock
}

// current is the attempt under way.
type current struct {
	ctx    *attemptContext
	trace  *trace
	cancel context.CancelFunc // ends its timeout; nil without one
	upload *upload
	down   *responseBody // nil until a response with a body has arrived

	answered bool
	head     time.Duration // when the response's head arrived, if it has
}

// begin starts a call. Until it is published, nobody else looks at it.
func (e *engine) begin(base http.RoundTripper, req *http.Request) *call {
	c, _ := e.calls.Get().(*call)
	if c == nil {
		c = &call{tally: e.stats.tally()}
	}
	c.e, c.base, c.req, c.ctx = e, base, req, req.Context()
	c.rec.Started = e.clock.now()
	c.rec.Method = method(req)
	c.address(req)
	c.policy = e.policyFor(req, c.rec.Method, c.rec.Path)
	c.rec.Policy = c.policy.words
	c.rec.Key, c.keyed = c.policy.key(req.Header)
	c.repeatable = c.policy.repeatable(c.rec.Method, c.keyed)
	c.delayed, c.spent = 0, 0
	if c.op = ledger.TraceOf(c.ctx); c.op != nil && c.op.Key != "" {
		c.rec.Key = c.op.Key
	}
	c.watched, c.inner = layerOf(c.ctx)
	c.rec.Previous = 0
	if req.Response != nil && e.recorder != nil {
		c.rec.Previous = e.hops.find(req.Response)
	}
	c.tally.begun.Add(1)
	c.state, c.since = ledger.Sending, 0
	if e.recorder != nil {
		c.bodyLimit = e.recorder.BodyLimit()
	}
	if hasBody(req) {
		c.upload = newUpload(req.Body, c.bodyLimit)
	}
	return c
}

// address notes where the request goes.
func (c *call) address(req *http.Request) {
	c.rec.Scheme, c.rec.Host, c.rec.Path, c.rec.Query = "", "", "", ""
	u := req.URL
	if u == nil {
		return
	}
	c.rec.Scheme, c.rec.Host, c.rec.Query = u.Scheme, u.Host, u.RawQuery
	if c.rec.Path = u.EscapedPath(); u.Opaque != "" {
		c.rec.Path = u.Opaque
	}
}

// publish gives the call its id, with the lock held, and enters it into the list of running
// ones. It is put off until there is something to see: an attempt, a wait or an end.
func (c *call) publish() {
	if c.listed {
		return
	}
	c.listed = true
	if r := c.e.recorder; r != nil {
		c.rec.ID = r.NewID()
		c.e.running.add(c)
	}
	if c.watched != nil {
		c.sight = c.watched.sight(c)
	}
}

// run makes attempts until one of them is the answer.
func (c *call) run() (*http.Response, error) {
	if err := c.check(); err != nil {
		return nil, c.fail(err)
	}
	for n := 1; ; n++ {
		if err := c.enter(n); err != nil {
			return nil, c.fail(err)
		}
		if err := c.ready(n); err != nil {
			c.giveBack()
			return nil, c.fail(err)
		}
		resp, err := c.send(n)
		d, p, err := c.decide(n, resp, err)
		if p == nil {
			return c.conclude(resp, d, err)
		}
		if err := c.goOn(n, resp, d, p); err != nil {
			return nil, c.fail(err)
		}
	}
}

// allowed asks the operation, after all waits, whether it may still be sent.
func (c *call) allowed() error {
	if c.op == nil || c.op.Check == nil {
		return nil
	}
	if err := c.op.Check(); err != nil {
		return fmt.Errorf("redial: not sent: %w", err)
	}
	return nil
}

// check refuses what cannot be sent, before anything is spent on it.
func (c *call) check() error {
	if c.e.err != nil {
		return c.e.err
	}
	if r, ok := c.base.(refusal); ok {
		return r.err
	}
	if err := checkTarget(c.req); err != nil {
		return err
	}
	if err := checkNative(c.base, c.req); err != nil {
		return err
	}
	if !isHTTP(c.req) {
		return nil
	}
	if c.e.hosts == nil {
		return nil
	}
	c.e.hosts.find(&c.claim, c.req, c.rec.Path)
	if len(c.claim.slots) == 0 {
		return nil // Base will find what else is wrong.
	}
	return checkFields(c.req)
}

// fail ends a call for which nothing is under way.
func (c *call) fail(err error) error {
	if c.upload != nil {
		c.upload.discard()
	}
	c.refund() // A retry that was paid for was not sent.
	c.mu.Lock()
	c.publish()
	c.rec.Error = err.Error()
	c.close(c.elapsed())
	c.mu.Unlock()
	c.handOver()
	c.recycle()
	return err
}

// conclude returns the last attempt's response, or the error. The call ends with the
// response's body.
func (c *call) conclude(resp *http.Response, d ledger.Decision, err error) (*http.Response, error) {
	c.mu.Lock()
	last := c.last()
	last.Decision = d
	if err != nil {
		c.rec.Error = err.Error()
	}
	c.final = true
	if err == nil {
		c.answer(resp)
	}
	ended := last.Took > 0
	if ended {
		c.close(last.Start + last.Took)
	}
	c.mu.Unlock()
	if ended {
		c.handOver()
		c.recycle()
	}
	if err != nil {
		return nil, err
	}
	return resp, nil
}

// answer notes that the caller gets a response.
func (c *call) answer(resp *http.Response) {
	if c.sight != nil {
		c.sight.resp.Store(resp)
	}
	if c.e.recorder != nil && redirects(resp) {
		c.e.hops.note(resp, c.rec.ID)
	}
}

// bodyEnded is called once for each response body that was watched.
func (c *call) bodyEnded(kept ledger.Body, err error) {
	c.mu.Lock()
	end := c.elapsed()
	c.endAttempt(end, kept, err)
	final := c.final
	if final {
		if err != nil { // The caller has the response, and now its body's error.
			c.rec.Error = err.Error()
		}
		c.close(end)
	}
	c.mu.Unlock()
	if final {
		c.handOver()
		c.recycle()
	}
}

// close completes the record, with the lock held. It does not change after that.
func (c *call) close(end time.Duration) {
	c.rec.Took = max(end, 1)
	c.rec.State = ledger.Ended
	c.rec.Summarise()
}

// handOver gives the call to the recorder, and tells the operation. Until the recorder has
// it, the call is in the list of running ones, so that it is never in neither.
func (c *call) handOver() {
	if r := c.e.recorder; r != nil {
		r.Record(&c.rec)
		c.e.running.remove(c)
	}
	c.tally.count(&c.rec)
	if c.sight != nil {
		c.sight.end(&c.rec)
	}
	if c.op != nil && c.op.Done != nil {
		c.op.Done(&c.rec)
	}
}

// strict reports whether net/http is held to the replay gate: it is where redial decides
// about sending again.
func (c *call) strict() bool { return c.policy.holds() || c.op != nil }

// abandon ends a call whose goroutine is being torn down. Nobody knows who still holds
// parts of it, so it is not used again.
func (c *call) abandon(why error) {
	if c.upload != nil {
		c.upload.discard()
	}
	switch a := c.last(); {
	case a == nil || a.Took > 0:
	case c.cur.down != nil:
		c.cur.down.Close() // That ends the attempt.
	default:
		c.mu.Lock()
		c.endAttempt(c.elapsed(), ledger.Body{}, why)
		c.mu.Unlock()
	}
	c.mu.Lock()
	c.publish()
	c.rec.Error = why.Error()
	c.close(c.elapsed())
	c.mu.Unlock()
	c.handOver()
}

// panicked returns whose panic it must be that tears down the call's goroutine.
func (c *call) panicked() error {
	switch {
	case c.inGetBody || c.upload != nil && c.upload.remaking():
		return errGetBodyPanicked
	case c.inAuth:
		return errAuthPanicked
	case c.inBase:
		return errBasePanicked
	}
	return errPanicked
}

// elapsed returns the time since the call's start.
func (c *call) elapsed() time.Duration { return time.Since(c.rec.Started) }

// last returns the latest attempt, nil before the first.
func (c *call) last() *ledger.Attempt {
	if n := len(c.rec.AttemptList); n > 0 {
		return &c.rec.AttemptList[n-1]
	}
	return nil
}

// status returns that of the last response that arrived, 0 if none did.
func (c *call) status() int {
	for i := len(c.rec.AttemptList) - 1; i >= 0; i-- {
		if s := c.rec.AttemptList[i].Status; s != 0 {
			return s
		}
	}
	return 0
}

// givenUp returns the context's error and its cause if the caller has given up.
func (c *call) givenUp() (err, cause error) {
	if err := c.ctx.Err(); err != nil {
		if cause := context.Cause(c.ctx); !errors.Is(err, cause) {
			return err, cause
		}
		return err, nil
	}
	cancel := legacyCancel(c.req)
	if cancel == nil {
		return nil, nil
	}
	select {
	case <-cancel:
		return context.Canceled, errRequestCancel
	default:
		return nil, nil
	}
}

// gaveUp returns the error for a call that ends while it waits.
func (c *call) gaveUp(doing string, err, cause error) *GaveUpError {
	return &GaveUpError{Doing: doing, Status: c.status(), Err: err, Cause: cause, Last: c.lastErr}
}
