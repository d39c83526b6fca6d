package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"redial/ledger"
)

// labelsVersion is the version of the schema that brought the table label.
const labelsVersion = 5

// longestName is how many bytes the name of a session may have.
const longestName = 200

// label is what people say of a session.
type label struct {
	name   string
	pinned bool
}

// labels returns those of all sessions that have one.
func (v *view) labels(ctx context.Context) (map[ledger.SessionID]label, error) {
	known, err := v.knows(ctx, labelsVersion)
	if !known {
		return nil, err
	}
	all := map[ledger.SessionID]label{}
	return all, v.query(ctx, `SELECT session, name, pinned FROM label`, nil, func(r row) error {
		all[ledger.SessionID(r.int(0))] = label{r.text(1), r.int(2) != 0}
		return nil
	})
}

// NameSession gives a session a name, in place of the one that it may have; "" takes that
// away. An error that wraps [fs.ErrNotExist] says that the file has no such session.
func (d *DB) NameSession(ctx context.Context, id ledger.SessionID, name string) error {
	if len(name) > longestName {
		return fmt.Errorf("name session %d: the name has %d bytes, and at most %d can be kept", id, len(name), longestName)
	}
	return d.label(ctx, id, `INSERT INTO label (session, name, pinned) VALUES (?, ?, 0)
		ON CONFLICT DO UPDATE SET name = excluded.name`, textNotNull(name))
}

// PinSession says whether a session is to stay when others are pruned. Its error is as that
// of [DB.NameSession].
func (d *DB) PinSession(ctx context.Context, id ledger.SessionID, pinned bool) error {
	n := int64(0)
	if pinned {
		n = 1
	}
	return d.label(ctx, id, `INSERT INTO label (session, name, pinned) VALUES (?, '', ?)
		ON CONFLICT DO UPDATE SET pinned = excluded.pinned`, n)
}

// label writes what is said of a session.
func (d *DB) label(ctx context.Context, id ledger.SessionID, text string, value driver.Value) error {
	if d.writer == nil {
		return d.errReading()
	}
	w := d.writer
	return w.do(ctx, func(ctx context.Context) error {
		return w.transact(ctx, func() error {
			row := int64(w.number(id))
			n, err := w.c.number(ctx, `SELECT count(*) FROM session WHERE id = ?`, row)
			if err == nil && n == 0 {
				err = errUnknownSession(id)
			}
			if err != nil {
				return err
			}
			_, err = w.c.exec(text, row, value)
			_, err2 := w.c.exec(`DELETE FROM label WHERE session = ? AND name = '' AND pinned = 0`, row)
			return errors.Join(err, err2)
		})
	})
}
