package db

import (
	"context"
	"database/sql/driver"

	"redial/ledger"
)

// unread selects what a person has settled of a service after one position and up to
// another, and of which it is not written down that the service was told.
const unread = `FROM transition t INDEXED BY transition_by_person
	WHERE t.settles = ?1 AND t.settles IS NOT NULL AND t.actor_kind = 'person' AND t.n > ?2 AND t.n <= ?3
	AND NOT EXISTS (SELECT 1 FROM settlement_read r WHERE r.service = ?1 AND r.n = t.n AND r.at IS NOT NULL)`

// MarkRead notes that a service reads its settlements, and that it has been told of those
// after one position and up to another. Only what people have settled is noted one by one.
// It writes nothing when all of it has been noted before.
func (d *DB) MarkRead(ctx context.Context, service string, after, upTo int64) error {
	if d.writer == nil {
		return d.errReading()
	}
	args := []driver.Value{textNotNull(service), after, upTo}
	news := true
	err := d.reads.read(ctx, func(v *view) error {
		known, err := v.knows(ctx, 3)
		if err != nil || !known {
			return err // the writer brings it up to date
		}
		n, err := v.number(ctx, `SELECT NOT EXISTS (SELECT 1 FROM settlement_read WHERE service = ?1 AND n = 0) OR EXISTS (SELECT 1 `+unread+`)`, args...)
		news = n != 0
		return err
	})
	if err != nil || !news {
		return err
	}
	at := unixNano(d.now())
	_, err = d.writer.errand(ctx, func(context.Context) (refusal, err error) {
		// What this transaction has added is put into its table only at its end. A service
		// cannot have been told of that yet.
		_, err = d.writer.c.exec(`INSERT INTO settlement_read (service, n, at) SELECT ?1, t.n, ?4 `+unread+`
			ON CONFLICT DO UPDATE SET at = excluded.at`, append(args, at)...)
		if err == nil {
			_, err = d.writer.c.exec(`INSERT INTO settlement_read (service, n, at) VALUES (?, 0, ?) ON CONFLICT DO NOTHING`, args[0], at)
		}
		return nil, err
	})
	return err
}

// Reading returns whether the service of an operation has been told of the last final word
// that a person spoke on it, whether or not that stands. The error wraps
// [ledger.ErrNoOperation] if there is no such operation.
func (d *DB) Reading(ctx context.Context, id ledger.ID) (r ledger.Reading, err error) {
	err = d.readOperations(ctx, func(v *view) error {
		r = ledger.Reading{}
		row, err := v.number(ctx, `SELECT id FROM operation WHERE `+byID, idValues(id)...)
		if err != nil || row == 0 {
			return orNone(err, id)
		}
		word, err := v.number(ctx, `SELECT max(t.n) FROM transition t WHERE t.operation = ? AND t.settles IS NOT NULL AND t.actor_kind = 'person'
			AND t."to" IN ('succeeded', 'failed')`, row)
		if err != nil {
			return err
		}
		known, err := v.knows(ctx, 3)
		switch {
		case err != nil:
			return err
		case known:
			r, err = v.reading(ctx, id.Service, word)
		case word != 0:
			r.State = ledger.ReadUnknown
		}
		return err
	}, func() error { return orNone(nil, id) })
	return r, err
}

// reading returns whether a service has been told of the settlement at a position, 0 for
// none, and when.
func (v *view) reading(ctx context.Context, service string, n int64) (ledger.Reading, error) {
	r := ledger.Reading{}
	if n != 0 {
		r.State = ledger.ReadByNobody
	}
	err := v.query(ctx, `SELECT n, at FROM settlement_read WHERE service = ? AND n IN (0, ?) ORDER BY n`,
		[]driver.Value{textNotNull(service), n}, func(row row) error {
			switch {
			case row.int(0) == 0:
				if r.Listens = true; n != 0 {
					r.State = ledger.NotRead
				}
			case row.int(1) == 0:
				r.State = ledger.ReadUnknown
			default:
				r.State, r.At = ledger.WasRead, row.time(1)
			}
			return nil
		})
	return r, err
}
