package db

import (
	"cmp"
	"context"
	"slices"
	"time"

	"redial/ledger"
)

// PrunePlan says what a rule comes to now. It changes nothing.
func (d *DB) PrunePlan(ctx context.Context, rule ledger.PruneRule) (plan ledger.PrunePlan, err error) {
	sessions, err := d.Sessions(ctx)
	if err != nil {
		return plan, err
	}
	var needed map[ledger.SessionID]bool
	err = d.reads.read(ctx, func(v *view) (err error) {
		if plan.Used, err = v.used(ctx); err != nil {
			return err
		}
		needed, err = v.needed(ctx)
		return err
	})
	if err != nil {
		return plan, err
	}
	now := d.now()
	slices.SortStableFunc(sessions, func(a, b ledger.Session) int {
		return cmp.Or(a.End(now).Compare(b.End(now)), cmp.Compare(a.ID, b.ID))
	})
	var calls int64
	for i := range sessions {
		calls += sessions[i].Calls
	}
	left := plan.Used
	for i := range sessions {
		s := &sessions[i]
		p := ledger.Prunable{Session: *s, Why: staysFor(s, now, needed)}
		p.Bytes = int64(float64(plan.Used) * float64(s.Calls) / float64(max(calls, 1)))
		switch {
		case !takes(&rule, s, now, left):
		case p.Why != "":
			plan.Stay = append(plan.Stay, p)
		default:
			plan.Go = append(plan.Go, p)
			left -= p.Bytes
		}
	}
	return plan, nil
}

// takes reports whether a rule takes a session when so many bytes are in use.
func takes(r *ledger.PruneRule, s *ledger.Session, now time.Time, used int64) bool {
	if r.Only != nil {
		return slices.Contains(r.Only, s.ID)
	}
	return r.OlderThan > 0 && now.Sub(s.End(now)) > r.OlderThan || r.MaxSize > 0 && used > r.MaxSize
}

// staysFor says why a session stays whatever the rule is, "" if nothing speaks for it.
func staysFor(s *ledger.Session, now time.Time, needed map[ledger.SessionID]bool) string {
	switch {
	case s.Live(now):
		return "live"
	case s.MayGoOn(now):
		return "silent, may go on"
	case s.Pinned:
		return "pinned"
	case needed[s.ID]:
		return "of an open operation"
	}
	return ""
}

// used returns how many bytes of the file are in use.
func (v *view) used(ctx context.Context) (int64, error) {
	var n [3]int64
	for i, text := range [...]string{`PRAGMA page_count`, `PRAGMA freelist_count`, `PRAGMA page_size`} {
		var err error
		if n[i], err = v.number(ctx, text); err != nil {
			return 0, err
		}
	}
	return (n[0] - n[1]) * n[2], nil
}

// needed returns the sessions that own operations that are not settled, or made calls for them.
func (v *view) needed(ctx context.Context) (map[ledger.SessionID]bool, error) {
	known, err := v.knowsOperations(ctx)
	if !known {
		return nil, err
	}
	ids := map[ledger.SessionID]bool{}
	const open = ` FROM operation INDEXED BY operation_open`
	for _, text := range [...]string{
		`SELECT DISTINCT owner` + open + ` WHERE state <> 'succeeded' AND state <> 'failed'`,
		`SELECT DISTINCT t.call >> 40` + open + ` CROSS JOIN transition AS t ON t.operation = operation.id
			WHERE state <> 'succeeded' AND state <> 'failed' AND t.call <> 0`,
	} {
		list, err := v.numbers(ctx, text)
		if err != nil {
			return nil, err
		}
		for _, id := range list {
			ids[ledger.SessionID(id)] = true
		}
	}
	return ids, nil
}

// sliceTime is how long a transaction that prunes lasts, so that a service that records to
// the file hardly notices.
const sliceTime = 10 * time.Millisecond

