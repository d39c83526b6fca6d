package ledger

import (
	"errors"
	"time"
)

// Operation is one business intent with an outside effect, such as "create order 8841",
// and what has become of it. It owns one idempotency key, unique per service, and
// survives restarts. Only [Operation.Apply] changes its state.
type Operation struct {
	Intent // what is to be done; never changes

	State    OperationState
	Disputed bool  // evidence once contradicted a final word; stays when that is settled
	Version  int64 // counts the moves, from 1; evidence and notes do not count. What compare-and-set compares

	Owner SessionID // the session that drives it; 0: none does
	Fence int64     // counts the owners, from 1; a result that carries an older one is only evidence

	Created   time.Time // when the intent was written
	Updated   time.Time // of the last transition, notes included
	Moved     time.Time // of the last move: since when it is in its state
	FirstSent time.Time // of the first step into sending, from which the key's life is counted; zero: never sent
	LastSent  time.Time // of the last one
	Due       time.Time // when the next send or lookup is planned; zero: nothing is

	Sends    int       // steps into sending
	Doubts   int       // sends whose effect is unknown, the one under way included
	Lookups  int       // lookups made
	NotFound int       // lookups since the last send that found nothing and came late enough to count
	LookedUp time.Time // when the last lookup was answered; zero: never
	Finding  Verdict   // of the last lookup
	Failing  int       // lookups in a row, up to the last one, that brought nothing usable
	Held     bool      // it was pending once: nothing is sent for it by itself any more, until a person replays it
	Ageless  bool      // the clock was set back in its life, so nobody knows how old its key is; stays for good

	LastError string  // the last thing that went wrong, in words; "" nothing did. Redacted
	SettledBy Actor   // who spoke the final word; zero while there is none
	Result    *Result // the answer that is kept; nil: none yet, or in lists
}

// ID names an operation in a file.
type ID struct{ Service, Key string }

// ID returns the name of the operation.
func (o *Operation) ID() ID { return ID{o.Service, o.Key} }

// Seen is where somebody saw an operation stand, for compare-and-set.
type Seen struct {
	Version int64
	Fence   int64 // 0: whoever owns it
}

// Seen returns where the operation stands, for its owner.
func (o *Operation) Seen() Seen { return Seen{o.Version, o.Fence} }

// The errors by which a store says that a step was not made.
var (
	ErrExists      = errors.New("the service has an operation with this key")
	ErrNoOperation = errors.New("there is no such operation")
	ErrMoved       = errors.New("the operation has moved on")
)

// Settled reports whether a final word was spoken and stands.
func (o *Operation) Settled() bool { return o.State == OpSucceeded || o.State == OpFailed }

// Intent is what an operation is to do. It is written once, before anything is sent.
type Intent struct {
	Service string // that it belongs to
	Key     string // the idempotency key, the bare value: 1 to 255 printable ASCII characters
	Name    string // what kind of operation it is, such as "create order"
	Ref     string // a business number by which it can be looked up; "" without one

	Method   string
	URL      string   // whole, secrets included: a replay must send the same
	Header   []Field  // in the order of names, without credentials and without the key
	Withheld []string // names of the headers that were sent and are not kept, since they are credentials
	Body     []byte   // exactly as it is sent; nil: none. Only read to send and to fingerprint

	Fingerprint [32]byte // of the request, by [Intent.Sum]

	Policy KeyPolicy
	Budget Budget
	Lookup *Lookup // nil: none that is data
	Asks   bool    // the service has a function that looks it up
	Undo   *Undo   // how it can be undone; nil: it cannot

	Compensates string // the key of the operation that this one undoes; "" for most
}

// Budget bounds what is done for one operation without a person. Zero fields mean the
// defaults.
type Budget struct {
	Sends          int           // steps into sending at most; 0: 4
	For            time.Duration // no send begins later than this after the first; 0: 10 minutes
	AttemptTimeout time.Duration // of each send and each lookup, bodies included; 0: 30 seconds
	Base, Max      time.Duration // the wait before send n+1 is Base × 2^(n-1), at most Max, with full jitter; 0: 500 ms and 30 seconds
}

// The defaults of [Budget] and [KeyPolicy].
const (
	DefaultSends          = 4
	DefaultFor            = 10 * time.Minute
	DefaultAttemptTimeout = 30 * time.Second
	DefaultBackoffBase    = 500 * time.Millisecond
	DefaultBackoffMax     = 30 * time.Second
	DefaultLifetime       = 24 * time.Hour
)

// WithDefaults returns the budget with its zero fields filled in.
func (b Budget) WithDefaults() Budget {
	set(&b.Sends, DefaultSends)
	set(&b.For, DefaultFor)
	set(&b.AttemptTimeout, DefaultAttemptTimeout)
	set(&b.Base, DefaultBackoffBase)
	set(&b.Max, DefaultBackoffMax)
	b.Max = max(b.Max, b.Base)
	return b
}

// set gives a field its default if it is zero.
func set[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// Undo says how an operation is undone at the server. It is an effect of its own, so it
// runs as an operation of its own.
type Undo struct {
	Method string // DELETE or POST, for instance
	URL    string // with {key} or {ref}
	Body   []byte // nil: none; {key} and {ref} are put in here too
}

// Result is the answer that settled an operation, for callers that come again.
type Result struct {
	Status   int
	Header   []Field // redacted
	Body     []byte  // nil when it is not kept
	Dropped  bool    // the body was longer than [MaxResult] and is not kept
	Replayed bool    // the server said that it answered from what it had stored
	Found    bool    // the answer itself was lost: this is what a lookup found
}

// MaxResult is how many bytes of an answer are kept.
const MaxResult = 1 << 20

// OperationQuery selects operations from a store.
type OperationQuery struct {
	Filter  Filter           // the zero Filter matches every operation
	Service string           // "" every service
	Open    bool             // only those that are not settled; disputed ones are among them
	States  []OperationState // nil: every state
	Limit   int              // at most so many; 0: no limit
	Urgent  bool             // disputed first, then by age, oldest first; otherwise by creation, oldest first
	Newest  bool             // without Urgent: newest first
	After   ID               // without Urgent: only those created after that one, in either order; zero: all

	Zone *time.Location // in which the filter's at: tells the time; nil is UTC

	// Progress is told as that of a [Query]. nil: nobody asks.
	Progress func(seen, total int64)
}

// OperationCounts sums up what waits for a person.
type OperationCounts struct {
	Pending  int64     // operations that are pending
	Oldest   time.Time // when the oldest of them was created; zero: none is pending
	Disputed int64     // operations that are disputed
}
