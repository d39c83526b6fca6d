package ledger

import "time"

// Transition is one row in the life of an operation: a move from one state to another, or,
// where From and To are the same, a lookup, a piece of evidence or a note. Rows are only
// ever appended.
type Transition struct {
	N       int64 // its position in the file, given by the store; 0 before
	Service string
	Key     string

	From, To OperationState
	At       time.Time
	Actor    Actor
	Code     Code
	Reason   string // in words: what happened, or what a person says; redacted
	Evidence string // what it rests on, in words; "" without any; redacted
	Call     CallID // the call behind it; 0 for none

	// What the move does to the operation besides its state.
	NoEffect bool      // the send that ends had no effect: not sent, or definitely refused
	Due      time.Time // when the next send or lookup is planned; zero: nothing is
	Finding  Verdict   // for lookups
	Asked    time.Time // for lookups: when it was asked
	Result   *Result   // the answer to keep; nil: none
	Error    string    // for LastError; "" leaves it
}

// Actor says who made a transition.
type Actor struct {
	Kind ActorKind
	Name string // of the person; "" for the others
}

// ActorKind is what an actor is.
type ActorKind uint8

// The kinds of actors.
const (
	NoActor    ActorKind = iota
	Service              // the service's own call of Do
	Reconciler           // the library, on its own, afterwards
	Person               // somebody, by name
)

// String returns the person's name, or the kind.
func (a Actor) String() string {
	if a.Kind == Person {
		return a.Name
	}
	return word(a.Kind, "", "service", "reconciler")
}

// Code says why a transition was made.
type Code uint8

// The codes, in the order of an operation's life.
const (
	NoCode Code = iota

	CodePlanned   // to prepared: a plan, sent by nobody yet
	CodeSent      // to sending: the first send
	CodeCancelled // to failed: never sent, and not wanted any more

	CodeAnswered      // to succeeded: a 2xx that could be read
	CodeRefused       // to failed: the server said no, and nothing else was sent
	CodeNotSent       // to backing-off: it never reached the server
	CodeThrottled     // to backing-off: 421, 425 or 429
	CodeInFlight      // to backing-off: 409, an earlier send is still being worked on
	CodeNoAnswer      // to checking: nobody knows whether it arrived
	CodeServerError   // to checking: a 5xx or 408, which proves nothing
	CodeRedirected    // to checking: a 3xx, which is not followed
	CodePromised      // to checking: 202, which is a promise
	CodeUnreadable    // to checking: a 2xx whose body could not be read
	CodeUndeclared    // to checking: a 409 or 422 whose meaning is not declared, or a status that means nothing here
	CodeOtherPayload  // to pending by checking: the key was used with another request
	CodeRefusedLate   // to checking: the server said no, but an earlier send may still have an effect
	CodeAnsweredLate  // to checking: a 2xx, but an earlier send may have had an effect too
	CodeUnanswerable  // to checking: the client is not redial's, so nothing is known of the send
	CodeTakenOver     // to checking: whoever sent it is gone
	CodeWaitOver      // to sending: the backoff is over
	CodeBudgetSpent   // to pending or failed: sends or time are used up
	CodeFound         // to succeeded: a lookup found it
	CodeResubmitted   // to sending: looked up, not found, and the key is honoured
	CodeNotFound      // to pending: not found, and it must not be sent again
	CodeLookupFailed  // to pending: the lookup brought nothing
	CodeNoLookup      // to pending: there is no way to ask
	CodeNotHonoured   // to pending: the server is not declared to honour keys
	CodeKeyTooOld     // to pending: the server may have forgotten the key
	CodeFoundTwice    // to pending: a lookup found it more than once
	CodeFoundOther    // to pending: a lookup found another payload
	CodeNoCredentials // to pending: a credential that was withheld is not there

	CodeLookupDue    // to checking: a lookup is due
	CodeLookupAsked  // to checking: a person asked for a lookup
	CodeReplayed     // to sending: a person asked for a replay
	CodeConfirmed    // to succeeded: a person knows that it happened
	CodeDenied       // to failed: a person knows that it did not
	CodeCompensated  // to failed: it was undone, and nothing is there any more
	CodeContradicted // to disputed: evidence against the final word
	CodeReopened     // to pending: a person takes the final word back

	CodeLookedUp // no move: what a lookup brought
	CodeEvidence // no move: something that was seen
	CodeNote     // no move: what a person says
	CodeClaimed  // no move: a session drives it from here
	numCodes
)

// String returns the code as it stands in JSON.
func (c Code) String() string {
	return word(c, "", "planned", "sent", "cancelled", "answered", "refused", "not-sent", "throttled",
		"in-flight", "no-answer", "server-error", "redirected", "promised", "unreadable", "undeclared",
		"other-payload", "refused-late", "answered-late", "unanswerable", "taken-over", "wait-over", "budget-spent", "found",
		"resubmitted", "not-found", "lookup-failed", "no-lookup", "not-honoured", "key-too-old", "found-twice",
		"found-other", "no-credentials", "lookup-due", "lookup-asked", "replayed", "confirmed", "denied",
		"compensated", "contradicted", "reopened", "looked-up", "evidence", "note", "claimed")
}
