package operation

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
)

// reading returns whether shop has read the last word of a person on the order.
func (b *bench) reading() ledger.Reading {
	r, _ := b.store.Reading(context.Background(), orderID)
	return r
}

// word has ana settle the order, and returns it.
func (b *bench) word(t *testing.T, d *Desk, o ledger.Operation) ledger.Operation {
	t.Helper()
	o, err := d.Settle(t.Context(), &o, false, "the vendor says no", "")
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestASettlementIsReadWhenItIsHandedOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, o := pendingOrder(t)
		d, ops := b.desk("ana"), b.open(b.store.enrol())
		o = b.word(t, d, o)
		if r := b.reading(); r.State != ledger.ReadByNobody {
			t.Errorf("before anybody reads it is %s", r.State)
		}
		for range ops.Settlements(t.Context(), 0) {
			if r := b.reading(); r.State != ledger.WasRead || !r.At.Equal(time.Now()) {
				t.Errorf("while the service deals with it, it is %s at %s", r.State, r.At)
			}
			break
		}
		at := time.Now()
		time.Sleep(time.Hour)
		if _, err := d.Reopen(t.Context(), &o, "it was another order"); err != nil {
			t.Fatal(err)
		}
		rows, _ := b.store.Transitions(t.Context(), orderID)
		if got, want := rows[len(rows)-1].Evidence, "read by shop at "+at.UTC().Format("2006-01-02 15:04:05 UTC"); got != want {
			t.Errorf("the step says %q, want %q", got, want)
		}
		ops.Close()
		d.Close()
	})
}

func TestWhoAsksForWhatComesAfterAPositionHasReadAllUpToIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, o := pendingOrder(t)
		d, ops := b.desk("ana"), b.open(b.store.enrol())
		b.word(t, d, o)
		n := int64(len(b.store.rows))
		follow := func(after int64) ledger.ReadState {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			for _, err := range ops.Settlements(ctx, after) {
				if err == nil || !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("after %d came something, or %v", after, err)
				}
			}
			return b.reading().State
		}
		b.store.fail = func(what string) error {
			if what == "mark" {
				return errors.New("the disk is full")
			}
			return nil
		}
		if s := follow(n); s != ledger.ReadByNobody {
			t.Errorf("where it cannot be noted it is %s", s)
		}
		b.store.fail = nil
		if s := follow(n); s != ledger.WasRead {
			t.Errorf("afterwards it is %s", s)
		}
		ops.Close()
		d.Close()
	})
}

func TestWhoWaitsForAKeyIsToldTheWordOnIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, o := pendingOrder(t)
		d, ops := b.desk("ana"), b.open(b.store.enrol())
		done := make(chan error)
		go func() {
			_, err := ops.Wait(t.Context(), orderID.Key)
			done <- err
		}()
		synctest.Wait()
		if r := b.reading(); r.State != ledger.NoWord || !r.Listens {
			t.Errorf("while it waits: %+v", r)
		}
		o = b.word(t, d, o)
		if err := <-done; !errors.Is(err, ErrFailed) || b.reading().State != ledger.WasRead {
			t.Errorf("told %v, and it is %s", err, b.reading().State)
		}
		o, _ = d.Reopen(t.Context(), &o, "it was another order")
		b.word(t, d, o)
		if s := b.reading().State; s != ledger.NotRead {
			t.Errorf("settled again it is %s", s)
		}
		if _, err := ops.Do(t.Context(), orderAsBefore()); !errors.Is(err, ErrFailed) || !strings.Contains(err.Error(), "order-8841") || b.reading().State != ledger.WasRead {
			t.Errorf("who does it again is told %v, and it is %s", err, b.reading().State)
		}
		ops.Close()
		d.Close()
	})
}

// orderAsBefore is what pendingOrder did.
func orderAsBefore() Operation {
	op := order("order-8841")
	op.Lookup.Times, op.Policy.Honoured = 1, false
	return op
}
