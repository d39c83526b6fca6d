package db_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
)

// now is when transitions of these tests are made.
var now = start.Add(time.Hour)

// intent returns an intent in which every field is set.
func fullIntent(key string) ledger.Intent {
	i := ledger.Intent{
		Service: "checkout", Key: key, Name: "create order", Ref: "8841/ü",
		Method: "POST", URL: "https://user:secret@api.example.test/v1/orders?token=…",
		Header:   []ledger.Field{{Name: "Accept", Value: "*/*"}, {Name: "X-Twice", Value: "b\xff"}, {Name: "X-Twice", Value: "a"}},
		Withheld: []string{"Authorization"}, Body: []byte("{\"order\":8841}\x00\xff"),
		Policy: ledger.KeyPolicy{Header: "X-Key", Quoted: true, Honoured: true, Lifetime: time.Hour, Conflict: ledger.InFlight,
			Unprocessable: ledger.OtherPayload, Accepted: true, Replayed: "X-Replayed", FingerprintHeaders: []string{"X-Tenant"}},
		Budget: ledger.Budget{Sends: 3, For: time.Minute, AttemptTimeout: time.Second, Base: 2, Max: 3},
		Lookup: &ledger.Lookup{Method: "GET", URL: "https://api.example.test/orders?key={key}", Header: []ledger.Field{{Name: "Accept", Value: "ü"}},
			Found: []int{200, 203}, NotFound: []int{404}, Match: []ledger.Match{{Pointer: "/ref", Value: "{ref}"}}, Count: "/total", Settle: time.Second, Times: 1},
		Asks: true, Undo: &ledger.Undo{Method: "DELETE", URL: "https://api.example.test/orders/{ref}", Body: []byte{0, 0xff}},
		Compensates: "order-1",
	}
	i.Fingerprint = i.Sum()
	return i
}

// plainIntent returns an intent with as little in it as there can be.
func plainIntent(key string) ledger.Intent {
	i := ledger.Intent{Service: "checkout", Key: key, Method: "POST", URL: "http://api.example.test/orders"}
	i.Fingerprint = i.Sum()
	return i
}

// sent returns the first transition of an operation that is sent.
func sent() ledger.Transition {
	return ledger.Transition{To: ledger.OpSending, At: now, Actor: ledger.Actor{Kind: ledger.Service}, Code: ledger.CodeSent}
}

// unanswered returns the transition of a send that nobody knows anything of.
func unanswered() ledger.Transition {
	return ledger.Transition{To: ledger.OpChecking, At: now.Add(time.Second), Actor: ledger.Actor{Kind: ledger.Service}, Code: ledger.CodeNoAnswer,
		Error: "unexpected EOF"}
}

// stuck returns the transition to pending.
func stuck() ledger.Transition {
	return ledger.Transition{To: ledger.OpPending, At: now.Add(2 * time.Second), Actor: ledger.Actor{Kind: ledger.Reconciler}, Code: ledger.CodeNoLookup}
}

// person returns a transition that a person makes.
func person(to ledger.OperationState, code ledger.Code) ledger.Transition {
	return ledger.Transition{To: to, At: now.Add(time.Minute), Actor: ledger.Actor{Kind: ledger.Person, Name: "Mia"}, Code: code,
		Reason: "the warehouse has it"}
}

