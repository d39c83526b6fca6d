package db

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"redial/ledger"
)

// readAll reads operations in every way, through one connection.
func readAll(d *DB, id ledger.ID) error {
	ctx := context.Background()
	pending, err := ledger.ParseFilter("state:pending")
	key, err2 := ledger.ParseFilter("key:order-1")
	errs := []error{err, err2}
	for _, q := range []ledger.OperationQuery{
		{}, {Open: true, Urgent: true}, {Urgent: true, Limit: 10}, {Filter: pending}, {Filter: key},
		{States: []ledger.OperationState{ledger.OpDisputed}}, {After: id}, {Newest: true}, {Newest: true, Open: true, After: id},
	} {
		errs = append(errs, d.EachOperation(ctx, q, func(*ledger.Operation) error { return nil }))
	}
	for _, read := range []func() error{
		func() error { _, err := d.Operation(ctx, id); return err },
		func() error { _, err := d.OperationByKey(ctx, id.Key); return err },
		func() error { _, err := d.Transitions(ctx, id); return err },
		func() error { _, err := d.Settlements(ctx, id.Service, 0, 10); return err },
		func() error { _, err := d.Reading(ctx, id); return err },
		func() error { return d.MarkRead(ctx, id.Service, 0, 10) },
		func() error { _, err := d.Due(ctx, id.Service, time.Now(), 10); return err },
		func() error { _, err := d.OperationCounts(ctx, id.Service); return err },
		func() error { _, err := d.OperationCounts(ctx, ""); return err },
		func() error { _, err := d.OperationTotal(ctx, id.Service); return err },
		func() error { _, err := d.ClaimAsk(ctx, id.Service, 1); return err },
		func() error { _, err := d.Asks(ctx, id); return err },
		func() error { _, err := d.Sessions(ctx); return err },
		func() error { _, err := d.ledgerState()(ctx); return err },
	} {
		errs = append(errs, read())
	}
	return errors.Join(errs...)
}

// TestOperationsAreReadThroughIndexes looks at how SQLite answers whatever is asked of
// operations: it neither goes through a table nor sorts more than a few rows.
func TestOperationsAreReadThroughIndexes(t *testing.T) {
	d, err := Open(filepath.Join(t.TempDir(), "redial.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	o, err := d.Create(context.Background(), ledger.Intent{Service: "checkout", Key: "order-1"},
		ledger.Transition{To: ledger.OpSending, Code: ledger.CodeSent}, 1)
	if err = errors.Join(err, readAll(d, o.ID())); err != nil {
		t.Fatal(err)
	}
	c, looked := d.reads.idle[0], 0
	for _, text := range slices.Collect(maps.Keys(c.stmts)) {
		if !strings.Contains(text, "FROM operation") && !strings.Contains(text, "FROM transition") && !strings.Contains(text, "FROM ask") {
			continue
		}
		looked++
		few := strings.Contains(text, "key = ?") || strings.Contains(text, "UNION ALL") // one key, or no more than a limit
		err := c.query(context.Background(), "EXPLAIN QUERY PLAN "+text, values(make([]int64, 40)...), func(r row) error {
			detail := r.text(3)
			scans := strings.HasPrefix(detail, "SCAN operation") || strings.HasPrefix(detail, "SCAN t") || strings.HasPrefix(detail, "SCAN ask")
			if scans && !strings.Contains(detail, "INDEX") || strings.Contains(detail, "B-TREE") && !few {
				t.Errorf("%s\n%s", detail, text)
			}
			return nil
		})
		if err != nil {
			t.Errorf("%v\n%s", err, text)
		}
	}
	if looked < 15 {
		t.Errorf("only %d statements were looked at", looked)
	}
}
