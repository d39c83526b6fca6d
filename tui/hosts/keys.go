package hosts

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"redial/tui/choice"
)

func (s *Screen) key(k tea.KeyPressMsg) tea.Cmd {
	km := s.scene.Keys
	if taken, changed := s.bar.Take(k, s.scene.Say); taken {
		if changed {
			s.rebuild()
		}
		return nil
	}
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
	half := max(l.Height()/2, 1)
	switch {
	case key.Matches(k, km.Up):
		l.Move(-1)
	case key.Matches(k, km.Down):
		l.Move(1)
	case key.Matches(k, km.PageUp):
		l.Move(-half)
	case key.Matches(k, km.PageDown):
		l.Move(half)
	case key.Matches(k, km.Top):
		l.Move(-l.Len())
	case key.Matches(k, km.Bottom):
		l.Move(l.Len())
	}
	return nil
}

// focused returns the list that has the focus.
func (s *Screen) focused() *choice.List {
	if s.focus == routesPane {
		return &s.routes.list
	}
	return &s.list
}

// nextRange shows another range of time.
func (s *Screen) nextRange() tea.Cmd {
	chosen := s.chosen()
	*chosen = (*chosen + 1) % len(spans())
	if !s.scene.Live && spans()[*chosen].length >= s.lasted() {
		*chosen = wholeSpan() // a range that is longer than the recording is all of it
	}
	if s.stopped { // then it is read after all
		s.grid = grid{}
	}
	s.routes.read = false
	s.scene.Say("range: " + s.rangeName())
	return s.Refresh()
}

func (s *Screen) nextPane() {
	if s.routes.host == "" {
		s.scene.Say(s.scene.Keys.Open.Help().Key + " on a host shows its routes")
		return
	}
	s.focus = routesPane - s.focus
}

// open shows the routes of the selected host, or the calls of the selected route.
func (s *Screen) open() tea.Cmd {
	if s.focus == routesPane {
		r := &s.routes
		if r.list.Cursor() >= len(r.rows) {
			s.scene.Say("no route is selected")
			return nil
		}
		row := &r.rows[r.list.Cursor()]
		return s.openCalls(row.method, row.path)
	}
	if s.list.Cursor() >= len(s.rows) {
		s.scene.Say("no host is selected")
		return nil
	}
	if host := s.rows[s.list.Cursor()].host; host != s.routes.host {
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
		if s.list.Cursor() >= len(s.rows) {
			s.scene.Say("no host is selected")
			return nil
		}
		host = s.rows[s.list.Cursor()].host
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
		if s.routes.host == "" {
			return nil
		}
		at, p = below, routesPane
	}
	had := s.focus == p
	s.focus = p
	l := s.focused()
	row, ok := l.At(m.Y - at.y - 2)
	if !ok {
		return nil
	}
	if had && row == l.Cursor() {
		return s.open()
	}
	l.Move(row - l.Cursor())
	return nil
}

func (s *Screen) wheel(m tea.Mouse) {
	n := 1
	if m.Button == tea.MouseWheelUp {
		n = -1
	} else if m.Button != tea.MouseWheelDown {
		return
	}
	if _, below := s.area(); below.has(m.Y) && s.routes.host != "" {
		s.routes.list.Move(n)
		return
	}
	s.list.Move(n)
}
