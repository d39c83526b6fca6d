package db

import (
	"context"
	"database/sql/driver"
	"time"

	"redial/ledger"
)

// readOperations calls do with a read transaction, or none, if it is not nil, with a file
// that no redial which knows operations has written yet.
func (d *DB) readOperations(ctx context.Context, do func(*view) error, none func() error) error {
	return d.reads.read(ctx, func(v *view) error {
		known, err := v.knowsOperations(ctx)
		switch {
		case err != nil:
			return err
		case known:
			return do(v)
		case none != nil:
			return none()
		}
		return nil
	})
}

// knowsOperations reports whether the file has the tables of operations.
func (v *view) knowsOperations(ctx context.Context) (bool, error) { return v.knows(ctx, 2) }

// Operation returns an operation whole. Its exact bytes, which may hold secrets, are for
// sending and fingerprinting only: what is shown or exported is redacted first. The error
// wraps [ledger.ErrNoOperation] if there is none.
func (d *DB) Operation(ctx context.Context, id ledger.ID) (o ledger.Operation, err error) {
	err = d.readOperations(ctx, func(v *view) error {
		there, found, err := v.operation(ctx, id)
		if err == nil && !found {
			err = orNone(nil, id)
		}
		o = there.Operation
		return err
	}, func() error { return orNone(nil, id) })
	return o, err
}

// OperationByKey returns the operations with a key, one of each service that has one,
// without bodies.
func (d *DB) OperationByKey(ctx context.Context, key string) (list []ledger.Operation, err error) {
	err = d.readOperations(ctx, func(v *view) error {
		list = nil
		return v.operations(ctx, `WHERE key = ?1 COLLATE NOCASE AND key = ?1 ORDER BY service`, []driver.Value{textNotNull(key)}, func(o *keptOperation) error {
			list = append(list, o.Operation)
			return nil
		})
	}, nil)
	return list, err
}

// operations calls each with every operation that a clause selects, without its bodies.
func (v *view) operations(ctx context.Context, clause string, args []driver.Value, each func(*keptOperation) error) error {
	return v.query(ctx, `SELECT `+operationColumns()+` FROM operation `+clause, args, func(r row) error {
		o, err := operationOf(r)
		if err == nil {
			err = detailsOf(r, &o.Intent)
		}
		if err != nil {
			return err
		}
		return each(&o)
	})
}

// Due returns the operations of a service that need something: those in sending,
// backing-off and checking, and those whose Due lies before now, oldest due first, at most
// limit of them; 0 stands for all. They come with their exact bytes.
func (d *DB) Due(ctx context.Context, service string, now time.Time, limit int) (list []ledger.Operation, err error) {
	if limit <= 0 {
		limit = -1
	}
	const driven = `(state = 'sending' OR state = 'backing-off' OR state = 'checking')`
	const others = `due IS NOT NULL AND state <> 'sending' AND state <> 'backing-off' AND state <> 'checking'`
	err = d.readOperations(ctx, func(v *view) error {
		list = nil
		var kept []keptOperation
		err := v.operations(ctx, `WHERE id IN (
				SELECT id FROM (SELECT id, due FROM operation WHERE service = ?1 AND `+driven+` ORDER BY due LIMIT ?3)
				UNION ALL
				SELECT id FROM (SELECT id, due FROM operation WHERE service = ?1 AND `+others+` AND due < ?2 ORDER BY due LIMIT ?3))
			ORDER BY due, id LIMIT ?3`, []driver.Value{textNotNull(service), unixNano(now), int64(limit)}, func(o *keptOperation) error {
			kept = append(kept, *o)
			return nil
		})
		for i := range kept {
			if err == nil {
				err = v.operationBodies(ctx, &kept[i])
			}
			list = append(list, kept[i].Operation)
		}
		return err
	}, nil)
	return list, err
}

// OperationCounts counts what waits for a person, of one service, or of all for "".
func (d *DB) OperationCounts(ctx context.Context, service string) (n ledger.OperationCounts, err error) {
	err = d.readOperations(ctx, func(v *view) error {
		only, args := "", []driver.Value(nil)
		if service != "" {
			only, args = " AND service = ?", []driver.Value{textNotNull(service)}
		}
		_, err := v.one(ctx, `SELECT count(*), min(created) FROM operation WHERE state = 'pending'`+only, args, func(r row) error {
			n.Pending, n.Oldest = r.int(0), r.time(1)
			return nil
		})
		if err == nil {
			n.Disputed, err = v.number(ctx, `SELECT count(*) FROM operation WHERE state = 'disputed'`+only, args...)
		}
		return err
	}, nil)
	return n, err
}

// OperationTotal returns how many operations are on record, settled ones included, of one
// service, or of all for "". It takes no longer when there are many.
func (d *DB) OperationTotal(ctx context.Context, service string) (n int64, err error) {
	err = d.readOperations(ctx, func(v *view) error {
		text, args := `SELECT sum(n) FROM operation_total`, []driver.Value(nil)
		if service != "" {
			text, args = text+` WHERE service = ?`, []driver.Value{textNotNull(service)}
		}
		n, err = v.number(ctx, text, args...)
		return err
	}, nil)
	return n, err
}

// pending returns how many operations of each service are pending.
func (v *view) pending(ctx context.Context) (map[string]int64, error) {
	known, err := v.knowsOperations(ctx)
	if err != nil || !known {
		return nil, err
	}
	counts := map[string]int64{}
	err = v.query(ctx, `SELECT service, count(*) FROM operation WHERE state = 'pending' GROUP BY service`, nil, func(r row) error {
		counts[r.text(0)] = r.int(1)
		return nil
	})
	return counts, err
}
