package live

import (
	"context"
	"testing"

	"redial/ledger"
)

// listed is a store with so many lookups that found nothing, and one call that failed after
// them.
type listed struct {
	Store
	lookups int
}

func (s listed) Calls(_ context.Context, q ledger.Query) (list []ledger.Call, _ error) {
	for n := q.After.N() + 1; n <= int64(s.lookups)+1 && len(list) < q.Limit; n++ {
		c := ledger.Call{ID: ledger.NewCallID(1, n), Status: 404, Outcome: ledger.Answered, Attempts: 1, NotThere: n <= int64(s.lookups)}
		list = append(list, c)
	}
	return list, nil
}

func TestTheNextTroubleIsNoLookupThatFoundNothing(t *testing.T) {
	for _, lookups := range []int{0, 1, 63, 64, 65, 200} {
		m := findTrouble(t.Context(), listed{lookups: lookups}, 1, ledger.Query{Limit: 64})().(troubleMsg)
		if m.err != nil || m.id != ledger.NewCallID(1, int64(lookups)+1) {
			t.Errorf("after %d lookups it is %s (%v)", lookups, m.id, m.err)
		}
	}
}
