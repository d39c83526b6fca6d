package db

import (
	"context"
	"slices"
	"time"

	"redial/ledger"
)

// Running returns the calls of these sessions that have not ended, with their attempts
// and waits so far, oldest first; nil stands for all sessions. Those of a session whose
// process is gone are cut off.
func (d *DB) Running(ctx context.Context, ids []ledger.SessionID) (calls []ledger.Call, err error) {
	err = d.reads.read(ctx, func(v *view) error {
		calls = nil
		sessions, err := v.sessions(ctx, ids, d.now())
		for i := 0; i < len(sessions) && err == nil; i++ {
			var more []ledger.Call
			more, err = v.running(ctx, &sessions[i])
			calls = append(calls, more...)
		}
		return err
	})
	slices.SortStableFunc(calls, func(a, b ledger.Call) int { return a.Started.Compare(b.Started) })
	return calls, err
}

// Windows returns the state of the windows of these sessions as of their last beats; nil
// stands for all sessions.
func (d *DB) Windows(ctx context.Context, ids []ledger.SessionID) (windows []ledger.Window, err error) {
	err = d.reads.read(ctx, func(v *view) error {
		windows = nil
		sessions, err := v.sessions(ctx, ids, d.now())
		for i := 0; i < len(sessions) && err == nil; i++ {
			var more []ledger.Window
			more, err = v.windows(ctx, sessions[i].ID)
			windows = append(windows, more...)
		}
		return err
	})
	return windows, err
}

// Rollups returns what ended in the seconds from one moment up to, but not including,
// that of another one, oldest first; nil stands for all sessions.
func (d *DB) Rollups(ctx context.Context, ids []ledger.SessionID, from, to time.Time) (list []ledger.Rollup, err error) {
	err = d.reads.read(ctx, func(v *view) error {
		list = nil
		columns, err := v.rollupColumns(ctx)
		if err != nil {
			return err
		}
		sessions, err := v.sessions(ctx, ids, d.now())
		for i := 0; i < len(sessions) && err == nil; i++ {
			err = v.query(ctx, `SELECT second, host, `+columns+` WHERE session = ? AND second >= ? AND second < ? ORDER BY second, host`,
				values(int64(sessions[i].ID), from.Unix(), ceilSecond(to)), func(r row) error {
					t, err := rollupOf(r, 2)
					if err != nil {
						return err
					}
					t.Session, t.Second = sessions[i].ID, r.int(0)
					t.Host, err = v.text(ctx, r.int(1))
					list = append(list, t)
					return err
				})
		}
		return err
	})
	slices.SortStableFunc(list, func(a, b ledger.Rollup) int { return int(min(max(a.Second-b.Second, -1), 1)) })
	return list, err
}

// ceilSecond returns the first whole second that is not before t.
func ceilSecond(t time.Time) int64 {
	if t.Nanosecond() > 0 {
		return t.Unix() + 1
	}
	return t.Unix()
}
