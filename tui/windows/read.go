package windows

import (
	"cmp"
	"context"
	"net"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/detail"
	"redial/tui/filter"
	"redial/tui/scene"
)

// Store is what this screen reads.
type Store interface {
	Calls(context.Context, ledger.Query) ([]ledger.Call, error)
	Running(context.Context, []ledger.SessionID) ([]ledger.Call, error)
	Call(context.Context, ledger.CallID) (ledger.Call, error)
	Windows(context.Context, []ledger.SessionID) ([]ledger.Window, error)
	Sums(ctx context.Context, q ledger.SumQuery, each func(*ledger.Rollup) error) error
}

// mostLately is how many calls that have waited are read.
const mostLately = 200

// readMsg brings what the screen shows.
type readMsg struct {
	seq     int
	windows []ledger.Window
	waiting []ledger.Call // calls that wait for a window, the first in the queue first
	lately  []ledger.Call // calls that have waited for one, newest first
	heat    *heat         // nil: it was not read again
	err     error
}

// request is what is to be read.
type request struct {
	seq    int
	shown  scene.Shown
	warm   bool // the heat need not be read again
	filter ledger.Filter
	zone   *time.Location // of the filter
}

// read reads what the screen shows.
func read(ctx context.Context, s Store, r request) tea.Msg {
	seq, shown := r.seq, r.shown
	m := readMsg{seq: seq}
	if !r.warm {
		h, err := readHeat(ctx, s, &shown)
		if err != nil {
			return readMsg{seq: seq, err: err}
		}
		m.heat = &h
	}
	if m.windows, m.err = s.Windows(ctx, shown.IDs()); m.err != nil {
		return m
	}
	keep, _ := filter.ByHost(r.filter)
	m.windows = slices.DeleteFunc(m.windows, func(w ledger.Window) bool { return !keep(w.Host) })
	Sort(m.windows)
	if m.waiting, m.err = readWaiting(ctx, s, &r); m.err != nil {
		return m
	}
	m.lately, m.err = readLately(ctx, s, &r)
	m.lately = slices.DeleteFunc(m.lately, func(c ledger.Call) bool { // those that waited at the end
		return slices.ContainsFunc(m.waiting, func(w ledger.Call) bool { return w.ID == c.ID })
	})
	return m
}

// readWaiting reads the calls that wait for a window, the first in the queue first.
func readWaiting(ctx context.Context, s Store, r *request) ([]ledger.Call, error) {
	running, err := s.Running(ctx, r.shown.IDs())
	if err != nil {
		return nil, err
	}
	waiting := slices.DeleteFunc(running, func(c ledger.Call) bool {
		return !waitsForWindow(&c) || !r.filter.Match(&c, r.shown.Env(c.ID.Session(), r.zone))
	})
	slices.SortStableFunc(waiting, func(a, b ledger.Call) int {
		return cmp.Or(since(&a).Compare(since(&b)), cmp.Compare(a.ID, b.ID))
	})
	return waiting, nil
}

// readLately reads the newest calls that have waited for a window.
func readLately(ctx context.Context, s Store, r *request) ([]ledger.Call, error) {
	text := "wait:window"
	if r.filter.Root != nil {
		text += " (" + r.filter.Text + ")"
	}
	f, err := ledger.ParseFilter(text)
	if err != nil {
		return nil, err
	}
	return s.Calls(ctx, ledger.Query{Filter: f, Sessions: r.shown.IDs(), Zone: r.zone, Limit: mostLately, Newest: true})
}

// Sort puts windows in the order in which they are shown, which does not depend on how
// full they are, so that they keep their place.
func Sort(windows []ledger.Window) {
	slices.SortStableFunc(windows, func(a, b ledger.Window) int {
		return cmp.Or(cmp.Compare(a.Host, b.Host), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Per, b.Per), cmp.Compare(a.Limit, b.Limit))
	})
}

// waitsForWindow reports whether a call waits for a window, or did when it was cut off.
func waitsForWindow(c *ledger.Call) bool {
	if len(c.Waits) == 0 || c.State != ledger.Waiting && c.State != ledger.CutOff {
		return false
	}
	last := &c.Waits[len(c.Waits)-1]
	return last.Kind == ledger.WindowWait && last.Took == 0
}

// waitsFor reports whether it is this window that a waiting call waits for, as far as the
// rule of its wait tells: of several at a host, which one holds it up.
func waitsFor(c *ledger.Call, w *ledger.Window) bool {
	r := &c.Waits[len(c.Waits)-1].Rule
	return r.Paused || w.Limit == r.Limit && w.Per == r.Per && w.Kind == r.Window
}

// since returns when the last wait of a call began.
func since(c *ledger.Call) time.Time {
	return c.Started.Add(c.Waits[len(c.Waits)-1].Start)
}

// holds reports whether a window counts the calls to that host. One without a port
// counts those to every port.
func holds(w *ledger.Window, host string) bool {
	if strings.EqualFold(w.Host, host) {
		return true
	}
	name, _, err := net.SplitHostPort(host)
	return err == nil && strings.EqualFold(w.Host, name)
}

func only(w *ledger.Window, calls []ledger.Call) []ledger.Call {
	var out []ledger.Call
	for i := range calls {
		if holds(w, calls[i].Host) {
			out = append(out, calls[i])
		}
	}
	return out
}

// callMsg brings the call that was opened.
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

// Failed returns the error of a reading that failed.
func (m readMsg) Failed() error { return m.err }
