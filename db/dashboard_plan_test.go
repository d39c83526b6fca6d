package db

import (
	"context"
	"errors"
	"maps"
	"regexp"
	"slices"
	"testing"
	"time"

	"redial/ledger"
)

// lookAt reads calls and sums in every way in which the dashboard does when nobody filters.
func lookAt(d *DB) error {
	ctx, ids, start := context.Background(), []ledger.SessionID{1}, time.Unix(1_800_000_000, 0)
	id := ledger.NewCallID(1, 51)
	var errs []error
	calls := func(q ledger.Query) {
		q.Sessions = ids
		_, err := d.Calls(ctx, q)
		errs = append(errs, err)
	}
	calls(ledger.Query{Newest: true, Limit: 40})
	calls(ledger.Query{After: id, Limit: 40})
	calls(ledger.Query{Before: id, Newest: true, Limit: 40})
	calls(ledger.Query{From: start.Add(time.Minute), To: start.Add(2 * time.Minute)})
	for _, read := range []func() error{
		func() error { _, err := d.Sessions(ctx); return err },
		func() error { _, err := d.Running(ctx, ids); return err },
		func() error { _, err := d.Windows(ctx, ids); return err },
		func() error { _, err := d.Call(ctx, id); return err },
		func() error { _, err := d.WithLists(ctx, []ledger.CallID{id}); return err },
		func() error { _, err := d.Rollups(ctx, ids, start, start.Add(time.Minute)); return err },
		func() error {
			_, err := d.During(ctx, ledger.Query{Sessions: ids, From: start.Add(time.Minute), To: start.Add(2 * time.Minute)})
			return err
		},
	} {
		errs = append(errs, read())
	}
	for _, latency := range []bool{false, true} {
		q := ledger.SumQuery{Sessions: ids, From: start, To: start.Add(time.Hour), Step: time.Minute, Latency: latency}
		errs = append(errs, d.Sums(ctx, q, func(*ledger.Rollup) error { return nil }))
	}
	return errors.Join(errs...)
}

// TestTheDashboardGoesThroughNoTable looks at how SQLite answers what the dashboard asks all
// the time: by a range of keys, never by going through all calls or sums, nor by sorting.
func TestTheDashboardGoesThroughNoTable(t *testing.T) {
	d := planned(t)
	if err := lookAt(d); err != nil {
		t.Fatal(err)
	}
	large := regexp.MustCompile(`\b(FROM|JOIN) (call|attempt|wait|body|rollup|bandwidth|duplicate|redirect|live)\b`)
	through := regexp.MustCompile(`SCAN \w|B-TREE`) // not the few rows of a subquery with a limit
	c, looked := d.reads.idle[0], 0
	for _, text := range slices.Collect(maps.Keys(c.stmts)) {
		if !large.MatchString(text) {
			continue
		}
		looked++
		err := c.query(context.Background(), "EXPLAIN QUERY PLAN "+text, values(make([]int64, 16)...), func(r row) error {
			if detail := r.text(3); through.MatchString(detail) {
				t.Errorf("%s\n%s", detail, text)
			}
			return nil
		})
		if err != nil {
			t.Errorf("%v\n%s", err, text)
		}
	}
	if looked < 12 {
		t.Errorf("only %d statements were looked at", looked)
	}
}
