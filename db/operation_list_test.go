package db_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
)

// variety writes operations of two services in all states, and returns them in order of
// their creation.
func variety(t testing.TB, d *db.DB, n int) (list []ledger.Operation) {
	t.Helper()
	for i := range n {
		in := plainIntent(fmt.Sprintf("Order-%d", i))
		in.Service = []string{"checkout", "Search", "büro"}[i%3]
		in.Name = []string{"", "create order", "löschen"}[i%4%3]
		in.URL = []string{"http://api.example.test/orders", "https://me:pw@api.example.test:8443/A/b?c=d", "http://ü.test/"}[i%5%3]
		in.Method = []string{"POST", "PUT"}[i%2]
		in.Fingerprint = in.Sum()
		at := now.Add(time.Duration(i) * time.Minute)
		step := sent()
		step.At = at
		if i%9 == 8 {
			step.To, step.Code = ledger.OpPrepared, ledger.CodePlanned
		}
		o, err := d.Create(context.Background(), in, step, 1)
		if err != nil {
			t.Fatal(err)
		}
		steps := [][]ledger.Transition{
			{},
			{{To: ledger.OpBackingOff, Code: ledger.CodeNotSent, NoEffect: true, Due: at.Add(time.Hour), Error: "Connection Refused"}},
			{unanswered()},
			{unanswered(), stuck()},
			{{To: ledger.OpSucceeded, Code: ledger.CodeAnswered, Result: &ledger.Result{Status: 201}}},
			{{To: ledger.OpFailed, Code: ledger.CodeRefused, NoEffect: true, Result: &ledger.Result{Status: 422}, Error: "422 é"}},
			{{To: ledger.OpSucceeded, Code: ledger.CodeAnswered}, {To: ledger.OpDisputed, Code: ledger.CodeContradicted}},
			{{To: ledger.OpSucceeded, Code: ledger.CodeAnswered}, {To: ledger.OpDisputed, Code: ledger.CodeContradicted}, person(ledger.OpFailed, ledger.CodeDenied)},
			{},
		}[i%9]
		for _, step := range steps {
			step.At = at.Add(time.Second)
			o = move(t, d, o, step)
		}
		o.Body = nil
		if o.Result != nil {
			o.Result.Body = nil
		}
		list = append(list, o)
	}
	return list
}

// wanted returns the operations that a query is to give.
func wanted(all []ledger.Operation, q ledger.OperationQuery, end time.Time) (list []ledger.Operation) {
	after := q.Urgent || q.After == ledger.ID{}
	for _, o := range all {
		if after && (q.Service == "" || o.Service == q.Service) && (!q.Open || o.State.Open()) &&
			(q.States == nil || slices.Contains(q.States, o.State)) && q.Filter.MatchOperation(&o, ledger.Env{End: end, Zone: q.Zone}) {
			list = append(list, o)
		}
		after = after || o.ID() == q.After
	}
	if q.Urgent {
		slices.SortStableFunc(list, func(a, b ledger.Operation) int {
			rank := map[bool]int{true: 0, false: 1}
			return rank[a.State == ledger.OpDisputed] - rank[b.State == ledger.OpDisputed]
		})
	}
	if q.Newest && !q.Urgent {
		slices.Reverse(list)
	}
	if q.Limit > 0 {
		list = list[:min(len(list), q.Limit)]
	}
	return list
}

