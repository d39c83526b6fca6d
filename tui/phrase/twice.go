package phrase

import (
	"fmt"
	"time"

	"redial/ledger"
)

// Twice returns in two words that a call was sent twice, "" when it was not.
func Twice(c *ledger.Call) string {
	if c.Duplicate.Kind == ledger.NoDuplicate {
		return ""
	}
	return "SENT TWICE"
}

// SentTwice says in a sentence how a call was sent twice, with both calls by the times at
// which they began. Other is the other one of the pair, nil if it is not known.
func SentTwice(c, other *ledger.Call, clock func(time.Time) string) string {
	name := c.Method + " " + c.Host + c.Path
	if c.Duplicate.Kind == ledger.WireTwice {
		return fmt.Sprintf("%s was put on the wire twice without a key: %s", name, clock(c.Started))
	}
	how := Keys(c.Duplicate.Kind)
	if other == nil {
		return fmt.Sprintf("%s was sent twice %s: %s, and as call %s", name, how, clock(c.Started), c.Duplicate.Other)
	}
	first, second := c, other
	if second.Started.Before(first.Started) {
		first, second = second, first
	}
	return fmt.Sprintf("%s was sent twice %s: %s and %s", name, how, clock(first.Started), clock(second.Started))
}

// WhyTwice says what led to a call being sent twice by two calls, as far as it can be told
// from them; "" where both are not known.
func WhyTwice(c, other *ledger.Call) string {
	if other == nil || c.Duplicate.Kind != ledger.NoKey && c.Duplicate.Kind != ledger.TwoKeys {
		return ""
	}
	first := c
	if other.Started.Before(c.Started) {
		first = other
	}
	after := "got no answer"
	if first.Status > 0 {
		after = fmt.Sprintf("was answered with %d", first.Status)
	}
	if c.Duplicate.Kind == ledger.TwoKeys {
		return "the first " + after + "; the application then asked for the same in a new call with a new key, which to the server is something else"
	}
	return "the first " + after + "; the application then asked for the same in a new call, and without a key no server can tell that it is the same"
}

// Keys says with how many keys a call was sent twice.
func Keys(k ledger.DuplicateKind) string {
	if k == ledger.TwoKeys {
		return "with two keys"
	}
	return "without a key"
}
