package db

import (
	"context"
	"fmt"
	"slices"
	"time"

	"redial/ledger"
)

// Sessions returns all sessions, newest first.
func (d *DB) Sessions(ctx context.Context) (list []ledger.Session, err error) {
	err = d.reads.read(ctx, func(v *view) error {
		known, err := v.sessions(ctx, nil, d.now())
		if err != nil {
			return err
		}
		pending, err := v.pending(ctx)
		if err != nil {
			return err
		}
		labels, err := v.labels(ctx)
		if err != nil {
			return err
		}
		for _, s := range slices.Backward(known) {
			if err := v.count(ctx, &s.Session); err != nil {
				return err
			}
			s.Pending = pending[s.Service]
			s.Name, s.Pinned = labels[s.ID].name, labels[s.ID].pinned
			list = append(list, s.Session)
		}
		return nil
	})
	return list, err
}

// Session returns one session. An error that wraps [fs.ErrNotExist] says that the file
// has none of this number.
func (d *DB) Session(ctx context.Context, id ledger.SessionID) (s ledger.Session, err error) {
	err = d.reads.read(ctx, func(v *view) error {
		list, err := v.sessions(ctx, []ledger.SessionID{id}, d.now())
		if err == nil && len(list) == 0 {
			err = errUnknownSession(id)
		}
		if err != nil {
			return err
		}
		s = list[0].Session
		pending, err := v.pending(ctx)
		if err != nil {
			return err
		}
		labels, err := v.labels(ctx)
		if err != nil {
			return err
		}
		s.Pending, s.Name, s.Pinned = pending[s.Service], labels[id].name, labels[id].pinned
		return v.count(ctx, &s)
	})
	return s, err
}

func errUnknownSession(id ledger.SessionID) error {
	return absent(fmt.Sprintf("session %d is not in the file: `redial sessions list` prints those that are", id))
}

// known is a session with what the machine says of its process.
type known struct {
	ledger.Session
	gone bool      // no call of it is running any more
	now  time.Time // when that was so
}

// sessions returns these sessions, nil for all, by number, without what count adds.
func (v *view) sessions(ctx context.Context, ids []ledger.SessionID, now time.Time) (list []known, err error) {
	each := func(r row) error {
		s := known{Session: sessionOf(r), now: now}
		if s.Ended.IsZero() {
			var runs bool
			runs, s.Dead = v.neighbours.process(&s.Session, r.text(6), now)
			s.gone = !runs && !s.Live(now)
		} else {
			s.gone = true
		}
		list = append(list, s)
		return nil
	}
	const columns = `SELECT id, service, version, host, pid, boot, process, started, last_seen, ended,
		queued, written, queue_full, store_failed, calls FROM session`
	if ids == nil {
		return list, v.query(ctx, columns+` ORDER BY id`, nil, each)
	}
	ids = slices.Clone(ids)
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		if err := v.query(ctx, columns+` WHERE id = ?`, values(int64(id)), each); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func sessionOf(r row) ledger.Session {
	return ledger.Session{
		ID: ledger.SessionID(r.int(0)), Service: r.text(1), Version: r.text(2), Host: r.text(3), PID: int(r.int(4)), Boot: r.text(5),
		Started: r.time(7), LastSeen: r.time(8), Ended: r.time(9),
		Counters: ledger.Counters{Queued: r.int(10), Written: r.int(11), QueueFull: r.int(12), StoreFailed: r.int(13)},
		Calls:    r.int(14),
	}
}

// count adds how many calls are running, and the gaps.
func (v *view) count(ctx context.Context, s *ledger.Session) (err error) {
	first, last := rowsOf(s.ID)
	s.Running, err = v.number(ctx, `SELECT count(*) FROM live WHERE call BETWEEN ? AND ?`, first, last)
	if err != nil || s.Counters.NotWritten() == 0 {
		return err
	}
	return v.query(ctx, `SELECT "from", "to", calls, reason FROM gap WHERE session = ? ORDER BY n`, values(int64(s.ID)), func(r row) error {
		s.Gaps = append(s.Gaps, ledger.Gap{From: r.time(0), To: r.time(1), Calls: r.int(2), Reason: r.text(3)})
		return nil
	})
}

// rowsOf returns the first and the last row that a call of the session can have.
func rowsOf(id ledger.SessionID) (first, last int64) {
	return int64(ledger.NewCallID(id, 1)), int64(ledger.NewCallID(id+1, 0)) - 1
}
