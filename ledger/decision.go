package ledger

// Decision is what was decided after an attempt, or in place of one: to send again, or
// why not.
type Decision uint8

// The decisions. Those whose names begin with Again send again; all others end the call.
const (
	Undecided Decision = iota // the attempt still runs, or its process was killed

	AgainNotSent // sent again: the attempt never reached the server
	AgainStatus  // sent again: its status is on the list, and the request may be repeated
	AgainUnknown // sent again: nobody knows whether it arrived, but the request may be repeated

	Done              // answered, and the status is not on the list
	NoAttemptsLeft    // all attempts are used up
	NotRepeatable     // the method does not allow it, and there is no idempotency key
	BodyGone          // the body was sent and cannot be made again: the request has no GetBody
	GetBodyFailed     // GetBody returned an error
	BodyFailed        // the request's own body could not be read
	Permanent         // sending again cannot help: certificate, protocol, or an invalid request
	Cancelled         // the caller gave up
	DeadlineTooSoon   // the caller's deadline would pass before the next attempt
	LimitTooSoon      // the overall limit of the policy would pass before the next attempt
	RetryAfterTooLong // the server asked for a longer wait than the policy allows
	InnerLayer        // a redial transport further out decides: one layer retries
	OperationDecides  // the operation decides, and writes its next send down first

	AgainPushback // sent again: the server itself asked for that, and the request may be repeated
	AgainAuth     // sent again with credentials: the server asked for them

	Vetoed      // the server, or a rule of the policy, forbids it
	BudgetSpent // the retry budget of the host is spent
	AuthRefused // the credentials were refused, or what the server asks for cannot be given
	numDecisions
)

// SendsAgain reports whether the decision was to send again.
func (d Decision) SendsAgain() bool {
	return d >= AgainNotSent && d <= AgainUnknown || d == AgainPushback || d == AgainAuth
}

// String returns the decision's code, as it stands in JSON; "" when undecided.
func (d Decision) String() string {
	return word(d, "", "again-not-sent", "again-status", "again-unknown", "done", "no-attempts-left",
		"not-repeatable", "body-gone", "get-body-failed", "body-failed", "permanent", "cancelled",
		"deadline-too-soon", "limit-too-soon", "retry-after-too-long", "inner-layer", "operation-decides",
		"again-pushback", "again-auth", "vetoed", "budget-spent", "auth-refused")
}

// MayRepeat reports whether a request may be repeated by the definition of its method (RFC
// 9110, section 9.2.2). What an API makes of it, and a key that it honours, are for the
// policy to know.
func MayRepeat(method string) bool {
	switch method {
	case "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE":
		return true
	}
	return false
}
