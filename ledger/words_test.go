package ledger

import (
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

// explained returns a call of three attempts, the first of which is the one to explain.
func explained(change func(*Call, *Attempt)) string {
	c := Call{Method: "POST", Key: "order-8841", Attempts: 3, Policy: "3 attempts"}
	a := Attempt{N: 1, Status: 503, Outcome: Answered, RetryAfter: -1}
	change(&c, &a)
	return Explain(&c, &a)
}

func TestExplainSaysWhyTheCallWasSentAgain(t *testing.T) {
	for _, test := range []struct {
		want   string
		change func(*Call, *Attempt)
	}{
		{"Sent again because: POST has an idempotency key, the body can be rebuilt, 503 is on the list.",
			func(_ *Call, a *Attempt) { a.Decision, a.BytesSent = AgainStatus, 112 }},
		{"Sent again because: POST has an idempotency key, the body can be rebuilt, 503 is on the list.",
			func(_ *Call, a *Attempt) { a.Decision, a.Request.Body.Size = AgainStatus, 112 }},
		{"Sent again because: GET may be repeated, 503 is on the list.",
			func(c *Call, a *Attempt) { c.Method, c.Key, a.Decision = "GET", "", AgainStatus }},
		{"Sent again because: the policy lets this POST be repeated, 503 is on the list.",
			func(c *Call, a *Attempt) { c.Key, a.Decision = "", AgainStatus }},
		{"Sent again because: PUT may be repeated, the body can be rebuilt, nobody knows whether the request arrived.",
			func(c *Call, a *Attempt) {
				c.Method, a.Decision, a.BytesSent, a.Outcome = "PUT", AgainUnknown, 9, Unknown
			}},
		{"Sent again because: the request never reached the server.",
			func(c *Call, a *Attempt) { c.Key, a.Decision, a.Outcome = "", AgainNotSent, NotSent }},
		{"Sent again because: a 401 asks for credentials, and did nothing else, the body can be rebuilt.",
			func(c *Call, a *Attempt) { c.Key, a.Decision, a.Status, a.BytesSent = "", AgainAuth, 401, 9 }},
		{"Sent again because: POST has an idempotency key, this 409 says that a request with the key is still being worked on.",
			func(_ *Call, a *Attempt) { a.Decision, a.Status = AgainStatus, 409 }},
		{"Sent again because: POST has an idempotency key, the server asked for it.",
			func(_ *Call, a *Attempt) { a.Decision, a.Status = AgainPushback, 403 }},

		// The next attempt was not begun, yet or at all.
		{"Will be sent again because: POST has an idempotency key, 503 is on the list.",
			func(c *Call, a *Attempt) { c.Attempts, c.State, a.Decision = 1, Waiting, AgainStatus }},
		{"Was to be sent again before the call ended, because: POST has an idempotency key, 503 is on the list.",
			func(c *Call, a *Attempt) { c.Attempts, a.Decision = 1, AgainStatus }},
		{"Was to be sent again before the process was gone, because: POST has an idempotency key, 503 is on the list.",
			func(c *Call, a *Attempt) { c.Attempts, c.State, a.Decision = 1, CutOff, AgainStatus }},
		{"Sent again because: POST has an idempotency key, 503 is on the list.",
			func(c *Call, a *Attempt) { c.Attempts, c.AttemptList, a.Decision = 0, make([]Attempt, 2), AgainStatus }},
	} {
		if got := explained(test.change); got != test.want {
			t.Errorf("\n got %s\nwant %s", got, test.want)
		}
	}
}

func TestExplainSaysWhyTheCallWasNotSentAgain(t *testing.T) {
	const not = "Not sent again because: "
	for _, test := range []struct {
		decision Decision
		want     string
		change   func(*Call, *Attempt)
	}{
		{Done, "it was answered with 201", func(_ *Call, a *Attempt) { a.Status = 201 }},
		{Done, "400 is not on the list", func(_ *Call, a *Attempt) { a.Status = 400 }},
		{Done, "404 is not on the list", func(_ *Call, a *Attempt) { a.Status = 404 }},
		{Done, "no policy asks for it", func(c *Call, _ *Attempt) { c.Policy = "" }},
		{Done, "it was answered with 200, and what went wrong behind that came too late",
			func(_ *Call, a *Attempt) { a.Status, a.Err = 200, "unexpected EOF" }},
		{NoAttemptsLeft, "all 3 attempts are used up", func(_ *Call, a *Attempt) { a.N = 3 }},
		{NoAttemptsLeft, "the policy allows one attempt", func(*Call, *Attempt) {}},
		{NoAttemptsLeft, "all 2 attempts are used up", func(c *Call, a *Attempt) {
			c.AttemptList, a.N = []Attempt{{N: 1}, {N: 2, Reason: AuthLeg}, {N: 3, Reason: Retry}}, 3
		}},
		{NoAttemptsLeft, "the policy allows one attempt", func(c *Call, a *Attempt) {
			c.AttemptList, a.N = []Attempt{{N: 1}, {N: 2, Reason: AuthLeg}}, 2
		}},
		{AuthRefused, "the server refused the user name or the password", func(_ *Call, a *Attempt) {
			a.Status, a.Err = 401, "redial: the server refused the user name or the password"
		}},
		{AuthRefused, "the credentials were refused, or cannot be what the server asks for", func(*Call, *Attempt) {}},
		{NotRepeatable, "POST has no idempotency key, and nobody knows whether the request arrived",
			func(c *Call, a *Attempt) { c.Key, a.Outcome, a.Status = "", Unknown, 0 }},
		{NotRepeatable, "POST has no idempotency key, and a 503 does not prove that nothing happened",
			func(c *Call, _ *Attempt) { c.Key = "" }},
		{NotRepeatable, "POST has no idempotency key, and the policy is strict even about what never reached the server",
			func(c *Call, a *Attempt) { c.Key, a.Outcome, a.Status = "", NotSent, 0 }},
		{NotRepeatable, "the policy does not let this POST be repeated, and nobody knows whether the request arrived",
			func(_ *Call, a *Attempt) { a.Outcome, a.Status = Unknown, 0 }},
		{NotRepeatable, "POST has no idempotency key, and nobody knows whether the request arrived",
			func(c *Call, a *Attempt) { c.Key, a.Outcome = "", Unknown }},
		{NotRepeatable, "the policy does not let this PUT be repeated, and a 503 does not prove that nothing happened",
			func(c *Call, _ *Attempt) { c.Method, c.Key = "PUT", "" }},
		{BodyGone, "the body was sent and cannot be rebuilt, since the request has no GetBody", func(*Call, *Attempt) {}},
		{GetBodyFailed, "the body could not be rebuilt: GetBody returned an error", func(*Call, *Attempt) {}},
		{BodyFailed, "the request's own body could not be read", func(*Call, *Attempt) {}},
		{Permanent, "it would fail in the same way again", func(*Call, *Attempt) {}},
		{Cancelled, "the caller gave up", func(*Call, *Attempt) {}},
		{DeadlineTooSoon, "the caller's deadline would pass before the next attempt", func(*Call, *Attempt) {}},
		{DeadlineTooSoon, "the caller's deadline would pass before the next attempt", func(_ *Call, a *Attempt) { a.RetryAfter = 0 }},
		{DeadlineTooSoon, "the caller's deadline would pass before the next attempt, for which the server asked to wait 30 s",
			func(_ *Call, a *Attempt) { a.RetryAfter = 30 * time.Second }},
		{LimitTooSoon, "the time limit of the policy would pass before the next attempt", func(*Call, *Attempt) {}},
		{LimitTooSoon, "the time limit of the policy would pass before the next attempt, for which the server asked to wait 1m30s",
			func(_ *Call, a *Attempt) { a.RetryAfter = 90 * time.Second }},
		{RetryAfterTooLong, "the server asked for a wait of 1h, and the policy allows less",
			func(_ *Call, a *Attempt) { a.RetryAfter = time.Hour }},
		{Vetoed, "the server, or a rule of the policy, forbids it", func(*Call, *Attempt) {}},
		{Vetoed, "the policy does not send again after such an error", func(_ *Call, a *Attempt) { a.Status, a.Outcome = 0, Unknown }},
		{BudgetSpent, "the host's budget for retries is spent", func(*Call, *Attempt) {}},
		{InnerLayer, "a redial transport further out decides that, since one layer retries", func(*Call, *Attempt) {}},
		{OperationDecides, "it belongs to an operation, which writes its next send down first", func(*Call, *Attempt) {}},
	} {
		got := explained(func(c *Call, a *Attempt) { a.Decision = test.decision; test.change(c, a) })
		if got != not+test.want+"." {
			t.Errorf("%s\n got %s\nwant %s%s.", test.decision, got, not, test.want)
		}
	}
}

func TestExplainIsHonestAboutWhatIsNotKnown(t *testing.T) {
	attempt := &Attempt{N: 1}
	for _, test := range []struct {
		state   State
		attempt *Attempt
		want    string
	}{
		{Waiting, nil, "Nothing has been sent yet."},
		{Ended, nil, "Nothing was sent: the call ended first."},
		{CutOff, nil, "Nothing is known to have been sent: the process was gone first."},
		{Sending, attempt, "Nothing is decided yet: the attempt is under way."},
		{CutOff, attempt, "Nothing was decided: the process was gone before the attempt ended."},
		{Ended, attempt, "What was decided is not on record."},
	} {
		if got := Explain(&Call{Method: "GET", State: test.state}, test.attempt); got != test.want {
			t.Errorf("%s: %q, want %q", test.state, got, test.want)
		}
	}
}

// wantName checks that a code has a word of its own.
func wantName(t *testing.T, seen map[string]bool, name string) {
	t.Helper()
	if name == "?" || seen[name] {
		t.Errorf("%q is no name, or one that another code of the kind has", name)
	}
	seen[name] = true
}

func TestEveryDecisionHasACodeAndASentence(t *testing.T) {
	names, sentences := map[string]bool{}, map[string]bool{}
	for d := Undecided; d < numDecisions; d++ {
		wantName(t, names, d.String())
		got := explained(func(_ *Call, a *Attempt) { a.Decision = d })
		if strings.Contains(got, "no words") || sentences[got] {
			t.Errorf("%s has no words of its own: %s", d, got)
		}
		sentences[got] = true
		if d != Undecided && strings.HasPrefix(got, "Sent again because: ") != d.SendsAgain() {
			t.Errorf("%s: SendsAgain is %v, but: %s", d, d.SendsAgain(), got)
		}
		if first, _ := utf8.DecodeRuneInString(got); !unicode.IsUpper(first) || strings.Count(got, ".") != 1 || !strings.HasSuffix(got, ".") {
			t.Errorf("%s is not one sentence: %s", d, got)
		}
	}
	if numDecisions.String() != "?" {
		t.Errorf("the code behind the last decision has a name: %s", numDecisions)
	}
	if got := explained(func(_ *Call, a *Attempt) { a.Decision = numDecisions }); !strings.Contains(got, "no words") {
		t.Errorf("the code behind the last decision has a sentence: %s", got)
	}
}

func TestEveryCodeHasAName(t *testing.T) {
	for _, kind := range [][]string{
		{First.String(), Retry.String(), LookUp.String(), Resubmit.String(), Replay.String(), Compensate.String(), AuthLeg.String()},
		{NoOutcome.String(), Answered.String(), NotSent.String(), Unknown.String()},
		{Ended.String(), Waiting.String(), Sending.String(), Receiving.String(), CutOff.String()},
		{WindowWait.String(), BackoffWait.String(), RetryAfterWait.String()},
		{FullJitter.String(), NoJitter.String(), EqualJitter.String(), DecorrelatedJitter.String()},
	} {
		seen := map[string]bool{}
		for _, name := range kind {
			wantName(t, seen, name)
		}
	}
	for k := range WaitKind(NumWaitKinds) {
		if k.String() == "?" {
			t.Errorf("wait kind %d has no name", k)
		}
	}
	if got := WaitKind(NumWaitKinds).String(); got != "?" {
		t.Errorf("NumWaitKinds leaves out %s", got)
	}
}

func TestRulesAreWordedAsArithmetic(t *testing.T) {
	const ms = time.Millisecond
	for _, test := range []struct {
		kind WaitKind
		rule Rule
		want string
	}{
		{BackoffWait, Rule{Base: 400 * ms, Multiplier: 2, Fraction: 0.6}, "full jitter: 0.60 × 400 ms × 2⁰"},
		{BackoffWait, Rule{Base: 400 * ms, Multiplier: 1.5, Exponent: 12, Fraction: 0.0042}, "full jitter: 0.0042 × 400 ms × 1.5¹²"},
		{BackoffWait, Rule{Base: 400 * ms, Multiplier: 2, Exponent: 3, Max: 10 * time.Second}, "full jitter: 0.00 × 400 ms × 2³"},
		{BackoffWait, Rule{Base: 2 * time.Second, Multiplier: 2, Exponent: 4, Jitter: NoJitter, Fraction: 1}, "no jitter: 2 s × 2⁴"},
		{BackoffWait, Rule{Base: 2 * time.Second, Multiplier: 2, Exponent: 6, Max: time.Minute, Jitter: NoJitter, Fraction: 1}, "no jitter: min(2 s × 2⁶, 1m)"},
		{BackoffWait, Rule{Base: 2 * time.Second, Multiplier: 2, Exponent: 5000, Max: time.Minute, Jitter: NoJitter}, "no jitter: min(2 s × 2⁵⁰⁰⁰, 1m)"},
		{BackoffWait, Rule{Base: 2 * time.Second, Multiplier: 2, Exponent: 1, Max: 4 * time.Second, Jitter: NoJitter}, "no jitter: 2 s × 2¹"},
		{BackoffWait, Rule{Base: 400 * ms, Multiplier: 2, Exponent: 1, Jitter: EqualJitter, Fraction: 0.75}, "equal jitter: 0.75 × 400 ms × 2¹"},
		{BackoffWait, Rule{Base: 200 * ms, Multiplier: 3, Max: 1400 * ms, Jitter: DecorrelatedJitter, Fraction: 0.6}, "decorrelated jitter: 200 ms + 0.60 × 1.2 s"},
		{BackoffWait, Rule{Base: 250 * ms, Multiplier: 1, Exponent: 2, Jitter: NoJitter}, "no jitter: 250 ms"},
		{RetryAfterWait, Rule{Asked: 900 * ms}, "asked: 0.9 s"},
		{RetryAfterWait, Rule{Asked: 2 * time.Second, ByDate: true}, "asked: 2 s, as a date"},
		{RetryAfterWait, Rule{Asked: 90 * time.Second}, "asked: 90 s"},
		{RetryAfterWait, Rule{Asked: 2 * time.Minute}, "asked: 2m"},
		{RetryAfterWait, Rule{Asked: time.Hour}, "asked: 1h"},
		{RetryAfterWait, Rule{}, "asked: 0 s"},
		{WindowWait, Rule{Limit: 3, Per: 4500 * ms, Ahead: 4}, "3 per 4.5s, 4 ahead"},
		{WindowWait, Rule{Limit: 10, Per: time.Second}, "10 per 1s, next in line"},
		{WindowWait, Rule{Limit: 100, Per: time.Hour, Ahead: 1}, "100 per 1h, 1 ahead"},
	} {
		if got := test.rule.Words(test.kind); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.kind, got, test.want)
		}
	}
	for k := range WaitKind(NumWaitKinds) {
		if (Rule{}).Words(k) == "" {
			t.Errorf("the rule of a wait for %s has no words", k)
		}
	}
}

func TestDurationsAreReadable(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-1:                                    "0 s",
		0:                                     "0 s",
		412:                                   "412 ns",
		1000:                                  "1 µs",
		1500:                                  "1.5 µs",
		1e6:                                   "1 ms",
		1e9:                                   "1 s",
		48 * time.Hour:                        "2d",
		84*time.Millisecond + 321e3:           "84.3 ms",
		43 * time.Millisecond:                 "43 ms",
		1234 * time.Millisecond:               "1.23 s",
		4500 * time.Millisecond:               "4.5 s",
		10 * time.Second:                      "10 s",
		100 * time.Millisecond:                "100 ms",
		time.Minute:                           "1m",
		10 * time.Minute:                      "10m",
		90 * time.Second:                      "1m30s",
		time.Hour:                             "1h",
		20 * time.Hour:                        "20h",
		time.Hour + 5*time.Second:             "1h0m5s",
		2*time.Hour + 30*time.Minute:          "2h30m",
		14 * 24 * time.Hour:                   "14d",
		1<<63 - 1:                             "106752d",
		59*time.Second + 999*time.Microsecond: "59 s",
	} {
		if got := readable(d); got != want {
			t.Errorf("%d ns: %q, want %q", int64(d), got, want)
		}
	}
}
