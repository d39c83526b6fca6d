package db

import (
	"context"

	"redial/ledger"
)

// Enrolled returns the session that writes through this DB, the latest if there are
// several; 0 while there is none.
func (d *DB) Enrolled(ctx context.Context) (latest ledger.SessionID, err error) {
	if d.writer == nil {
		return 0, d.errReading()
	}
	err = d.writer.do(ctx, func(context.Context) error {
		for id := range d.writer.sessions {
			latest = max(latest, id)
		}
		return nil
	})
	return latest, err
}
