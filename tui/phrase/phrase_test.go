package phrase

import (
	"strings"
	"testing"
	"time"

	"redial/ledger"
	"redial/tui/theme"
)

func TestHowACallEndedIsSaidOnce(t *testing.T) {
	for want, c := range map[string]ledger.Call{
		"201 · answered":           {Status: 201, Outcome: ledger.Answered},
		"503 · gave up · answered": {Status: 503, Outcome: ledger.Answered, Attempts: 3},
		"not sent":                 {Outcome: ledger.NotSent, Error: "refused"},
		"no answer · unknown":      {Outcome: ledger.Unknown},
		"cut off":                  {State: ledger.CutOff},
		"429 · cut off · answered": {State: ledger.CutOff, Status: 429, Outcome: ledger.Answered},
	} {
		if got := Ended(&c); got != want {
			t.Errorf("%+v ended as %q, want %q", c, got, want)
		}
	}
}

func TestALookupThatFoundNothingHasNoMarkOfAFailure(t *testing.T) {
	for want, c := range map[string]ledger.Call{
		"✗ 404": {Status: 404, Outcome: ledger.Answered},
		"  404": {Status: 404, Outcome: ledger.Answered, NotThere: true},
	} {
		mark, _ := Glyph(theme.None(), &c)
		status, _ := Status(theme.None(), &c)
		if got := mark + " " + status; got != want {
			t.Errorf("it reads %q, want %q", got, want)
		}
	}
}

func TestAPolicyIsWrittenLikeEveryOtherNumber(t *testing.T) {
	const recorded = "3 attempts, 500ms × 2^n up to 30s, full jitter, again on 408 429, Retry-After up to 1m0s, 1h0m0s in all"
	const want = "3 attempts, 500ms × 2ⁿ up to 30s, full jitter, again on 408 429, Retry-After up to 1m, 1h in all"
	if got := strings.Join(Policy(recorded), ", "); got != want {
		t.Errorf("the policy is %q, want %q", got, want)
	}
	if got := Policy(""); len(got) != 1 || got[0] != "sends once" {
		t.Errorf("no policy is %q", got)
	}
}

func TestNothingLastsNoTenthOfASecond(t *testing.T) {
	now := time.Unix(1000, 0)
	waiting := ledger.Call{State: ledger.Waiting, Started: now, Waits: []ledger.Wait{{Kind: ledger.BackoffWait, Planned: time.Second}}}
	for _, c := range []struct {
		call ledger.Call
		at   time.Duration
		want string
	}{
		{waiting, 0, "backoff 1.0s"}, {waiting, 950 * time.Millisecond, "backoff"}, {waiting, time.Hour, "backoff"},
		{ledger.Call{State: ledger.Sending, Started: now}, 99 * time.Millisecond, "sending"},
		{ledger.Call{State: ledger.Sending, Started: now}, 100 * time.Millisecond, "sending 0.1s"},
	} {
		if got := Now(theme.None(), &c.call, now.Add(c.at)).Words; got != c.want {
			t.Errorf("after %v it says %q, want %q", c.at, got, c.want)
		}
	}
	for waited, want := range map[time.Duration]string{40 * time.Millisecond: "backoff 40ms", 94 * time.Millisecond: "backoff 94ms", 95 * time.Millisecond: "backoff 0.1s", 3 * time.Second: "backoff 3.0s"} {
		c := ledger.Call{Waited: waited, WaitedFor: 1 << ledger.BackoffWait}
		if got := Waits(&c); got != want {
			t.Errorf("%v is %q, want %q", waited, got, want)
		}
	}
}
