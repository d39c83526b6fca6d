package db_test

import (
	"context"
	"errors"
	"testing"

	"redial/db"
	"redial/ledger"
)

// threeRuns is a file with three sessions of 100 calls each, so that a scan has three parts.
func threeRuns(t *testing.T) *db.DB {
	t.Helper()
	d := open(t, newFile(t))
	for _, name := range []string{"one", "two", "three"} {
		id := enrol(t, d, session(name))
		write(t, d, &ledger.Batch{Session: id, Calls: mixed(id, 100)})
	}
	return d
}

func TestAScanTellsHowFarItIs(t *testing.T) {
	d := threeRuns(t)
	for _, newest := range []bool{false, true} {
		var told []int64
		calls, err := d.Calls(t.Context(), ledger.Query{Filter: filter(t, "/nowhere/"), Newest: newest, Progress: func(seen, total int64) {
			if total != 300 {
				t.Errorf("it goes through %d rows", total)
			}
			told = append(told, seen)
		}})
		if err != nil || len(calls) != 0 {
			t.Fatalf("%d calls, %v", len(calls), err)
		}
		if len(told) != 3 || told[0] != 100 || told[1] != 200 || told[2] != 300 {
			t.Errorf("newest first %v: it told %v", newest, told)
		}
	}
}

func TestAScanThatIsCancelledReturnsWhatItHasFound(t *testing.T) {
	d := threeRuns(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	told := 0
	calls, err := d.Calls(ctx, ledger.Query{Filter: filter(t, "/./"), Progress: func(int64, int64) {
		if told++; told == 2 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || told != 2 {
		t.Errorf("after %d parts it ended with %v", told, err)
	}
	if len(calls) == 0 || len(calls) == 300 {
		t.Errorf("it returned %d calls", len(calls))
	}
}

func TestAListOfOperationsTellsHowFarItIs(t *testing.T) {
	d := open(t, newFile(t))
	enrol(t, d, session("checkout"))
	for _, key := range []string{"order-1", "order-2", "order-3"} {
		pend(t, d, key)
	}
	for _, q := range []ledger.OperationQuery{{}, {Newest: true}, {Open: true, Urgent: true}} {
		var seen, total int64
		q.Filter = filter(t, "nothing")
		q.Progress = func(s, of int64) {
			if s < seen {
				t.Errorf("it went back from %d to %d", seen, s)
			}
			seen, total = s, of
		}
		if _, err := d.Operations(t.Context(), q); err != nil {
			t.Fatal(err)
		}
		if seen != total || total == 0 {
			t.Errorf("it ended at %d of %d", seen, total)
		}
	}
}
