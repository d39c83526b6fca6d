package db

import (
	"context"
	"slices"
	"time"

	"redial/ledger"
)

// What is looked at of sessions before one, so that a service starts as fast with a large
// file as with a small one.
const (
	maxPastWindows = 4096
	maxPastCalls   = 1 << 14 // calls of them all, the latest first
	maxPastSent    = 1 << 11 // of these, the ones that are returned
)

// WindowsBefore returns the last state of the windows of sessions before this one, of the
// same service on the same machine, as far as it still counts: a period that runs, a pause,
// or what a server declared. A session takes over what the one before it left, so of each
// window only the state in the latest session that has it is returned. Who waited then, waits
// no more.
func (d *DB) WindowsBefore(ctx context.Context, id ledger.SessionID) (list []ledger.Window, err error) {
	now := d.now()
	err = d.reads.read(ctx, func(v *view) error {
		list = nil
		known := map[ledger.Window]bool{} // by what tells windows apart
		columns, err := v.windowColumns(ctx)
		if err != nil {
			return err
		}
		return v.query(ctx, `SELECT `+columns+`, other.last_seen FROM session AS this
			JOIN session AS other ON other.service = this.service AND other.host = this.host AND other.id < this.id
			JOIN "window" ON session = other.id
			WHERE this.id = ? ORDER BY other.id DESC, n LIMIT ?`, values(int64(id), maxPastWindows), func(r row) error {
			w := windowOf(r)
			which := ledger.Window{Host: w.Host, Name: w.Name, Kind: w.Kind, Limit: w.Limit, Per: w.Per}
			if known[which] {
				return nil
			}
			known[which] = true
			if stillCounts(&w, r.time(afterWindow), now) {
				w.Waiting, w.Since = 0, time.Time{}
				list = append(list, w)
			}
			return nil
		})
	})
	return list, err
}

// stillCounts reports whether a window that was last seen then still holds anybody up.
func stillCounts(w *ledger.Window, seen, now time.Time) bool {
	used := w.Used > 0 && (w.Opens.After(now) || w.Kind != ledger.FixedWindow && now.Sub(seen) < w.Per)
	return used || w.Paused.After(now) || w.Declared.Resets.After(now)
}

// SentBefore returns the calls of sessions before this one, of the same service, that started
// since then and have ended, oldest first, without the Data of their bodies. Those whose
// method may be repeated are left out, and so is what lies far behind the latest calls.
func (d *DB) SentBefore(ctx context.Context, id ledger.SessionID, since time.Time) (list []ledger.Call, err error) {
	err = d.reads.read(ctx, func(v *view) error {
		list = nil
		sessions, err := v.numbers(ctx, `SELECT other.id FROM session AS this
			JOIN session AS other ON other.service = this.service AND other.id < this.id AND other.last_seen >= ?
			WHERE this.id = ? ORDER BY other.id DESC LIMIT 16`, timeValue(since), int64(id))
		for left := maxPastCalls; err == nil && left > 0 && len(sessions) > 0; sessions = sessions[1:] {
			left, err = v.sent(ctx, ledger.SessionID(sessions[0]), since, left, &list)
		}
		return err
	})
	slices.Reverse(list)
	return list, err
}

// sent adds calls of one session to list, the latest first, and returns how many more may be
// looked at.
func (v *view) sent(ctx context.Context, id ledger.SessionID, since time.Time, left int, list *[]ledger.Call) (int, error) {
	first, last := rowsOf(id)
	var found []ledger.CallID
	err := v.query(ctx, `SELECT `+callColumns+`, NULL, NULL FROM call WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT ?`,
		values(first, last, int64(left)), func(r row) error {
			left--
			c, err := v.callOf(ctx, r)
			if err == nil && !c.Started.Before(since) && !ledger.MayRepeat(c.Method) && len(*list)+len(found) < maxPastSent {
				found = append(found, c.ID)
			}
			return err
		})
	for i := 0; i < len(found) && err == nil; i++ {
		var c ledger.Call
		if _, err = v.ended(ctx, found[i], &c); err != nil {
			break
		}
		for j := range c.AttemptList {
			a := &c.AttemptList[j]
			a.Request.Body.Data, a.Response.Body.Data = nil, nil
		}
		*list = append(*list, c)
	}
	return left, err
}
