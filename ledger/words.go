package ledger

import (
	"fmt"
	"strings"
)

// Explain says in one sentence why the call was sent again after the attempt, or why it
// was not. With a nil attempt it says why there is none. It may hold what came from the
// caller, such as the method, so it is made visible before it is printed.
func Explain(c *Call, a *Attempt) string {
	switch {
	case a == nil:
		return notBegun(c)
	case a.Decision == Undecided:
		return notDecided(c)
	case a.Decision.SendsAgain():
		return again(c, a) + strings.Join(grounds(c, a), ", ") + "."
	}
	if why := refusal(c, a); why != "" {
		return "Not sent again because: " + why + "."
	}
	return fmt.Sprintf("What was decided has no words here: its code is %d.", a.Decision)
}

// notBegun explains a call without an attempt.
func notBegun(c *Call) string {
	switch {
	case c.Running():
		return "Nothing has been sent yet."
	case c.State == CutOff:
		return "Nothing is known to have been sent: the process was gone first."
	}
	return "Nothing was sent: the call ended first."
}

// notDecided explains an attempt that nothing was decided about.
func notDecided(c *Call) string {
	switch {
	case c.Running():
		return "Nothing is decided yet: the attempt is under way."
	case c.State == CutOff:
		return "Nothing was decided: the process was gone before the attempt ended."
	}
	return "What was decided is not on record."
}

// again begins the sentence about a decision to send again. That the call was sent again
// is only true when a later attempt was begun.
func again(c *Call, a *Attempt) string {
	switch {
	case max(c.Attempts, len(c.AttemptList)) > a.N:
		return "Sent again because: "
	case c.Running():
		return "Will be sent again because: "
	case c.State == CutOff:
		return "Was to be sent again before the process was gone, because: "
	}
	return "Was to be sent again before the call ended, because: "
}

// grounds returns what a decision to send again rests on.
func grounds(c *Call, a *Attempt) []string {
	var all []string
	switch a.Decision {
	case AgainNotSent:
		all = append(all, "the request never reached the server")
	case AgainAuth:
		all = append(all, fmt.Sprintf("a %d asks for credentials, and did nothing else", a.Status))
	default:
		all = append(all, permission(c))
	}
	if a.BytesSent > 0 || a.Request.Body.Size > 0 {
		all = append(all, "the body can be rebuilt")
	}
	switch a.Decision {
	case AgainStatus:
		all = append(all, listed(a.Status))
	case AgainUnknown:
		all = append(all, "nobody knows whether the request arrived")
	case AgainPushback:
		all = append(all, "the server asked for it")
	}
	return all
}

// listed says why a status is a reason to send again. A conflict never is by itself.
func listed(status int) string {
	if status == 409 {
		return "this 409 says that a request with the key is still being worked on"
	}
	return fmt.Sprintf("%d is on the list", status)
}

// permission says what lets a request be repeated that may have had an effect.
func permission(c *Call) string {
	switch {
	case MayRepeat(c.Method):
		return c.Method + " may be repeated"
	case c.Key != "":
		return c.Method + " has an idempotency key"
	}
	return "the policy lets this " + c.Method + " be repeated"
}

// refusal returns why the call was not sent again, "" for a code without words.
func refusal(c *Call, a *Attempt) string {
	switch a.Decision {
	case Done:
		return finality(c, a)
	case NoAttemptsLeft:
		n := tries(c, a)
		if n <= 1 {
			return "the policy allows one attempt"
		}
		return fmt.Sprintf("all %d attempts are used up", n)
	case NotRepeatable:
		return prohibition(c, a)
	case BodyGone:
		return "the body was sent and cannot be rebuilt, since the request has no GetBody"
	case GetBodyFailed:
		return "the body could not be rebuilt: GetBody returned an error"
	case BodyFailed:
		return "the request's own body could not be read"
	case Permanent:
		return "it would fail in the same way again"
	case Cancelled:
		return "the caller gave up"
	case DeadlineTooSoon:
		return "the caller's deadline would pass before the next attempt" + asked(a)
	case LimitTooSoon:
		return "the time limit of the policy would pass before the next attempt" + asked(a)
	case RetryAfterTooLong:
		return "the server asked for a wait of " + readable(a.RetryAfter) + ", and the policy allows less"
	case InnerLayer:
		return "a redial transport further out decides that, since one layer retries"
	case OperationDecides:
		return "it belongs to an operation, which writes its next send down first"
	case Vetoed:
		if a.Status == 0 {
			return "the policy does not send again after such an error"
		}
		return "the server, or a rule of the policy, forbids it"
	case BudgetSpent:
		return "the host's budget for retries is spent"
	case AuthRefused:
		if a.Err != "" {
			return strings.TrimPrefix(a.Err, "redial: ")
		}
		return "the credentials were refused, or cannot be what the server asks for"
	}
	return ""
}

// tries returns how many attempts up to a the policy counts: those that only add
// credentials do not use any up.
func tries(c *Call, a *Attempt) int {
	n := a.N
	for i := range c.AttemptList {
		if leg := &c.AttemptList[i]; leg.N <= a.N && leg.Reason == AuthLeg {
			n--
		}
	}
	return n
}

// finality says why an answer was taken as the last word.
func finality(c *Call, a *Attempt) string {
	switch {
	case a.Status == 0:
		return "it was answered"
	case a.Err != "":
		return fmt.Sprintf("it was answered with %d, and what went wrong behind that came too late", a.Status)
	case a.Status < 400:
		return fmt.Sprintf("it was answered with %d", a.Status)
	case c.Policy == "" && tries(c, a) <= 1:
		return "no policy asks for it"
	}
	return fmt.Sprintf("%d is not on the list", a.Status)
}

// prohibition says why a request may not be repeated, and what the danger is.
func prohibition(c *Call, a *Attempt) string {
	bar := c.Method + " has no idempotency key"
	if c.Key != "" || MayRepeat(c.Method) {
		bar = "the policy does not let this " + c.Method + " be repeated"
	}
	switch {
	case a.Outcome == Answered && a.Status != 0:
		return bar + fmt.Sprintf(", and a %d does not prove that nothing happened", a.Status)
	case a.Outcome == NotSent:
		return bar + ", and the policy is strict even about what never reached the server"
	}
	return bar + ", and nobody knows whether the request arrived"
}

// asked adds what the server asked for, where it did.
func asked(a *Attempt) string {
	if a.RetryAfter <= 0 {
		return ""
	}
	return ", for which the server asked to wait " + readable(a.RetryAfter)
}
