package db_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
)

// million returns the path of a file with a million operations, of which one in a thousand
// is pending and one in ten thousand disputed, each with two transitions.
func million(b *testing.B) string {
	path := newFile(b)
	d, err := db.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	pend(b, d, "order-1")
	if err := d.Close(); err != nil {
		b.Fatal(err)
	}
	const columns = `name, ref, method, url, header, withheld, fingerprint, policy, budget, lookup, asks, undo, compensates, created,
		disputed, held, version, fence, owner, updated, moved, first_sent, last_sent, due, sends, doubts, lookups, not_found, failing, looked_up, finding,
		last_error, settled_kind, settled_by, result`
	sqlite(b, path, `WITH RECURSIVE n(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM n WHERE n < 1000000)
		INSERT INTO operation (id, service, key, state, `+columns+`)
		SELECT n, 'checkout', printf('order-%08x-%d', n * 2654435761 % 4294967296, n),
			CASE WHEN n % 10000 = 0 THEN 'disputed' WHEN n % 1000 = 1 THEN 'pending' ELSE 'succeeded' END, `+columns+`
		FROM operation, n WHERE id = 1`,
		`UPDATE operation_total SET n = 1000000`,
		`INSERT INTO transition (operation, settles, "from", "to", at, code, call, no_effect)
		SELECT id, iif(state = 'pending', NULL, service), 'sending', state, updated, 'answered', 0, 0 FROM operation WHERE id > 1`)
	return path
}

// BenchmarkMillion reads and settles in a file with a million operations. Run it with
// -benchtime=200x.
func BenchmarkMillion(b *testing.B) {
	path := million(b)
	ctx := context.Background()
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			d, err := db.Open(path)
			if err == nil {
				err = d.Close()
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	d := open(b, path)
	run := func(name string, do func() (int, error)) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if n, err := do(); err != nil || n == 0 {
					b.Fatalf("%d, %v", n, err)
				}
			}
		})
	}
	list := func(q ledger.OperationQuery) func() (int, error) {
		return func() (int, error) {
			list, err := d.Operations(ctx, q)
			return len(list), err
		}
	}
	run("open ones", list(ledger.OperationQuery{Open: true, Limit: 200}))
	run("all open ones", list(ledger.OperationQuery{Open: true}))
	run("by urgency", list(ledger.OperationQuery{Urgent: true, Open: true, Limit: 200}))
	run("by urgency, all", list(ledger.OperationQuery{Urgent: true, Limit: 200}))
	run("pending by filter", list(ledger.OperationQuery{Filter: filter(b, "state:pending"), Limit: 200}))
	run("one key by filter", list(ledger.OperationQuery{Filter: filter(b, "key:order-1")}))
	run("counts", func() (int, error) { n, err := d.OperationCounts(ctx, ""); return int(n.Pending), err })
	run("newest", list(ledger.OperationQuery{Newest: true, Limit: 200}))
	run("newest that failed, none", func() (int, error) {
		list, err := d.Operations(ctx, ledger.OperationQuery{Newest: true, Limit: 200, States: []ledger.OperationState{ledger.OpFailed}})
		return 1 + len(list), err
	})
	run("total", func() (int, error) { n, err := d.OperationTotal(ctx, ""); return int(n), err })
	run("by key", func() (int, error) { list, err := d.OperationByKey(ctx, "order-1"); return len(list), err })
	run("show", func() (int, error) {
		_, err := d.Operation(ctx, ledger.ID{Service: "checkout", Key: "order-1"})
		list, err2 := d.Transitions(ctx, ledger.ID{Service: "checkout", Key: "order-1"})
		if err == nil {
			err = err2
		}
		return len(list), err
	})
	run("settlements", func() (int, error) { list, err := d.Settlements(ctx, "checkout", 500_000, 100); return len(list), err })
	run("due", func() (int, error) { list, err := d.Due(ctx, "checkout", time.Now(), 100); return 1 + len(list), err })
	n := 0
	run("intend and settle", func() (int, error) {
		n++
		o := pend(b, d, fmt.Sprint("late-", n))
		move(b, d, o, person(ledger.OpSucceeded, ledger.CodeConfirmed))
		return 1, nil
	})
}
