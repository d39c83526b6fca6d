package tui

import (
	"charm.land/bubbles/v2/key"

	"redial/tui/draw"
	"redial/tui/keys"
	"redial/tui/phrase"
	"redial/tui/theme"
)

// helpView shows the keys of what has the focus, those that work everywhere, what the
// glyphs mean and how filters are written.
func (m *model) helpView(w, h int) []string {
	lines := m.helpLines(w - 2)
	top := max(0, min(m.helpTop, len(lines)-(h-2)))
	note := ""
	if len(lines) > h-2 {
		note = keys.Pair(m.scene.Keys.Down, m.scene.Keys.Up, "").Help().Key + " scrolls"
	}
	return m.scene.Box("Help", note, true).Draw(lines[top:], w, h)
}

// besides is how many columns it takes to have the keys beside the marks.
const besides = 90

func (m *model) helpLines(w int) []string {
	if w < besides {
		return append(m.helpKeys(w), m.helpMarks(w)...)
	}
	half := w * 2 / 5
	left, right := m.helpKeys(half), m.helpMarks(w-half)
	for len(left) < len(right) {
		left = append(left, m.line(half, m.scene.Theme.Text, ""))
	}
	for len(right) < len(left) {
		right = append(right, m.line(w-half, m.scene.Theme.Text, ""))
	}
	return draw.Beside(left, right)
}

// helpKeys are the keys of what has the focus, and those that work everywhere.
func (m *model) helpKeys(w int) []string {
	km, th := m.scene.Keys, m.scene.Theme
	groups := append(m.screen().Bindings().Full, keys.Named{Title: "Everywhere", Keys: []key.Binding{
		km.Live, km.Timeline, km.Pending, km.Windows, km.Hosts, km.Sessions, km.Theme, km.Help, km.Back, km.Quit, km.Interrupt, km.Suspend,
	}})
	var lines []string
	for _, g := range groups {
		lines = append(lines, m.line(w, th.Strong, " "+g.Title))
		for _, b := range g.Keys {
			lines = append(lines, m.helpRow(w, th.Accent, b.Help().Key, b.Help().Desc))
		}
		lines = append(lines, m.line(w, th.Text, ""))
	}
	return lines
}

// helpMarks are the marks with what they mean, and filters.
func (m *model) helpMarks(w int) []string {
	th := m.scene.Theme
	lines := []string{m.line(w, th.Strong, " Marks")}
	for _, g := range phrase.Legend() {
		lines = append(lines, m.helpRow(w, th.Text, g[0], g[1]))
	}
	lines = append(lines, m.line(w, th.Text, ""), m.line(w, th.Strong, " Filters"))
	for _, f := range m.examples() {
		lines = append(lines, m.helpRow(w, th.Text, f, ""))
	}
	return lines
}

func (m *model) helpRow(w int, st theme.Style, name, does string) string {
	l := draw.NewLine(w)
	l.Space(3)
	if does == "" {
		l.Put(st, name)
		return l.String()
	}
	l.Cell(st, name, 8)
	l.Space(1)
	l.Put(m.scene.Theme.Dim, does)
	return l.String()
}

// examples are filters that say how the language goes, of what is on the screen: calls have
// no state, and operations no status.
func (m *model) examples() []string {
	if m.screen() == m.pending {
		return []string{
			"state:pending host:api.example.test",
			"state:failed or state:disputed",
			"service:checkout -key:order-*",
			"method:POST error:refused",
			"last:5m /orders",
			"at:14:05..14:10",
		}
	}
	return []string{
		"status:5xx host:api.example.test",
		"attempts:>1 or dur:>2s",
		"wait:backoff waited:>1s",
		"outcome:unknown -key:order-*",
		"duplicate:yes method:POST",
		"last:5m /orders",
		"at:14:05..14:10",
	}
}
