package windows

import (
	"cmp"
	"context"
	"net"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/scene"
)

// Store is what this screen reads.
type Store interface {
	Calls(context.Context, ledger.Query) ([]ledger.Call, error)
	Running(context.Context, []ledger.SessionID) ([]ledger.Call, error)
	Call(context.Context, ledger.CallID) (ledger.Call, error)
	Windows(context.Context, []ledger.SessionID) ([]ledger.Window, error)
}

// mostLately is how many calls that have waited are read.
const mostLately = 200

// readMsg brings what the screen shows.
type readMsg struct {
	windows []ledger.Window
	waiting []ledger.Call // calls that wait for a window, the first in the queue first
	lately  []ledger.Call // calls that have waited for one, newest first
	err     error
}

func read(ctx context.Context, s Store, shown scene.Shown) tea.Msg {
	var m readMsg
	if m.windows, m.err = s.Windows(ctx, shown.IDs()); m.err != nil {
		return m
	}
	running, err := s.Running(ctx, shown.IDs())
	if err != nil {
		return readMsg{err: err}
	}
	for i := range running {
		if waitsForWindow(&running[i]) {
			m.waiting = append(m.waiting, running[i])
		}
	}
	slices.SortStableFunc(m.waiting, func(a, b ledger.Call) int {
		return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.ID, b.ID))
	})
	f, err := ledger.ParseFilter("wait:window")
	if err != nil {
		return readMsg{err: err}
	}
	m.lately, m.err = s.Calls(ctx, ledger.Query{Filter: f, Sessions: shown.IDs(), Limit: mostLately, Newest: true})
	return m
}

func waitsForWindow(c *ledger.Call) bool {
	return c.State == ledger.Waiting && len(c.Waits) > 0 && c.Waits[len(c.Waits)-1].Kind == ledger.WindowWait
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
	call ledger.Call
	err  error
}

func readCall(ctx context.Context, s Store, seq int, id ledger.CallID) tea.Cmd {
	return func() tea.Msg {
		c, err := s.Call(ctx, id)
		return callMsg{seq, c, err}
	}
}

// Failed returns the error of a reading that failed.
func (m readMsg) Failed() error { return m.err }
