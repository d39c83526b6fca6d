package transport

import (
	"math"
	"net/http"
	"testing"
	"time"
)

// However many attempts there were, the delay neither overflows nor vanishes
// (jpillora/backoff#11, dragonflyoss/dragonfly#4851, bsm/redislock#5).
func TestDelayNeverOverflows(t *testing.T) {
	for _, c := range []struct {
		base, limit time.Duration
		multiplier  float64
	}{
		{30 * time.Millisecond, time.Second, 2},
		{time.Nanosecond, maxWait, 2},
		{time.Nanosecond, maxWait, math.MaxFloat64},
		{time.Second, time.Minute, 1},
		{time.Hour, time.Second, 2}, // the limit is less than the base
		{maxWait, maxWait, 10},
	} {
		last := time.Duration(0)
		for exponent := range 1001 {
			d := delay(c.base, c.multiplier, exponent, c.limit)
			if d < min(c.base, c.limit) || d > c.limit || d < last {
				t.Fatalf("%v × %v^%d up to %v is %v, after %v", c.base, c.multiplier, exponent, c.limit, d, last)
			}
			last = d
		}
	}
}

func TestBackoffIsWhatItsRuleSays(t *testing.T) {
	p := Retry{Attempts: 9, Base: 100 * time.Millisecond, Max: 700 * time.Millisecond}.policy()
	for n := 1; n < 9; n++ {
		d, rule := p.backoff(n, 503, 0)
		full := delay(rule.Base, rule.Multiplier, rule.Exponent, rule.Max)
		if d != time.Duration(float64(full)*rule.Fraction) || rule.Fraction < 0 || rule.Fraction >= 1 || rule.Exponent != n-1 {
			t.Errorf("after attempt %d: %v by %+v", n, d, rule)
		}
	}
	p.Jitter = NoJitter
	for n, want := range []time.Duration{100, 200, 400, 700, 700} {
		if d, rule := p.backoff(n+1, 503, 0); d != want*time.Millisecond || rule.Fraction != 1 {
			t.Errorf("after attempt %d: %v by %+v, want %v ms", n+1, d, rule, want)
		}
	}
}

// Full jitter spreads over the whole delay.
func TestFullJitterSpreads(t *testing.T) {
	p := Retry{Attempts: 2, Base: time.Second}.policy()
	var low, high int
	for range 1000 {
		switch d, _ := p.backoff(1, 503, 0); {
		case d < 0 || d > time.Second:
			t.Fatalf("%v is not in the delay", d)
		case d < 250*time.Millisecond:
			low++
		case d > 750*time.Millisecond:
			high++
		}
	}
	if low < 100 || high < 100 { // 250 are expected of each
		t.Errorf("of 1000 delays %d are in the first quarter and %d in the last", low, high)
	}
}

// (aws-sdk-go-v2#3416.)
func TestThrottlingWithoutRetryAfterWaitsLonger(t *testing.T) {
	p := Retry{Attempts: 2, Base: 50 * time.Millisecond, Jitter: NoJitter}.policy()
	if d, rule := p.backoff(1, http.StatusTooManyRequests, 0); d != time.Second || rule.Base != time.Second {
		t.Errorf("after a 429: %v by %+v, want 1 s", d, rule)
	}
	p = ArticleRetry.policy()
	if d, _ := p.backoff(1, http.StatusTooManyRequests, 0); d != 2*time.Second {
		t.Errorf("a base above that was changed: %v", d)
	}
}

func TestDefaults(t *testing.T) {
	p := Retry{}.policy()
	if p.Attempts != 1 || p.Base != 200*time.Millisecond || p.Max != 30*time.Second || p.Multiplier != 2 || p.MaxRetryAfter != time.Minute {
		t.Errorf("%+v", p.Retry)
	}
	var on []int
	for s := range p.statuses {
		if p.retries(s) {
			on = append(on, s)
		}
	}
	if want := []int{408, 425, 429, 502, 503, 504}; len(on) != len(want) {
		t.Errorf("retried by default: %v, want %v", on, want)
	}
	for _, s := range []int{-1, 0, 421, 500, 501, 505, 511, 600, 999, 1 << 30} {
		if p.retries(s) {
			t.Errorf("%d is retried", s)
		}
	}
	if p.words != "" {
		t.Errorf("a policy that sends once has words: %q", p.words)
	}
	if p := (Retry{Attempts: 2, Base: time.Hour}).policy(); p.Max != time.Hour {
		t.Errorf("the default maximum cuts the base off: %v", p.Max)
	}
	if p := (Retry{Attempts: 2, Statuses: []int{}}).policy(); p.retries(503) {
		t.Error("an empty list retries")
	}
}
