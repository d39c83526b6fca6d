package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/scene"
)

const (
	pollEach  = 50 * time.Millisecond // how often the file is asked whether it has changed
	recheck   = time.Second           // how often an unchanged file is read again while a writer should be alive
	retryEach = time.Second           // how often a file that cannot be read is tried again
	tickEach  = 100 * time.Millisecond
	slowTick  = 500 * time.Millisecond
)

// changedMsg tells that the file has changed, or that it is time to read it again.
type changedMsg struct {
	seq     int
	version int64
	err     error
}

// watch waits until the file has another version than last; it is asked first after
// wait. With patience it also returns when so much time has passed, since a writer that
// is killed changes nothing. What was waited for before is given up.
func (m *model) watch(last int64, wait, patience time.Duration) tea.Cmd {
	ctx, seq := m.watching.Begin(m.ctx)
	store := m.store
	return func() tea.Msg {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		var waited time.Duration
		for {
			select {
			case <-ctx.Done():
				return nil
			case <-timer.C:
			}
			version, err := store.Version(ctx)
			waited += wait
			if err != nil || version != last || patience > 0 && waited >= patience {
				return changedMsg{seq, version, err}
			}
			wait = pollEach
			timer.Reset(wait)
		}
	}
}

// loadedMsg brings what the frame shows. The screens read for themselves.
type loadedMsg struct {
	version  int64
	sessions []ledger.Session // all that are in the file
	shown    scene.Shown
	from     time.Time // rollups are from then on
	rollups  []ledger.Rollup
	waiting  waiting
	settled  bool // there are operations though there are no sessions any more
	err      error
}

// failing is a message of a screen that can say that reading failed.
type failing interface{ Failed() error }

// load reads the sessions and, while one is live, the rates.
func (m *model) load(version int64) tea.Cmd {
	now, store, ctx := m.options.Now, m.store, m.ctx
	known := rates{sessions: m.rates.sessions, read: m.rates.read}
	counts, first, own, chosen := m.counts, !m.loaded, m.options.Own, m.chosen
	return func() tea.Msg {
		at := now()
		msg := loadedMsg{version: version}
		sessions, err := store.Sessions(ctx)
		if err != nil {
			msg.err = err
			return msg
		}
		sessions = others(sessions, own)
		msg.sessions, msg.shown = sessions, show(sessions, at, chosen)
		if msg.waiting, msg.err = readWaiting(ctx, store, counts, first); msg.err != nil {
			return msg
		}
		if len(sessions) == 0 {
			var n int64
			n, msg.err = store.OperationTotal(ctx, "")
			msg.settled = n > 0
		}
		if msg.shown.Live {
			var to time.Time
			msg.from, to = known.span(msg.shown.IDs(), at)
			msg.rollups, msg.err = store.Rollups(ctx, msg.shown.IDs(), msg.from, to)
		}
		return msg
	}
}

// others returns the sessions without this process's own.
func others(sessions []ledger.Session, own func() ledger.SessionID) []ledger.Session {
	if own == nil {
		return sessions
	}
	id := own()
	return slices.DeleteFunc(sessions, func(s ledger.Session) bool { return s.ID == id })
}

// totalsMsg brings the sums of a recording.
type totalsMsg struct {
	seq      int
	sessions []ledger.SessionID
	sums     sums
	err      error
}

// loadTotals sums up the recording that is shown.
func (m *model) loadTotals() tea.Cmd {
	session, store, now := m.scene.Sessions[0], m.store, m.scene.Now
	ctx, seq := m.totals.Begin(m.ctx)
	return func() tea.Msg {
		total, err := readTotals(ctx, store, session, now)
		return totalsMsg{seq, []ledger.SessionID{session.ID}, total, err}
	}
}

// tickMsg tells that time has passed.
type tickMsg struct{ slow bool }

// tick brings a message when so much time has passed.
func tick(m tickMsg, after time.Duration) tea.Cmd {
	return tea.Tick(after, func(time.Time) tea.Msg { return m })
}
