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
type Term struct {
	Key        Key
	Op         Op
	Text       string           // text keys: the value, where * stands for any run of characters; lower case
	Regexp     *regexp.Regexp   // text keys, and a bare /…/: set instead of Text
	From, To   int64            // number keys: both ends of an inclusive range; Op is OpEqual then
	Duration   time.Duration    // duration keys, and last
	Clock      [2]time.Duration // at: from and to, since midnight, local time; To before From passes midnight
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
	OpEqual Op = iota // text: matches; numbers: in From..To
	OpLess
	OpAtMost
	OpMore
	OpAtLeast
)

// Key is what a term looks at.
type Key uint8

// The keys of the language, with the kind of their values.
const (
	KeyAny      Key = iota // a bare word or /…/: URL, idempotency key
	KeyHost                // text; without a port it matches any port
	KeyMethod              // text
	KeyPath                // text
	KeyURL                 // text
	KeyKey                 // text: the idempotency key
	KeyError               // text
	KeyService             // text: of the call's session
	KeySession             // number
	KeyStatus              // number, 5xx is 500..599; 0 is no response
	KeyAttempts            // number
	KeySends               // number: wire sends
	KeyDur                 // duration of the call
	KeyWaited              // duration of all its waits
	KeyWait                // WaitKind in Code
	KeyOutcome             // Outcome in Code
	KeyRunning             // yes or no: Code 1 or 0
	KeyState               // text: state of the call's operation; calls without one match none
	KeyLast                // duration
	KeyAt                  // Clock
)

// Env is what a filter needs to know besides the call.
type Env struct {
	End     time.Time      // what last: counts back from: now for a live session, else the end of its recording
	Zone    *time.Location // of at:; nil is UTC
	Service string         // of the call's session, for service:
}
