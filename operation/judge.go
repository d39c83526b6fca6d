package operation

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"redial/ledger"
)

// sent is what became of one send.
type sent struct {
	traced  bool           // the transport told of the call, so its outcome is known
	outcome ledger.Outcome // of the call's last attempt
	sends   int            // wire sends, without those that a 401 or 407 answered by asking for credentials: net/http can make more than one
	call    ledger.CallID

	err    error // no response arrived
	status int
	header http.Header
	asked  time.Duration // Retry-After; negative: none
	body   []byte
	long   bool  // the body is longer than what is kept
	read   error // the body could not be read to its end
}

// judge returns the transition out of sending that follows from a send. The order is that
// of the evidence: what is not certain is looked up.
func judge(o *ledger.Operation, s *sent, now time.Time) ledger.Transition {
	t := ledger.Transition{To: ledger.OpChecking, At: now, Call: s.call, Due: now.Add(firstLookup(o)), Evidence: s.facts()}
	switch {
	case !s.traced:
		return because(t, ledger.CodeUnanswerable, "the client does not send through redial, so nothing is known of what it sent")
	case s.err != nil && s.outcome == ledger.NotSent:
		t.NoEffect = true
		return again(o, t, ledger.CodeNotSent, s, "it never reached the server: "+s.err.Error())
	case s.err != nil:
		return because(t, ledger.CodeNoAnswer, "no answer: "+s.err.Error())
	case s.status >= 200 && s.status < 300:
		return answered(o, t, s)
	case s.status >= 300 && s.status < 400:
		return because(t, ledger.CodeRedirected, fmt.Sprintf("answered with %s, which is not followed", text(s.status)))
	case s.status >= 500 || s.status == http.StatusRequestTimeout:
		return because(t, ledger.CodeServerError, fmt.Sprintf("answered with %s, which does not prove that nothing happened", text(s.status)))
	case s.status == http.StatusMisdirectedRequest || s.status == http.StatusTooEarly || s.status == http.StatusTooManyRequests:
		t.NoEffect = s.sends <= 1
		return again(o, t, ledger.CodeThrottled, s, "answered with "+text(s.status))
	case s.status == http.StatusConflict:
		return meant(o, t, s, o.Policy.Conflict)
	case s.status == http.StatusUnprocessableEntity:
		return meant(o, t, s, o.Policy.Unprocessable)
	case s.status >= 400:
		return refused(o, t, s)
	}
	return because(t, ledger.CodeUndeclared, fmt.Sprintf("answered with %s, which says nothing here", text(s.status)))
}

// because completes a transition whose reason is also what went wrong.
func because(t ledger.Transition, code ledger.Code, reason string) ledger.Transition {
	t.Code, t.Reason, t.Error = code, reason, reason
	return t
}

// answered judges a 2xx.
func answered(o *ledger.Operation, t ledger.Transition, s *sent) ledger.Transition {
	switch {
	case s.read != nil:
		return because(t, ledger.CodeUnreadable, fmt.Sprintf("answered with %s, and the answer could not be read: %v", text(s.status), s.read))
	case s.status == http.StatusAccepted && !o.Policy.Accepted:
		return because(t, ledger.CodePromised, "answered with 202 Accepted, which is a promise")
	case o.Doubts > 1 && !o.Policy.Honoured:
		return because(t, ledger.CodeAnsweredLate, fmt.Sprintf("answered with %s, but an earlier send may have had an effect too", text(s.status)))
	}
	t.To, t.Code, t.Due = ledger.OpSucceeded, ledger.CodeAnswered, time.Time{}
	t.Reason = "answered with " + text(s.status)
	t.Result = s.result(o)
	if t.Result.Replayed {
		t.Reason += ", from what the server had stored"
	}
	return t
}

// meant judges a status that means different things at different APIs.
func meant(o *ledger.Operation, t ledger.Transition, s *sent, m ledger.Meaning) ledger.Transition {
	switch {
	case m == ledger.InFlight && o.Policy.Honoured:
		return again(o, t, ledger.CodeInFlight, s, fmt.Sprintf("answered with %s: an earlier request with this key is still being worked on", text(s.status)))
	case m == ledger.Refusal:
		return refused(o, t, s)
	case m == ledger.OtherPayload:
		return because(t, ledger.CodeOtherPayload, fmt.Sprintf("answered with %s: the key was used with another request", text(s.status)))
	}
	return because(t, ledger.CodeUndeclared, fmt.Sprintf("answered with %s, and what that means here is not declared", text(s.status)))
}

// refused judges a definite no. It speaks for this send alone, and only if net/http put it
// on a connection once.
func refused(o *ledger.Operation, t ledger.Transition, s *sent) ledger.Transition {
	t.NoEffect = s.sends <= 1
	if t.NoEffect && o.Doubts <= 1 {
		t = because(t, ledger.CodeRefused, "refused with "+text(s.status))
		t.To, t.Due, t.Result = ledger.OpFailed, time.Time{}, s.result(o)
		return t
	}
	return because(t, ledger.CodeRefusedLate, fmt.Sprintf("refused with %s, but an earlier send may have had an effect", text(s.status)))
}

// again plans the next send where the key, or the certainty that nothing happened, allows
// it. Elsewhere it is looked up.
func again(o *ledger.Operation, t ledger.Transition, code ledger.Code, s *sent, reason string) ledger.Transition {
	left := o.Doubts
	if t.NoEffect {
		left--
	}
	t = because(t, code, reason)
	if left > 0 && !o.Policy.Honoured || !t.NoEffect && code != ledger.CodeInFlight {
		if code != ledger.CodeInFlight {
			t.Code = ledger.CodeRefusedLate
		}
		return t
	}
	t.To, t.Due = ledger.OpBackingOff, t.At.Add(max(backoff(o), s.asked))
	return t
}

// backoff returns the wait before the next send: full jitter over a doubling delay.
func backoff(o *ledger.Operation) time.Duration {
	b := o.Budget.WithDefaults()
	d := b.Base
	for range o.Sends - 1 {
		if d *= 2; d >= b.Max {
			d = b.Max
			break
		}
	}
	return time.Duration(rand.Float64() * float64(d))
}

// result returns what is kept of an answer.
func (s *sent) result(o *ledger.Operation) *ledger.Result {
	r := &ledger.Result{Status: s.status, Replayed: replayed(o, s.header), Dropped: s.long}
	r.Header, _ = split(&http.Request{Header: s.header}, "")
	if !s.long {
		r.Body = s.body
	}
	return r
}

func replayed(o *ledger.Operation, h http.Header) bool {
	name := o.Policy.Replayed
	if name == "" {
		name = "Idempotent-Replayed"
	}
	v := h.Get(name)
	return v != "" && v != "false" && v != "0"
}

// facts says what a send rests on, "" for nothing beyond its reason.
func (s *sent) facts() string {
	switch {
	case s.sends > 1:
		return fmt.Sprintf("put on a connection %d times", s.sends)
	case s.err == nil && s.status != 0:
		return fmt.Sprintf("status %d, %d bytes", s.status, len(s.body))
	}
	return ""
}

func text(status int) string {
	if words := http.StatusText(status); words != "" {
		return fmt.Sprintf("%d %s", status, words)
	}
	return fmt.Sprint(status)
}
