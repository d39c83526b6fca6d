package db

import (
	"context"
	"slices"
	"time"

	"redial/ledger"
)

// How much one transaction reads at most, so that none lasts long and a cancelled context
// is noticed soon.
const (
	firstPage = 128                   // calls in the first page of a session; each later one doubles it
	maxPage   = 2048                  // calls
	minSpan   = 1 << 12               // rows that a page with a filter may go through
	firstSpan = 1 << 15               // the same, to begin with
	indexSpan = 1 << 20               // the same, with an index
	maxSpan   = 1 << 22               // the same, if it turns out to be quick
	longPage  = 40 * time.Millisecond // how long a page should take at most
)

// scan reads the calls of one session in order, page by page, each in a transaction of
// its own.
type scan struct {
	known
	filter ledger.Filter
	env    ledger.Env
	plan   plan
	newest bool
	during *interval // when calls have started; nil: any time

	lo, hi int64         // rows not looked at yet
	times  []interval    // when the calls that match have started, in the order of the scan; nil: any time
	end    int64         // where the rows of the present interval end
	span   int64         // how many rows the next page may go through
	cut    []ledger.Call // the calls that were cut off, in the order of the scan
	page   []ledger.Call // what has been read
	size   int           // of the next page
	start  time.Time     // of the next call; before the first page is read, of the next row whether it matches or not
}

// prepare sets start from the first call that there is, and reports whether there is one.
func (s *scan) prepare(ctx context.Context, v *view) (found bool, err error) {
	found, err = v.one(ctx, `SELECT started FROM call WHERE id BETWEEN ? AND ? ORDER BY id `+s.order()+` LIMIT 1`,
		values(s.lo, s.hi), func(r row) error {
			s.start = r.time(0)
			return nil
		})
	if len(s.cut) > 0 && (!found || s.sooner(s.cut[0].Started, s.start)) {
		s.start, found = s.cut[0].Started, true
	}
	return found, err
}

// selectCut leaves of the calls that were cut off those that are looked for.
func (s *scan) selectCut() {
	s.cut = slices.DeleteFunc(s.cut, func(c ledger.Call) bool {
		return int64(c.ID) < s.lo || int64(c.ID) > s.hi || !s.selects(&c)
	})
	for i := range s.cut {
		s.cut[i].AttemptList, s.cut[i].Waits = nil, nil
	}
	if s.newest {
		slices.Reverse(s.cut)
	}
}

// selects reports whether a call is looked for.
func (s *scan) selects(c *ledger.Call) bool {
	return (s.during == nil || s.during.has(unixNano(c.Started))) && s.filter.Match(c, s.env)
}

func (s *scan) order() string {
	if s.newest {
		return "DESC"
	}
	return "ASC"
}

// sooner reports whether a comes before b in the order of the scan.
func (s *scan) sooner(a, b time.Time) bool {
	if s.newest {
		return a.After(b)
	}
	return a.Before(b)
}

// left returns how many rows are to be gone through yet.
func (s *scan) left() int64 { return max(s.hi-s.lo+1, 0) }

// fill reads pages until there is a call, or no more are to come. After each it calls
// passed.
func (s *scan) fill(ctx context.Context, p *pool, passed func()) error {
	for len(s.page) == 0 && s.lo <= s.hi {
		if err := p.read(ctx, func(v *view) error { return s.readPage(ctx, v) }); err != nil {
			return err
		}
		passed()
	}
	if len(s.page) == 0 {
		s.page, s.cut = s.cut, nil
	}
	if len(s.page) > 0 {
		s.start = s.page[0].Started
	}
	return nil
}

// readPage reads the next page.
func (s *scan) readPage(ctx context.Context, v *view) error {
	lo, hi, err := s.chunk(ctx, v)
	if err != nil || lo > hi {
		return err
	}
	began := time.Now()
	n, last := 0, int64(0)
	args := append(append(values(lo, hi), s.plan.args...), int64(s.size))
	err = v.query(ctx, s.plan.sql(s.order()), args, func(r row) error {
		c, err := v.callOf(ctx, r)
		n, last = n+1, int64(c.ID)
		if err == nil && s.selects(&c) {
			s.page = append(s.page, c)
		}
		return err
	})
	if err != nil {
		return err
	}
	if n == s.size {
		if s.newest {
			lo = last
		} else {
			hi = last
		}
	}
	s.pass(lo, hi)
	s.mergeCut(lo, hi)
	s.size = min(2*s.size, maxPage)
	s.pace(time.Since(began))
	return nil
}

// pass notes that rows lo to hi have been looked at.
func (s *scan) pass(lo, hi int64) {
	if s.newest {
		s.hi = lo - 1
	} else {
		s.lo = hi + 1
	}
}

// stride returns how many rows the first page may go through. Without a filter it is full
// soon enough.
func (p *plan) stride() int64 {
	switch {
	case p.all:
		return 1 << 61
	case p.index != "":
		return indexSpan
	}
	return firstSpan
}

// pace sets how many rows the next page may go through, by how long the last one took.
func (s *scan) pace(took time.Duration) {
	switch {
	case s.plan.all:
	case took > longPage:
		s.span = max(s.span/2, minSpan)
	case took < longPage/4:
		s.span = min(s.span*2, maxSpan)
	}
}

// chunk returns the rows that the next page may come from, none when no more are left.
func (s *scan) chunk(ctx context.Context, v *view) (lo, hi int64, err error) {
	if s.times != nil {
		if err := s.nextTime(ctx, v); err != nil {
			return 0, -1, err
		}
	}
	if s.newest {
		lo, hi = max(s.lo, s.end, s.hi-s.span), s.hi
	} else {
		lo, hi = s.lo, min(s.hi, s.end, s.lo+s.span)
	}
	return lo, hi, nil
}

// nextTime moves on to the rows of the next interval if those of the present one have
// been looked at.
func (s *scan) nextTime(ctx context.Context, v *view) error {
	for s.lo <= s.hi && (s.newest && s.hi < s.end || !s.newest && s.lo > s.end) {
		if len(s.times) == 0 {
			s.pass(s.lo, s.hi)
			return nil
		}
		lo, hi, err := v.rowsDuring(ctx, s.lo, s.hi, s.times[0])
		if err != nil {
			return err
		}
		s.times = s.times[1:]
		if s.newest {
			s.hi, s.end = min(s.hi, hi), lo
		} else {
			s.lo, s.end = max(s.lo, lo), hi
		}
	}
	return nil
}

// mergeCut puts the calls that were cut off and come before the end of the page, whose
// rows are lo to hi, where they belong in it.
func (s *scan) mergeCut(lo, hi int64) {
	n := 0
	for n < len(s.cut) && (s.newest && int64(s.cut[n].ID) >= lo || !s.newest && int64(s.cut[n].ID) <= hi) {
		n++
	}
	if n == 0 {
		return
	}
	s.page = append(s.page, s.cut[:n]...)
	s.cut = s.cut[n:]
	slices.SortFunc(s.page, func(a, b ledger.Call) int {
		if s.newest {
			a, b = b, a
		}
		return int(min(max(a.ID-b.ID, -1), 1))
	})
}
