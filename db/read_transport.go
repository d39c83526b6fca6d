package db

import (
	"context"

	"redial/ledger"
)

// transportVersion is the version of the schema that brought the tables of
// schema_transport.sql.
const transportVersion = 4

// windows returns the state of the windows of a session as of its last beat.
func (v *view) windows(ctx context.Context, id ledger.SessionID) (list []ledger.Window, err error) {
	columns, err := v.windowColumns(ctx)
	if err != nil {
		return nil, err
	}
	err = v.query(ctx, `SELECT `+columns+` FROM "window" WHERE session = ? ORDER BY n LIMIT ?`,
		values(int64(id), maxList), func(r row) error {
			list = append(list, windowOf(r))
			return nil
		})
	return list, err
}

// windowColumns returns the columns that windowOf reads.
func (v *view) windowColumns(ctx context.Context) (string, error) {
	const columns = `"window".host, "limit", per, used, opens, waiting, since, `
	known, err := v.knows(ctx, transportVersion)
	if !known {
		return columns + `'', 0, NULL, NULL, 0, 0, 0, NULL`, err
	}
	return columns + `name, kind, paused, declared, allows, within, remaining, resets`, err
}

// afterWindow is the first column behind those that windowOf reads.
const afterWindow = 15

func windowOf(r row) ledger.Window {
	return ledger.Window{
		Host: r.text(0), Limit: int(r.int(1)), Per: r.duration(2), Used: int(r.int(3)),
		Opens: r.time(4), Waiting: int(r.int(5)), Since: r.time(6),
		Name: r.text(7), Kind: ledger.WindowKind(r.int(8)), Paused: r.time(9),
		Declared: ledger.Declared{
			At: r.time(10), Limit: int(r.int(11)), Per: r.duration(12), Remaining: int(r.int(13)), Resets: r.time(14),
		},
	}
}

// rollupColumns returns what rollupOf reads, and the tables that it is in.
func (v *view) rollupColumns(ctx context.Context) (string, error) {
	const columns = `calls, attempts, retried, failed, unknown, "window", backoff, retry_after, latency, `
	known, err := v.knows(ctx, transportVersion)
	if !known {
		return columns + `0 FROM rollup`, err
	}
	return columns + `waited FROM rollup LEFT JOIN bandwidth USING (session, second, host)`, err
}

// duplicateOf returns how the call in a row was sent twice, from column i on.
func duplicateOf(r row, i int) ledger.Duplicate {
	if r.int(i+1) == 0 {
		return ledger.Duplicate{}
	}
	return ledger.Duplicate{Call: ledger.CallID(r.int(0)), Other: ledger.CallID(r.int(i)), Kind: ledger.DuplicateKind(r.int(i + 1))}
}

// previous returns the call whose redirect led to this one, 0 if none did.
func (v *view) previous(ctx context.Context, id ledger.CallID) (ledger.CallID, error) {
	known, err := v.knows(ctx, transportVersion)
	if !known {
		return 0, err
	}
	n, err := v.number(ctx, `SELECT previous FROM redirect WHERE call = ?`, int64(id))
	return ledger.CallID(n), err
}

// Duplicates returns how many calls of the file repeated an earlier one, or were on the wire
// twice: one of each pair.
func (d *DB) Duplicates(ctx context.Context) (n int64, err error) {
	err = d.reads.read(ctx, func(v *view) error {
		known, err := v.knows(ctx, transportVersion)
		if known {
			n, err = v.number(ctx, `SELECT count(*) FROM duplicate JOIN call ON id = duplicate.call WHERE other <= duplicate.call`)
		}
		return err
	})
	return n, err
}
