package hosts

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

func (s *Screen) key(k tea.KeyPressMsg) tea.Cmd {
	km := s.scene.Keys
	switch {
	case key.Matches(k, km.Range):
		return s.nextRange()
	case key.Matches(k, km.Calls):
		return s.openCalls("", "")
	case key.Matches(k, km.Next):
		s.nextPane()
	case key.Matches(k, km.Open):
		return s.open()
	case s.order.key(s.columns, func(b key.Binding) bool { return key.Matches(k, b) }):
		s.rebuild()
		s.scene.Say("sorted " + s.order.words(s.columns))
	default:
		return s.moveKey(k)
	}
	return nil
}

func (s *Screen) moveKey(k tea.KeyPressMsg) tea.Cmd {
	km := s.scene.Keys
	l := s.focused()
	half := max(l.height/2, 1)
	switch {
	case key.Matches(k, km.Up):
		l.move(-1)
	case key.Matches(k, km.Down):
		l.move(1)
	case key.Matches(k, km.PageUp):
		l.move(-half)
	case key.Matches(k, km.PageDown):
		l.move(half)
	case key.Matches(k, km.Top):
		l.move(-len(l.names))
	case key.Matches(k, km.Bottom):
		l.move(len(l.names))
	}
	return nil
}

// focused returns the list that has the focus.
func (s *Screen) focused() *list {
	if s.focus == routesPane {
		return &s.routes.list
	}
	return &s.list
}

// nextRange shows another range of time.
func (s *Screen) nextRange() tea.Cmd {
	if !s.scene.Live {
		s.scene.Say("a recording is summed up whole")
		if s.stopped { // then it is read after all
			s.grid = grid{}
			return s.Refresh()
		}
		return nil
	}
	s.span = (s.span + 1) % len(spans())
	s.routes.read = false
	s.scene.Say("range: " + s.rangeName())
	return s.Refresh()
}

func (s *Screen) nextPane() {
	if s.routes.host == "" {
		s.scene.Say("enter on a host shows its routes")
		return
	}
	s.focus = routesPane - s.focus
}

// open shows the routes of the selected host, or the calls of the selected route.
func (s *Screen) open() tea.Cmd {
	if s.focus == routesPane {
		r := &s.routes
		if r.list.cursor >= len(r.rows) {
			s.scene.Say("no route is selected")
			return nil
		}
		row := &r.rows[r.list.cursor]
		return s.openCalls(row.method, row.path)
	}
	if s.list.cursor >= len(s.rows) {
		s.scene.Say("no host is selected")
		return nil
	}
	if host := s.rows[s.list.cursor].host; host != s.routes.host {
		s.routes = routes{host: host}
	}
	s.focus = routesPane
	s.arrange()
	return s.readRoutes()
}

// openCalls asks for the calls of the selected host, or of a route of the one whose routes
// are shown.
func (s *Screen) openCalls(method, path string) tea.Cmd {
	host := s.routes.host
	if s.focus == hostsPane {
		if s.list.cursor >= len(s.rows) {
			s.scene.Say("no host is selected")
			return nil
		}
		host = s.rows[s.list.cursor].host
	}
	filter := filterOf(host, method, path)
	return func() tea.Msg { return OpenCallsMsg{filter} }
}

// click gives the pane under the pointer the focus, and selects the row; on the row that is
// selected it opens it.
func (s *Screen) click(m tea.Mouse) tea.Cmd {
	if m.Button != tea.MouseLeft {
		return nil
	}
	hosts, below := s.area()
	at, p := hosts, hostsPane
	if below.has(m.Y) {
		at, p = below, routesPane
	}
	had := s.focus == p
	s.focus = p
	l, line := s.focused(), m.Y-at.y-2
	row := l.top + line
	if line < 0 || line >= l.height || row >= len(l.names) {
		return nil
	}
	if had && row == l.cursor {
		return s.open()
	}
	l.move(row - l.cursor)
	return nil
}

func (s *Screen) wheel(m tea.Mouse) {
	n := 1
	if m.Button == tea.MouseWheelUp {
		n = -1
	} else if m.Button != tea.MouseWheelDown {
		return
	}
	if _, below := s.area(); below.has(m.Y) {
		s.routes.list.move(n)
		return
	}
	s.list.move(n)
}
