package operation

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
)

// Whatever a service that never comes back has left under way, a person can bring it to
// where it is settled, and nothing is sent for it.
func TestAPersonTakesOverWhatADeadServiceLeft(t *testing.T) {
	checking := ledger.Transition{To: ledger.OpChecking, Code: ledger.CodeNoAnswer}
	inFlight := ledger.Transition{To: ledger.OpBackingOff, Code: ledger.CodeInFlight}
	for _, test := range []struct {
		name    string
		steps   []ledger.Transition
		status  int // of each lookup; 0: the operation has none
		answer  string
		becomes ledger.OperationState
	}{
		{"sending, found", nil, 200, "it is succeeded", ledger.OpSucceeded},
		{"sending, not found", nil, 404, "it is pending", ledger.OpPending},
		{"sending, without a lookup", nil, 0, "it is pending: there is no way to ask", ledger.OpPending},
		{"checking, found", []ledger.Transition{checking}, 200, "it is succeeded", ledger.OpSucceeded},
		{"checking, not found", []ledger.Transition{checking}, 404, "it is pending", ledger.OpPending},
		{"checking, without a lookup", []ledger.Transition{checking}, 0, "it is pending: there is no way to ask", ledger.OpPending},
		{"backing off after a doubt, found", []ledger.Transition{inFlight}, 200, "it is succeeded", ledger.OpSucceeded},
		{"backing off after a doubt, not found", []ledger.Transition{inFlight}, 404, "it is pending", ledger.OpPending},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				replies := make([]reply, 20)
				for i := range replies {
					replies[i].status = test.status
				}
				b := newBench(t, replies...)
				b.ops.Close()
				op := order("order-8841")
				if test.status == 0 {
					op.Lookup = nil
				}
				b.left(t, op, test.steps...)
				began := time.Now()
				d := b.desk("ana")
				answer, err := d.Here(t.Context(), ledger.Ask{Service: "shop", Key: "order-8841", Kind: ledger.AskLookup})
				if err != nil || !strings.HasPrefix(answer, test.answer) {
					t.Errorf("the answer is %q, %v; want %s", answer, err, test.answer)
				}
				o := b.stand()
				if o.State != test.becomes || b.posts() != 0 {
					t.Errorf("it is %s after %v, want %s: %v", o.State, b.seen, test.becomes, b.store.life("order-8841"))
				}
				if len(test.steps) == 0 && test.status != 0 && time.Since(began) < ledger.DefaultAttemptTimeout {
					t.Errorf("looked up after %v, while the send could still go on", time.Since(began))
				}
				if o.State == ledger.OpPending {
					if _, err := d.Settle(t.Context(), &o, false, "the vendor says so", ""); err != nil {
						t.Errorf("settle: %v", err)
					}
				}
				d.Close()
			})
		})
	}
}

func TestNobodyTakesOverWhatIsDrivenOrNeverArrived(t *testing.T) {
	refused := ledger.Transition{To: ledger.OpBackingOff, Code: ledger.CodeNotSent, NoEffect: true}
	for name, test := range map[string]struct {
		alive  bool
		steps  []ledger.Transition
		answer string
	}{
		"its owner lives":     {true, nil, "it is sending"},
		"nothing can be done": {false, []ledger.Transition{refused}, "nothing was done: nothing that was sent of it can have happened"},
	} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, reply{status: 404}, reply{status: 404})
			b.ops.Close()
			b.left(t, order("order-8841"), test.steps...)
			before := b.stand()
			b.store.sessions[before.Owner].Dead = !test.alive
			d := b.desk("ana")
			answer, err := d.Here(t.Context(), ledger.Ask{Service: "shop", Key: "order-8841", Kind: ledger.AskLookup})
			if err != nil {
				answer = err.Error()
			}
			if o := b.stand(); o.State != before.State || o.Owner != before.Owner || !strings.Contains(answer, test.answer) || b.posts() != 0 {
				t.Errorf("%s: %q, and it is %s of session %s", name, answer, o.State, o.Owner)
			}
			d.Close()
		})
	}
}
