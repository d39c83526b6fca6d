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

// Equal jitter keeps half of the delay and draws from the other half.
func TestEqualJitterKeepsHalf(t *testing.T) {
	p := Retry{Attempts: 2, Base: time.Second, Jitter: EqualJitter}.policy()
	var low, high int
	for range 1000 {
		d, rule := p.backoff(1, 503, 0)
		if d < time.Second/2 || d > time.Second || d != time.Duration(float64(time.Second)*rule.Fraction) {
			t.Fatalf("%v by %+v", d, rule)
		}
		if d < 625*time.Millisecond {
			low++
		}
		if d > 875*time.Millisecond {
			high++
		}
	}
	if low < 100 || high < 100 { // 250 are expected of each
		t.Errorf("of 1000 delays %d are in the first quarter of that half and %d in the last", low, high)
	}
}

// Decorrelated jitter draws between the base and a multiple of the delay before it, whatever
// that was, and is never less than the base or more than the maximum.
func TestDecorrelatedJitterGoesByTheDelayBefore(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		retry     Retry
		status    int
		before    time.Duration
		low, high time.Duration
	}{
		{Retry{Base: s}, 503, 0, s, 3 * s},
		{Retry{Base: s}, 503, 4 * s, s, 12 * s},
		{Retry{Base: s}, 503, 20 * s, s, 30 * s},
		{Retry{Base: s}, 503, s / 10, s, 3 * s}, // after a delay by another base
		{Retry{Base: s, Multiplier: 2}, 503, 4 * s, s, 8 * s},
		{Retry{Base: s, Multiplier: 1}, 503, 0, s, s},
		{Retry{Base: s, Max: s / 2}, 503, 0, s / 2, s / 2},
		{Retry{Base: s / 10}, 429, 0, s, 3 * s},
		{Retry{Base: s, Max: maxWait}, 503, maxWait, s, maxWait},
	} {
		c.retry.Jitter = DecorrelatedJitter
		p := c.retry.policy()
		var low, high int
		for range 1000 {
			d, rule := p.backoff(1, c.status, c.before)
			if d < c.low || d > c.high || rule.Base != c.low || rule.Max != c.high || d != c.low+time.Duration(float64(c.high-c.low)*rule.Fraction) {
				t.Fatalf("%v by %+v, want %v to %v", d, rule, c.low, c.high)
			}
			if d-c.low <= (c.high-c.low)/4 {
				low++
			}
			if c.high-d <= (c.high-c.low)/4 {
				high++
			}
		}
		if low < 100 || high < 100 {
			t.Errorf("%v to %v: of 1000 delays %d are in the first quarter and %d in the last", c.low, c.high, low, high)
		}
	}
}

// What a user does to his lists after the first call changes nothing.
func TestAPolicyHasItsOwnLists(t *testing.T) {
	list := []int{503}
	p := Retry{Attempts: 2, Statuses: list}.policy()
	list[0] = 404
	if p.words = p.inWords(""); !p.retries(503) || p.retries(404) || p.Statuses[0] != 503 {
		t.Errorf("%v", p.Statuses)
	}
}

func TestAPolicyIsPutIntoWords(t *testing.T) {
	for _, c := range []struct {
		retry Retry
		route string
		want  string
	}{
		{Retry{}, "", ""},
		{Retry{}, "old", "route old: 1 attempt"},
		{Retry{AttemptTimeout: time.Second, KeyHeader: "x-key"}, "GET /", "route GET /: 1 attempt, 1s for each attempt, key in X-Key"},
		{SafeRetry, "", "3 attempts, 200ms × 2^n up to 30s, full jitter, again on 408 425 429 502 503 504, Retry-After up to 1m0s"},
		{StrictRetry, "", "3 attempts, 200ms × 2^n up to 30s, full jitter, again on 408 425 429 502 503 504, Retry-After up to 1m0s, strict"},
		{Retry{Attempts: 2, Jitter: DecorrelatedJitter, Statuses: []int{}, Errors: []ErrorKind{DNSError, TimeoutError}, Repeat: ByKey, ShareDeadline: true,
			Limit: time.Minute, InFlight: func(*http.Response) bool { return true }, Advisors: []Advisor{GitHubLimits, GRPCPushback}}, "",
			"2 attempts, 200ms to 30s, decorrelated jitter × 3, again on no status, on 409 while the key is in flight, on errors dns timeout," +
				" Retry-After up to 1m0s, each attempt its share of the deadline, 1m0s in all, repeated by key alone, but safe methods, 2 advisors"},
		{Retry{Attempts: 2, Errors: []ErrorKind{}, Statuses: []int{503}, Jitter: EqualJitter}, "", "2 attempts, 200ms × 2^n up to 30s, equal jitter, again on 503, on no error, Retry-After up to 1m0s"},
	} {
		p := c.retry.policy()
		if got := p.inWords(c.route); got != c.want {
			t.Errorf("\n got %s\nwant %s", got, c.want)
		}
	}
}

func TestEveryChoiceHasWords(t *testing.T) {
	for r := ByMethodOrKey; r <= NeverRepeat; r++ {
		if r.String() == "?" {
			t.Errorf("Repeat %d has no words", r)
		}
	}
	for k := DNSError; k < numErrorKinds; k++ {
		if k.String() == "?" {
			t.Errorf("ErrorKind %d has no word", k)
		}
	}
	if (NeverRepeat+1).String() != "?" || numErrorKinds.String() != "?" {
		t.Error("what is behind the last has words")
	}
}
