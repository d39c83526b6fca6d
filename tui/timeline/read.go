package timeline

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/scene"
	"redial/tui/trouble"
)

// Store is what this screen reads.
type Store interface {
	// During returns ended and cut-off calls, without their lists: those that were under
	// way from query.From up to query.To, oldest first.
	During(context.Context, ledger.Query) ([]ledger.Call, error)
	Calls(context.Context, ledger.Query) ([]ledger.Call, error)
	Running(context.Context, []ledger.SessionID) ([]ledger.Call, error)
	// WithLists returns ended calls with their attempts and waits.
	WithLists(context.Context, []ledger.CallID) ([]ledger.Call, error)
	Call(context.Context, ledger.CallID) (ledger.Call, error)
	Operation(context.Context, ledger.ID) (ledger.Operation, error)
	// Sums calls each with what ended, by host and step of time.
	Sums(ctx context.Context, q ledger.SumQuery, each func(*ledger.Rollup) error) error
}

const (
	mostCalls = 2000 // calls that have a row at most
	parts     = 12   // parts of the time in sight from which calls with trouble are taken
	fromPart  = 50   // calls that are taken from each
)

// request is all that reading the screen depends on.
type request struct {
	seq    int
	span   span
	want   ledger.CallID // the call that the user goes to; 0: none
	filter ledger.Filter
	zone   *time.Location
	shown  scene.Shown
	step   time.Duration           // of the sums of what is in sight
	over   overview                // what is known of the whole
	tell   func(seen, total int64) // how far it is
}

// part returns what a part of the reading tells: the calls, those with trouble if they are
// too many, and the sums of the whole.
func (r *request) part(n int) func(seen, total int64) { return scene.Part(r.tell, n, 3) }

// readMsg brings what a request asked for.
type readMsg struct {
	request request
	calls   []ledger.Call   // in order of their start; those that run have their lists
	partial bool            // they are too many: only some of those with trouble are here
	sums    []ledger.Rollup // of what is in sight, if partial
	over    overview
	took    time.Duration
	cut     bool // the user gave up before all calls were found
	err     error
}

// Failed returns the error of a reading that failed.
func (m readMsg) Failed() error { return m.err }

// read reads what the screen shows.
func read(ctx context.Context, s Store, r request, now func() time.Time) tea.Msg {
	began := now()
	m := readMsg{request: r}
	running, err := s.Running(ctx, r.shown.IDs())
	if err != nil {
		m.err = err
		return m
	}
	if m.err = m.ended(ctx, s); m.err != nil && !errors.Is(m.err, context.Canceled) {
		return m
	}
	m.calls = slices.DeleteFunc(m.calls, func(c ledger.Call) bool { return c.State == ledger.CutOff })
	for i := range running {
		c := &running[i]
		if c.Started.Before(r.span.to) && r.filter.Match(c, r.shown.Env(c.ID.Session(), r.zone)) {
			m.calls = append(m.calls, *c)
		}
	}
	slices.SortFunc(m.calls, earlier)
	if m.over = r.over; m.err == nil {
		m.over, m.err = r.over.read(ctx, s, r.shown.IDs(), r.part(2))
	}
	m.cut = m.err != nil
	m.took = now().Sub(began)
	return m
}

func earlier(a, b ledger.Call) int {
	return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.ID, b.ID))
}

// ended reads the calls in sight; if they are too many, some of those with trouble, and the
// sums of all.
func (m *readMsg) ended(ctx context.Context, s Store) (err error) {
	r := &m.request
	q := ledger.Query{Filter: r.filter, Sessions: r.shown.IDs(), Zone: r.zone, From: r.span.from, To: r.span.to, Limit: mostCalls + 1, Progress: r.part(0)}
	m.calls, err = s.During(ctx, q)
	if err != nil || len(m.calls) <= mostCalls {
		return err
	}
	m.partial = true
	q.Progress = r.part(1)
	if m.calls, err = sample(ctx, s, q); err == nil {
		err = m.wanted(ctx, s)
	}
	if err != nil {
		return err
	}
	sums := ledger.SumQuery{Sessions: r.shown.IDs(), From: r.span.from, To: r.span.to, Step: r.step}
	return s.Sums(ctx, sums, func(r *ledger.Rollup) error {
		m.sums = append(m.sums, *r)
		return nil
	})
}

// wanted adds the call that the user goes to, if it was not among the sample.
func (m *readMsg) wanted(ctx context.Context, s Store) error {
	id := m.request.want
	if id == 0 || slices.ContainsFunc(m.calls, func(c ledger.Call) bool { return c.ID == id }) {
		return nil
	}
	c, err := s.Call(ctx, id)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && c.Running():
		return nil
	case err != nil:
		return err
	}
	c.AttemptList, c.Waits = nil, nil
	m.calls = append(m.calls, c)
	return nil
}

// sample returns calls with trouble from all parts of the time of a query.
func sample(ctx context.Context, s Store, q ledger.Query) (all []ledger.Call, err error) {
	filters, err := trouble.Filters(q.Filter)
	if err != nil {
		return nil, err
	}
	from, width, tell := q.From, q.To.Sub(q.From), q.Progress
	q.Limit = fromPart
	for i := range parts {
		var part []ledger.Call
		q.Progress = scene.Part(tell, i, parts)
		q.From, q.To = from.Add(width*time.Duration(i)/parts), from.Add(width*time.Duration(i+1)/parts)
		for _, q.Filter = range filters {
			calls, err := s.Calls(ctx, q)
			if err != nil {
				return nil, err
			}
			part = append(part, calls...)
		}
		slices.SortFunc(part, earlier)
		part = slices.CompactFunc(part, func(a, b ledger.Call) bool { return a.ID == b.ID })
		all = append(all, part[:min(len(part), q.Limit)]...)
	}
	return all, nil
}

// troubleMsg brings the next call with trouble; none is 0.
type troubleMsg struct {
	seq  int
	back bool
	call ledger.Call
	err  error
}

// Failed returns the error of a reading that failed.
func (m troubleMsg) Failed() error { return m.err }

// findTrouble looks for the next call with trouble among those that a query selects.
func findTrouble(ctx context.Context, s Store, seq int, q ledger.Query) tea.Cmd {
	return func() tea.Msg {
		call, err := trouble.Next(ctx, s, q)
		return troubleMsg{seq, q.Newest, call, err}
	}
}

// listsMsg brings calls with their attempts and waits.
type listsMsg struct {
	seq   int
	calls []ledger.Call
	err   error
}

// Failed returns the error of a reading that failed.
func (m listsMsg) Failed() error { return m.err }

func readLists(ctx context.Context, s Store, seq int, ids []ledger.CallID) tea.Cmd {
	return func() tea.Msg {
		calls, err := s.WithLists(ctx, ids)
		return listsMsg{seq, calls, err}
	}
}

// callMsg brings a call whole.
type callMsg struct {
	seq  int
	call ledger.Call
	open bool // it is to be shown
	err  error
}

func readCall(ctx context.Context, s Store, seq int, id ledger.CallID, open bool) tea.Cmd {
	return func() tea.Msg {
		c, err := s.Call(ctx, id)
		return callMsg{seq, c, open, err}
	}
}
