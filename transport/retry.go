package transport

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"time"

	"redial/ledger"
)

// Jitter says how a backoff is spread so that callers do not come back together.
type Jitter = ledger.Jitter

// The kinds of jitter.
const (
	FullJitter         = ledger.FullJitter         // a uniform part of the delay, from 0 to all of it
	NoJitter           = ledger.NoJitter           // exactly the delay
	EqualJitter        = ledger.EqualJitter        // half of the delay, and a uniform part of the other half
	DecorrelatedJitter = ledger.DecorrelatedJitter // anything from Base to Multiplier times the delay before it
)

// Retry is a policy for sending again. But for [Repeat] it only ever narrows what the
// replay gate allows, which the package comment describes. The zero value sends once.
type Retry struct {
	// Attempts is how often a request is sent at most, the first time included. 0 and 1
	// send once.
	Attempts int

	// Base, Multiplier and Max make the delay before attempt n+1: Base × Multiplier^(n-1),
	// at most Max. If zero: 200 ms, 2, and 30 s or Base, whichever is longer. With
	// DecorrelatedJitter the delay is drawn between Base and Multiplier times the delay
	// before it, and if Multiplier is zero, it is 3.
	//
	// After a 429 without Retry-After the base is at least 1 s: a server that throttles
	// needs more time than one that hiccuped.
	Base, Max  time.Duration
	Multiplier float64

	// Jitter spreads the delay. The zero value is FullJitter.
	Jitter Jitter

	// AttemptTimeout bounds each attempt, from its being handed to Base until its
	// response's body was read to the end or closed. An attempt that runs into it may be
	// sent again like any other that failed. It counts from before the request's body is
	// sent, so leave room for uploads. It does not cut off a connection that a server
	// switched to another protocol (101). If zero, there is none.
	AttemptTimeout time.Duration

	// ShareDeadline gives an attempt no more than an equal part of the time that is left
	// until the caller's deadline: what is left, over the attempts that are left. So an
	// attempt that hangs leaves time for the next. It has no effect on a request that could
	// not be sent again anyhow, nor without a deadline. With AttemptTimeout the shorter of
	// the two counts.
	ShareDeadline bool

	// Limit bounds the whole: no attempt but the first begins later than this after the
	// call did. It does not cut off an attempt under way; contexts do. If zero, there is none.
	Limit time.Duration

	// MaxRetryAfter is the longest Retry-After that is waited for. When a server asks for
	// more, the call ends and its response is returned: asking sooner would be rude, and
	// waiting longer is the caller's to decide. A Retry-After with a date is taken by this
	// machine's clock or by the response's Date header, whichever makes the wait longer, so
	// with a clock that is far behind the server's it can be above the maximum. If zero,
	// one minute.
	MaxRetryAfter time.Duration

	// Statuses are the response statuses to send again after. If nil: 408, 425, 429, 502,
	// 503 and 504. An empty list that is not nil has none. 409 cannot be among them: see
	// InFlight.
	Statuses []int

	// Errors are the kinds of error to send again after. If nil, all of them. An empty list
	// that is not nil has none. An error that cannot change is never one of them.
	Errors []ErrorKind

	// InFlight reports whether a 409 means that a request with the same key is still being
	// worked on, so that the same request later brings its answer. It is asked only about
	// requests with an idempotency key that means something here, and must leave the body
	// alone. If nil, a 409 is final: it may as well say that the thing already exists.
	InFlight func(*http.Response) bool

	// KeyHeader is the header whose value makes a request repeatable, because the server
	// does the work only once for a key. If empty: Idempotency-Key, and X-Idempotency-Key
	// beside it as in net/http. With any other name those two mean nothing, and net/http
	// is kept from replaying because of them.
	KeyHeader string

	// Repeat says which requests may be sent again although they may have had an effect. The
	// zero value goes by the method and the key.
	Repeat Repeat

	// Strict keeps a request that may not be repeated from being sent again even where it
	// provably never reached the server. net/http's own replay of a request of which it has
	// written nothing cannot be stopped.
	Strict bool

	// Advisors are asked after each attempt, in order. They can forbid to send again, and
	// say that a server asks for it or limits its callers, which only ever happens within the
	// replay gate.
	Advisors []Advisor
}

// Repeat says which requests may be sent again after they may have had an effect.
type Repeat uint8

// What may be repeated. GET, HEAD, OPTIONS and TRACE are safe methods (RFC 9110, section
// 9.2.1), PUT and DELETE are idempotent as well (section 9.2.2): by the RFC. What an API
// makes of them is for its contract to say.
const (
	ByMethodOrKey Repeat = iota // safe and idempotent methods, and whatever has a key
	ByMethod                    // the same methods; a key means nothing to this API
	ByKey                       // safe methods, and whatever has a key: a PUT may lose an update
	AlwaysRepeat                // whatever the method is, such as a POST that only reads; for a [Route] with Methods
	NeverRepeat                 // nothing but what provably never reached the server
)

// String returns what may be repeated in words.
func (r Repeat) String() string {
	switch r {
	case ByMethodOrKey:
		return "by method or key"
	case ByMethod:
		return "by method, whatever its key"
	case ByKey:
		return "by key alone, but safe methods"
	case AlwaysRepeat:
		return "always"
	case NeverRepeat:
		return "never"
	}
	return "?"
}

