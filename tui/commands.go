package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"redial/tui/keys"
	"redial/tui/palette"
)

// openPalette lists what can be done here.
func (m *model) openPalette() {
	m.help.open = false
	m.palette = palette.New(m.scene, m.commands())
}

// commands returns everything that a key does on the screen and everywhere, and the filters
// that have a name. What only moves comes last.
func (m *model) commands() []palette.Command {
	var first, moves []palette.Command
	seen := map[string]bool{}
	km := m.scene.Keys
	for _, group := range m.groups() {
		for _, b := range group.Keys {
			press, ok := keys.Press(b)
			name := press.Text + " " + b.Help().Desc
			if !ok || seen[name] || key.Matches(press, km.Commands) {
				continue
			}
			seen[name] = true
			c := palette.Command{Does: b.Help().Desc, Of: group.Title, Key: b.Help().Key, Run: func() tea.Cmd { return m.run(press) }}
			if key.Matches(press, km.Up, km.Down, km.PageUp, km.PageDown, km.Top, km.Bottom) {
				moves = append(moves, c)
			} else {
				first = append(first, c)
			}
		}
	}
	return append(append(first, m.savedFilters()...), moves...)
}

// groups returns the keys of what has the focus, and those that work everywhere.
func (m *model) groups() []keys.Named {
	km := m.scene.Keys
	var groups []keys.Named
	if m.loaded && !m.greets() {
		groups = m.screen().Bindings().Full
	}
	return append(groups[:len(groups):len(groups)], keys.Named{Title: "Everywhere", Keys: []key.Binding{
		km.Live, km.Timeline, km.Pending, km.Windows, km.Hosts, km.Sessions, km.Theme, km.Commands, km.Help, km.Back, m.quitKey(), km.Interrupt, km.Suspend,
	}})
}

// run does what a key does. The one that suspends is no business of the model.
func (m *model) run(press tea.KeyPressMsg) tea.Cmd {
	if key.Matches(press, m.scene.Keys.Suspend) {
		return func() tea.Msg { return press }
	}
	return m.key(press)
}

// savedFilters returns what puts the filters that have a name in force.
func (m *model) savedFilters() []palette.Command {
	s, ok := m.screen().(filtered)
	if !ok || m.greets() {
		return nil
	}
	var out []palette.Command
	for _, f := range s.Bar().Saved() {
		out = append(out, palette.Command{Does: "only " + f.Name, Of: "Filters", Run: func() tea.Cmd {
			_, back := m.screen().Back(false)
			s.Bar().Set(f.Expr)
			return tea.Batch(back, s.Refilter())
		}})
	}
	return out
}

// paletteKey handles a key while the palette is open.
func (m *model) paletteKey(k tea.KeyPressMsg) tea.Cmd {
	p := m.palette
	switch p.Key(k) {
	case palette.Left:
		m.palette = nil
	case palette.Chosen:
		m.palette = nil
		return p.Command().Run()
	}
	return nil
}
