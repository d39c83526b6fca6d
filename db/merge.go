package db

import (
	"container/heap"
	"context"

	"redial/ledger"
)

// Calls returns the ended and cut-off calls that q selects, without their lists. Calls of
// a session are in order of their numbers, sessions are merged by start.
func (d *DB) Calls(ctx context.Context, q ledger.Query) ([]ledger.Call, error) {
	var calls []ledger.Call
	err := d.Each(ctx, q, func(c *ledger.Call) error {
		calls = append(calls, *c)
		return nil
	})
	return calls, err
}

// Each calls each with every call that [DB.Calls] would return, and ends early with the
// error that each returns. It holds no more than a few pages in memory, and no
// transaction while each runs. What is written meanwhile is left out.
func (d *DB) Each(ctx context.Context, q ledger.Query, each func(*ledger.Call) error) error {
	m, err := d.merge(ctx, q)
	if err != nil {
		return err
	}
	for n := 0; (q.Limit <= 0 || n < q.Limit) && len(m.scans) > 0; {
		s := m.scans[0]
		if len(s.page) > 0 {
			if err := each(&s.page[0]); err != nil {
				return err
			}
			n++
			s.page = s.page[1:]
		}
		if err := m.advance(ctx, d.reads); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// merge is the scans of several sessions, as a heap: the one whose next call comes first
// is at the top. A scan is opened when its turn comes, so that of sessions that follow
// one another only one is open.
type merge struct {
	scans  []*scan
	newest bool
	tell   func(seen, total int64) // nil: nobody asks how far it is
	total  int64                   // rows that there were to go through in the beginning
	seen   int64                   // of those, when it was last told
}

// merge makes a scan for each session that can have calls that q selects.
func (d *DB) merge(ctx context.Context, q ledger.Query) (*merge, error) {
	m := &merge{newest: q.Newest, tell: q.Progress}
	err := d.reads.read(ctx, func(v *view) error {
		m.scans, m.total = nil, 0
		now := d.now()
		sessions, err := v.sessions(ctx, q.Sessions, now)
		if err != nil {
			return err
		}
		l, err := v.limits(ctx, &q, now)
		if err != nil {
			return err
		}
		for _, known := range sessions {
			s, err := v.scan(ctx, &q, l, known)
			if err != nil {
				return err
			}
			if s != nil {
				m.scans = append(m.scans, s)
				m.total += s.left()
			}
		}
		return nil
	})
	heap.Init(m)
	return m, err
}

// scan makes a scan for a session, nil if no call of it can be selected.
func (v *view) scan(ctx context.Context, q *ledger.Query, l limits, k known) (*scan, error) {
	s := &scan{
		known:  k,
		filter: q.Filter,
		env:    ledger.Env{End: k.End(k.now), Zone: q.Zone, Service: k.Service},
		newest: q.Newest,
		during: during(q),
		size:   firstPage,
	}
	if q.Limit > 0 {
		s.size = min(max(q.Limit, 16), maxPage)
	}
	var err error
	if s.lo, s.hi, err = v.rows(ctx, k.ID); err != nil {
		return nil, err
	}
	if k.gone {
		if s.cut, err = v.running(ctx, &k); err != nil {
			return nil, err
		}
		for i := range s.cut {
			s.lo, s.hi = min(s.lo, int64(s.cut[i].ID)), max(s.hi, int64(s.cut[i].ID))
		}
	}
	if err := s.limit(ctx, v, l); err != nil || s.lo > s.hi {
		return nil, err
	}
	if err := s.limitTime(ctx, v); err != nil || s.lo > s.hi {
		return nil, err
	}
	s.selectCut()
	s.rewind()
	if s.plan, err = v.plan(ctx, s); err != nil {
		return nil, err
	}
	s.span = s.plan.stride()
	if s.plan.never {
		s.pass(s.lo, s.hi)
	}
	found, err := s.prepare(ctx, v)
	if err != nil || !found {
		return nil, err
	}
	return s, nil
}

// advance reads the page of the first scan if it has none, drops it if it has no more
// calls, and restores the order.
func (m *merge) advance(ctx context.Context, p *pool) error {
	s := m.scans[0]
	if len(s.page) == 0 {
		if err := s.fill(ctx, p, m.progress); err != nil {
			return err
		}
	}
	if len(s.page) == 0 {
		heap.Pop(m)
		return nil
	}
	s.start = s.page[0].Started
	heap.Fix(m, 0)
	return nil
}

// progress tells how many rows were gone through, if that has changed.
func (m *merge) progress() {
	if m.tell == nil {
		return
	}
	seen := m.total
	for _, s := range m.scans {
		seen -= s.left()
	}
	if seen > m.seen {
		m.seen = seen
		m.tell(seen, m.total)
	}
}

// Len, Less, Swap, Push and Pop are for package heap.
func (m *merge) Len() int { return len(m.scans) }

func (m *merge) Less(i, j int) bool {
	a, b := m.scans[i], m.scans[j]
	if c := a.start.Compare(b.start); c != 0 {
		return (c > 0) == m.newest
	}
	return (a.ID > b.ID) == m.newest
}

func (m *merge) Swap(i, j int) { m.scans[i], m.scans[j] = m.scans[j], m.scans[i] }

func (m *merge) Push(x any) { m.scans = append(m.scans, x.(*scan)) }

func (m *merge) Pop() any {
	last := m.scans[len(m.scans)-1]
	m.scans = m.scans[:len(m.scans)-1]
	return last
}