// ErrorKind is a kind of error of an attempt.
type ErrorKind uint8

// The kinds of error. Each error is of one.
const (
	DNSError     ErrorKind = iota // the name of the host could not be looked up
	ConnectError                  // no connection to the host or its proxy was made
	TimeoutError                  // it took too long: AttemptTimeout, or a limit of Base
	LostError                     // any other, such as a connection that was lost
	numErrorKinds
)

// String returns the kind as it stands in a policy file and in the words of a policy.
func (k ErrorKind) String() string {
	names := [...]string{"dns", "connect", "timeout", "lost"}
	if int(k) < len(names) {
		return names[k]
	}
	return "?"
}

const (
	defaultBase          = 200 * time.Millisecond
	defaultMax           = 30 * time.Second
	defaultMultiplier    = 2
	defaultSpread        = 3 // Multiplier of decorrelated jitter
	defaultMaxRetryAfter = time.Minute
	throttleBase         = time.Second // least base after a 429 without Retry-After
)

// SafeRetry makes up to three attempts with the default delays. A fourth rarely helps, and
// is one more request for a server in trouble. Copy it to change it, and assign nothing to
// it.
var SafeRetry = Retry{Attempts: 3}

// StrictRetry is SafeRetry for those who would rather lose a request than explain one: a
// POST or PATCH without an idempotency key is never sent again, not even when it provably
// never reached the server. Copy it to change it.
var StrictRetry = Retry{Attempts: 3, Strict: true}

// ArticleRetry waits 2, 4, 8, 16 … seconds, without jitter, and takes a 500 for a reason
// to send again, as the article does that it is named after. It has no Attempts: copy it
// and set them, and give the copy a list of its own before Statuses is changed in place.
var ArticleRetry = Retry{
	Base:       2 * time.Second,
	Multiplier: 2,
	Max:        10 * time.Minute,
	Jitter:     NoJitter,
	Statuses:   []int{408, 425, 429, 500, 502, 503, 504},
}

// validate returns an error that names the first field that cannot be. name is what the
// policy is called there, such as Retry.
func (r *Retry) validate(name string) error {
	switch {
	case r.Attempts < 0:
		return invalid(name+".Attempts", r.Attempts, "use 1 or 0 to send once, more to send again")
	case r.Multiplier != 0 && !(r.Multiplier >= 1 && r.Multiplier <= math.MaxFloat64):
		return invalid(name+".Multiplier", r.Multiplier, "use 1 or more, or 0 for the default of 2")
	case r.Jitter > DecorrelatedJitter:
		return invalid(name+".Jitter", uint8(r.Jitter), "use FullJitter, NoJitter, EqualJitter or DecorrelatedJitter")
	case r.KeyHeader != "" && !isToken(r.KeyHeader):
		return invalid(name+".KeyHeader", strconv.Quote(r.KeyHeader), "use the name of a header, such as Idempotency-Key")
	case r.Repeat > NeverRepeat:
		return invalid(name+".Repeat", uint8(r.Repeat), "use ByMethodOrKey, ByMethod, ByKey, AlwaysRepeat or NeverRepeat")
	}
	if err := r.validateDurations(name); err != nil {
		return err
	}
	return r.validateLists(name)
}

func (r *Retry) validateDurations(name string) error {
	for _, f := range []struct {
		name string
		d    time.Duration
	}{
		{"Base", r.Base}, {"Max", r.Max}, {"AttemptTimeout", r.AttemptTimeout},
		{"Limit", r.Limit}, {"MaxRetryAfter", r.MaxRetryAfter},
	} {
		if f.d < 0 {
			return invalid(name+"."+f.name, f.d, "use a positive duration, or 0 for the default")
		}
	}
	return nil
}

func (r *Retry) validateLists(name string) error {
	for i, s := range r.Statuses {
		field := fmt.Sprintf("%s.Statuses[%d]", name, i)
		switch {
		case s < 200 || s > 599:
			return invalid(field, s, "use response statuses from 200 to 599")
		case s == http.StatusConflict:
			return invalid(field, s, "a conflict is only sent again where InFlight recognises a key that is being worked on")
		}
	}
	for i, k := range r.Errors {
		if k >= numErrorKinds {
			return invalid(fmt.Sprintf("%s.Errors[%d]", name, i), uint8(k), "use DNSError, ConnectError, TimeoutError or LostError")
		}
	}
	if i := slices.IndexFunc(r.Advisors, func(a Advisor) bool { return a == nil }); i >= 0 {
		return invalid(fmt.Sprintf("%s.Advisors[%d]", name, i), "nil", "give an advisor, such as GitHubLimits, or leave it out")
	}
	return nil
}

// FieldError says which field of a [Transport] cannot be what it is. It takes one line.
type FieldError struct {
	Field  string // as in Go, from the transport on: Windows[2].Limit
	Value  any    // what it is
	Advice string // what it should be
}

// Error names the field, what it is, and what it should be.
func (e *FieldError) Error() string {
	return fmt.Sprintf("redial: %s is %v: %s", e.Field, e.Value, e.Advice)
}

// invalid returns the error for a field that cannot be.
func invalid(field string, value any, advice string) error {
	return &FieldError{Field: field, Value: value, Advice: advice}
}
