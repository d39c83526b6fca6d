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
		note = "j/k scrolls"
	}
	return m.scene.Box("Help", note, true).Draw(lines[top:], w, h)
}

func (m *model) helpLines(w int) []string {
	km, th := m.scene.Keys, m.scene.Theme
	groups := append(m.screen().Bindings().Full, keys.Named{Title: "Everywhere", Keys: []key.Binding{
		km.Live, km.Pending, km.Windows, km.Theme, km.Help, km.Back, km.Quit, km.Interrupt,
	}})
	var left []string
	half := max(w*2/5, 28)
	for _, g := range groups {
		left = append(left, m.line(half, th.Strong, " "+g.Title))
		for _, b := range g.Keys {
			left = append(left, m.helpRow(half, th.Accent, b.Help().Key, b.Help().Desc))
		}
		left = append(left, m.line(half, th.Text, ""))
	}
	right := []string{m.line(w-half, th.Strong, " Marks")}
	for _, g := range phrase.Legend() {
		right = append(right, m.helpRow(w-half, th.Text, g[0], g[1]))
	}
	right = append(right, m.line(w-half, th.Text, ""), m.line(w-half, th.Strong, " Filters"))
	for _, f := range examples() {
		right = append(right, m.helpRow(w-half, th.Text, f, ""))
	}
	for len(left) < len(right) {
		left = append(left, m.line(half, th.Text, ""))
	}
	for len(right) < len(left) {
		right = append(right, m.line(w-half, th.Text, ""))
	}
	return draw.Beside(left, right)
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

// examples are filters that say how the language goes.
func examples() []string {
	return []string{
		"status:5xx host:api.example.test",
		"attempts:>1 or dur:>2s",
		"wait:backoff waited:>1s",
		"outcome:unknown -key:order-*",
		"last:5m /orders",
		"state:pending key:order-*",
		"at:14:05..14:10",
	}
}
