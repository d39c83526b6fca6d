package db

import (
	"context"
	"math"
	"time"

	"redial/ledger"
)

// near is by how many rows the calls of a session may be out of order by start: a call is
// numbered a moment before its start is taken. Clocks that are set while a session runs
// can break this; calls are then in order of their numbers, but a search by time may land
// beside the place.
const near = 1024

// limits is what a query says about where its calls begin and end, with the times at which
// those two calls have their turn when sessions are merged.
type limits struct {
	before, after     ledger.CallID
	beforeAt, afterAt int64
}

func (v *view) limits(ctx context.Context, q *ledger.Query, now time.Time) (l limits, err error) {
	l.before, l.after = q.Before, q.After
	if l.before != 0 {
		l.beforeAt, err = v.turn(ctx, l.before, q.Newest, now)
	}
	if l.after != 0 && err == nil {
		l.afterAt, err = v.turn(ctx, l.after, q.Newest, now)
	}
	return l, err
}

// limit narrows a scan to what lies between two calls.
func (s *scan) limit(ctx context.Context, v *view, l limits) error {
	if l.before != 0 {
		hi, err := s.lastBefore(ctx, v, l)
		if err != nil {
			return err
		}
		s.hi = min(s.hi, hi)
	}
	if l.after != 0 {
		lo, err := s.firstAfter(ctx, v, l)
		if err != nil {
			return err
		}
		s.lo = max(s.lo, lo)
	}
	return nil
}

// lastBefore returns the last row that comes before the one that is to be last.
func (s *scan) lastBefore(ctx context.Context, v *view, l limits) (int64, error) {
	if l.before.Session() == s.ID {
		return int64(l.before) - 1, nil
	}
	at := l.beforeAt
	if s.ID < l.before.Session() {
		at++ // one that started at the same time comes before it
	}
	last, err := v.lastStarted(ctx, s.lo, s.hi, at)
	for i := range s.cut {
		if c := &s.cut[i]; unixNano(c.Started) < at {
			last = max(last, int64(c.ID))
		}
	}
	return last, err
}

// firstAfter returns the first row that comes after the one that is to be first.
func (s *scan) firstAfter(ctx context.Context, v *view, l limits) (int64, error) {
	if l.after.Session() == s.ID {
		return int64(l.after) + 1, nil
	}
	at := l.afterAt
	if s.ID < l.after.Session() {
		at++
	}
	first, err := v.firstStarted(ctx, s.lo, s.hi, at)
	for i := range s.cut {
		if c := &s.cut[i]; unixNano(c.Started) >= at {
			first = min(first, int64(c.ID))
		}
	}
	return first, err
}

// turn returns the time at which a call has its turn when sessions are merged. It is when
// it started, unless one that is numbered before it, or after it if the newest come
// first, started later, or earlier, and held it up.
func (v *view) turn(ctx context.Context, id ledger.CallID, newest bool, now time.Time) (at int64, err error) {
	extreme, from, to := "max", int64(id)-near, int64(id)
	if newest {
		extreme, from, to = "min", int64(id), int64(id)+near
	}
	first, last := rowsOf(id.Session())
	found := false
	hold := func(started int64) {
		if !found || newest && started < at || !newest && started > at {
			at, found = started, true
		}
	}
	_, err = v.one(ctx, `SELECT `+extreme+`(started) FROM call WHERE id BETWEEN ? AND ?`, values(max(from, first), min(to, last)), func(r row) error {
		if _, some := r[0].(int64); some {
			hold(r.int(0))
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	sessions, err := v.sessions(ctx, []ledger.SessionID{id.Session()}, now)
	if err != nil || len(sessions) == 0 {
		return at, err
	}
	calls, err := v.running(ctx, &sessions[0])
	for i := range calls {
		if c := &calls[i]; c.ID == id || sessions[0].gone && int64(c.ID) >= from && int64(c.ID) <= to {
			hold(unixNano(c.Started))
		}
	}
	if !found {
		hold(unixNano(sessions[0].Started))
	}
	return at, err
}

// lastStarted returns the last row of lo..hi that started before a time, lo-1 if none
// did.
func (v *view) lastStarted(ctx context.Context, lo, hi, at int64) (int64, error) {
	p, err := v.search(ctx, lo, hi, at)
	if err != nil {
		return 0, err
	}
	last := lo - 1
	_, err = v.one(ctx, `SELECT id FROM call WHERE id BETWEEN ? AND ? AND started < ? ORDER BY id DESC LIMIT 1`,
		values(lo, min(hi, p+near), at), func(r row) error {
			last = r.int(0)
			return nil
		})
	return last, err
}

// firstStarted returns the first row of lo..hi that started at a time or later, hi+1 if
// none did.
func (v *view) firstStarted(ctx context.Context, lo, hi, at int64) (int64, error) {
	p, err := v.search(ctx, lo, hi, at)
	if err != nil {
		return 0, err
	}
	first := hi + 1
	_, err = v.one(ctx, `SELECT id FROM call WHERE id BETWEEN ? AND ? AND started >= ? ORDER BY id LIMIT 1`,
		values(max(lo, p-near), hi, at), func(r row) error {
			first = r.int(0)
			return nil
		})
	return first, err
}

// search returns a row of lo..hi near to which the calls that started before a time end
// and the others begin.
func (v *view) search(ctx context.Context, lo, hi, at int64) (int64, error) {
	last, err := v.number(ctx, `SELECT id FROM call WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1`, lo, hi)
	if err != nil || last == 0 {
		return lo, err
	}
	hi = last + 1
	for lo < hi {
		middle := lo + (hi-lo)/2
		id, started := int64(math.MaxInt64), int64(math.MaxInt64)
		_, err := v.one(ctx, `SELECT id, started FROM call WHERE id >= ? AND id < ? ORDER BY id LIMIT 1`, values(middle, hi), func(r row) error {
			id, started = r.int(0), r.int(1)
			return nil
		})
		switch {
		case err != nil:
			return 0, err
		case started < at:
			lo = id + 1
		default:
			hi = middle
		}
	}
	return lo, nil
}

// rows returns the first and the last row of a session's calls; if there is none, the
// last one comes before the first.
func (v *view) rows(ctx context.Context, id ledger.SessionID) (lo, hi int64, err error) {
	first, last := rowsOf(id)
	lo, hi = last, first
	for _, end := range [...]struct {
		row   *int64
		order string
	}{{&lo, "ASC"}, {&hi, "DESC"}} {
		_, err := v.one(ctx, `SELECT id FROM call WHERE id BETWEEN ? AND ? ORDER BY id `+end.order+` LIMIT 1`, values(first, last), func(r row) error {
			*end.row = r.int(0)
			return nil
		})
		if err != nil {
			return 0, 0, err
		}
	}
	return lo, hi, nil
}

// interval is a stretch of time, both ends included, in nanoseconds of Unix time.
type interval struct{ from, to int64 }

// rowsDuring returns a range of rows of lo..hi that has all calls that started during an
// interval, and few others.
func (v *view) rowsDuring(ctx context.Context, lo, hi int64, t interval) (first, last int64, err error) {
	if first, err = v.search(ctx, lo, hi, t.from); err == nil {
		last, err = v.search(ctx, first, hi, t.to+1)
	}
	return max(lo, first-near), min(hi, last+near), err
}
