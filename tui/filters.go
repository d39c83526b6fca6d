package tui

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/filter"
)

// History keeps the filters that were used beyond the end of the dashboard. Its methods are
// called from commands, several at a time.
type History interface {
	// Filters returns the filters that were used, the latest last.
	Filters(context.Context) ([]string, error)
	// Add adds filters that were used, the latest last.
	Add(context.Context, []string) error
}

// recalledMsg brings the filters that were used earlier.
type recalledMsg struct {
	past []string
	err  error
}

// keptMsg tells whether filters could be kept.
type keptMsg struct{ err error }

// recall reads the filters that were used earlier.
func (m *model) recall() tea.Cmd {
	history, ctx := m.options.History, m.ctx
	if history == nil {
		return nil
	}
	return func() tea.Msg {
		past, err := history.Filters(ctx)
		return recalledMsg{past, err}
	}
}

func (m *model) recalled(msg recalledMsg) {
	m.memory.Recall(msg.past)
	if msg.err != nil {
		m.scene.Say(msg.err.Error())
	}
}

// keepFilters writes down the filters that were used since the last time. A dashboard that
// only looks writes nothing.
func (m *model) keepFilters() tea.Cmd {
	fresh := m.memory.Take()
	if history, ctx := m.options.History, m.ctx; len(fresh) > 0 && history != nil && !m.options.ReadOnly {
		return func() tea.Msg { return keptMsg{history.Add(ctx, fresh)} }
	}
	return nil
}

// filtered is a screen whose rows a filter selects.
type filtered interface {
	// Bar returns the filter.
	Bar() *filter.Bar
	// Refilter reads what the filter selects now.
	Refilter() tea.Cmd
}

// writing returns the filter that is being written, nil without one.
func (m *model) writing() *filter.Bar {
	if s, ok := m.screen().(filtered); ok && s.Bar().Editing() {
		return s.Bar()
	}
	return nil
}

// knower is a screen that knows values of what a filter can ask for.
type knower interface {
	// Known returns values that are at hand, without reading.
	Known(ledger.Key) []string
}

// known returns values that a filter can ask for, as far as they are at hand.
func (m *model) known(k ledger.Key) []string {
	var out []string
	switch k {
	case ledger.KeyHost:
		out = m.rates.hosts()
	case ledger.KeyService:
		for i := range m.scene.Sessions {
			out = append(out, m.scene.Sessions[i].Service)
		}
	}
	if s, ok := m.screen().(knower); ok {
		out = append(out, s.Known(k)...)
	}
	return out
}

// paneOver draws what the filter offers over the last lines of the screen, but for some
// that something else stands on. It returns the first line of it, and how many there are.
func (m *model) paneOver(body []string, but int) []string {
	bar := m.writing()
	if bar == nil {
		return body
	}
	pane := bar.Pane(m.scene, m.width, len(body))
	return draw.Over(body, pane, 0, len(body)-but-len(pane), m.width)
}

// clickOver takes the row under the pointer of what a filter offers. It reports whether the
// pointer is there.
func (m *model) clickOver(at tea.Mouse) (tea.Cmd, bool) {
	bar, height := m.writing(), m.height-above-below
	if bar == nil {
		return nil, false
	}
	pane := bar.Pane(m.scene, m.width, height)
	line := at.Y - above - (height - len(pane))
	if line < 0 || len(pane) == 0 || at.X >= draw.Width(ansi.Strip(pane[0])) {
		return nil, false
	}
	if at.Button == tea.MouseLeft && bar.Click(line, height) {
		return m.screen().(filtered).Refilter(), true
	}
	return nil, true
}

// unfiltered answers the keys of filters on a screen that has none.
func (m *model) unfiltered(k tea.KeyPressMsg) bool {
	_, ok := m.screen().(filtered)
	if km := m.scene.Keys; ok || !key.Matches(k, km.Filter, km.Toggle) {
		return false
	}
	m.scene.Say("there is nothing to filter here: calls are filtered where they are listed, and operations")
	return true
}
