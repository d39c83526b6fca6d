package db

import (
	"hash/maphash"
	"time"

	"redial/ledger"
)

// liveRows is what the file has of a session that changes while it lasts: its running
// calls and its windows.
type liveRows struct {
	calls   map[int64]uint64 // by row, a hash of its blob
	round   map[int64]uint64 // what calls will be; kept to spare allocations
	windows []ledger.Window
}

// of returns what the file has of a session. What was left by an earlier connection is
// removed first: it would never be replaced.
func (k *cache) of(s *enrolled) (*liveRows, error) {
	if rows := k.live[s.id]; rows != nil {
		return rows, nil
	}
	first := int64(ledger.NewCallID(ledger.SessionID(s.id), 0))
	last := int64(ledger.NewCallID(ledger.SessionID(s.id+1), 0)) - 1
	if _, err := k.c.exec(`DELETE FROM live WHERE call BETWEEN ? AND ?`, first, last); err != nil {
		return nil, err
	}
	if _, err := k.c.exec(`DELETE FROM "window" WHERE session = ?`, s.id); err != nil {
		return nil, err
	}
	k.live[s.id] = &liveRows{calls: map[int64]uint64{}, round: map[int64]uint64{}}
	return k.live[s.id], nil
}

// running replaces the running calls of a session. Rows that are as they were are not
// written again, and a call that has ended in this batch is not running.
func (k *cache) running(s *enrolled, b *ledger.Batch) error {
	rows, err := k.of(s)
	if err != nil {
		return err
	}
	clear(rows.round)
	still := stillRunning(b)
	for i := range b.Running {
		if c := &b.Running[i]; still[c.ID] {
			if err := k.runningCall(rows, s.row(c.ID), c); err != nil {
				return err
			}
		}
	}
	for row := range rows.calls {
		if _, runs := rows.round[row]; !runs {
			if _, err := k.c.exec(`DELETE FROM live WHERE call = ?`, row); err != nil {
				return err
			}
		}
	}
	rows.calls, rows.round = rows.round, rows.calls
	return nil
}

// stillRunning returns which calls of a batch are running and have not ended in it too.
func stillRunning(b *ledger.Batch) map[ledger.CallID]bool {
	if len(b.Running) == 0 {
		return nil
	}
	still := make(map[ledger.CallID]bool, len(b.Running))
	for i := range b.Running {
		still[b.Running[i].ID] = true
	}
	for i := range b.Calls {
		delete(still, b.Calls[i].ID)
	}
	return still
}

func (k *cache) runningCall(rows *liveRows, row int64, c *ledger.Call) error {
	e := encoder{buf: k.enc.buf}
	e.reset()
	e.call(c)
	k.enc.buf = e.buf
	hash := maphash.Bytes(k.dict.seed, e.buf)
	rows.round[row] = hash
	if was, ok := rows.calls[row]; ok && was == hash {
		return nil
	}
	_, err := k.c.exec(`INSERT OR REPLACE INTO live (call, data) VALUES (?, ?)`, row, k.blob())
	return err
}

// windows replaces the state of the windows of a session.
func (k *cache) windows(s *enrolled, b *ledger.Batch) error {
	rows, err := k.of(s)
	if err != nil {
		return err
	}
	for n := range b.Windows {
		w := &b.Windows[n]
		if n < len(rows.windows) && sameWindow(w, &rows.windows[n]) {
			continue
		}
		_, err := k.c.exec(`INSERT OR REPLACE INTO "window" (session, n, host, "limit", per, used, opens, waiting, since,
				name, kind, paused, declared, allows, within, remaining, resets)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, s.id, int64(n), textNotNull(w.Host), int64(w.Limit), int64(w.Per),
			int64(w.Used), timeValue(w.Opens), int64(w.Waiting), timeValue(w.Since),
			textNotNull(w.Name), int64(w.Kind), timeValue(w.Paused), timeValue(w.Declared.At), int64(w.Declared.Limit),
			int64(w.Declared.Per), int64(w.Declared.Remaining), timeValue(w.Declared.Resets))
		if err != nil {
			return err
		}
	}
	if len(b.Windows) < len(rows.windows) {
		_, err = k.c.exec(`DELETE FROM "window" WHERE session = ? AND n >= ?`, s.id, int64(len(b.Windows)))
	}
	rows.windows = append(rows.windows[:0], b.Windows...)
	return err
}

// sameWindow reports whether both would make the same row.
func sameWindow(a, b *ledger.Window) bool {
	c, d := *a, *b
	for _, t := range [...][2]*time.Time{
		{&c.Opens, &d.Opens}, {&c.Since, &d.Since}, {&c.Paused, &d.Paused},
		{&c.Declared.At, &d.Declared.At}, {&c.Declared.Resets, &d.Declared.Resets},
	} {
		if !t[0].Equal(*t[1]) {
			return false
		}
		*t[0], *t[1] = time.Time{}, time.Time{}
	}
	return c == d
}
