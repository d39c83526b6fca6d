package db

import (
	"context"
	"math"

	"redial/ledger"
)

// near is by how many rows the calls of a session may be out of order by start: a call is
// numbered a moment before its start is taken. Clocks that are set while a session runs
// can break this; calls are then in order of their numbers, but a search by time may land
// beside the place.
const near = 1024

// lastBefore returns the last row of the scan's session that comes before a call in the
// order in which sessions are merged.
func (v *view) lastBefore(ctx context.Context, s *scan, id ledger.CallID) (int64, error) {
	if id.Session() == s.ID {
		return int64(id) - 1, nil
	}
	at, err := v.startOf(ctx, id)
	if err != nil {
		return 0, err
	}
	if s.ID < id.Session() {
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

// firstAfter returns the first row of the scan's session that comes after a call in the
// order in which sessions are merged.
func (v *view) firstAfter(ctx context.Context, s *scan, id ledger.CallID) (int64, error) {
	if id.Session() == s.ID {
		return int64(id) + 1, nil
	}
	at, err := v.startOf(ctx, id)
	if err != nil {
		return 0, err
	}
	if s.ID < id.Session() {
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

// startOf returns when a call started, wherever it stands. For one that is not in the
// file, it is the start of the one before it in its session, or the session's.
func (v *view) startOf(ctx context.Context, id ledger.CallID) (at int64, err error) {
	running := false
	_, err = v.one(ctx, `SELECT data FROM live WHERE call = ? AND length(data) <= ?`, values(int64(id), maxBlob), func(r row) error {
		d := decode(r.bytes(0), nil)
		at, running = unixNano(d.call().Started), true
		return d.end()
	})
	if err != nil || running {
		return at, err
	}
	first, _ := rowsOf(id.Session())
	return v.number(ctx, `SELECT coalesce(
		(SELECT started FROM call WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1),
		(SELECT started FROM session WHERE id = ?), 0)`, first, int64(id), int64(id.Session()))
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
