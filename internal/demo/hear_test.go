package demo

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
	"redial/operation"
)

// until returns the first operation of which a condition holds, as soon as there is one.
func until(t *testing.T, store *db.DB, holds func(*ledger.Operation) bool) ledger.Operation {
	t.Helper()
	for end := time.Now().Add(60 * time.Second); ; {
		changed := store.Changed()
		list, err := store.Operations(t.Context(), ledger.OperationQuery{Service: shopService})
		if err != nil {
			t.Fatal(err)
		}
		if i := slices.IndexFunc(list, func(o ledger.Operation) bool { return holds(&o) }); i >= 0 {
			return list[i]
		}
		if time.Now().After(end) {
			t.Fatal("it did not come in a minute")
		}
		select {
		case <-changed:
		case <-time.After(time.Second):
		}
	}
}

func TestWhatAPersonUndoesAndSettlesReachesVendorAndShop(t *testing.T) {
	t.Parallel()
	d := start(t, time.Minute)
	store, err := db.Open(d.options.DB)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	desk := operation.NewDesk(nil, store, operation.Options{}, "ana")
	defer desk.Close()

	done := until(t, store, func(o *ledger.Operation) bool { return o.Name == reserveStock && o.State == ledger.OpSucceeded })
	answer, err := desk.Ask(t.Context(), ledger.Ask{Service: done.Service, Key: done.Key, Kind: ledger.AskUndo, Version: done.Version})
	if err != nil {
		t.Fatalf("undo: %v", err)
	}
	undone := until(t, store, func(o *ledger.Operation) bool { return o.Key == done.Key && o.State == ledger.OpFailed })
	if answer != "undone, and a lookup finds nothing any more" || undone.SettledBy.Kind != ledger.Reconciler {
		t.Errorf("the answer is %q, and it failed by %s", answer, undone.SettledBy)
	}
	lost := until(t, store, func(o *ledger.Operation) bool { return o.Name == issueVoucher && o.State == ledger.OpPending })
	if _, err := desk.Settle(t.Context(), &lost, true, "the vendor has it", ""); err != nil {
		t.Fatal(err)
	}
	noted := until(t, store, func(o *ledger.Operation) bool {
		rows, err := store.Transitions(t.Context(), o.ID())
		return err == nil && o.Key == lost.Key && slices.ContainsFunc(rows, func(r ledger.Transition) bool {
			return r.Code == ledger.CodeNote && r.Actor.Kind == ledger.Service && strings.Contains(r.Reason, "ana says it happened")
		})
	})
	if r, err := store.Reading(t.Context(), noted.ID()); err != nil || r.State != ledger.WasRead {
		t.Errorf("the word is read: %s (%v)", r.State, err)
	}
	s, err := d.Stop()
	if err != nil || !s.Agree || len(s.Undone) != 1 || s.Undone[effectOf(&done)] != 1 {
		t.Errorf("undone is %v, they agree: %t (%v)\n%s", s.Undone, s.Agree, err, strings.Join(s.Differences, "\n"))
	}
	if n := position(d.options.DB + positionSuffix); n == 0 {
		t.Error("the shop has not kept its position")
	}
}

func TestAPositionThatCannotBeReadBeginsAnew(t *testing.T) {
	file := filepath.Join(t.TempDir(), "position")
	if n := position(file); n != 0 {
		t.Errorf("without a file it is %d", n)
	}
	for text, want := range map[string]int64{"57\n": 57, "": 0, "x": 0} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if n := position(file); n != want {
			t.Errorf("of %q it is %d", text, n)
		}
	}
}

func TestTheVendorTakesBackWhatIsThereAndOnlyOnce(t *testing.T) {
	v := startVendor(t)
	ask := func(method string) int {
		t.Helper()
		r, err := http.NewRequestWithContext(context.Background(), method, "http://stock"+domain+"/reservations/order-1", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set(idHeader, callID("stock", numberWith(t, "stock")))
		response, err := v.client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		return response.StatusCode
	}
	if got := ask(http.MethodDelete); got != http.StatusNotFound {
		t.Errorf("what is not there is taken back with %d", got)
	}
	if _, _, err := v.post(t, "stock"+domain, numberWith(t, "stock"), ""); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{200, 200, 404, 404} {
		if got := ask([]string{http.MethodGet, http.MethodDelete, http.MethodDelete, http.MethodGet}[i]); got != want {
			t.Errorf("step %d: %d, want %d", i+1, got, want)
		}
	}
	if a := v.book.copy(); a.stands("stock order-1") != 0 || a.Undone["stock order-1"] != 1 {
		t.Errorf("the account has %v and %v", a.Effects, a.Undone)
	}
}
