package db_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
)

// long returns a file of calls that take up to ten minutes, some of which were cut off.
func long(t *testing.T) (*db.DB, []ledger.SessionID) {
	d := open(t, newFile(t))
	random := rand.New(rand.NewPCG(5, 6))
	var sessions []ledger.SessionID
	for range 3 {
		s := enrol(t, d, session("checkout"))
		sessions = append(sessions, s)
		at := start
		var list, live []ledger.Call
		for n := range int64(400) {
			at = at.Add(time.Duration(random.IntN(4000)-200) * time.Millisecond)
			c := plainCall(s, n+1)
			c.Started, c.Took = at, time.Duration(1+random.IntN(1000))*time.Millisecond
			switch random.IntN(20) {
			case 0:
				c.Took = time.Duration(random.IntN(600)) * time.Second
			case 1:
				c.State, c.Since, c.Took = ledger.Sending, at, 0
				live = append(live, c)
				continue
			case 2:
				c.Host = "other.example.test"
			}
			list = append(list, c)
		}
		write(t, d, &ledger.Batch{Session: s, Calls: list, Running: live})
		if err := d.End(context.Background(), s, at, ledger.Counters{}); err != nil {
			t.Fatal(err)
		}
	}
	return d, sessions
}

func TestDuringFindsWhateverWentOnThen(t *testing.T) {
	d, sessions := long(t)
	all := calls(t, d, ledger.Query{})
	host, err := ledger.ParseFilter("host:other.example.test or status:200")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		q := ledger.Query{From: start.Add(time.Duration(i*17) * time.Second), Sessions: sessions[i%3:]}
		q.To = q.From.Add(time.Duration(i*i) * 100 * time.Millisecond)
		if i%2 == 1 {
			q.Filter = host
		}
		var on []ledger.Call
		for k := range all {
			c := &all[k]
			during := !c.Started.Before(q.From) && c.Started.Before(q.To) || c.Started.Before(q.From) && c.Started.Add(c.Took).After(q.From)
			if during && slices.Contains(q.Sessions, c.ID.Session()) && q.Filter.Match(c, ledger.Env{}) {
				on = append(on, *c)
			}
		}
		slices.SortFunc(on, func(a, b ledger.Call) int { return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.ID, b.ID)) })
		want := ids(on)
		for _, limit := range []int{0, 1, 7, 100} {
			q.Limit = limit
			got, err := d.During(context.Background(), q)
			if err != nil {
				t.Fatal(err)
			}
			g := ids(got)
			if limit == 0 && !reflect.DeepEqual(g, want) {
				t.Fatalf("from %v for %v: %v, want %v", q.From.Sub(start), q.To.Sub(q.From), g, want)
			}
			stray := slices.ContainsFunc(g, func(id string) bool { return !slices.Contains(want, id) })
			if limit > 0 && (len(g) != min(limit, len(want)) || stray) {
				t.Fatalf("from %v for %v at most %d: %v of %v", q.From.Sub(start), q.To.Sub(q.From), limit, g, want)
			}
		}
	}
}

func TestAQueryForATimeHasTheCallsThatStartedThen(t *testing.T) {
	d, _ := long(t)
	all := calls(t, d, ledger.Query{})
	slow, err := ledger.ParseFilter("dur:>500ms or outcome:unknown")
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []ledger.Query{
		{From: start.Add(time.Minute)},
		{To: start.Add(time.Minute)},
		{From: start.Add(time.Minute), To: start.Add(2 * time.Minute)},
		{From: start.Add(time.Minute), To: start.Add(2 * time.Minute), Newest: true, Limit: 9},
		{From: start.Add(time.Minute), To: start.Add(2 * time.Minute), Filter: slow},
		{From: start.Add(time.Minute), Filter: slow, Newest: true},
		{From: start.Add(time.Minute), After: all[300].ID},
		{To: start.Add(time.Minute), Before: all[20].ID},
		{From: start.Add(time.Hour)},
		{From: start.Add(2 * time.Minute), To: start.Add(time.Minute)},
	} {
		whole := q
		whole.From, whole.To, whole.Limit = time.Time{}, time.Time{}, 0
		want := []string{}
		for _, c := range calls(t, d, whole) {
			if (q.From.IsZero() || !c.Started.Before(q.From)) && (q.To.IsZero() || c.Started.Before(q.To)) {
				want = append(want, c.ID.String())
			}
		}
		if q.Limit > 0 {
			want = want[:q.Limit]
		}
		if got := ids(calls(t, d, q)); !reflect.DeepEqual(got, want) {
			t.Errorf("%+v: %d calls %v, want %d %v", q, len(got), got, len(want), want)
		}
	}
}

