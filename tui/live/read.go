package live

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/detail"
	"redial/tui/scene"
	"redial/tui/trouble"
	"redial/tui/windows"
)

// Store is what this screen reads.
type Store interface {
	Calls(context.Context, ledger.Query) ([]ledger.Call, error)
	Running(context.Context, []ledger.SessionID) ([]ledger.Call, error)
	Call(context.Context, ledger.CallID) (ledger.Call, error)
	Windows(context.Context, []ledger.SessionID) ([]ledger.Window, error)
	Operation(context.Context, ledger.ID) (ledger.Operation, error)
}

const (
	page    = 200 // calls that are kept around the selected one
	beyond  = 20  // calls that are kept above those in sight while the list follows
	manyNew = 100 // new calls are counted up to here
)

// place says which stretch of the calls is wanted.
type place struct {
	tail   bool          // the newest ones
	around ledger.CallID // the calls on both sides of this one
	after  ledger.CallID // else those after this one; 0: from the first one on
}

// request is all that reading the screen depends on.
type request struct {
	seq    int
	place  place
	filter ledger.Filter
	rows   int           // rows in sight
	twice  ledger.CallID // look only at later calls for one that was sent twice
	seen   time.Time     // count calls that started after it; zero: do not
	zone   *time.Location
	shown  scene.Shown
	tell   func(seen, total int64) // how far it is
}

// readMsg brings what a request asked for.
type readMsg struct {
	request request
	ended   []ledger.Call
	running []ledger.Call // those that the filter lets pass
	windows []ledger.Window
	after   ledger.CallID // the call before the stretch, 0 if it begins with the first
	newest  bool          // the stretch ends with the newest call
	cut     bool          // the user gave up before all calls of the stretch were found
	fresh   int           // calls that started after request.seen
	twice   *detail.Whole // the newest call that was sent before, with the other one; nil: none
	err     error
}

// read reads what the screen shows.
func read(ctx context.Context, s Store, r request) tea.Msg {
	m, shown := readMsg{request: r}, &r.shown
	running, err := s.Running(ctx, shown.IDs())
	if err != nil {
		m.err = err
		return m
	}
	slices.SortStableFunc(running, func(a, b ledger.Call) int { return a.Started.Compare(b.Started) })
	for i := range running {
		if r.filter.Match(&running[i], shown.Env(running[i].ID.Session(), r.zone)) {
			m.running = append(m.running, running[i])
		}
	}
	if m.windows, m.err = s.Windows(ctx, shown.IDs()); m.err != nil {
		return m
	}
	windows.Sort(m.windows)
	if m.err = m.calls(ctx, s); m.err != nil {
		m.cut = errors.Is(m.err, context.Canceled)
		return m
	}
	if !r.seen.IsZero() {
		m.fresh, m.err = m.count(ctx, s)
	}
	if m.err == nil && shown.Live {
		m.twice, m.err = m.sentTwice(ctx, s)
	}
	return m
}

// calls reads the stretch.
func (m *readMsg) calls(ctx context.Context, s Store) (err error) {
	part, parts := 0, 1
	switch p := m.request.place; {
	case p.tail:
		m.ended, m.after, err = m.before(ctx, s, ledger.Query{Limit: m.request.rows + beyond, Progress: m.request.tell})
		m.newest = true
		return err
	case p.around != 0:
		part, parts = 1, 2
		m.ended, m.after, err = m.before(ctx, s, ledger.Query{Before: p.around, Limit: page / 2, Progress: scene.Part(m.request.tell, 0, 2)})
	default:
		m.after = p.after
	}
	if err != nil {
		return err
	}
	m.ended, err = s.Calls(ctx, m.query(ledger.Query{After: m.after, Limit: page + 1, Progress: scene.Part(m.request.tell, part, parts)}))
	m.newest = err == nil && len(m.ended) <= page
	m.ended = m.ended[:min(len(m.ended), page)]
	return err
}

// sentTwice returns the newest of the calls at hand that repeated an earlier one, with that
// one.
func (m *readMsg) sentTwice(ctx context.Context, s Store) (*detail.Whole, error) {
	for i := len(m.ended) - 1; i >= 0 && m.ended[i].ID > m.request.twice; i-- {
		c := &m.ended[i]
		if c.Duplicate.Kind == ledger.NoDuplicate || c.Duplicate.Other > c.ID {
			continue
		}
		whole, err := detail.Read(ctx, s, c.ID)
		return &whole, err
	}
	return nil, nil
}

// before reads the last calls of a query, in order of their start, and the call before those.
// What comes before calls that were found until the user gave up is not known.
func (m *readMsg) before(ctx context.Context, s Store, q ledger.Query) (calls []ledger.Call, after ledger.CallID, err error) {
	n := q.Limit
	q.Newest, q.Limit = true, n+1
	calls, err = s.Calls(ctx, m.query(q))
	slices.Reverse(calls)
	if err != nil && len(calls) > 0 {
		return calls, calls[0].ID - 1, err
	}
	if len(calls) > n {
		after = calls[0].ID
		calls = calls[1:]
	}
	return calls, after, err
}

// count returns how many calls have started since the user looked away from the newest.
func (m *readMsg) count(ctx context.Context, s Store) (int, error) {
	calls, err := s.Calls(ctx, m.query(ledger.Query{Limit: manyNew, Newest: true, From: m.request.seen}))
	n := 0
	for _, list := range [][]ledger.Call{calls, m.running} {
		for i := range list {
			if list[i].Started.After(m.request.seen) {
				n++
			}
		}
	}
	return n, err
}

func (m *readMsg) query(q ledger.Query) ledger.Query {
	q.Filter, q.Sessions, q.Zone = m.request.filter, m.request.shown.IDs(), m.request.zone
	return q
}

// callMsg brings a call whole.
type callMsg struct {
	seq  int
	call detail.Whole
	err  error
}

func readCall(ctx context.Context, s Store, seq int, id ledger.CallID) tea.Cmd {
	return func() tea.Msg {
		c, err := detail.Read(ctx, s, id)
		return callMsg{seq, c, err}
	}
}

// troubleMsg brings the next call with trouble; none is 0.
type troubleMsg struct {
	seq  int
	back bool
	id   ledger.CallID
	err  error
}

// findTrouble looks for the next call with trouble among those that a query selects.
func findTrouble(ctx context.Context, s Store, seq int, q ledger.Query) tea.Cmd {
	return func() tea.Msg {
		call, err := trouble.Next(ctx, s, q)
		return troubleMsg{seq, q.Newest, call.ID, err}
	}
}

// Failed returns the error of a reading that failed.
func (m readMsg) Failed() error { return m.err }
