package tui

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/dialog"
	"redial/tui/draw"
	"redial/tui/keys"
	"redial/tui/pending"
	"redial/tui/theme"
)

// mostNews is among how many operations that wait for a person new ones are looked for.
const mostNews = 1000

// waiting is what waits for a person, over the whole file.
type waiting struct {
	counts ledger.OperationCounts
	ops    []ledger.Operation // those that are pending or disputed; nil: they were not read again
}

// readWaiting counts what waits for a person, and reads it if the numbers have changed.
func readWaiting(ctx context.Context, store Store, known ledger.OperationCounts, first bool) (w waiting, err error) {
	if w.counts, err = store.OperationCounts(ctx, ""); err != nil {
		return w, err
	}
	switch {
	case w.counts == known && !first:
		return w, nil
	case w.counts == ledger.OperationCounts{}:
		w.ops = []ledger.Operation{}
		return w, nil
	}
	w.ops, err = store.Operations(ctx, ledger.OperationQuery{
		Open: true, Urgent: true, Limit: mostNews,
		States: []ledger.OperationState{ledger.OpPending, ledger.OpDisputed},
	})
	if w.ops == nil {
		w.ops = []ledger.Operation{}
	}
	return w, err
}

// await takes what waits for a person, and tells what has come to it.
func (m *model) await(w waiting, first bool) {
	m.counts = w.counts
	if w.ops == nil {
		return
	}
	known := m.awaited
	m.awaited = map[ledger.ID]ledger.OperationState{}
	for i := range w.ops {
		o := &w.ops[i]
		m.awaited[o.ID()] = o.State
		if !first && known[o.ID()] != o.State {
			m.announce(o)
		}
	}
}

// announce tells that an operation waits for a person now. It stays a while, since other
// events come fast.
func (m *model) announce(o *ledger.Operation) {
	text := m.scene.Clock(o.Updated) + " " + pending.Became(o)
	if m.screen() != screen(m.pending) {
		text += "   " + m.scene.Keys.Pending.Help().Key + " opens it"
	}
	m.scene.Tell(text)
	if m.scene.Event.Text == text {
		m.scene.Report(text)
	}
}

// alert is the part of the header that says what waits for a person.
func (m *model) alert() []draw.Piece {
	th, n := m.scene.Theme, &m.counts
	var out []draw.Piece
	if n.Pending > 0 {
		text := fmt.Sprintf("▲ %s pending", draw.Count(n.Pending))
		if !n.Oldest.IsZero() && m.width >= 80 {
			text += ", oldest " + ledger.Age(m.scene.Now.Sub(n.Oldest))
		}
		out = append(out, draw.Piece{Style: th.Doubt, Text: text})
	}
	if n.Disputed > 0 {
		out = append(out, draw.Piece{Style: th.Bad, Text: fmt.Sprintf("‼ %s disputed", draw.Count(n.Disputed))})
	}
	return out
}

// badge stands behind the name of the tab that shows what waits for a person.
func (m *model) badge(t *tab) string {
	if t.screen != screen(m.pending) || m.counts.Pending == 0 {
		return ""
	}
	return " ▲" + draw.Count(m.counts.Pending)
}

// wholeFile reports whether the screen shows the whole file and not only some sessions.
func (m *model) wholeFile() bool {
	return m.screen() == screen(m.pending) || m.screen() == screen(m.sessions)
}

// everySession says in the header that the whole file is shown.
func (m *model) everySession() draw.Piece {
	return draw.Piece{Style: m.scene.Theme.Dim, Text: "every session in " + filepath.Base(m.options.File), Rank: 1}
}

// openCalls shows the calls that a filter selects.
func (m *model) openCalls(filter string) tea.Cmd {
	m.active = 0
	m.scene.Say("its calls in the sessions that are shown; " + m.scene.Keys.Back.Help().Key + " clears the filter")
	return m.calls.Only(filter)
}

// leave ends the dashboard, or asks first while something is being done.
func (m *model) leave() tea.Cmd {
	acting := cmp.Or(m.pending.Acting(), m.sessions.Acting())
	if acting == "" {
		return tea.Quit
	}
	d := dialog.New(m.scene, "Leave?")
	d.Text = func(w int, _ bool) []string {
		text := "redial is " + acting + ". What a live service does goes on without the dashboard; what is sent from here is cut short, and stays on record as it then is."
		var lines []string
		for _, part := range draw.Wrap(text, w, 4) {
			lines = append(lines, m.line(w, theme.Style{}, part))
		}
		return lines
	}
	d.Buttons = []dialog.Button{{Name: "Leave"}}
	m.leaving = d
	return nil
}

func (m *model) leavingKey(k tea.KeyPressMsg) tea.Cmd {
	switch m.leaving.Key(k) {
	case dialog.Cancelled:
		m.leaving = nil
	case dialog.Pressed:
		return tea.Quit
	}
	return nil
}

// quit handles the key that goes back, and at the root leaves.
func (m *model) quit() tea.Cmd {
	back, cmd := m.screen().Back(false)
	if !back {
		return m.leave()
	}
	return cmd
}

// quitKey is that key with what it does here.
func (m *model) quitKey() key.Binding {
	if m.loaded && !m.greets() && m.screen().Leaves() {
		return keys.Does(m.scene.Keys.Quit, "back")
	}
	return m.scene.Keys.Quit
}

// shortKeys are the keys on the last line.
func (m *model) shortKeys() []key.Binding {
	km := m.scene.Keys
	var short []key.Binding
	switch {
	case m.leaving != nil:
		return m.leaving.Bindings().Short
	case m.copying != nil:
		return m.copying.Bindings().Short
	case m.palette != nil:
		return m.palette.Bindings().Short
	case m.help.open:
		return m.help.bindings(km)
	case m.loaded && !m.greets():
		short = m.screen().Bindings().Short
	}
	if !m.screen().Captures() {
		short = append(short, km.Commands, km.Help, m.quitKey())
	}
	return short
}
