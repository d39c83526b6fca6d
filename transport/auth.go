package transport

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"redial/ledger"
)

// Auth puts credentials on requests and answers the challenges of servers (401) and of
// proxies (407), RFC 9110, section 11. Package redial/transport/digest has one. It is safe
// for concurrent use, and holds no lock while it waits for anything.
//
// Sending again with credentials is a leg of the same call. It is an attempt of its own in
// the record, takes a place in the windows and asks the operation like any other, but does
// not use up [Retry.Attempts]. A call has at most two legs. They are allowed whatever the
// method and under an operation too, since a request that was answered with 401 or 407 was
// not acted on. The body is sent whole again; if it cannot be made again, the response is
// returned as it is.
//
// What the caller has put into Authorization wins: its 401 is the caller's. The same holds
// for Proxy-Authorization and 407.
//
// An Auth with a method Validate() error is asked once, when the transport is first used,
// and its error is what each RoundTrip returns.
type Auth interface {
	// Authorize sets, in r.Header, the credentials that r is to be sent with, if there are
	// any for it. It is called immediately before each attempt. challenge is the last 401
	// or 407 of this call that a leg was made for, its body closed; with nil there was
	// none, and credentials can only be known from earlier calls.
	//
	// r is a copy of the caller's request whose header alone may be changed. Its Body is
	// not to be touched; GetBody may be called, and what it gives is to be closed. With an
	// error nothing is sent, and the call returns it.
	Authorize(r *http.Request, challenge *http.Response) error

	// Answer is told how each attempt ended: with resp, whose body it must not touch, or
	// without a response if that is nil. r is what Authorize had. If resp is a 401 or a
	// 407, it reports whether to send again with credentials; legs is how many legs this
	// call has had because of that status. An error says why the credentials that the
	// response asks for were refused or cannot be given: the response is returned, and the
	// reason is in the record. Neither means that the challenge is none of its business.
	Answer(r *http.Request, resp *http.Response, legs int) (again bool, err error)
}

// Auths is several that are asked one after another, such as one for a server and one for
// a proxy. The first that sets a header has it.
type Auths []Auth

// Authorize lets each add its credentials.
func (as Auths) Authorize(r *http.Request, challenge *http.Response) error {
	for _, a := range as {
		if err := a.Authorize(r, challenge); err != nil {
			return err
		}
	}
	return nil
}

// Answer tells each of them, and reports whether one can answer; if none can, why not.
func (as Auths) Answer(r *http.Request, resp *http.Response, legs int) (again bool, err error) {
	for _, a := range as {
		ok, e := a.Answer(r, resp, legs)
		again = again || ok
		if err == nil {
			err = e
		}
	}
	if again {
		return true, nil
	}
	return false, err
}

// Validate returns the first error of those that it has.
func (as Auths) Validate() error {
	for _, a := range as {
		if err := validateAuth(a); err != nil {
			return err
		}
	}
	return nil
}

func validateAuth(a Auth) error {
	if v, ok := a.(interface{ Validate() error }); ok {
		return v.Validate()
	}
	return nil
}

// maxLegs is how many legs a call may have: one, and one more if the nonce was stale, or
// if a proxy and the server both ask.
const maxLegs = 2

var errTooManyLegs = errors.New("redial: asked for credentials again after two legs that had them")

// authState is what a call knows of its credentials; the zero value without an Auth.
type authState struct {
	sent      *http.Request  // the attempt's, with its credentials
	challenge *http.Response // what the last leg answers
	server    int            // legs because of a 401
	proxy     int            // legs because of a 407
	leg       bool           // the next attempt, or the one under way, is a leg
}

func (a *authState) legs() int { return a.server + a.proxy }

// tries returns how many of the call's n attempts count for the policy.
func (c *call) tries(n int) int { return n - c.auth.legs() }

