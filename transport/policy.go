package transport

import (
	"fmt"
	"net/textproto"
	"slices"
	"strings"

	"redial/ledger"
)

// policy is a Retry with its defaults filled in, and the budget that its retries are paid
// from. A call is made under one policy.
type policy struct {
	Retry
	keyed    bool      // KeyHeader was given
	keys     []string  // the headers that make a request repeatable; none where keys mean nothing
	lowKeys  []string  // headers with a key that means nothing, or not to net/http
	statuses [600]bool // which statuses to send again after
	errors   [numErrorKinds]bool
	budget   *budgets // nil: retries cost nothing
	words    string   // the policy for the record; "" if it sends once
}

func (r Retry) policy() policy {
	p := policy{Retry: r, keyed: r.KeyHeader != ""}
	p.Attempts = max(p.Attempts, 1)
	p.Base = orDefault(p.Base, defaultBase)
	p.Max = orDefault(p.Max, max(defaultMax, p.Base))
	spread := float64(defaultMultiplier)
	if p.Jitter == DecorrelatedJitter {
		spread = defaultSpread
	}
	p.Multiplier = orDefault(p.Multiplier, spread)
	p.MaxRetryAfter = orDefault(p.MaxRetryAfter, defaultMaxRetryAfter)
	p.nameKeys()
	p.Statuses, p.Errors = slices.Clone(p.Statuses), slices.Clone(p.Errors)
	if p.Statuses == nil {
		p.Statuses = []int{408, 425, 429, 502, 503, 504}
	}
	for _, s := range p.Statuses {
		p.statuses[s] = true
	}
	for k := range p.errors {
		p.errors[k] = r.Errors == nil || slices.Contains(r.Errors, ErrorKind(k))
	}
	return p
}

// nameKeys says which headers have keys.
func (p *policy) nameKeys() {
	p.keys = []string{keyHeader, xKeyHeader}
	if p.keyed {
		p.keys = []string{textproto.CanonicalMIMEHeaderKey(p.KeyHeader)}
	}
	for _, k := range p.keys {
		p.lowKeys = append(p.lowKeys, strings.ToLower(k))
	}
	if p.Repeat == ByMethod || p.Repeat == NeverRepeat {
		p.keys, p.lowKeys = nil, append(p.keys, p.lowKeys...)
	}
}

func orDefault[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}

// idle reports whether the policy asks for nothing that a bare Base would not do.
func (p *policy) idle() bool {
	return p.Attempts == 1 && p.AttemptTimeout == 0 && !p.keyed && !p.holds() && len(p.Advisors) == 0
}

// holds reports whether net/http is to be held to the policy.
func (p *policy) holds() bool {
	return p.Attempts > 1 || p.Repeat != ByMethodOrKey || p.Strict
}

// repeatable reports whether a request with that method, and a key or none, may be sent
// again although it may have had an effect.
func (p *policy) repeatable(method string, keyed bool) bool {
	switch p.Repeat {
	case AlwaysRepeat:
		return true
	case NeverRepeat:
		return false
	case ByKey:
		return keyed || ledger.MayRepeat(method) && method != "PUT" && method != "DELETE"
	}
	return keyed || ledger.MayRepeat(method)
}

// retries reports whether the policy sends again after a status.
func (p *policy) retries(status int) bool {
	return status >= 0 && status < len(p.statuses) && p.statuses[status]
}

// inWords returns the policy as it stands in the record of a call. route is what its route
// is called, "" for the transport's own policy.
func (p *policy) inWords(route string) string {
	if route == "" && p.Attempts == 1 {
		return ""
	}
	var b strings.Builder
	if route != "" {
		fmt.Fprintf(&b, "route %s: ", route)
	}
	if p.Attempts == 1 {
		b.WriteString("1 attempt")
	} else {
		p.writeRetries(&b)
	}
	if p.AttemptTimeout > 0 {
		fmt.Fprintf(&b, ", %v for each attempt", p.AttemptTimeout)
	}
	if p.keyed {
		fmt.Fprintf(&b, ", key in %s", textproto.CanonicalMIMEHeaderKey(p.KeyHeader))
	}
	return b.String()
}

// writeRetries writes what matters to a policy that sends again.
func (p *policy) writeRetries(b *strings.Builder) {
	fmt.Fprintf(b, "%d attempts, ", p.Attempts)
	if p.Jitter == DecorrelatedJitter {
		fmt.Fprintf(b, "%v to %v, %v × %v", p.Base, p.Max, p.Jitter, p.Multiplier)
	} else {
		fmt.Fprintf(b, "%v × %v^n up to %v, %v", p.Base, p.Multiplier, p.Max, p.Jitter)
	}
	p.writeReasons(b)
	fmt.Fprintf(b, ", Retry-After up to %v", p.MaxRetryAfter)
	if p.ShareDeadline {
		b.WriteString(", each attempt its share of the deadline")
	}
	if p.Limit > 0 {
		fmt.Fprintf(b, ", %v in all", p.Limit)
	}
	if p.Repeat != ByMethodOrKey {
		fmt.Fprintf(b, ", repeated %v", p.Repeat)
	}
	if p.Strict {
		b.WriteString(", strict")
	}
	if n := len(p.Advisors); n == 1 {
		b.WriteString(", 1 advisor")
	} else if n > 1 {
		fmt.Fprintf(b, ", %d advisors", n)
	}
	if p.budget != nil {
		b.WriteString(", " + p.budget.about)
	}
}

// writeReasons writes what the policy sends again after.
func (p *policy) writeReasons(b *strings.Builder) {
	b.WriteString(", again on")
	for _, s := range p.Statuses {
		fmt.Fprintf(b, " %d", s)
	}
	if len(p.Statuses) == 0 {
		b.WriteString(" no status")
	}
	if p.InFlight != nil {
		b.WriteString(", on 409 while the key is in flight")
	}
	if p.Errors == nil {
		return
	}
	if len(p.Errors) == 0 {
		b.WriteString(", on no error")
		return
	}
	b.WriteString(", on errors")
	for _, k := range p.Errors {
		b.WriteString(" " + k.String())
	}
}