func create(t testing.TB, d *db.DB, in ledger.Intent) ledger.Operation {
	t.Helper()
	o, err := d.Create(context.Background(), in, sent(), 1)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func move(t testing.TB, d *db.DB, o ledger.Operation, step ledger.Transition) ledger.Operation {
	t.Helper()
	o, err := d.Move(context.Background(), o.ID(), o.Seen(), step)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// pend makes an operation that is pending.
func pend(t testing.TB, d *db.DB, key string) ledger.Operation {
	t.Helper()
	return move(t, d, move(t, d, create(t, d, plainIntent(key)), unanswered()), stuck())
}

func operation(t testing.TB, d *db.DB, id ledger.ID) ledger.Operation {
	t.Helper()
	o, err := d.Operation(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func transitions(t testing.TB, d *db.DB, id ledger.ID) []ledger.Transition {
	t.Helper()
	list, err := d.Transitions(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestAnOperationIsReadAsItWasWritten(t *testing.T) {
	empty := plainIntent("empty")
	empty.Header, empty.Withheld, empty.Body = []ledger.Field{}, []string{}, []byte{}
	empty.Policy.FingerprintHeaders = []string{}
	empty.Lookup, empty.Undo = &ledger.Lookup{Found: []int{}}, &ledger.Undo{Body: []byte{}}
	empty.Fingerprint = empty.Sum()
	for _, in := range []ledger.Intent{fullIntent("full"), plainIntent("plain"), empty} {
		t.Run(in.Key, func(t *testing.T) {
			path := newFile(t)
			d := open(t, path)
			o := create(t, d, in)
			if !reflect.DeepEqual(o.Intent, in) || o.State != ledger.OpSending || o.Version != 1 || o.Fence != 1 || o.Owner != 1 {
				t.Errorf("Create returned\n%+v", o)
			}
			steps := []func() (ledger.Operation, error){
				func() (ledger.Operation, error) {
					return d.Move(context.Background(), o.ID(), o.Seen(), unanswered())
				},
				func() (ledger.Operation, error) {
					return d.Add(context.Background(), o.ID(), ledger.Transition{At: now.Add(2 * time.Second), Code: ledger.CodeLookedUp,
						Finding: ledger.LookupFailed, Asked: now.Add(time.Second), Due: now.Add(time.Hour), Error: "503", Evidence: "503 Busy\xff"})
				},
				func() (ledger.Operation, error) {
					return d.Claim(context.Background(), o.ID(), o.Seen(), 7, "its session is gone")
				},
				func() (ledger.Operation, error) {
					return d.Move(context.Background(), o.ID(), o.Seen(), stuck())
				},
				func() (ledger.Operation, error) {
					step := person(ledger.OpSucceeded, ledger.CodeConfirmed)
					step.Result = &ledger.Result{Status: 201, Header: []ledger.Field{{Name: "Location", Value: "/1"}}, Body: []byte("\x00done"), Replayed: true, Found: true}
					return d.Move(context.Background(), o.ID(), o.Seen(), step)
				},
				func() (ledger.Operation, error) {
					return d.Move(context.Background(), o.ID(), o.Seen(), ledger.Transition{To: ledger.OpDisputed, At: now.Add(time.Hour), Code: ledger.CodeContradicted,
						Actor: ledger.Actor{Kind: ledger.Reconciler}, Call: ledger.NewCallID(1, 9), Result: &ledger.Result{Dropped: true, Body: []byte{}}})
				},
			}
			for n, step := range append([]func() (ledger.Operation, error){func() (ledger.Operation, error) { return o, nil }}, steps...) {
				var err error
				if o, err = step(); err != nil {
					t.Fatalf("step %d: %v", n, err)
				}
				for name, d := range map[string]*db.DB{"the writer": d, "a reader": openExisting(t, path)} {
					if got := operation(t, d, o.ID()); !reflect.DeepEqual(got, o) {
						t.Errorf("step %d: %s has\n%+v, want\n%+v", n, name, got, o)
					}
				}
			}
			if o.State != ledger.OpDisputed || o.SettledBy.Name != "Mia" || string(o.Result.Body) != "\x00done" || o.LastError != "503" || o.Fence != 2 || o.Version != 5 {
				t.Errorf("in the end it is\n%+v", o)
			}
		})
	}
}

func TestTransitionsAreReadAsTheyWereWritten(t *testing.T) {
	d := open(t, newFile(t))
	o := create(t, d, plainIntent("order-1"))
	want := ledger.Transition{From: ledger.OpSending, To: ledger.OpBackingOff, At: now.Add(time.Second), Actor: ledger.Actor{Kind: ledger.Service},
		Code: ledger.CodeThrottled, Reason: "429\xff", Evidence: "Retry-After: 7", Call: ledger.NewCallID(3, 12), NoEffect: true, Due: now.Add(8 * time.Second),
		Finding: ledger.FoundOther, Asked: now, Result: &ledger.Result{Status: 429, Header: []ledger.Field{}, Body: []byte("wait")}, Error: "429"}
	move(t, d, o, want)
	want.N, want.Service, want.Key = 2, "checkout", "order-1"
	want.Result = &ledger.Result{Status: 429, Header: []ledger.Field{}} // the body is with the operation, if it is the one that stands
	first := sent()
	first.N, first.Service, first.Key = 1, "checkout", "order-1"
	if got := transitions(t, d, o.ID()); !reflect.DeepEqual(got, []ledger.Transition{first, want}) {
		t.Errorf("the transitions are\n%+v, want\n%+v", got, []ledger.Transition{first, want})
	}
}

func TestAKeyIsUsedOnceInAService(t *testing.T) {
	d := open(t, newFile(t))
	first := fullIntent("order-1")
	o := move(t, d, create(t, d, first), ledger.Transition{To: ledger.OpSucceeded, At: now, Code: ledger.CodeAnswered, Result: &ledger.Result{Status: 201, Body: []byte("1")}})
	again := plainIntent("order-1")
	got, err := d.Create(context.Background(), again, sent(), 2)
	if !errors.Is(err, ledger.ErrExists) || !reflect.DeepEqual(got, o) {
		t.Errorf("Create returned %v and\n%+v, want\n%+v", err, got, o)
	}
	if n := len(transitions(t, d, o.ID())); n != 2 {
		t.Errorf("there are %d transitions", n)
	}
	again.Service = "search"
	create(t, d, again)
	list, err := d.OperationByKey(context.Background(), "order-1")
	if err != nil || len(list) != 2 || list[0].Service != "checkout" || list[1].Service != "search" {
		t.Errorf("by key there are %+v (%v)", list, err)
	}
}

func TestOfTwoMoversOneWins(t *testing.T) {
	path := newFile(t)
	dbs := []*db.DB{open(t, path), open(t, path)}
	for n := range 200 {
		o := pend(t, dbs[0], fmt.Sprintf("order-%d", n))
		results := make([]ledger.Operation, 2)
		errs := make([]error, 2)
		var both sync.WaitGroup
		for i := range 2 {
			both.Go(func() {
				step := person(ledger.OpSucceeded+ledger.OperationState(i), ledger.CodeConfirmed+ledger.Code(i))
				results[i], errs[i] = dbs[n%2*i].Move(context.Background(), o.ID(), o.Seen(), step)
			})
		}
		both.Wait()
		winner := 0
		if errs[0] != nil {
			winner = 1
		}
		if errs[winner] != nil || !errors.Is(errs[1-winner], ledger.ErrMoved) {
			t.Fatalf("round %d: the errors are %v and %v", n, errs[0], errs[1])
		}
		if !reflect.DeepEqual(results[0], results[1]) || results[0].State != ledger.OpSucceeded+ledger.OperationState(winner) {
			t.Errorf("round %d: the results are\n%+v\n%+v", n, results[0], results[1])
		}
		if n := len(transitions(t, dbs[0], o.ID())); n != 4 {
			t.Errorf("round %d: there are %d transitions", n, n)
		}
	}
}

func TestAStaleFenceMovesNothingButMayAdd(t *testing.T) {
	d := open(t, newFile(t))
	ctx := context.Background()
	old := create(t, d, plainIntent("order-1"))
	claimed, err := d.Claim(ctx, old.ID(), old.Seen(), 2, "its session is gone")
	if err != nil || claimed.Owner != 2 || claimed.Fence != 2 || claimed.Version != old.Version {
		t.Fatalf("Claim returned %+v (%v)", claimed, err)
	}
	if _, err := d.Claim(ctx, old.ID(), old.Seen(), 3, ""); !errors.Is(err, ledger.ErrMoved) {
		t.Errorf("a second claim says %v", err)
	}
	got, err := d.Move(ctx, old.ID(), old.Seen(), unanswered())
	if !errors.Is(err, ledger.ErrMoved) || !reflect.DeepEqual(got, claimed) {
		t.Errorf("Move with a stale fence returned %v and\n%+v", err, got)
	}
	if _, err := d.Move(ctx, old.ID(), ledger.Seen{Version: old.Version}, unanswered()); err != nil {
		t.Errorf("Move without a fence says %v", err)
	}
	o, err := d.Add(ctx, old.ID(), ledger.Transition{Code: ledger.CodeEvidence, Evidence: "201 came late"})
	if err != nil || o.State != ledger.OpChecking || o.Version != 2 {
		t.Errorf("Add returned %+v (%v)", o, err)
	}
	if _, err := d.Add(ctx, old.ID(), stuck()); err == nil {
		t.Error("Add makes a move")
	}
}

func TestWhatIsRefusedWritesNothing(t *testing.T) {
	d := open(t, newFile(t))
	ctx := context.Background()
	o := create(t, d, plainIntent("order-1"))
	var refused *ledger.MoveError
	if got, err := d.Move(ctx, o.ID(), o.Seen(), person(ledger.OpSucceeded, ledger.CodeConfirmed)); !errors.As(err, &refused) || !reflect.DeepEqual(got, o) {
		t.Errorf("a step that is not in the table returned %v and\n%+v", err, got)
	}
	if _, err := d.Create(ctx, plainIntent("order-2"), stuck(), 1); !errors.As(err, &refused) {
		t.Errorf("Create to pending says %v", err)
	}
	absent := ledger.ID{Service: "checkout", Key: "order-3"}
	if _, err := d.Move(ctx, absent, o.Seen(), unanswered()); !errors.Is(err, ledger.ErrNoOperation) {
		t.Errorf("Move of what is not there says %v", err)
	}
	if _, err := d.Operation(ctx, absent); !errors.Is(err, ledger.ErrNoOperation) {
		t.Errorf("Operation says %v", err)
	}
	if _, err := d.Transitions(ctx, absent); !errors.Is(err, ledger.ErrNoOperation) {
		t.Errorf("Transitions says %v", err)
	}
	odd := fullIntent("order-4")
	odd.Lookup.Header[0].Value = "\xff"
	if _, err := d.Create(ctx, odd, sent(), 1); err == nil {
		t.Error("a lookup that cannot be kept as it is was accepted")
	}
	if got := operation(t, d, o.ID()); !reflect.DeepEqual(got, o) || len(transitions(t, d, o.ID())) != 1 {
		t.Errorf("the operation is now\n%+v", got)
	}
}

func TestDueIsWhatNeedsSomething(t *testing.T) {
	d := open(t, newFile(t))
	ctx := context.Background()
	create(t, d, fullIntent("sending"))
	later := ledger.Transition{To: ledger.OpBackingOff, At: now, Code: ledger.CodeNotSent, NoEffect: true, Due: now.Add(2 * time.Hour)}
	move(t, d, create(t, d, plainIntent("backing off")), later)
	pend(t, d, "pending")
	for n, due := range []time.Duration{30 * time.Minute, time.Hour, time.Minute} {
		o := pend(t, d, fmt.Sprint("pending ", n))
		if _, err := d.Add(ctx, o.ID(), ledger.Transition{Code: ledger.CodeNote, Due: now.Add(due)}); err != nil {
			t.Fatal(err)
		}
	}
	other := plainIntent("other")
	other.Service = "search"
	create(t, d, other)
	for limit, want := range map[int]string{0: "[sending pending 2 pending 0 backing off]", 2: "[sending pending 2]"} {
		list, err := d.Due(ctx, "checkout", now.Add(time.Hour), limit)
		keys := []string{}
		for _, o := range list {
			keys = append(keys, o.Key)
		}
		if err != nil || fmt.Sprint(keys) != want {
			t.Errorf("due are %v (%v), want %v", keys, err, want)
		}
		if len(list) > 0 && list[0].Sum() != list[0].Fingerprint {
			t.Errorf("what is due lacks its bytes: %+v", list[0])
		}
	}
}

func TestAClaimByAClockThatStandsBeforeTheLastTransitionIsRemembered(t *testing.T) {
	path := newFile(t)
	d := open(t, path)
	for key, back := range map[string]time.Duration{"order-1": time.Second, "order-2": 5 * time.Second} {
		o := move(t, d, create(t, d, plainIntent(key)), unanswered())
		d.SetNow(func() time.Time { return o.Updated.Add(-back) })
		o, err := d.Claim(context.Background(), o.ID(), o.Seen(), 2, "its session is gone")
		if err != nil || o.Ageless != (back > 2*time.Second) || o.Held {
			t.Errorf("set back by %s: %+v (%v)", back, o, err)
		}
		o = move(t, d, o, ledger.Transition{To: ledger.OpPending, At: now.Add(time.Hour), Code: ledger.CodeNoLookup})
		if got := operation(t, openExisting(t, path), o.ID()); !reflect.DeepEqual(got, o) || got.Ageless != (back > 2*time.Second) || !got.Held {
			t.Errorf("read it is %+v", got)
		}
	}
}
