package db_test

import (
	"context"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
)

// within waits for a channel to be closed.
func within(t *testing.T, told <-chan struct{}, who string) {
	t.Helper()
	select {
	case <-told:
	case <-time.After(30 * time.Second):
		t.Errorf("%s is not told", who)
	}
}

// quiet waits until nothing is told any more, and returns the channel that is told next.
func quiet(t *testing.T, d *db.DB) <-chan struct{} {
	t.Helper()
	for range 100 {
		told := d.Changed()
		select {
		case <-told:
		case <-time.After(200 * time.Millisecond):
			return told
		}
	}
	t.Fatal("it never stops telling")
	return nil
}

func TestEachWriteToTheLedgerOfOperationsIsNoticed(t *testing.T) {
	path := newFile(t)
	d, other := open(t, path), openExisting(t, path)
	ctx := context.Background()
	id := ledger.ID{Service: "checkout", Key: "order-1"}
	var first, second int64
	steps := []func() error{
		func() error { _, err := d.Create(ctx, plainIntent("order-1"), sent(), 1); return err },
		func() error { _, err := d.Move(ctx, id, ledger.Seen{Version: 1}, unanswered()); return err },
		func() error { _, err := d.Add(ctx, id, ledger.Transition{Code: ledger.CodeNote}); return err },
		func() error { _, err := d.Claim(ctx, id, ledger.Seen{Version: 2}, 2, ""); return err },
		func() (err error) {
			first, err = d.Ask(ctx, ledger.Ask{Service: "checkout", Key: "order-1"})
			return err
		},
		func() (err error) {
			second, err = d.Ask(ctx, ledger.Ask{Service: "checkout", Key: "order-1"})
			return err
		},
		func() error { _, err := d.ClaimAsk(ctx, "checkout", 1); return err },
		func() error { return d.AnswerAsk(ctx, first, 1, ledger.AskDone, "") },
		func() error { _, err := d.Withdraw(ctx, second); return err },
	}
	state := other.LedgerState()
	for n, step := range steps {
		told := d.Changed()
		if err := step(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-told:
		default:
			t.Errorf("step %d is not told at once where it was made", n)
		}
		if after := other.LedgerState(); after == state {
			t.Errorf("step %d is not noticed elsewhere: %+v", n, after)
		} else {
			state = after
		}
	}
	s := enrol(t, d, session("checkout"))
	write(t, d, &ledger.Batch{Session: s, Calls: []ledger.Call{plainCall(s, 1)}})
	if after := other.LedgerState(); after != state {
		t.Errorf("what is recorded is taken for it: %+v", after)
	}
}

func TestAWriteOfAnotherProcessIsTold(t *testing.T) {
	path := newFile(t)
	d, reader := open(t, path), openExisting(t, path)
	own, read := quiet(t, d), quiet(t, reader)
	p := startProcess(t, "operate", path, 1)
	p.line()
	within(t, own, "a service")
	within(t, read, "a reader")
	p.end(t)
}

func TestNobodyIsWatchedAfterClose(t *testing.T) {
	path := newFile(t)
	d, err := db.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	d.Changed()
	if err := d.Close(); err != nil { // which waits for the watch to end
		t.Error(err)
	}
	d.Changed()
}