// Prune takes recorded sessions out of the file: their calls, sums and windows. Operations
// stay. A session that must stay by now, see [ledger.PrunePlan], is left alone. It deletes
// a little at a time, rests as long in between, and calls progress, if that is not nil, with
// how many calls have gone. When ctx ends, what is left of a session is whole in itself, and
// can be pruned later. The file keeps its size: what becomes free is used for what is
// recorded next.
func (d *DB) Prune(ctx context.Context, ids []ledger.SessionID, progress func(gone int64)) (pruned []ledger.SessionID, err error) {
	if d.writer == nil {
		return nil, d.errReading()
	}
	var gone int64
	for _, id := range ids {
		plan, err := d.PrunePlan(ctx, ledger.PruneRule{Only: []ledger.SessionID{id}})
		if err != nil {
			return pruned, err
		}
		if len(plan.Go) == 0 {
			continue
		}
		p := pruner{w: d.writer, id: id, rows: 64}
		for !p.done && err == nil {
			var n int64
			began := time.Now()
			n, err = p.slice(ctx)
			took := time.Since(began)
			if gone += n; progress != nil && n > 0 {
				progress(gone)
			}
			p.adapt(took)
			if err == nil && !p.done {
				err = rest(ctx, took)
			}
		}
		if err != nil {
			return pruned, err
		}
		pruned = append(pruned, id)
	}
	return pruned, nil
}

// rest waits, or returns the error of ctx when that ends.
func rest(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pruner takes one session out of the file.
type pruner struct {
	w    *writer
	id   ledger.SessionID
	rows int64 // how many rows a slice takes
	done bool
}

// adapt makes the next slice last about as long as it should.
func (p *pruner) adapt(took time.Duration) {
	switch {
	case took > sliceTime:
		p.rows = max(p.rows/2, 16)
	case took < sliceTime/2:
		p.rows = min(p.rows*2, 1<<14)
	}
}

// slice deletes a little of the session, in one transaction, and returns how many calls went.
func (p *pruner) slice(ctx context.Context) (calls int64, err error) {
	err = p.w.do(ctx, func(ctx context.Context) error {
		return p.w.transact(ctx, func() error {
			first, last := rowsOf(p.id)
			upTo, err := p.w.c.number(ctx, `SELECT id FROM call WHERE id BETWEEN ? AND ? ORDER BY id LIMIT 1 OFFSET ?`, first, last, p.rows-1)
			if err != nil {
				return err
			}
			if upTo > 0 {
				calls = p.rows
				return p.calls(first, upTo, calls)
			}
			if calls, err = p.w.c.number(ctx, `SELECT count(*) FROM call WHERE id BETWEEN ? AND ?`, first, last); err != nil || calls > 0 {
				if err == nil {
					err = p.calls(first, last, calls)
				}
				return err
			}
			return p.others(ctx, first, last)
		})
	})
	return calls, err
}

// calls deletes calls, with all that belongs to them.
func (p *pruner) calls(first, last, n int64) error {
	for _, text := range [...]string{
		`DELETE FROM attempt WHERE call BETWEEN ? AND ?`,
		`DELETE FROM wait WHERE call BETWEEN ? AND ?`,
		`DELETE FROM body WHERE call BETWEEN ? AND ?`,
		`DELETE FROM redirect WHERE call BETWEEN ? AND ?`,
		`DELETE FROM duplicate WHERE call BETWEEN ? AND ?`,
		`DELETE FROM call WHERE id BETWEEN ? AND ?`,
	} {
		if _, err := p.w.c.exec(text, first, last); err != nil {
			return err
		}
	}
	_, err := p.w.c.exec(`UPDATE session SET calls = max(calls - ?, 0) WHERE id = ?`, n, int64(p.id))
	return err
}

// others deletes what a session has besides calls, and at last the session itself.
func (p *pruner) others(ctx context.Context, first, last int64) error {
	for _, table := range [...]string{`rollup`, `bandwidth`} {
		upTo, err := p.w.c.number(ctx, `SELECT second FROM `+table+` WHERE session = ? ORDER BY second LIMIT 1 OFFSET ?`, int64(p.id), p.rows-1)
		if err != nil {
			return err
		}
		if upTo == 0 {
			_, err = p.w.c.exec(`DELETE FROM `+table+` WHERE session = ?`, int64(p.id))
		} else {
			_, err = p.w.c.exec(`DELETE FROM `+table+` WHERE session = ? AND second <= ?`, int64(p.id), upTo)
		}
		if err != nil || upTo > 0 {
			return err
		}
	}
	if _, err := p.w.c.exec(`DELETE FROM live WHERE call BETWEEN ? AND ?`, first, last); err != nil {
		return err
	}
	for _, text := range [...]string{ // gaps and windows go with the session
		`DELETE FROM session_host WHERE session = ?`,
		`DELETE FROM label WHERE session = ?`,
		`DELETE FROM session WHERE id = ?`,
	} {
		if _, err := p.w.c.exec(text, int64(p.id)); err != nil {
			return err
		}
	}
	p.done = true
	return nil
}
