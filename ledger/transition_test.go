package ledger

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// The table of states as it was agreed on. What is not here must be refused.
const agreed = `
nothing: prepared sending
prepared: sending failed
sending: succeeded failed backing-off checking
backing-off: sending pending failed
checking: succeeded sending pending
pending: checking sending succeeded failed
succeeded: failed disputed pending
failed: disputed pending
disputed: succeeded failed
`

func TestTheTransitionTableIsExactlyWhatWasAgreedOn(t *testing.T) {
	want := map[string][]string{}
	for line := range strings.Lines(strings.TrimSpace(agreed)) {
		from, to, _ := strings.Cut(line, ":")
		want[from] = strings.Fields(to)
	}
	got := map[string][]string{}
	for _, m := range moves() {
		from := named(m.from)
		if !slices.Contains(got[from], m.to.String()) {
			got[from] = append(got[from], m.to.String())
		}
	}
	for from, to := range want {
		slices.Sort(to)
		slices.Sort(got[from])
		if !slices.Equal(to, got[from]) {
			t.Errorf("from %s\n got %v\nwant %v", from, got[from], to)
		}
		delete(got, from)
	}
	if len(got) > 0 {
		t.Errorf("these states should lead nowhere: %v", got)
	}
}

func TestEveryCodeBelongsToTheTableOrMovesNothing(t *testing.T) {
	for c := NoCode + 1; c < numCodes; c++ {
		known := slices.Contains(still(), c)
		for _, m := range moves() {
			known = known || slices.Contains(m.codes, c)
		}
		if !known || c.String() == "?" || c.String() == "" {
			t.Errorf("code %d, %q, is used by no step", c, c)
		}
	}
	if numCodes.String() != "?" {
		t.Errorf("the code behind the last has a name: %s", numCodes)
	}
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// operation returns one that was sent once at noon, in the given state.
func operation(s OperationState) *Operation {
	o := &Operation{Intent: Intent{Service: "shop", Key: "order-8841", Method: "POST", URL: "https://orders.example.test/orders"}}
	o.State, o.Version, o.Sends, o.Doubts = s, 1, 1, 1
	o.Created, o.Updated, o.FirstSent, o.LastSent = noon, noon, noon, noon
	return o
}

var ana = Actor{Kind: Person, Name: "ana"}

func TestAStepIsRefusedWhereItCouldDoHarm(t *testing.T) {
	honours := func(o *Operation) { o.Policy.Honoured = true }
	looked := func(o *Operation) { o.NotFound = DefaultTimes }
	soon, late := noon.Add(time.Minute), noon.Add(25*time.Hour)
	for _, test := range []struct {
		name   string
		from   OperationState
		change []func(*Operation)
		step   Transition
		why    string // "" is allowed
	}{
		{"a refusal with an unknown send behind it", OpSending, []func(*Operation){func(o *Operation) { o.Doubts = 2 }},
			Transition{To: OpFailed, Code: CodeRefused, NoEffect: true}, "a send may still have an effect"},
		{"a refusal of the only send", OpSending, nil, Transition{To: OpFailed, Code: CodeRefused, NoEffect: true}, ""},
		{"a resubmission to a server that is not declared to honour keys", OpChecking, []func(*Operation){looked},
			Transition{To: OpSending, Code: CodeResubmitted}, "the server is not declared to honour keys"},
		{"a resubmission after too few lookups", OpChecking, []func(*Operation){honours},
			Transition{To: OpSending, Code: CodeResubmitted}, "it was not looked up often enough"},
		{"a resubmission that was looked up", OpChecking, []func(*Operation){honours, looked},
			Transition{To: OpSending, Code: CodeResubmitted}, ""},
		{"a resubmission with an old key", OpChecking, []func(*Operation){honours, looked, func(o *Operation) { o.Budget.For = 48 * time.Hour }},
			Transition{To: OpSending, Code: CodeResubmitted, At: late}, "the server may have forgotten the key"},
		{"a resubmission with the clock set back", OpChecking, []func(*Operation){honours, looked},
			Transition{To: OpSending, Code: CodeResubmitted, At: noon.Add(-time.Hour)}, "the server may have forgotten the key"},
		{"a resubmission beyond the budget", OpChecking, []func(*Operation){honours, looked, func(o *Operation) { o.Sends = DefaultSends }},
			Transition{To: OpSending, Code: CodeResubmitted}, "the budget is spent"},
		{"a backoff after an unknown send", OpSending, []func(*Operation){func(o *Operation) { o.Doubts = 2 }},
			Transition{To: OpBackingOff, Code: CodeThrottled, NoEffect: true}, "an earlier send may still have an effect, and the server is not declared to honour keys"},
		{"a backoff after an unknown send under an honoured key", OpSending, []func(*Operation){honours, func(o *Operation) { o.Doubts = 2 }},
			Transition{To: OpBackingOff, Code: CodeThrottled, NoEffect: true}, ""},
		{"a failure while a send is in doubt", OpBackingOff, nil, Transition{To: OpFailed, Code: CodeBudgetSpent}, "a send may still have an effect"},
		{"a doubt where there is none", OpBackingOff, []func(*Operation){func(o *Operation) { o.Doubts = 0 }},
			Transition{To: OpPending, Code: CodeBudgetSpent}, "no send can have had an effect, so it has failed"},
		{"a success without a finding", OpChecking, nil, Transition{To: OpSucceeded, Code: CodeFound, Finding: FoundOther}, "no lookup found it"},
		{"a verdict of not found", OpPending, nil, Transition{To: OpFailed, Code: CodeNotFound, Finding: FoundNothing}, "there is no such step"},
		{"a replay by nobody", OpPending, nil, Transition{To: OpSending, Code: CodeReplayed, Actor: Actor{Kind: Service}}, "only a person may do that"},
		{"a settlement without a reason", OpPending, nil, Transition{To: OpSucceeded, Code: CodeConfirmed, Actor: ana}, "a reason is missing"},
		{"a settlement", OpPending, nil, Transition{To: OpSucceeded, Code: CodeConfirmed, Actor: ana, Reason: "vendor confirmed"}, ""},
		{"reopening what the service settled", OpSucceeded, []func(*Operation){func(o *Operation) { o.SettledBy = Actor{Kind: Service} }},
			Transition{To: OpPending, Code: CodeReopened, Actor: ana, Reason: "wrong"}, "it was not settled by a person"},
		{"reopening what a person settled", OpFailed, []func(*Operation){func(o *Operation) { o.SettledBy = ana }},
			Transition{To: OpPending, Code: CodeReopened, Actor: ana, Reason: "wrong"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := operation(test.from)
			for _, change := range test.change {
				change(o)
			}
			if test.step.At.IsZero() {
				test.step.At = soon
			}
			before, step := *o, test.step
			err := o.Apply(&step)
			if test.why == "" {
				if err != nil || o.State != test.step.To || o.Version != before.Version+1 {
					t.Fatalf("got %v, state %s, version %d", err, o.State, o.Version)
				}
				return
			}
			want := fmt.Sprintf("operation order-8841 of shop cannot go from %s to %s: %s", test.from, test.step.To, test.why)
			if err == nil || err.Error() != want {
				t.Errorf("\n got %v\nwant %s", err, want)
			}
			if o.State != before.State || o.Version != before.Version {
				t.Errorf("it moved all the same, to %s", o.State)
			}
		})
	}
}

// Whatever steps are tried, in whatever order: one that is refused changes nothing, a
// doubt goes away only with the send that it belongs to or with a final word, and a
// dispute leaves its mark for ever.
func TestNoSequenceOfStepsLosesADoubt(t *testing.T) {
	const seed = 7
	r := rand.New(rand.NewPCG(seed, seed))
	reached := map[OperationState]int{}
	for range 2000 {
		o := &Operation{Intent: Intent{Service: "shop", Key: "k"}}
		o.Policy.Honoured = r.IntN(2) == 0
		now := noon
		for range 60 {
			now = now.Add(time.Duration(r.IntN(5000)) * time.Millisecond)
			step := anyStep(r, o.State, now)
			before := *o
			err := o.Apply(&step)
			if err == nil {
				reached[o.State]++
			}
			switch {
			case err != nil && fmt.Sprint(*o) != fmt.Sprint(before):
				t.Fatalf("seed %d: a refused step changed the operation: %v", seed, err)
			case o.Doubts < before.Doubts && !step.NoEffect && !o.Settled():
				t.Fatalf("seed %d: %s → %s by %s forgot a doubt", seed, before.State, o.State, step.Code)
			case before.Disputed && !o.Disputed:
				t.Fatalf("seed %d: the mark of a dispute is gone", seed)
			case o.Doubts < 0 || o.Version < before.Version:
				t.Fatalf("seed %d: doubts %d, version %d after %d", seed, o.Doubts, o.Version, before.Version)
			case !o.Policy.Honoured && o.State == OpSending && before.State != OpSending && before.Doubts > 0 && step.Actor.Kind != Person:
				t.Fatalf("seed %d: sent again by itself with a doubt, and keys are not honoured", seed)
			}
		}
	}
	for s := OpPrepared; s < numOperationStates; s++ {
		if reached[s] < 100 {
			t.Errorf("%s was reached only %d times", s, reached[s])
		}
	}
}

// anyStep returns a step of the table, most often one that leads on from the state, and
// sometimes one that makes no sense.
func anyStep(r *rand.Rand, from OperationState, now time.Time) Transition {
	actors := []Actor{{Kind: Service}, {Kind: Reconciler}, ana}
	t := Transition{
		To: OperationState(r.IntN(int(numOperationStates))), Code: Code(r.IntN(int(numCodes))), At: now, Asked: now,
		Actor: actors[r.IntN(len(actors))], Reason: []string{"", "known"}[r.IntN(2)],
		NoEffect: r.IntN(2) == 0, Finding: Verdict(r.IntN(int(numVerdicts))),
	}
	leads := slices.DeleteFunc(moves(), func(m move) bool { return m.from != from })
	if n := r.IntN(10); n > 1 {
		m := leads[r.IntN(len(leads))]
		t.To, t.Code = m.to, m.codes[r.IntN(len(m.codes))]
	} else if n == 1 {
		t.Code, t.Finding = CodeLookedUp, FoundNothing
	}
	return t
}
