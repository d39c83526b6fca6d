package transport

import (
	"net/http"
	"time"

	"redial/ledger"
)

// Advisor looks at what came of an attempt and says what it means. It is asked after every
// attempt, the last one and those that went well included, but not about a 401 or 407 that
// [Transport.Auth] deals with. It must neither change what it is shown nor keep it. Calls
// that run at the same time ask it at the same time.
type Advisor func(*Result) Advice

// Result is what came of an attempt.
type Result struct {
	Attempt  int            // its number in the call, from 1
	Request  *http.Request  // the caller's; never nil, so that its method is known after an error, too
	Response *http.Response // nil after an error; Start has the first bytes of its body
	Err      error          // nil with a response
	Outcome  ledger.Outcome // what is known of the sending

	call *call
}

// Advice is what an [Advisor] says. The zero value is no opinion.
//
// Of several advisors a Veto outweighs all, and a RateLimit an Again; the longest Wait
// counts.
type Advice struct {
	Verdict Verdict

	// Wait is how long the server wants to be left alone. It is obeyed as a Retry-After is,
	// [Retry.MaxRetryAfter] included; if both are there, the longer counts. If zero, the
	// policy's own delay does. It means nothing with NoOpinion and Veto.
	Wait time.Duration
}

// Verdict is what an advisor makes of an attempt.
type Verdict uint8

// The verdicts. None of them makes a request repeatable that is not, and none but Veto
// changes what follows from an error that cannot change.
const (
	NoOpinion Verdict = iota
	Again             // the request may be sent again, whatever the status
	RateLimit         // the server limits its callers: as Again, and all other calls to it wait as after a 429
	Veto              // the request is not to be sent again
)

// ask returns what the policy's advisors say of attempt n.
func (c *call) ask(n int, resp *http.Response, err error) (all Advice) {
	if len(c.policy.Advisors) == 0 {
		return all
	}
	r := &Result{Attempt: n, Request: c.req, Response: resp, Err: err, Outcome: ledger.Answered, call: c}
	if err != nil {
		r.Outcome = c.last().Outcome
	}
	for _, advisor := range c.policy.Advisors {
		a := advisor(r)
		all.Verdict = max(all.Verdict, a.Verdict)
		if a.Verdict == RateLimit {
			c.pauseAll(max(a.Wait, throttleBase), c.elapsed())
		}
		if a.Verdict == Again || a.Verdict == RateLimit {
			all.Wait = max(all.Wait, a.Wait)
		}
	}
	r.call = nil
	return all
}
