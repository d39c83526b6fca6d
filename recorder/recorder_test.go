package recorder

import (
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
)

func TestCallIsWrittenWithinATick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &fakeStore{}
		r := New(store, Options{Service: "checkout"})
		defer r.Close()
		r.Record(aCall(r))
		time.Sleep(tick)
		synctest.Wait()
		calls := store.calls()
		if len(calls) != 1 {
			t.Fatalf("%d calls are in the store, want 1", len(calls))
		}
		if want := ledger.NewCallID(1, 1); calls[0].ID != want {
			t.Errorf("the call has the id %v, want %v", calls[0].ID, want)
		}
		if got, want := r.Counters(), (ledger.Counters{Queued: 1, Written: 1}); got != want {
			t.Errorf("counters are %+v, want %+v", got, want)
		}
	})
}
