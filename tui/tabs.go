package tui

import (
	"strings"

	"charm.land/bubbles/v2/key"

	"redial/tui/draw"
)

// tab is a screen with its number and its names.
type tab struct {
	key    key.Binding
	name   string
	brief  string // where there is little room
	onFile string // on a recording
	screen screen
}

// naming is how much of their names the tabs show.
type naming int

const (
	wholeNames naming = iota // every tab has its name
	briefNames               // all but the open one have their brief name
	noNames                  // all but the open one have only their number
)

// naming returns the most that there is room for. Each tab keeps its number, which is the
// key that opens it, and the open one its name.
func (m *model) naming() naming {
	for n := wholeNames; n < noNames; n++ {
		if m.tabsWidth(n) <= m.width {
			return n
		}
	}
	return noNames
}

// tabName returns what stands on a tab, in brackets when it is open.
func (m *model) tabName(i int, n naming) string {
	t := m.tabs[i]
	name := t.name
	if !m.scene.Live && len(m.scene.Sessions) > 0 {
		name = t.onFile
	}
	switch {
	case i == m.active || n == wholeNames:
	case n == briefNames && t.brief != "":
		name = t.brief
	case n == noNames:
		name = ""
	}
	name = strings.TrimSpace(t.key.Help().Key+" "+name) + m.badge(&t)
	if i == m.active {
		return "[" + name + "]"
	}
	return " " + name + " "
}

// gap returns how many columns lie between two tabs.
func (n naming) gap() int {
	if n == wholeNames {
		return 1
	}
	return 0
}

// tabsWidth returns how many columns the tabs take.
func (m *model) tabsWidth(n naming) int {
	w := 1
	for i := range m.tabs {
		w += draw.Width(m.tabName(i, n)) + n.gap()
	}
	return w
}

// tabLine is the line of the tabs, with the moment that is shown behind them.
func (m *model) tabLine() string {
	th := m.scene.Theme
	l := draw.NewLine(m.width)
	l.Space(1)
	names := m.naming()
	for i := range m.tabs {
		st := th.Dim
		if i == m.active {
			st = th.Accent
		}
		l.Put(st, m.tabName(i, names))
		l.Space(names.gap())
	}
	for _, clock := range m.clocks() {
		if w := draw.Width(clock); w < l.Left() {
			l.Space(l.Left() - w - 1)
			l.Put(th.Dim, clock)
			break
		}
	}
	return l.String()
}

// tabAt returns the tab in a column, -1 for none.
func (m *model) tabAt(x int) int {
	at, names := 1, m.naming()
	for i := range m.tabs {
		w := draw.Width(m.tabName(i, names))
		if x >= at && x < at+w {
			return i
		}
		at += w + names.gap()
	}
	return -1
}
