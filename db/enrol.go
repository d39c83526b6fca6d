package db

import (
	"context"
	"database/sql/driver"
	"os"
	"time"

	"redial/ledger"
)

// Enrol writes a new session and returns its number.
func (d *DB) Enrol(ctx context.Context, s ledger.Session) (id ledger.SessionID, err error) {
	if d.writer == nil {
		return 0, d.errReading()
	}
	err = d.writer.do(ctx, func(ctx context.Context) error {
		id, err = d.writer.enrol(ctx, s)
		return err
	})
	return id, err
}

// End writes the end of a session and its last counters. Its calls that are running then
// are cut off.
func (d *DB) End(ctx context.Context, id ledger.SessionID, at time.Time, c ledger.Counters) error {
	if d.writer == nil {
		return d.errReading()
	}
	return d.writer.do(ctx, func(ctx context.Context) error {
		s := d.writer.sessions[id]
		if s == nil {
			return errUnknownSession(id)
		}
		err := d.writer.transact(ctx, func() error {
			if err := d.writer.cache.session(s, &ledger.Batch{Beat: at, Counters: c}); err != nil {
				return err
			}
			_, err := d.writer.c.exec(`UPDATE session SET ended = ? WHERE id = ?`, timeValue(at), s.id)
			return err
		})
		if err == nil {
			delete(d.writer.sessions, id)
		}
		return err
	})
}

func (w *writer) enrol(ctx context.Context, s ledger.Session) (ledger.SessionID, error) {
	e := &enrolled{session: s}
	if s.PID == os.Getpid() {
		e.process = processOf(s.PID)
	}
	err := w.transact(ctx, func() (err error) {
		e.id, err = w.newID(ctx)
		if err != nil {
			return err
		}
		return w.cache.session(e, &ledger.Batch{Beat: s.LastSeen, Counters: s.Counters})
	})
	if err != nil {
		return 0, err
	}
	id := ledger.SessionID(e.id)
	e.session.ID = id
	w.sessions[id] = e
	return id, nil
}

// newID returns the number for a new session: one that no session in the file has had,
// and none that writes through this DB was given for an earlier file.
func (w *writer) newID(ctx context.Context) (int64, error) {
	last, err := w.c.number(ctx, `SELECT seq FROM sqlite_sequence WHERE name = 'session'`)
	for id := range w.sessions {
		last = max(last, int64(id))
	}
	return last + 1, err
}

// enrolAgain writes the sessions that write through this DB into a file that does not
// have them, because it took the place of the one that did. They keep their numbers,
// unless the file has another session of the same number.
func (w *writer) enrolAgain(ctx context.Context) error {
	if len(w.sessions) == 0 {
		return nil
	}
	if err := w.c.begin(ctx); err != nil {
		return err
	}
	defer w.c.rollback()
	again := make(map[ledger.SessionID]enrolled, len(w.sessions))
	for id, e := range w.sessions {
		n := *e
		number, err := w.numberFor(ctx, id, e)
		if err == nil {
			n.id, n.lost = number, 0
			err = w.cache.session(&n, &ledger.Batch{Beat: e.session.Started, Counters: e.last.Counters})
		}
		if err == nil {
			err = w.missing(ctx, &n)
		}
		if err != nil {
			return err
		}
		again[id] = n
	}
	if err := w.c.commit(); err != nil {
		return err
	}
	for id, n := range again {
		n.early = nil
		*w.sessions[id] = n
	}
	return nil
}

// wentAway is the reason of a gap that a file leaves that is not at the path any more.
const wentAway = "the file was deleted, moved or replaced, and what had been written went with it"

// missing finds out which calls of a session that has just been enrolled again are not in
// the file, and writes the gap. In a copy of an earlier state some are.
func (w *writer) missing(ctx context.Context, e *enrolled) error {
	gap := ledger.Gap{To: e.last.Beat, Reason: wentAway}
	_, err := w.c.one(ctx, `SELECT calls, last_seen, (SELECT coalesce(sum(calls), 0) FROM gap WHERE session = id AND reason = ?)
		FROM session WHERE id = ?`, []driver.Value{wentAway, e.id}, func(r row) error {
		e.lost = max(e.written-r.int(0), 0)
		gap.From, gap.Calls = r.time(1), e.lost-r.int(2)
		return nil
	})
	if err == nil && gap.Calls > 0 {
		err = w.cache.addGaps(e, []ledger.Gap{gap})
	}
	if err != nil {
		return err
	}
	return w.cache.session(e, &e.last)
}

// numberFor returns the number that a session gets in a file that was not there when it
// was enrolled.
func (w *writer) numberFor(ctx context.Context, id ledger.SessionID, e *enrolled) (int64, error) {
	taken := false
	_, err := w.c.one(ctx, `SELECT started, pid, service FROM session WHERE id = ?`, values(int64(id)), func(r row) error {
		taken = r.int(0) != unixNano(e.session.Started) || r.int(1) != int64(e.session.PID) || r.text(2) != e.session.Service
		return nil
	})
	if err != nil || !taken {
		return int64(id), err
	}
	return w.newID(ctx)
}

// session writes what a batch says of a session as a whole, and the session itself if
// the file does not have it. What was written to a file that went away counts as lost.
func (k *cache) session(s *enrolled, b *ledger.Batch) error {
	p, n := &s.session, &b.Counters
	_, err := k.c.exec(`INSERT INTO session (id, service, version, host, pid, boot, process, started, last_seen,
			queued, written, queue_full, store_failed, calls)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET last_seen = max(last_seen, excluded.last_seen), queued = excluded.queued, written = excluded.written,
			queue_full = excluded.queue_full, store_failed = excluded.store_failed, calls = calls + excluded.calls`,
		s.id, textNotNull(p.Service), textNotNull(p.Version), textNotNull(p.Host), int64(p.PID), textNotNull(p.Boot), textValue(s.process),
		unixNano(p.Started), max(unixNano(b.Beat), unixNano(p.Started)),
		n.Queued, n.Written-s.lost, n.QueueFull, n.StoreFailed+s.lost, int64(len(b.Calls)))
	return err
}

// values makes arguments for a statement of integers.
func values(ns ...int64) []driver.Value {
	vs := make([]driver.Value, len(ns))
	for i, n := range ns {
		vs[i] = n
	}
	return vs
}