func TestCallsWithTheirListsAreWholeButForHeadersAndBodies(t *testing.T) {
	d := open(t, newFile(t))
	s := enrol(t, d, session("checkout"))
	write(t, d, &ledger.Batch{Session: s, Calls: []ledger.Call{fullCall(s, 1), plainCall(s, 2)}})
	ids := []ledger.CallID{ledger.NewCallID(s, 2), ledger.NewCallID(s, 99), ledger.NewCallID(s, 1)}
	got, err := d.WithLists(context.Background(), ids)
	if err != nil {
		t.Fatal(err)
	}
	var want []ledger.Call
	for _, id := range []ledger.CallID{ids[0], ids[2]} {
		c, err := d.Call(context.Background(), id)
		if err != nil {
			t.Fatal(err)
		}
		c.Previous = 0
		for i := range c.AttemptList {
			c.AttemptList[i].Request, c.AttemptList[i].Response = ledger.Message{}, ledger.Message{}
		}
		want = append(want, c)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the calls are\n%+v\nwant\n%+v", got, want)
	}
}

func TestSumsAreTheRollupsOfEachStep(t *testing.T) {
	d, sessions := long(t)
	from, to := start.Add(-time.Minute), start.Add(20*time.Minute)
	for i, step := range []time.Duration{0, time.Second, 7 * time.Second, time.Hour, time.Hour} {
		latency := i < 4
		var got []ledger.Rollup
		var seen, total int64
		q := ledger.SumQuery{Sessions: sessions[1:], From: from, To: to, Step: step, Latency: latency, Progress: func(s, t int64) { seen, total = s, t }}
		err := d.Sums(context.Background(), q, func(r *ledger.Rollup) error {
			got = append(got, *r)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if seen != total || total == 0 {
			t.Errorf("%v: it ended at second %d of %d", step, seen, total)
		}
		rollups, err := d.Rollups(context.Background(), sessions[1:], from, to)
		if err != nil {
			t.Fatal(err)
		}
		seconds := max(int64(step/time.Second), 1)
		want := map[string]ledger.Rollup{}
		name := func(r *ledger.Rollup) string { return fmt.Sprint(r.Session, r.Host, r.Second/seconds) }
		for i := range rollups {
			r := &rollups[i]
			sum := want[name(r)]
			sum.Session, sum.Host, sum.Second = r.Session, r.Host, r.Second/seconds*seconds
			sum.Calls, sum.Attempts, sum.Retried, sum.Failed, sum.Unknown = sum.Calls+r.Calls, sum.Attempts+r.Attempts, sum.Retried+r.Retried, sum.Failed+r.Failed, sum.Unknown+r.Unknown
			for k := range sum.Waited {
				sum.Waited[k] += r.Waited[k]
			}
			if latency {
				sum.Latency.Merge(&r.Latency)
			}
			want[name(r)] = sum
		}
		if len(got) != len(want) || len(got) == 0 {
			t.Errorf("%v: %d sums, want %d", step, len(got), len(want))
		}
		for i := range got {
			if w := want[name(&got[i])]; got[i] != w {
				t.Errorf("%v: the sum is %+v, want %+v", step, got[i], w)
			}
		}
		q.Latency = false
		i := 0
		err = d.Sums(context.Background(), q, func(r *ledger.Rollup) error {
			w := got[i]
			w.Latency = ledger.Histogram{}
			if i++; *r != w {
				t.Errorf("%v: without latencies the sum is %+v, want %+v", step, *r, w)
			}
			return nil
		})
		if err != nil || i != len(got) {
			t.Errorf("%v: without latencies there are %d of %d sums, %v", step, i, len(got), err)
		}
	}
}
