package db

import (
	"context"
	"database/sql/driver"
	"slices"
	"time"

	"redial/ledger"
)

// How much one transaction reads at most, so that none lasts long and a cancelled context
// is noticed soon.
const (
	firstPage = 128     // calls in the first page of a session; each later one doubles it
	maxPage   = 2048    // calls
	maxSpan   = 1 << 15 // rows looked at where a filter has no index
	maxLeap   = 1 << 20 // rows passed over where it has one
)

// scan reads the calls of one session in order, page by page, each in a transaction of
// its own.
type scan struct {
	known
	filter ledger.Filter
	env    ledger.Env
	plan   plan
	newest bool

	lo, hi int64         // rows not looked at yet
	cut    []ledger.Call // the calls that were cut off, in the order of the scan
	page   []ledger.Call // what has been read
	size   int           // of the next page
	opened bool
	start  time.Time // of the next call, or not after it as long as the scan is not opened
}

// prepare sets start from the first call that there is, and reports whether there is one.
func (s *scan) prepare(ctx context.Context, v *view) (found bool, err error) {
	s.selectCut()
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
		return int64(c.ID) < s.lo || int64(c.ID) > s.hi || !s.filter.Match(&c, s.env)
	})
	for i := range s.cut {
		s.cut[i].AttemptList, s.cut[i].Waits = nil, nil
	}
	if s.newest {
		slices.Reverse(s.cut)
	}
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

// fill reads pages until there is a call, or no more are to come.
func (s *scan) fill(ctx context.Context, p *pool) error {
	s.opened = true
	for len(s.page) == 0 && s.lo <= s.hi {
		if err := p.read(ctx, func(v *view) error { return s.readPage(ctx, v) }); err != nil {
			return err
		}
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
	lo, hi := s.chunk()
	args := append(values(lo, hi), s.plan.args...)
	n, last := 0, int64(0)
	err := v.query(ctx, s.plan.sql(s.order()), append(args, int64(s.size)), func(r row) error {
		c, err := v.callOf(ctx, r)
		n, last = n+1, int64(c.ID)
		if err == nil && s.filter.Match(&c, s.env) {
			s.page = append(s.page, c)
		}
		return err
	})
	if err != nil {
		return err
	}
	switch full := n == s.size; {
	case full && s.newest:
		s.hi, lo = last-1, last
	case full:
		s.lo, hi = last+1, last
	case s.newest:
		s.hi = lo - 1
	default:
		s.lo = hi + 1
	}
	s.size = min(2*s.size, maxPage)
	s.mergeCut(lo, hi)
	return nil
}

// chunk returns the rows that the next page may come from.
func (s *scan) chunk() (lo, hi int64) {
	span := s.plan.span()
	if s.newest {
		return max(s.lo, s.hi-span+1), s.hi
	}
	return s.lo, min(s.hi, s.lo+span-1)
}

// mergeCut puts the calls that were cut off and belong between the rows of the page
// there.
func (s *scan) mergeCut(lo, hi int64) {
	n := 0
	for n < len(s.cut) && int64(s.cut[n].ID) >= lo && int64(s.cut[n].ID) <= hi {
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

// plan is how the calls that a filter may match are found.
type plan struct {
	index string // "": by row
	where string // begins with AND; "": all
	args  []driver.Value
	never bool // it matches none
	all   bool // every row matches
}

// span returns how many rows one page may go through.
func (p *plan) span() int64 {
	switch {
	case p.all:
		return 1 << 62
	case p.index != "":
		return maxLeap
	}
	return maxSpan
}

// sql returns the statement for a page. Its arguments are the first and the last row, the
// plan's own, and how many.
func (p *plan) sql(order string) string {
	from := "call"
	if p.index != "" {
		from += " INDEXED BY " + p.index
	}
	return `SELECT ` + callColumns + ` FROM ` + from + ` WHERE id BETWEEN ? AND ?` + p.where + ` ORDER BY id ` + order + ` LIMIT ?`
}
