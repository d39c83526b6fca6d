package db_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
)

// overlapping returns a file with sessions that overlap in time, some of them cut off,
// whose calls now and then start a little out of order.
func overlapping(t *testing.T) *db.DB {
	d := open(t, newFile(t))
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 6 {
		s := enrol(t, d, session("checkout"))
		at := start.Add(time.Duration(i) * 40 * time.Second)
		var list, live []ledger.Call
		for n := range int64(150) {
			at = at.Add(time.Duration(random.IntN(1000)-200) * time.Millisecond).Truncate(100 * time.Millisecond) // now and then the same
			c := plainCall(s, n+1)
			c.Started = at
			if random.IntN(10) == 0 {
				c.State, c.Since = ledger.Sending, at
				live = append(live, c)
			} else {
				list = append(list, c)
			}
		}
		write(t, d, &ledger.Batch{Session: s, Calls: list, Running: live})
		if i%2 == 0 {
			if err := d.End(context.Background(), s, at, ledger.Counters{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return d
}

func TestPagesJoinWithoutGapsAndRepeats(t *testing.T) {
	d := overlapping(t)
	for _, text := range []string{"", "status:200", "path:/orders running:no"} {
		for _, newest := range []bool{false, true} {
			q := ledger.Query{Filter: filter(t, text), Newest: newest}
			want := ids(calls(t, d, q))
			var got []string
			for q.Limit = 17; ; {
				page := calls(t, d, q)
				got = append(got, ids(page)...)
				if len(page) < q.Limit {
					break
				}
				if last := page[len(page)-1].ID; newest {
					q.Before = last
				} else {
					q.After = last
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q, newest %v: pages give %d calls, and all at once %d", text, newest, len(got), len(want))
			}
		}
	}
}

func TestNewestFirstIsTheOtherWayRound(t *testing.T) {
	d := overlapping(t)
	q := ledger.Query{Sessions: []ledger.SessionID{1}}
	oldest := ids(calls(t, d, q))
	q.Newest = true
	newest := ids(calls(t, d, q))
	slices.Reverse(newest)
	if len(oldest) != 150 || !slices.Equal(oldest, newest) {
		t.Errorf("the lists have %d and %d calls", len(oldest), len(newest))
	}
}

func TestEachEndsWithTheErrorOfItsFunction(t *testing.T) {
	d := overlapping(t)
	enough := errors.New("enough")
	n := 0
	err := d.Each(context.Background(), ledger.Query{}, func(*ledger.Call) error {
		if n++; n == 3 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || n != 3 {
		t.Errorf("it ended after %d calls with %v", n, err)
	}
}

func TestACancelledContextEndsAScan(t *testing.T) {
	d := overlapping(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	n := 0
	err := d.Each(ctx, ledger.Query{}, func(*ledger.Call) error {
		if n++; n == 3 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || n > 200 {
		t.Errorf("it ended after %d calls with %v", n, err)
	}
	if _, err := d.Sessions(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Sessions says %v", err)
	}
	if _, err := d.Calls(ctx, ledger.Query{Filter: filter(t, "/absent/")}); !errors.Is(err, context.Canceled) {
		t.Errorf("Calls says %v", err)
	}
}

func TestWhileEachRunsNothingIsHeldOpen(t *testing.T) {
	path := newFile(t)
	d := open(t, path)
	s := enrol(t, d, session("checkout"))
	store(t, d, s, mixed(s, 500))
	n := 0
	err := d.Each(context.Background(), ledger.Query{}, func(*ledger.Call) error {
		if n++; n == 300 {
			sqlite(t, path, "PRAGMA busy_timeout = 0", "PRAGMA wal_checkpoint(TRUNCATE)") // which no reader may be in the way of
			write(t, d, &ledger.Batch{Session: s, Calls: []ledger.Call{plainCall(s, 1000)}})
		}
		return nil
	})
	if err != nil || n != 500 {
		t.Errorf("it gave %d calls (%v), want the 500 that there were", n, err)
	}
}

func TestTheVersionChangesWithTheFile(t *testing.T) {
	path := newFile(t)
	d, other := open(t, path), open(t, path)
	s := enrol(t, d, session("checkout"))
	for name, reader := range map[string]*db.DB{"the same": d, "another": other} {
		version := func() int64 {
			n, err := reader.Version(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		before := version()
		if now := version(); now != before {
			t.Errorf("%s: it changes from %d to %d by itself", name, before, now)
		}
		calls(t, reader, ledger.Query{})
		if now := version(); now != before {
			t.Errorf("%s: reading changes it from %d to %d", name, before, now)
		}
		write(t, d, &ledger.Batch{Session: s})
		if now := version(); now == before {
			t.Errorf("%s: it stays %d when something is written", name, now)
		}
	}
}

func TestAClosedDatabaseSaysSo(t *testing.T) {
	d := open(t, newFile(t))
	for range 2 {
		if err := d.Close(); err != nil {
			t.Errorf("Close says %v", err)
		}
	}
	ctx := context.Background()
	_, err1 := d.Enrol(ctx, session("checkout"))
	_, err2 := d.Sessions(ctx)
	_, err3 := d.Version(ctx)
	for _, err := range []error{err1, err2, err3, d.Write(ctx, &ledger.Batch{})} {
		if !errors.Is(err, db.ErrClosed) {
			t.Errorf("the error is %v", err)
		}
	}
}