// ready is asked after all waits and immediately before attempt n.
func (c *call) ready(n int) error {
	if c.e.auth == nil {
		return c.allowed()
	}
	if err := c.authorize(); err != nil {
		if ctxErr, cause := c.givenUp(); ctxErr != nil {
			return c.gaveUp(fmt.Sprintf("before attempt %d", n), ctxErr, cause)
		}
		return err
	}
	err := c.allowed()
	if err != nil {
		c.tell(nil) // The credentials were not used.
	}
	return err
}

// authorize lets the Auth put its credentials on what the next attempt sends.
func (c *call) authorize() error {
	if !isHTTP(c.req) {
		return nil
	}
	r := c.req.WithContext(c.ctx)
	if r.Header = r.Header.Clone(); r.Header == nil {
		r.Header = http.Header{}
	}
	c.inAuth = true
	err := c.e.auth.Authorize(r, c.auth.challenge)
	c.inAuth = false
	if err == nil {
		c.auth.sent = r
	}
	return err
}

// tell tells the Auth how the attempt ended.
func (c *call) tell(resp *http.Response) (again bool, err error) {
	r, legs := c.auth.sent, 0
	c.auth.sent = nil
	if resp != nil {
		if n := c.auth.of(resp.StatusCode); n != nil {
			legs = *n
		}
	}
	c.inAuth = true
	again, err = c.e.auth.Answer(r, resp, legs)
	c.inAuth = false
	return again, err
}

// of returns the counter of the legs that are made because of a status, nil for one that
// asks for no credentials.
func (a *authState) of(status int) *int {
	switch status {
	case http.StatusUnauthorized:
		return &a.server
	case http.StatusProxyAuthRequired:
		return &a.proxy
	}
	return nil
}

// decide decides after attempt n what comes next: a leg with credentials, what the replay
// gate allows, or nothing.
func (c *call) decide(n int, resp *http.Response, err error) (ledger.Decision, *plan, error) {
	if c.auth.sent != nil {
		if d, p := c.challenged(resp); d != ledger.Undecided {
			if p == nil {
				c.earn()
			}
			return d, p, nil
		}
	}
	return c.judge(n, resp, err)
}

// challenged decides, while the response is open, whether a leg answers it. Undecided
// leaves that to the gate.
func (c *call) challenged(resp *http.Response) (ledger.Decision, *plan) {
	again, refused := c.tell(resp)
	switch {
	case resp == nil || c.auth.of(resp.StatusCode) == nil || ownCredentials(c.req, resp.StatusCode):
		return ledger.Undecided, nil
	case !again && refused == nil:
		return ledger.Undecided, nil
	case again && c.auth.legs() >= maxLegs:
		refused = errTooManyLegs
	}
	if refused != nil {
		c.note(refused)
		return ledger.AuthRefused, nil
	}
	if c.upload != nil && c.req.GetBody == nil {
		return ledger.BodyGone, nil
	}
	if d, _ := c.tooSoon(c.elapsed(), 0); d != ledger.Undecided {
		return d, nil
	}
	body, err := c.rebuild()
	if err != nil {
		c.note(err)
		return ledger.GetBodyFailed, nil
	}
	return ledger.AgainAuth, &plan{body: body}
}

// note puts an error beside a response that is returned: the record alone can tell.
func (c *call) note(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last().Err = err.Error()
}

// goOn prepares what was decided to be sent after attempt n.
func (c *call) goOn(n int, resp *http.Response, d ledger.Decision, p *plan) error {
	if c.auth.leg = d == ledger.AgainAuth; !c.auth.leg {
		return c.pause(n, resp, d, p)
	}
	c.mu.Lock()
	c.last().Decision = d
	c.mu.Unlock()
	c.replace(resp, p.body)
	c.auth.challenge = resp
	*c.auth.of(resp.StatusCode)++
	return nil
}

// ownCredentials reports whether the caller has set the header that a 401 or 407 asks for.
func ownCredentials(r *http.Request, status int) bool {
	name := "Authorization"
	if status == http.StatusProxyAuthRequired {
		name = "Proxy-Authorization"
	}
	if _, ok := r.Header[name]; ok {
		return true
	}
	for k := range r.Header {
		if strings.EqualFold(k, name) {
			return true
		}
	}
	return false
}
