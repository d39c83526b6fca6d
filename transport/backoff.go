package transport

import (
	"math"
	"math/rand/v2"
	"time"

	"redial/ledger"
)

// backoff returns the delay after attempt n, and the numbers behind it. before is the delay
// after the attempt before that, 0 for none.
func (p *policy) backoff(n, status int, before time.Duration) (time.Duration, ledger.Rule) {
	base := p.Base
	if status == 429 {
		base = max(base, throttleBase)
	}
	if p.Jitter == DecorrelatedJitter {
		return p.decorrelated(base, before)
	}
	rule := ledger.Rule{
		Base:       base,
		Multiplier: p.Multiplier,
		Exponent:   n - 1,
		Max:        p.Max,
		Jitter:     p.Jitter,
		Fraction:   1,
	}
	d := delay(rule.Base, rule.Multiplier, rule.Exponent, rule.Max)
	switch p.Jitter {
	case FullJitter:
		rule.Fraction = rand.Float64()
	case EqualJitter:
		rule.Fraction = 0.5 + rand.Float64()/2
	default:
		return d, rule
	}
	return time.Duration(float64(d) * rule.Fraction), rule
}

// decorrelated draws the delay between base and a multiple of the delay before it. The
// maximum of its rule is the upper end of that.
func (p *policy) decorrelated(base, before time.Duration) (time.Duration, ledger.Rule) {
	low := min(base, p.Max)
	rule := ledger.Rule{
		Base:       low,
		Multiplier: p.Multiplier,
		Max:        max(low, delay(max(before, base), p.Multiplier, 1, p.Max)),
		Jitter:     p.Jitter,
		Fraction:   rand.Float64(),
	}
	return low + time.Duration(float64(rule.Max-low)*rule.Fraction), rule
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
