package db_test

import (
	"context"
	"errors"
	"io/fs"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
)

func ask(t testing.TB, d *db.DB, a ledger.Ask) int64 {
	t.Helper()
	id, err := d.Ask(context.Background(), a)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func asked(t testing.TB, d *db.DB, id int64) ledger.Ask {
	t.Helper()
	a, err := d.Asked(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAnAskIsClaimedAndAnswered(t *testing.T) {
	path := newFile(t)
	d, service := open(t, path), open(t, path)
	ctx := context.Background()
	o := pend(t, d, "order-1")
	s := enrol(t, service, session("checkout"))
	want := ledger.Ask{Service: "checkout", Key: "order-1", Kind: ledger.AskReplay, By: "Mia ü", At: now, Version: o.Version,
		Despite: []string{ledger.CheckKeyAge}, Reason: "the customer waits"}
	want.ID = ask(t, d, want)
	later := ask(t, d, ledger.Ask{Service: "checkout", Key: "order-1", Kind: ledger.AskUndo})
	if got := asked(t, d, want.ID); !reflect.DeepEqual(got, want) {
		t.Errorf("the ask is\n%+v, want\n%+v", got, want)
	}
	if a, err := service.ClaimAsk(ctx, "search", s); a != nil || err != nil {
		t.Errorf("another service gets %+v (%v)", a, err)
	}
	want.State, want.Taken = ledger.AskClaimed, s
	if a, err := service.ClaimAsk(ctx, "checkout", s); err != nil || a == nil || !reflect.DeepEqual(*a, want) {
		t.Errorf("the service gets\n%+v (%v), want\n%+v", a, err, want)
	}
	if a, err := d.Withdraw(ctx, want.ID); err != nil || !reflect.DeepEqual(a, want) {
		t.Errorf("a claimed ask was withdrawn: %+v (%v)", a, err)
	}
	if a, err := d.Withdraw(ctx, later); err != nil || a.State != ledger.AskWithdrawn {
		t.Errorf("an open ask was not withdrawn: %+v (%v)", a, err)
	}
	if a, err := service.ClaimAsk(ctx, "checkout", s); a != nil || err != nil {
		t.Errorf("a withdrawn ask is claimed: %+v (%v)", a, err)
	}
	if err := d.AnswerAsk(ctx, want.ID, s+1, ledger.AskDone, "x"); err == nil {
		t.Error("another session answers")
	}
	if err := service.AnswerAsk(ctx, want.ID, s, ledger.AskOpen, "x"); err == nil {
		t.Error("open is an answer")
	}
	if err := service.AnswerAsk(ctx, want.ID, s, ledger.AskRefused, "the key is too old"); err != nil {
		t.Error(err)
	}
	if err := service.AnswerAsk(ctx, want.ID, s, ledger.AskDone, "again"); err == nil {
		t.Error("an ask is answered twice")
	}
	want.State, want.Answer = ledger.AskRefused, "the key is too old"
	list, err := d.Asks(ctx, o.ID())
	if err != nil || len(list) != 2 || !reflect.DeepEqual(list[0], want) {
		t.Errorf("the asks are\n%+v (%v), want\n%+v first", list, err, want)
	}
}

func TestAnAskThatCannotBeIsRefused(t *testing.T) {
	d := open(t, newFile(t))
	ctx := context.Background()
	if _, err := d.Ask(ctx, ledger.Ask{Service: "checkout", Key: "order-1"}); !errors.Is(err, ledger.ErrNoOperation) {
		t.Errorf("an ask for what is not there says %v", err)
	}
	_, err := d.Asked(ctx, 7)
	_, err2 := d.Withdraw(ctx, 7)
	err3 := d.AnswerAsk(ctx, 7, 1, ledger.AskDone, "")
	for _, err := range []error{err, err2, err3} {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("an ask that is not there says %v", err)
		}
	}
}

func TestAnAskWhoseSessionIsGoneSaysSo(t *testing.T) {
	d := open(t, newFile(t))
	ctx := context.Background()
	pend(t, d, "order-1")
	s := enrol(t, d, session("checkout"))
	id := ask(t, d, ledger.Ask{Service: "checkout", Key: "order-1"})
	if _, err := d.ClaimAsk(ctx, "checkout", s); err != nil {
		t.Fatal(err)
	}
	if a := asked(t, d, id); a.Gone {
		t.Errorf("a live session is gone: %+v", a)
	}
	if err := d.End(ctx, s, time.Now(), ledger.Counters{}); err != nil {
		t.Fatal(err)
	}
	if a := asked(t, d, id); !a.Gone || a.State != ledger.AskClaimed {
		t.Errorf("a session that has ended is not gone: %+v", a)
	}
}

func TestAnAskIsClaimedOnce(t *testing.T) {
	path := newFile(t)
	dbs := []*db.DB{open(t, path), open(t, path)}
	pend(t, dbs[0], "order-1")
	for range 50 {
		id := ask(t, dbs[0], ledger.Ask{Service: "checkout", Key: "order-1"})
		var claimed, withdrawn atomic.Int64
		var all sync.WaitGroup
		for i, d := range dbs {
			all.Go(func() {
				a, err := d.ClaimAsk(context.Background(), "checkout", ledger.SessionID(i+1))
				if err != nil {
					t.Error(err)
				} else if a != nil {
					claimed.Add(1)
				}
			})
		}
		all.Go(func() {
			a, err := dbs[1].Withdraw(context.Background(), id)
			if err != nil {
				t.Error(err)
			} else if a.State == ledger.AskWithdrawn {
				withdrawn.Add(1)
			}
		})
		all.Wait()
		if claimed.Load()+withdrawn.Load() != 1 {
			t.Fatalf("an ask was claimed %d times and withdrawn %d times", claimed.Load(), withdrawn.Load())
		}
	}
}
