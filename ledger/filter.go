package ledger

import (
	"regexp"
	"time"
)

// Filter is a parsed expression of the filter language. The zero Filter matches every call.
type Filter struct {
	Text string // as it was written
	Root Expr   // nil matches every call
}

// Expr is a node of a filter: [And], [Or], [Not] or [*Term].
type Expr interface{ isExpr() }

// And matches when every part does.
type And []Expr

// Or matches when one part does.
type Or []Expr

// Not matches when X does not.
type Not struct{ X Expr }

// Term is one test. Which of its value fields is set depends on Key.
//
// A text is matched without regard to case and as a whole: where the language asks for
// "contains", as it does for bare words, [KeyURL] and [KeyError], the parser has put a *
// at both ends. A call that has nothing to look at, such as no idempotency key, matches
// only the empty Text: neither a *, nor any regular expression, nor a number of 1 or more.
type Term struct {
	Key        Key
	Op         Op
	Text       string           // text keys: what the whole value must look like, where * stands for any run of characters; lower case
	Regexp     *regexp.Regexp   // text keys, and a bare /…/: set instead of Text; matches anywhere in the value
	From, To   int64            // number keys: both ends of an inclusive range; Op is always OpEqual, since comparisons are turned into ranges
	Duration   time.Duration    // duration keys, and last; a range of durations is two terms
	Clock      [2]time.Duration // at: from, and the first moment after it, since midnight, local time; To before From passes midnight
	Code       uint8            // wait, outcome: the WaitKind or Outcome
	Start, End int              // where the term stands in the text, in bytes
}

func (And) isExpr()   {}
func (Or) isExpr()    {}
func (Not) isExpr()   {}
func (*Term) isExpr() {}

// Op compares a call's value with a term's.
type Op uint8

// The comparisons.
const (
	OpEqual Op = iota // text: matches; numbers: in From..To; durations: exactly
	OpLess
	OpAtMost
	OpMore
	OpAtLeast
)

// Key is what a term looks at.
type Key uint8

// The keys of the language, with the kind of their values.
const (
	KeyAny       Key = iota // a bare word or /…/: in the URL or in the idempotency key
	KeyHost                 // text; without a port it matches any port
	KeyMethod               // text
	KeyPath                 // text
	KeyURL                  // text, anywhere in the URL as [Call.URL] returns it
	KeyKey                  // text: the idempotency key
	KeyError                // text, anywhere in the call's error
	KeyService              // text: of the call's session
	KeySession              // number
	KeyStatus               // number, 5xx is 500..599; 0 is no response, which only an explicit 0 asks for: <500 is 1..499; what a server answered, whether or not that is a failure
	KeyAttempts             // number
	KeySends                // number: wire sends
	KeyDur                  // duration of the call; of a running one so far
	KeyWaited               // duration of all its waits, with the one that goes on
	KeyWait                 // WaitKind in Code
	KeyOutcome              // Outcome in Code
	KeyRunning              // yes or no: Code 1 or 0
	KeyState                // text: state of an operation; no call has one, see [ParseCallFilter]
	KeyLast                 // duration: the call started no longer before Env.End than that
	KeyAt                   // Clock: the call's start
	KeyDuplicate            // whether and how the call was sent twice: DuplicateNo, DuplicateYes, or a DuplicateKind above them
)

// keyNames has the name of each key as it is written before the colon.
var keyNames = [...]string{
	KeyAny: "", KeyHost: "host", KeyMethod: "method", KeyPath: "path", KeyURL: "url", KeyKey: "key",
	KeyError: "error", KeyService: "service", KeySession: "session", KeyStatus: "status",
	KeyAttempts: "attempts", KeySends: "sends", KeyDur: "dur", KeyWaited: "waited", KeyWait: "wait",
	KeyOutcome: "outcome", KeyRunning: "running", KeyState: "state", KeyLast: "last", KeyAt: "at",
	KeyDuplicate: "duplicate",
}

// The codes of [KeyDuplicate] that name no kind.
const (
	DuplicateNo  uint8 = iota // it was not
	DuplicateYes              // it was, in whatever way
)

// DuplicateKind returns the kind that a term with [KeyDuplicate] asks for, [NoDuplicate] if
// it names none.
func (t *Term) DuplicateKind() DuplicateKind {
	if t.Code <= DuplicateYes {
		return NoDuplicate
	}
	return DuplicateKind(t.Code - DuplicateYes)
}

// String returns the key as it is written before the colon, "" for [KeyAny].
func (k Key) String() string { return word(k, keyNames[:]...) }

// Env is what a filter needs to know besides the call.
type Env struct {
	End     time.Time      // what last: counts back from, and until when running calls have lasted: now for a live session, else the end of its recording
	Zone    *time.Location // of at:; nil is UTC
	Service string         // of the call's session, for service:
}