func TestOperationsAreWhatTheQuerySelects(t *testing.T) {
	d := open(t, newFile(t))
	all := variety(t, d, 540)
	end := now.Add(9 * time.Hour)
	d.SetNow(func() time.Time { return end })
	queries := []ledger.OperationQuery{
		{}, {Open: true}, {Urgent: true}, {Open: true, Urgent: true}, {Limit: 3}, {Limit: 100, Urgent: true}, {Service: "büro"},
		{States: []ledger.OperationState{ledger.OpPending}}, {States: []ledger.OperationState{ledger.OpDisputed, ledger.OpFailed}, Urgent: true},
		{States: []ledger.OperationState{}}, {States: []ledger.OperationState{ledger.OpDisputed}}, {Open: true, States: []ledger.OperationState{ledger.OpFailed}},
		{After: all[200].ID(), Limit: 50}, {After: all[200].ID(), Limit: 50, Urgent: true, Open: true},
		{Zone: time.FixedZone("", 3600), Service: "checkout"},
		{Newest: true}, {Newest: true, Limit: 3}, {Newest: true, Open: true}, {Newest: true, Urgent: true}, {Newest: true, After: all[200].ID(), Limit: 50},
		{Newest: true, After: all[539].ID()}, {Newest: true, States: []ledger.OperationState{ledger.OpSucceeded, ledger.OpFailed}, Limit: 100},
		{Newest: true, States: []ledger.OperationState{ledger.OpDisputed}},
	}
	filters := []string{"", "state:pending", "-state:pending", "state:*e*", "state:failed or state:disputed", "key:order-7", "key:ORDER-1*", "key:/^order-.$/",
		"service:search", "service:b*ro", "order", "löschen", "api.example", "url:me:pw", "url:http://*orders", "method:put state:succeeded",
		"error:refused", "error:é", "host:api.example.test", "path:/A/*", "sends:>0", "sends:0", "status:4xx", "last:3h", "at:02:00..04:00", "dur:>0s",
		"key:order-7 or key:order-8", "wait:backoff", "-key:*9 sends:1"}
	for _, text := range filters {
		for n, q := range queries {
			q.Filter = filter(t, text)
			got, err := d.Operations(context.Background(), q)
			if err != nil {
				t.Fatalf("query %d with %q: %v", n, text, err)
			}
			if want := wanted(all, q, end); !reflect.DeepEqual(got, want) {
				t.Errorf("query %d with %q gives %d operations, want %d", n, text, len(got), len(want))
			}
		}
	}
	_, err := d.Operations(context.Background(), ledger.OperationQuery{After: ledger.ID{Service: "checkout", Key: "none"}})
	if !errors.Is(err, ledger.ErrNoOperation) {
		t.Errorf("after one that is not there: %v", err)
	}
}

func TestAListGoesOverWideGapsInEitherOrder(t *testing.T) {
	path := newFile(t)
	d, err := db.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	all := variety(t, d, 60)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	sqlite(t, path, `UPDATE operation SET id = id * 3000`)
	d = openExisting(t, path)
	for _, q := range []ledger.OperationQuery{
		{}, {Newest: true}, {After: all[20].ID()}, {Newest: true, After: all[20].ID()}, {Newest: true, Limit: 7},
		{States: []ledger.OperationState{ledger.OpFailed}}, {Newest: true, States: []ledger.OperationState{ledger.OpFailed}},
	} {
		got, err := d.Operations(context.Background(), q)
		if want := wanted(all, q, now); err != nil || len(got) == 0 || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v gives %d operations (%v), want %d", q, len(got), err, len(want))
		}
	}
}

func TestWhatWaitsForAPersonIsCounted(t *testing.T) {
	d := open(t, newFile(t))
	s := enrol(t, d, session("Search"))
	all := variety(t, d, 90)
	for _, service := range []string{"", "checkout", "Search"} {
		want := ledger.OperationCounts{}
		for _, o := range all {
			switch {
			case service != "" && o.Service != service:
			case o.State == ledger.OpDisputed:
				want.Disputed++
			case o.State == ledger.OpPending:
				if want.Pending++; want.Oldest.IsZero() {
					want.Oldest = o.Created
				}
			}
		}
		if got, err := d.OperationCounts(context.Background(), service); err != nil || got != want || service != "" && got.Pending > 0 != (service == "checkout") {
			t.Errorf("of %q there are %+v (%v), want %+v", service, got, err, want)
		}
	}
	wantTotals(t, d, map[string]int64{"": 90, "checkout": 30, "Search": 30, "büro": 30, "none": 0})
	pend(t, d, "one more")
	for range 2 {
		in := plainIntent(fmt.Sprint(time.Now().UnixNano()))
		in.Service = "Search"
		move(t, d, move(t, d, create(t, d, in), unanswered()), stuck())
	}
	one, err := d.Session(context.Background(), s)
	list, err2 := d.Sessions(context.Background())
	if err != nil || err2 != nil || one.Pending != 2 || list[0].Pending != 2 {
		t.Errorf("the session has %d and %d pending (%v, %v), want 2", one.Pending, list[0].Pending, err, err2)
	}
	if _, err := d.Create(context.Background(), all[0].Intent, sent(), 1); !errors.Is(err, ledger.ErrExists) {
		t.Error(err)
	}
	wantTotals(t, d, map[string]int64{"": 93, "checkout": 31, "Search": 32, "büro": 30})
}

func wantTotals(t *testing.T, d *db.DB, totals map[string]int64) {
	t.Helper()
	for service, want := range totals {
		if got, err := d.OperationTotal(context.Background(), service); err != nil || got != want {
			t.Errorf("of %q there are %d operations in all (%v), want %d", service, got, err, want)
		}
	}
}
