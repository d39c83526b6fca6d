package tui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"redial/tui/draw"
	"redial/tui/entry"
	"redial/tui/keys"
	"redial/tui/phrase"
	"redial/tui/scene"
	"redial/tui/theme"
)

// help is the list of keys while it lies over the screen.
type help struct {
	open    bool
	top     int          // first line in sight
	writing bool         // what is looked for is being written
	find    *entry.Entry // what is looked for
}

func newHelp() help { return help{open: true, find: entry.New()} }

// looksFor returns what is looked for, "" for everything.
func (h *help) looksFor() string {
	if h.find == nil {
		return ""
	}
	return strings.ToLower(strings.TrimSpace(h.find.Text()))
}

// take takes a key or pasted text of what is looked for.
func (h *help) take(msg tea.Msg) {
	if h.find.Update(msg) {
		h.top = 0
	}
}

func (m *model) helpKey(k tea.KeyPressMsg) {
	km, h := m.scene.Keys, &m.help
	switch {
	case h.writing && key.Matches(k, km.Cancel):
		h.writing, h.top, h.find = false, 0, entry.New()
	case h.writing && key.Matches(k, km.Apply):
		h.writing = false
	case h.writing && key.Matches(k, km.Below):
		m.scrollHelp(1)
	case h.writing && key.Matches(k, km.Above):
		m.scrollHelp(-1)
	case h.writing:
		h.take(k)
	case key.Matches(k, km.Filter):
		h.writing = true
	case key.Matches(k, km.Commands):
		m.openPalette()
	case key.Matches(k, km.Back) && h.looksFor() != "":
		h.top, h.find = 0, entry.New()
	case key.Matches(k, km.Help, km.Quit, km.Back):
		h.open = false
	case key.Matches(k, km.Down):
		m.scrollHelp(1)
	case key.Matches(k, km.Up):
		m.scrollHelp(-1)
	case key.Matches(k, km.PageDown):
		m.scrollHelp(m.height / 2)
	case key.Matches(k, km.PageUp):
		m.scrollHelp(-m.height / 2)
	case key.Matches(k, km.Top):
		h.top = 0
	case key.Matches(k, km.Bottom):
		m.scrollHelp(len(m.helpLines(m.width - 2)))
	}
}

// scrollHelp moves by n lines.
func (m *model) scrollHelp(n int) {
	m.help.top = max(0, min(m.help.top+n, len(m.helpLines(m.width-2))-(m.height-above-below-2)))
}

// prompt returns the line in which it is written what to look for.
func (h *help) prompt(s *scene.Scene, width int) (line string, cursor *tea.Cursor, wrong string, ok bool) {
	if !h.writing {
		return "", nil, "", false
	}
	l := draw.NewLine(width)
	l.Put(s.Theme.Accent, " / ")
	x := width - l.Left()
	x += h.find.Draw(l, s.Theme.Text)
	cursor = tea.NewCursor(min(x, max(width-1, 0)), 0)
	cursor.Shape = tea.CursorBar
	return l.String(), cursor, "", true
}

// bindings returns the keys of the help itself.
func (h *help) bindings(km *keys.Map) []key.Binding {
	if h.writing {
		return []key.Binding{keys.Does(km.Apply, "keep"), keys.Does(km.Cancel, "show all"), keys.Pair(km.Above, km.Below, "scroll")}
	}
	return []key.Binding{keys.Pair(km.Down, km.Up, "scroll"), keys.Does(km.Filter, "search"), km.Back}
}

// helpView shows the keys of what has the focus, those that work everywhere, what the
// glyphs mean and how filters are written.
func (m *model) helpView(w, h int) []string {
	lines := m.helpLines(w - 2)
	top := max(0, min(m.help.top, len(lines)-(h-2)))
	title, note := "Help", ""
	if len(lines) > h-2 {
		note = fmt.Sprintf("lines %d–%d of %d", top+1, top+h-2, len(lines))
	}
	if what := m.help.looksFor(); what != "" {
		title += " · " + what
	}
	return m.scene.Box(title, note, true).Draw(lines[top:], w, h)
}

// besides is how many columns it takes to have the keys beside the marks.
const besides = 90

func (m *model) helpLines(w int) []string {
	switch what := m.help.looksFor(); {
	case what != "":
		return m.helpFound(w, what)
	case w < besides:
		return m.helpRows(w, append(m.helpKeys(), m.helpMarks()...))
	}
	half := w * 2 / 5
	left, right := m.helpRows(half, m.helpKeys()), m.helpRows(w-half, m.helpMarks())
	for len(left) < len(right) {
		left = append(left, m.line(half, m.scene.Theme.Text, ""))
	}
	for len(right) < len(left) {
		right = append(right, m.line(w-half, m.scene.Theme.Text, ""))
	}
	return draw.Beside(left, right)
}

// helpFound returns the rows that have a text in them, below the titles of their groups.
func (m *model) helpFound(w int, what string) []string {
	var found []helpGroup
	for _, g := range append(m.helpKeys(), m.helpMarks()...) {
		all := strings.Contains(strings.ToLower(g.title), what)
		g.rows = slices.DeleteFunc(g.rows, func(r [2]string) bool {
			return !all && !strings.Contains(strings.ToLower(r[0]+" "+r[1]), what)
		})
		if len(g.rows) > 0 {
			found = append(found, g)
		}
	}
	if len(found) == 0 {
		return []string{m.line(w, m.scene.Theme.Dim, "   nothing in the help has that in it")}
	}
	return m.helpRows(w, found)
}

// helpGroup is a title with what stands below it: what is pressed, shown or written, and
// what it does or means.
type helpGroup struct {
	title string
	rows  [][2]string
	keys  bool // what stands first is pressed
}

// helpKeys are the keys of what has the focus, and those that work everywhere.
func (m *model) helpKeys() []helpGroup {
	var out []helpGroup
	for _, g := range m.groups() {
		group := helpGroup{title: g.Title, keys: true}
		for _, b := range g.Keys {
			group.rows = append(group.rows, [2]string{b.Help().Key, b.Help().Desc})
		}
		out = append(out, group)
	}
	return out
}

// helpMarks are the marks with what they mean, and filters.
func (m *model) helpMarks() []helpGroup {
	filters := helpGroup{title: "Filters"}
	for _, f := range m.examples() {
		filters.rows = append(filters.rows, [2]string{f})
	}
	return []helpGroup{{title: "Marks", rows: phrase.Legend()}, filters}
}

func (m *model) helpRows(w int, groups []helpGroup) []string {
	th := m.scene.Theme
	var lines []string
	for _, g := range groups {
		st := th.Text
		if g.keys {
			st = th.Accent
		}
		lines = append(lines, m.line(w, th.Strong, " "+g.title))
		for _, r := range g.rows {
			lines = append(lines, m.helpRow(w, st, r[0], r[1]))
		}
		lines = append(lines, m.line(w, th.Text, ""))
	}
	return lines[:max(0, len(lines)-1)]
}

func (m *model) helpRow(w int, st theme.Style, name, does string) string {
	l := draw.NewLine(w)
	l.Space(3)
	if does == "" {
		l.Put(st, name)
		return l.String()
	}
	l.Cell(st, name, 9)
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
