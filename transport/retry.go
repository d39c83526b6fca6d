package transport

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net/textproto"
	"strconv"
	"strings"
	"time"

	"redial/ledger"
)

// Jitter says how a backoff is spread so that callers do not come back together.
type Jitter = ledger.Jitter

// The kinds of jitter.
const (
	FullJitter = ledger.FullJitter // a uniform part of the delay, from 0 to all of it
	NoJitter   = ledger.NoJitter   // exactly the delay
)

// Retry is a policy for sending again. It only ever narrows what the replay gate allows,
// which the package comment describes. The zero value sends once.
type Retry struct {
	// Attempts is how often a request is sent at most, the first time included. 0 and 1
	// send once.
	Attempts int

	// Base, Multiplier and Max make the delay before attempt n+1: Base × Multiplier^(n-1),
	// at most Max. If zero: 200 ms, 2, and 30 s or Base, whichever is longer.
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
	// 503 and 504. An empty list that is not nil has none.
	Statuses []int

	// KeyHeader is the header whose value makes a request repeatable, because the server
	// does the work only once for a key. If empty: Idempotency-Key, and X-Idempotency-Key
	// beside it as in net/http. With any other name those two mean nothing, and net/http
	// is kept from replaying because of them.
	KeyHeader string
}

const (
	defaultBase          = 200 * time.Millisecond
	defaultMax           = 30 * time.Second
	defaultMultiplier    = 2
	defaultMaxRetryAfter = time.Minute
	throttleBase         = time.Second // least base after a 429 without Retry-After
)

// SafeRetry makes up to three attempts with the default delays. Copy it to change it.
var SafeRetry = Retry{Attempts: 3}

// ArticleRetry waits 2, 4, 8, 16 … seconds, without jitter, and takes a 500 for a reason
// to send again, as the article does that it is named after. It has no Attempts: copy it
// and set them.
var ArticleRetry = Retry{
	Base:       2 * time.Second,
	Multiplier: 2,
	Max:        10 * time.Minute,
	Jitter:     NoJitter,
	Statuses:   []int{408, 425, 429, 500, 502, 503, 504},
}

// validate returns an error that names the first field that cannot be.
func (r *Retry) validate() error {
	switch {
	case r.Attempts < 0:
		return invalid("Retry.Attempts", r.Attempts, "use 1 or 0 to send once, more to send again")
	case r.Multiplier != 0 && !(r.Multiplier >= 1 && r.Multiplier <= math.MaxFloat64):
		return invalid("Retry.Multiplier", r.Multiplier, "use 1 or more, or 0 for the default of 2")
	case r.Jitter > NoJitter:
		return invalid("Retry.Jitter", uint8(r.Jitter), "use FullJitter or NoJitter")
	case r.KeyHeader != "" && !isToken(r.KeyHeader):
		return invalid("Retry.KeyHeader", strconv.Quote(r.KeyHeader), "use the name of a header, such as Idempotency-Key")
	}
	for _, f := range []struct {
		name string
		d    time.Duration
	}{
		{"Base", r.Base}, {"Max", r.Max}, {"AttemptTimeout", r.AttemptTimeout},
		{"Limit", r.Limit}, {"MaxRetryAfter", r.MaxRetryAfter},
	} {
		if f.d < 0 {
			return invalid("Retry."+f.name, f.d, "use a positive duration, or 0 for the default")
		}
	}
	for i, s := range r.Statuses {
		if s < 200 || s > 599 {
			return invalid(fmt.Sprintf("Retry.Statuses[%d]", i), s, "use response statuses from 200 to 599")
		}
	}
	return nil
}

// invalid returns the one-line error for a field that cannot be.
func invalid(field string, value any, advice string) error {
	return fmt.Errorf("redial: %s is %v: %s", field, value, advice)
}

// policy is a Retry with its defaults filled in.
type policy struct {
	Retry
	keyed    bool      // KeyHeader was given
	keys     []string  // the headers that make a request repeatable
	lowKeys  []string  // the same in lower case
	statuses [600]bool // which statuses to send again after
	words    string    // the policy for the record; "" if it sends once
}

func (r Retry) policy() policy {
	p := policy{Retry: r, keyed: r.KeyHeader != ""}
	p.Attempts = max(p.Attempts, 1)
	p.Base = orDefault(p.Base, defaultBase)
	p.Max = orDefault(p.Max, max(defaultMax, p.Base))
	p.Multiplier = orDefault(p.Multiplier, defaultMultiplier)
	p.MaxRetryAfter = orDefault(p.MaxRetryAfter, defaultMaxRetryAfter)
	p.keys = []string{keyHeader, xKeyHeader}
	if p.keyed {
		p.keys = []string{textproto.CanonicalMIMEHeaderKey(p.KeyHeader)}
	}
	for _, k := range p.keys {
		p.lowKeys = append(p.lowKeys, strings.ToLower(k))
	}
	if p.Statuses == nil {
		p.Statuses = []int{408, 425, 429, 502, 503, 504}
	}
	for _, s := range p.Statuses {
		p.statuses[s] = true
	}
	if p.Attempts > 1 {
		p.words = p.inWords()
	}
	return p
}

func orDefault[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}

// inWords returns the policy as it stands in the record of a call.
func (p *policy) inWords() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d attempts, %v × %v^n up to %v, %v", p.Attempts, p.Base, p.Multiplier, p.Max, p.Jitter)
	b.WriteString(", again on")
	for _, s := range p.Statuses {
		fmt.Fprintf(&b, " %d", s)
	}
	fmt.Fprintf(&b, ", Retry-After up to %v", p.MaxRetryAfter)
	if p.AttemptTimeout > 0 {
		fmt.Fprintf(&b, ", %v for each attempt", p.AttemptTimeout)
	}
	if p.Limit > 0 {
		fmt.Fprintf(&b, ", %v in all", p.Limit)
	}
	if p.keyed {
		fmt.Fprintf(&b, ", key in %s", p.keys[0])
	}
	return b.String()
}

// retries reports whether the policy sends again after a status.
func (p *policy) retries(status int) bool {
	return status >= 0 && status < len(p.statuses) && p.statuses[status]
}

// backoff returns the delay after attempt n, and the numbers behind it.
func (p *policy) backoff(n, status int) (time.Duration, ledger.Rule) {
	rule := ledger.Rule{
		Base:       p.Base,
		Multiplier: p.Multiplier,
		Exponent:   n - 1,
		Max:        p.Max,
		Jitter:     p.Jitter,
		Fraction:   1,
	}
	if status == 429 {
		rule.Base = max(rule.Base, throttleBase)
	}
	d := delay(rule.Base, rule.Multiplier, rule.Exponent, rule.Max)
	if p.Jitter == FullJitter {
		rule.Fraction = rand.Float64()
		d = time.Duration(float64(d) * rule.Fraction)
	}
	return d, rule
}

// delay returns base × multiplier^exponent, at most limit. However large the exponent,
// the result is neither negative nor below the smaller of base and limit.
func delay(base time.Duration, multiplier float64, exponent int, limit time.Duration) time.Duration {
	d := float64(base) * math.Pow(multiplier, float64(exponent))
	if !(d < float64(limit)) {
		return limit
	}
	return time.Duration(d)
}
