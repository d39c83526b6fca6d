package db_test

import (
	"context"
	"errors"
	"io/fs"
	"reflect"
	"testing"
	"time"

	"redial/ledger"
)

func TestACallIsReadAsItWasWritten(t *testing.T) {
	d := open(t, newFile(t))
	s := enrol(t, d, session("checkout"))
	want := fullCall(s, 1)
	for n := int64(2); n < 6; n++ { // what comes again is stored in another way
		again := fullCall(s, n)
		write(t, d, &ledger.Batch{Session: s, Calls: []ledger.Call{again, plainCall(s, 10*n)}})
	}
	write(t, d, &ledger.Batch{Session: s, Calls: []ledger.Call{want}})
	for n := int64(1); n < 6; n++ {
		want.ID = ledger.NewCallID(s, n)
		got, err := d.Call(context.Background(), want.ID)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("call %s is\n%+v\n, want\n%+v", want.ID, got, want)
		}
	}
	list := calls(t, d, ledger.Query{Limit: 1})
	want.ID, want.AttemptList, want.Waits = ledger.NewCallID(s, 1), nil, nil
	want.Previous = 0 // which lists do not have
	if len(list) != 1 || !reflect.DeepEqual(list[0], want) {
		t.Errorf("the list has\n%+v\n, want\n%+v", list, want)
	}
}

// In a list calls come without their attempts.
func TestALookupThatFoundNothingIsToldFromOtherCallsInLists(t *testing.T) {
	d := open(t, newFile(t))
	s := enrol(t, d, session("checkout"))
	lookup := func(n int64, status int, reasons ...ledger.Reason) ledger.Call {
		c := plainCall(s, n)
		c.AttemptList = nil
		for i, why := range reasons {
			c.AttemptList = append(c.AttemptList, ledger.Attempt{N: i + 1, Reason: why, Status: 401, Outcome: ledger.Answered, RetryAfter: -1})
		}
		c.AttemptList[len(reasons)-1].Status = status
		c.Summarise()
		return c
	}
	all := []ledger.Call{lookup(1, 404, ledger.LookUp), lookup(2, 404, ledger.First), lookup(3, 410, ledger.LookUp, ledger.AuthLeg),
		lookup(4, 404, ledger.First, ledger.AuthLeg), lookup(5, 200, ledger.LookUp), lookup(6, 500, ledger.LookUp)}
	write(t, d, &ledger.Batch{Session: s, Calls: all})
	for _, c := range calls(t, d, ledger.Query{}) {
		n := c.ID.N()
		if want := n == 1 || n == 3; c.NotThere != want || c.Failed() != (n == 2 || n == 4 || n == 6) {
			t.Errorf("call %d: not there is %t, failed is %t", n, c.NotThere, c.Failed())
		}
		if one, err := d.Call(context.Background(), c.ID); err != nil || one.NotThere != c.NotThere || len(one.AttemptList) != c.Attempts {
			t.Errorf("call %d by itself: %+v (%v)", n, one, err)
		}
	}
	f, err := ledger.ParseFilter("status:404")
	if list := calls(t, d, ledger.Query{Filter: f}); err != nil || len(list) != 3 {
		t.Errorf("status:404 finds %d (%v)", len(list), err)
	}
	rollups, err := d.Rollups(context.Background(), nil, start.Add(-time.Hour), start.Add(time.Hour))
	failed := int64(0)
	for _, r := range rollups {
		failed += r.Failed
	}
	if err != nil || failed != 3 {
		t.Errorf("%d of them count as failed (%v), want 3", failed, err)
	}
}

func TestACallThatIsNotThereIsAnError(t *testing.T) {
	d := open(t, newFile(t))
	if _, err := d.Call(context.Background(), ledger.NewCallID(3, 7)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the error is %v", err)
	}
	if _, err := d.Session(context.Background(), 3); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the error is %v", err)
	}
}

func TestASessionIsReadAsItWasWritten(t *testing.T) {
	d := open(t, newFile(t))
	ctx := context.Background()
	first, second := session("checkout"), session("search")
	first.ID, second.ID = enrol(t, d, first), enrol(t, d, second)
	if first.ID != 1 || second.ID != 2 {
		t.Errorf("the sessions are %d and %d, want 1 and 2", first.ID, second.ID)
	}
	beat := time.Now().UTC().Round(0)
	gap := ledger.Gap{From: start, To: start.Add(time.Minute), Calls: 7, Reason: "the disk was full"}
	counters := ledger.Counters{Queued: 10, Written: 2, QueueFull: 6, StoreFailed: 1}
	write(t, d, &ledger.Batch{Session: second.ID, Beat: beat, Counters: counters, Gaps: []ledger.Gap{gap},
		Calls: []ledger.Call{plainCall(2, 1), plainCall(2, 2)}})
	end := beat.Add(time.Second)
	if err := d.End(ctx, first.ID, end, ledger.Counters{Queued: 1}); err != nil {
		t.Fatal(err)
	}
	first.LastSeen, first.Ended, first.Counters = end, end, ledger.Counters{Queued: 1}
	second.LastSeen, second.Counters, second.Gaps, second.Calls = beat, counters, []ledger.Gap{gap}, 2
	got, err := d.Sessions(ctx)
	if want := []ledger.Session{second, first}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("the sessions are\n%+v (%v), want\n%+v", got, err, want)
	}
	one, err := d.Session(ctx, 2)
	if err != nil || !reflect.DeepEqual(one, second) {
		t.Errorf("session 2 is\n%+v (%v), want\n%+v", one, err, second)
	}
}
