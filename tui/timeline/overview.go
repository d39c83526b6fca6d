package timeline

import (
	"context"
	"time"

	"redial/ledger"
	"redial/tui/chart"
)

// overview is what went wrong and how long was waited over all sessions that are shown, in
// steps of time.
type overview struct {
	all  span
	step time.Duration // 0: nothing is known
	sums []load        // of each step from the one that all.from lies in
}

// load is what ended in one step.
type load struct {
	failed int64
	waited time.Duration
}

// again is how much of what is known is read again, since calls may still end in it.
const again = 5 * time.Second

// steps returns the least step that clocks are read by of which no more than n make up a
// stretch of time.
func steps(d time.Duration, n int) time.Duration {
	least := d / time.Duration(max(n, 1))
	for _, unit := range []time.Duration{time.Second, time.Minute, time.Hour} {
		for _, m := range []time.Duration{1, 2, 5, 10, 15, 20, 30} {
			if m*unit >= least {
				return m * unit
			}
		}
	}
	const day = 24 * time.Hour
	return (least + day - 1) / day * day
}

// over returns what is to be known of a stretch of time on so many columns, with as much of
// it as is known.
func (o overview) over(all span, columns int) overview {
	step := steps(all.width(), columns)
	if step != o.step || !all.from.Equal(o.all.from) {
		return overview{all: all, step: step}
	}
	o.all = all
	return o
}

// begin returns the beginning of the first step.
func (o *overview) begin() int64 {
	s := int64(o.step / time.Second)
	return o.all.from.Unix() / s * s
}

// read reads what is not known yet.
func (o overview) read(ctx context.Context, s Store, ids []ledger.SessionID, tell func(seen, total int64)) (overview, error) {
	seconds, begin := int64(o.step/time.Second), o.begin()
	known := max(int64(len(o.sums))-1-int64(again/o.step), 0)
	from := time.Unix(begin+known*seconds, 0)
	n := (o.all.to.Unix()-begin)/seconds + 1
	sums := make([]load, max(n, 0))
	copy(sums, o.sums[:min(known, int64(len(o.sums)))])
	q := ledger.SumQuery{Sessions: ids, From: from, To: o.all.to.Add(time.Second), Step: o.step, Progress: tell}
	err := s.Sums(ctx, q, func(r *ledger.Rollup) error {
		at := (r.Second - begin) / seconds
		if at < 0 || at >= n {
			return nil
		}
		sums[at].failed += r.Failed
		for _, w := range r.Waited {
			sums[at].waited += w
		}
		return nil
	})
	if err == nil {
		o.sums = sums
	}
	return o, err
}

// columns returns what is known for each column of an axis: errors and seconds of waiting.
func (o *overview) columns(c chart.Clock) (failed, waited []int64) {
	failed, waited = make([]int64, c.Width), make([]int64, c.Width)
	if o.step == 0 {
		return failed, waited
	}
	begin := time.Unix(o.begin(), 0)
	for i, l := range o.sums {
		from := begin.Add(time.Duration(i) * o.step)
		first, n := c.Span(from, from.Add(o.step))
		for col := first; col < first+n; col++ {
			failed[col] = max(failed[col], l.failed)
			waited[col] = max(waited[col], int64(l.waited/time.Millisecond))
		}
	}
	return failed, waited
}
