package db

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"redial/ledger"
)

// during returns when the calls that a query selects have started, nil for any time.
func during(q *ledger.Query) *interval {
	if q.From.IsZero() && q.To.IsZero() {
		return nil
	}
	t := interval{math.MinInt64, math.MaxInt64 - 1}
	if !q.From.IsZero() {
		t.from = unixNano(q.From)
	}
	if !q.To.IsZero() {
		t.to = unixNano(q.To) - 1
	}
	return &t
}

func (t interval) has(at int64) bool { return t.from <= at && at <= t.to }

// limitTime narrows a scan to the rows near to which the calls lie that have started when
// they should. Calls that were cut off have no row to search by.
func (s *scan) limitTime(ctx context.Context, v *view) error {
	if s.during == nil {
		return nil
	}
	lo, hi, err := v.rowsDuring(ctx, s.lo, s.hi, *s.during)
	for i := range s.cut {
		if c := &s.cut[i]; s.during.has(unixNano(c.Started)) && int64(c.ID) >= s.lo && int64(c.ID) <= s.hi {
			lo, hi = min(lo, int64(c.ID)), max(hi, int64(c.ID))
		}
	}
	s.lo, s.hi = lo, hi
	return err
}

const (
	// nearBefore is how long before a moment every call is looked at to find those that
	// went on until then. Of those further back only the ones that took so long are.
	nearBefore = 125 * time.Millisecond
	// reach is how far back calls are looked for that went on. It doubles nearBefore
	// until then.
	reach = nearBefore << 13
)

// During returns the calls that q selects of those that were under way from q.From on, up
// to but not including q.To, oldest first. Calls that began before q.From are among them
// if they went on until then, unless they began more than 17 minutes before it. It looks
// only at calls that can be meant, however many there are before. One that was cut off is
// under way when it started, and no longer as far as that is known: [DB.Running] has those
// of a session. A zero q.From is the beginning of everything.
func (d *DB) During(ctx context.Context, q ledger.Query) (list []ledger.Call, err error) {
	q.Newest = false
	if !q.From.IsZero() {
		if list, err = d.goingOn(ctx, q); err != nil {
			return nil, err
		}
	}
	rest := q
	if q.Limit > 0 {
		list = list[:min(len(list), q.Limit)]
		rest.Limit -= len(list)
		if rest.Limit == 0 {
			return inOrder(list), nil
		}
	}
	started, err := d.Calls(ctx, rest)
	return inOrder(append(list, started...)), err
}

// inOrder puts calls in the order in which they started.
func inOrder(list []ledger.Call) []ledger.Call {
	slices.SortFunc(list, func(a, b ledger.Call) int {
		return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// goingOn returns the calls that began before q.From and had not ended then. Those that
// began at least so long before must have taken at least as long, which the index over
// slow calls knows.
func (d *DB) goingOn(ctx context.Context, q ledger.Query) (list []ledger.Call, err error) {
	for back := time.Duration(0); back < reach; {
		next := max(2*back, nearBefore)
		slow := q
		slow.From, slow.To = q.From.Add(-next), q.From.Add(-back)
		slow.Limit = 0
		if back > 0 {
			slow.Filter = tookAtLeast(q.Filter, back)
		}
		err := d.Each(ctx, slow, func(c *ledger.Call) error {
			if c.Started.Add(c.Took).After(q.From) {
				list = append(list, *c)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		back = next
	}
	return list, nil
}

// tookAtLeast returns the filter of the calls that took so long at least.
func tookAtLeast(f ledger.Filter, d time.Duration) ledger.Filter {
	long := ledger.Expr(&ledger.Term{Key: ledger.KeyDur, Op: ledger.OpAtLeast, Duration: d})
	if f.Root != nil {
		long = ledger.And{f.Root, long}
	}
	return ledger.Filter{Text: f.Text, Root: long}
}
