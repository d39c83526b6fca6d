package hosts

import (
	"cmp"
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/choice"
)

// mostCalls is how many calls of a host its routes are made from, the newest ones.
const mostCalls = 2000

// routes are those of one host.
type routes struct {
	host string
	rows []route // those with most calls first
	seen int     // calls that they are made from
	more bool    // there are older ones in the range
	read bool    // they have been read
	list choice.List
}

// route sums up the calls of one kind to a host.
type route struct {
	method, path    string // path is folded
	calls, attempts int64
	retried, failed int64
	waited          time.Duration
	times           []time.Duration // sorted
}

func (r *route) name() string { return r.method + " " + r.path }

// quantile returns the exact q-quantile of how long the calls took.
func (r *route) quantile(q float64) time.Duration {
	if len(r.times) == 0 {
		return 0
	}
	i := int(q*float64(len(r.times))+0.9999999) - 1
	return r.times[max(0, min(i, len(r.times)-1))]
}

// routesMsg brings the routes of a host.
type routesMsg struct {
	seq  int
	host string
	rows []route
	seen int
	err  error
}

// Failed returns why the routes could not be read, nil if they could.
func (m routesMsg) Failed() error { return m.err }

// readRoutes reads the routes of the host whose routes are shown.
func (s *Screen) readRoutes() tea.Cmd {
	host := s.routes.host
	if host == "" {
		return nil
	}
	text := filterOf(host, "", "")
	if sp := spans()[s.span]; s.scene.Live && sp.length > 0 {
		text += " last:" + sp.length.String()
	}
	ctx, seq := s.calls.Begin(s.ctx)
	store, q := s.store, ledger.Query{Sessions: s.scene.IDs(), Limit: mostCalls, Newest: true, Progress: s.calls.Tell()}
	if f := s.frame(); !s.scene.Live && s.past != wholeSpan() {
		q.From, q.To = time.Unix(f.from, 0), time.Unix(f.to, 0)
	}
	return func() tea.Msg {
		m := routesMsg{seq: seq, host: host}
		if q.Filter, m.err = ledger.ParseCallFilter(text); m.err == nil {
			m.rows, m.seen, m.err = readRoutes(ctx, store, q)
		}
		return m
	}
}

func readRoutes(ctx context.Context, s Store, q ledger.Query) ([]route, int, error) {
	calls, err := s.Calls(ctx, q)
	if err != nil {
		return nil, 0, err
	}
	at := map[string]int{}
	var rows []route
	for i := range calls {
		c := &calls[i]
		r := route{method: c.Method, path: fold(c.Path)}
		n, ok := at[r.name()]
		if !ok {
			n = len(rows)
			at[r.name()] = n
			rows = append(rows, r)
		}
		rows[n].add(c)
	}
	for i := range rows {
		slices.Sort(rows[i].times)
	}
	slices.SortFunc(rows, func(a, b route) int {
		return cmp.Or(cmp.Compare(b.calls, a.calls), cmp.Compare(a.name(), b.name()))
	})
	return rows, len(calls), nil
}

func (r *route) add(c *ledger.Call) {
	r.calls++
	r.attempts += int64(c.Attempts)
	if c.Attempts > 1 {
		r.retried++
	}
	if c.Failed() {
		r.failed++
	}
	r.waited += c.Waited
	r.times = append(r.times, c.Took)
}

func (s *Screen) gotRoutes(m routesMsg) {
	if !s.calls.Done(m.seq) || m.err != nil || m.host != s.routes.host {
		return
	}
	r := &s.routes
	r.rows, r.seen, r.more, r.read = m.rows, m.seen, m.seen >= mostCalls, true
	names := make([]string, len(r.rows))
	for i := range r.rows {
		names[i] = r.rows[i].name()
	}
	r.list.Set(names)
	s.arrange()
}
