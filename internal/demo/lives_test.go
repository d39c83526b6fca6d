package demo

import (
	"slices"
	"strings"
	"testing"

	"redial/db"
	"redial/ledger"
)

// life is an operation and all its transitions.
type life struct {
	ledger.Operation
	rows []ledger.Transition
}

// operations returns every operation that a demo that has ended left on record.
func (d *Demo) operations(t *testing.T) (lives []life) {
	t.Helper()
	store, err := db.OpenExisting(d.options.DB)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	list, err := store.Operations(t.Context(), ledger.OperationQuery{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range list {
		rows, err := store.Transitions(t.Context(), o.ID())
		if err != nil {
			t.Fatal(err)
		}
		lives = append(lives, life{o, rows})
	}
	return lives
}

// went reports whether the operation made moves with these codes, in this order.
func (l life) went(codes ...ledger.Code) bool {
	for _, row := range l.rows {
		if len(codes) > 0 && row.Code == codes[0] {
			codes = codes[1:]
		}
	}
	return len(codes) == 0
}

// lives has what one must see of operations.
func lives() map[string]func(life) bool {
	return map[string]func(life) bool{
		"got no answer and was found by a lookup": func(l life) bool {
			return l.Name == createOrder && l.State == ledger.OpSucceeded && l.Sends == 1 && l.went(ledger.CodeNoAnswer, ledger.CodeFound)
		},
		"was not found and was sent again with the same key": func(l life) bool {
			return l.Name == createOrder && l.State == ledger.OpSucceeded && l.went(ledger.CodeNoAnswer, ledger.CodeResubmitted, ledger.CodeAnswered)
		},
		"was sent again and answered from memory": func(l life) bool {
			return l.Name == chargeCard && l.State == ledger.OpSucceeded && slices.ContainsFunc(l.rows, func(r ledger.Transition) bool {
				return r.Code == ledger.CodeAnswered && strings.HasSuffix(r.Reason, "from what the server had stored")
			})
		},
		"was told to wait and was sent again": func(l life) bool {
			return l.Name == createOrder && l.State == ledger.OpSucceeded && l.went(ledger.CodeThrottled, ledger.CodeWaitOver)
		},
		"became pending and was found by a later lookup": func(l life) bool {
			return l.State == ledger.OpSucceeded && l.went(ledger.CodeFoundOther, ledger.CodeLookupDue, ledger.CodeFound)
		},
		"waits for a person, who may send it again": func(l life) bool {
			return l.Name == chargeCard && l.State == ledger.OpPending && l.Finding == ledger.FoundNothing && l.went(ledger.CodeBudgetSpent)
		},
		"waits for a person, who can only settle it": func(l life) bool {
			return l.Name == issueVoucher && l.State == ledger.OpPending && l.went(ledger.CodeLookupFailed)
		},
		"waits for a person, and was done meanwhile": func(l life) bool {
			return l.Name == reserveStock && l.State == ledger.OpPending && l.went(ledger.CodeNotHonoured)
		},
	}
}

// checkOperations holds the summary against a count of its own.
func checkOperations(t *testing.T, s Summary, lives []life) {
	t.Helper()
	states, lookups, open := map[string]int{}, 0, 0
	for _, l := range lives {
		states[l.State.String()]++
		lookups += l.Lookups
		if l.State.Open() {
			open++
		}
		if l.State.Open() && l.State != ledger.OpPending {
			t.Errorf("%s is still %s: something moves", l.Key, l.State)
		}
	}
	for state, n := range s.Operations {
		if states[state] != n {
			t.Errorf("%d operations are %s, counted %d", n, state, states[state])
		}
	}
	if s.Lookups != lookups || len(s.Unsettled) != open || s.Resubmissions == 0 || len(s.Effects) == 0 {
		t.Errorf("%d lookups, %d not settled, %d sent again, %d effects; counted %d, %d",
			s.Lookups, len(s.Unsettled), s.Resubmissions, len(s.Effects), lookups, open)
	}
}
