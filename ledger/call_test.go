package ledger

import (
	"testing"
	"time"
)

// attempts returns attempts with these outcomes; those that were answered have the
// status 503.
func attempts(outcomes ...Outcome) []Attempt {
	list := make([]Attempt, len(outcomes))
	for i, o := range outcomes {
		list[i] = Attempt{N: i + 1, Outcome: o, WireSends: i + 1}
		if o == Answered {
			list[i].Status = 503
		}
	}
	return list
}

func TestOutcomeOfACallIsHonest(t *testing.T) {
	const N, A, S, U = NoOutcome, Answered, NotSent, Unknown
	for _, test := range []struct {
		state    State
		attempts []Attempt
		want     Outcome
	}{
		// An answer that ends the call is its outcome, whatever came before.
		{Ended, attempts(A), A},
		{Ended, attempts(U, A), A},
		{Ended, attempts(S, U, S, A), A},

		// Not sent is only what no attempt sent.
		{Ended, nil, S},
		{Ended, attempts(S), S},
		{Ended, attempts(S, S, S), S},

		// Whatever may have been sent and was not answered at the end is in doubt.
		{Ended, attempts(U), U},
		{Ended, attempts(U, S), U},
		{Ended, attempts(A, S), U},
		{Ended, attempts(A, U), U},
		{Ended, attempts(S, U, S), U},
		{Ended, attempts(N), U},

		// What was cut off may have gone on for a moment that nobody saw.
		{CutOff, nil, U},
		{CutOff, attempts(S), U},
		{CutOff, attempts(S, N), U},
		{CutOff, attempts(A), U},
		{CutOff, attempts(U), U},

		// A running call has none yet.
		{Waiting, nil, N},
		{Waiting, attempts(U), N},
		{Sending, attempts(N), N},
		{Receiving, attempts(A), N},
	} {
		c := Call{State: test.state, AttemptList: test.attempts}
		if c.Summarise(); c.Outcome != test.want {
			t.Errorf("%s after %v: %q, want %q", test.state, test.attempts, c.Outcome, test.want)
		}
	}
}

func TestSummaryCountsAttemptsSendsAndWaits(t *testing.T) {
	c := Call{AttemptList: attempts(Answered, NotSent, Unknown)}
	c.Waits = []Wait{
		{Kind: BackoffWait, Took: 240 * time.Millisecond},
		{Kind: RetryAfterWait, Took: 900 * time.Millisecond},
		{Kind: BackoffWait, Planned: time.Second}, // goes on
	}
	c.Summarise()
	if c.Attempts != 3 || c.WireSends != 1+2+3 || c.Status != 503 || c.Waited != 1140*time.Millisecond {
		t.Errorf("%d attempts, %d sends, status %d, waited %v", c.Attempts, c.WireSends, c.Status, c.Waited)
	}
	if !c.WaitedFor.Has(BackoffWait) || !c.WaitedFor.Has(RetryAfterWait) || c.WaitedFor.Has(WindowWait) {
		t.Errorf("waited for %b", c.WaitedFor)
	}
}

func TestStatusIsThatOfTheLastResponse(t *testing.T) {
	c := Call{AttemptList: []Attempt{{Status: 503}, {Status: 429}, {Outcome: Unknown}}}
	if c.Summarise(); c.Status != 429 {
		t.Errorf("status is %d", c.Status)
	}
}

func TestSummariseForgetsTheLastSummary(t *testing.T) {
	c := Call{AttemptList: attempts(Answered), Waits: []Wait{{Kind: WindowWait, Took: 1}}}
	c.Summarise()
	c.AttemptList, c.Waits = attempts(NotSent), nil
	c.Summarise()
	if c.Attempts != 1 || c.WireSends != 1 || c.Status != 0 || c.Waited != 0 || c.WaitedFor != 0 || c.Outcome != NotSent {
		t.Errorf("left over: %+v", c)
	}
}

func TestCallsAreRunningUntilTheyEndOrAreCutOff(t *testing.T) {
	for state, want := range map[State]bool{Ended: false, CutOff: false, Waiting: true, Sending: true, Receiving: true} {
		if got := (&Call{State: state}).Running(); got != want {
			t.Errorf("%s: %v", state, got)
		}
	}
}

func TestURLHasAllItsParts(t *testing.T) {
	for _, test := range []struct {
		call Call
		want string
	}{
		{Call{Scheme: "https", Host: "api.example.test:8443", Path: "/a%20b", Query: "c=d&e"}, "https://api.example.test:8443/a%20b?c=d&e"},
		{Call{Scheme: "http", Host: "api.example.test"}, "http://api.example.test"},
		{Call{Scheme: "http", Host: "[::1]:80", Path: "/"}, "http://[::1]:80/"},
	} {
		if got := test.call.URL(); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
}

func TestALookupThatFoundNothingHasNotFailed(t *testing.T) {
	for _, test := range []struct {
		name    string
		reasons []Reason
		status  int
		err     string
		failed  bool
	}{
		{"a lookup, 404", []Reason{LookUp}, 404, "", false},
		{"a lookup, 410", []Reason{LookUp}, 410, "", false},
		{"a lookup with an auth leg, 404", []Reason{LookUp, AuthLeg}, 404, "", false},
		{"a lookup, 500", []Reason{LookUp}, 500, "", true},
		{"a lookup, 403", []Reason{LookUp}, 403, "", true},
		{"a lookup, 404 that breaks off", []Reason{LookUp}, 404, "unexpected EOF", true},
		{"a lookup without an answer", []Reason{LookUp}, 0, "", true},
		{"any other call, 404", []Reason{First}, 404, "", true},
		{"any other call, 200", []Reason{First}, 200, "", false},
	} {
		c := Call{Error: test.err}
		for _, why := range test.reasons {
			c.AttemptList = append(c.AttemptList, Attempt{Reason: why, Outcome: Answered})
		}
		c.AttemptList[len(c.AttemptList)-1].Status = test.status
		c.Summarise()
		if c.Failed() != test.failed {
			t.Errorf("%s: failed is %t", test.name, c.Failed())
		}
		if f, err := ParseFilter("status:404"); err != nil || f.Match(&c, Env{}) != (test.status == 404) {
			t.Errorf("%s: status:404 says %t (%v)", test.name, test.status != 404, err)
		}
	}
}
