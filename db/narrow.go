package db

import (
	"context"
	"database/sql/driver"
	"slices"
	"time"

	"redial/ledger"
)

// maxIntervals is how many stretches of time a scan is narrowed to.
const maxIntervals = 512

// narrow restricts a scan to the times at which calls that match all terms can have
// started.
func (s *scan) narrow(ctx context.Context, v *view, k *compiler, terms []*ledger.Term) error {
	for _, t := range terms {
		var times []interval
		var err error
		switch t.Key {
		case ledger.KeyLast:
			if from, ok := timeValue(s.env.End.Add(-t.Duration)).(int64); ok {
				times = []interval{{from, 1<<63 - 2}}
			}
		case ledger.KeyAt:
			times, err = k.days(t)
		case ledger.KeyHost:
			times, err = v.timesOf(ctx, s, k.text(t).may)
		}
		if err != nil {
			return err
		}
		if times != nil {
			s.restrict(times)
		}
	}
	return nil
}

// restrict narrows a scan to intervals, which are in order and apart, and to those that it
// has been narrowed to before.
func (s *scan) restrict(times []interval) {
	if s.newest {
		times = slices.Clone(times)
		slices.Reverse(times)
	}
	if s.times != nil {
		times = intersect(s.times, times, s.newest)
	}
	s.times = times
	s.rewind()
}

// rewind makes the scan begin with its first interval, or with all its rows.
func (s *scan) rewind() {
	s.end = s.hi
	if s.newest {
		s.end = s.lo
	}
	if s.times == nil {
		return
	}
	s.end = s.lo - 1
	if s.newest {
		s.end = s.hi + 1
	}
}

// intersect returns what two lists of intervals have in common. Both are in the same
// order, down from the latest if newest.
func intersect(a, b []interval, newest bool) []interval {
	common := []interval{}
	for len(a) > 0 && len(b) > 0 {
		both := interval{max(a[0].from, b[0].from), min(a[0].to, b[0].to)}
		if both.from <= both.to {
			common = append(common, both)
		}
		if aFirst := a[0].to < b[0].to; newest && a[0].from >= b[0].from || !newest && aFirst {
			a = a[1:]
		} else {
			b = b[1:]
		}
	}
	return common
}

// timesOf returns when a session called the hosts that a condition on the column host
// selects. Nil says that it is not worth to go by that.
func (v *view) timesOf(ctx context.Context, s *scan, hosts condition) ([]interval, error) {
	if hosts.sql == "1" || hosts.sql == "0" {
		return nil, nil
	}
	var calls, first, last int64
	args := append(values(int64(s.ID)), hosts.args...)
	_, err := v.one(ctx, `SELECT sum(calls), min(first), max(last) FROM session_host WHERE session = ? AND `+hosts.sql, args, func(r row) error {
		calls, first, last = r.int(0), r.int(1), r.int(2)
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case calls == 0:
		return []interval{}, nil
	case calls > s.Calls/16 || calls > 1<<20:
		return []interval{{first, last}}, nil
	}
	return v.secondsOf(ctx, args, hosts)
}

// secondsOf returns when calls to hosts started: the seconds in which some ended, each
// extended to before it by the longest that they took.
func (v *view) secondsOf(ctx context.Context, args []driver.Value, hosts condition) (times []interval, err error) {
	gap := int64(time.Second)
	err = v.query(ctx, `SELECT second, latency FROM rollup WHERE session = ? AND `+hosts.sql+` ORDER BY second`, args, func(r row) error {
		d := decode(r.bytes(1), nil)
		latency := d.histogram()
		from := time.Unix(r.int(0), 0).Add(-latency.Quantile(1)).UnixNano()
		times = append(times, interval{from, time.Unix(r.int(0)+1, 0).UnixNano()})
		for ; len(times) > maxIntervals; gap *= 2 {
			times = coalesce(times, gap)
		}
		return d.end()
	})
	return coalesce(times, gap), err
}

// coalesce joins intervals that are less than gap apart. They are in order of their ends.
func coalesce(times []interval, gap int64) []interval {
	joined := []interval{}
	for _, t := range times {
		for n := len(joined); n > 0 && t.from-joined[n-1].to < gap; n-- {
			t.from = min(t.from, joined[n-1].from)
			joined = joined[:n-1]
		}
		joined = append(joined, t)
	}
	return joined
}

// maxDays is for how many days of a session at: is worked out.
const maxDays = 400

// days returns the stretches of time that at: may mean within a session. Nil says that
// they are too many.
func (k *compiler) days(t *ledger.Term) ([]interval, error) {
	var first, last int64
	_, err := k.view.one(k.ctx, `SELECT (SELECT started FROM call WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT 1),
		(SELECT started FROM call WHERE id BETWEEN ?1 AND ?2 ORDER BY id DESC LIMIT 1)`, values(k.scan.lo, k.scan.hi), func(r row) error {
		first, last = r.int(0), r.int(1)
		return nil
	})
	if err != nil {
		return nil, err
	}
	zone := k.scan.env.Zone
	if zone == nil {
		zone = time.UTC
	}
	times := []interval{}
	from, to := time.Unix(0, first).In(zone), time.Unix(0, last).In(zone)
	for i := range maxDays {
		day := time.Date(from.Year(), from.Month(), from.Day()+i, 0, 0, 0, 0, zone)
		if day.After(to) {
			return coalesce(times, 1), nil
		}
		times = append(times, clockOn(day, t.Clock[0], t.Clock[1])...)
	}
	return nil, nil
}

// clockOn returns when on a day the clock shows a time from one to another. On a day on
// which clocks are changed it returns the whole day.
func clockOn(day time.Time, from, to time.Duration) []interval {
	next := time.Date(day.Year(), day.Month(), day.Day()+1, 0, 0, 0, 0, day.Location())
	at := func(d time.Duration) int64 { return day.Add(d).UnixNano() }
	switch {
	case next.Sub(day) != 24*time.Hour:
		return []interval{{day.UnixNano(), next.UnixNano() - 1}}
	case to == 0:
		return []interval{{at(from), next.UnixNano() - 1}}
	case to < from:
		return []interval{{at(0), at(to) - 1}, {at(from), next.UnixNano() - 1}}
	}
	return []interval{{at(from), at(to) - 1}}
}

// clock compiles at:.
func (k *compiler) clock(t *ledger.Term) bounds {
	times, err := k.days(t)
	if err != nil && k.err == nil {
		k.err = err
	}
	if times == nil || len(times) > 64 {
		return anything()
	}
	may := never()
	for _, i := range times {
		may = anyOf(may, test("started BETWEEN ? AND ?", i.from, i.to))
	}
	return bounds{may, never()}
}
