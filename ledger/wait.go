package ledger

import "time"

// Wait is time that a call spent not sending.
type Wait struct {
	Before  int           // number of the attempt that came, or was to come, after it
	Kind    WaitKind      //
	Start   time.Duration // since the call's start
	Planned time.Duration // how long it was to last when it began; for a window an estimate, which callers that give up can shorten; 0 for bandwidth, where nothing is planned
	Took    time.Duration // how long it lasted; 0 while it goes on, but for bandwidth, where it is the sum of the pauses so far
	Rule    Rule          // the arithmetic behind it
}

// WaitKind is what a call waits for.
type WaitKind uint8

// The kinds of wait.
const (
	WindowWait     WaitKind = iota // a rate window to have room
	BackoffWait                    // the planned pause before the next attempt
	RetryAfterWait                 // the time that the server asked for
	BandwidthWait                  // bytes to be let through by a bandwidth limit; all pauses of one attempt in one direction together
)

// NumWaitKinds is how many kinds of wait there are.
const NumWaitKinds = 4

// String returns the kind as it stands in JSON and in filters.
func (k WaitKind) String() string { return word(k, "window", "backoff", "retry-after", "bandwidth") }

// WaitKinds is a set of kinds of wait: bit 1<<kind for each.
type WaitKinds uint8

// Has reports whether kind is in the set.
func (s WaitKinds) Has(kind WaitKind) bool { return s&(1<<kind) != 0 }

// Rule holds the numbers behind a wait, so that it can be put into words later. Only the
// fields of the wait's kind are set.
type Rule struct {
	// Backoff: the delay is Base × Multiplier^Exponent, at most Max, times Fraction; but see
	// DecorrelatedJitter.
	Base       time.Duration
	Multiplier float64
	Exponent   int
	Max        time.Duration // 0: no maximum
	Jitter     Jitter
	Fraction   float64 // what the jitter drew, in [0, 1]; 1 without jitter

	// Retry-After.
	Asked  time.Duration // what the server asked for
	ByDate bool          // as a date, not as seconds

	// Window.
	Window WindowKind    // how it counts
	Limit  int           // requests in a window; 0: none of ours, the server paused the host
	Per    time.Duration // length of the window
	Ahead  int           // callers that were queued before this one when it began to wait
	Paused bool          // the server asked for a pause, of everybody

	// Bandwidth.
	Rate   int64 // bytes a second
	Upload bool  // of the request's body, not the response's
}

// Jitter says how a backoff is spread so that callers do not come back together.
type Jitter uint8

// The kinds of jitter.
const (
	FullJitter Jitter = iota // a uniform part of the delay, from 0 to all of it
	NoJitter                 // exactly the delay

	EqualJitter        // half of the delay, and a uniform part of the other half
	DecorrelatedJitter // between Base and a multiple of the delay before it, which is Max: Base + Fraction × (Max - Base)
)

// String returns the jitter in words.
func (j Jitter) String() string {
	return word(j, "full jitter", "no jitter", "equal jitter", "decorrelated jitter")
}
