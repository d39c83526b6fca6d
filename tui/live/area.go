package live

import tea "charm.land/bubbletea/v2"

const (
	sideFrom  = 100 // columns from which the windows stand beside the calls
	belowFrom = 16  // rows from which the timeline stands below them
)

// rect is a part of the screen.
type rect struct{ x, y, w, h int }

func (r rect) has(x, y int) bool { return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h }

// area says where each pane stands. One that has no room is empty.
type area struct{ calls, side, below rect }

// area divides the screen. The calls have the first claim to room, then the timeline,
// then the windows, which have a screen of their own.
func (l *Screen) area() area {
	w, h := l.width, l.height
	var a area
	if h >= belowFrom {
		a.below = rect{0, 0, w, max(6, min(h*9/20, 14))}
		a.below.y = h - a.below.h
	}
	a.calls = rect{0, 0, w, h - a.below.h}
	if w >= sideFrom && !l.scene.Wide {
		side := 32
		switch {
		case w >= 150:
			side = 40
		case w >= 110:
			side = 33
		}
		a.side = rect{w - side, 0, side, a.calls.h}
		a.calls.w -= side
	}
	return a
}

// arrange tells the list how many rows it has, and takes the focus off a pane that is
// not there any more.
func (l *Screen) arrange() {
	a := l.area()
	l.list.resize(a.calls.h - 2)
	if l.focus == windowsPane && a.side.w == 0 || l.focus == timelinePane && a.below.h == 0 {
		l.focus = callsPane
	}
	l.firstWindow = max(0, min(l.firstWindow, len(l.windows)-1))
}

// click selects the row under the pointer; on the row that is selected it opens it.
func (l *Screen) click(m tea.Mouse) tea.Cmd {
	switch {
	case m.Button != tea.MouseLeft:
		return nil
	case l.detail.Open():
		return l.detail.Click(m.Y)
	}
	switch a := l.area(); {
	case a.side.has(m.X, m.Y):
		l.focus = windowsPane
	case a.below.has(m.X, m.Y):
		l.focus = timelinePane
		l.clickAttempt(m.Y - a.below.y)
	case a.calls.has(m.X, m.Y):
		l.focus = callsPane
		row := l.list.top + m.Y - a.calls.y - 1
		if m.Y <= a.calls.y || m.Y >= a.calls.y+a.calls.h-1 || row >= len(l.list.calls) {
			return nil
		}
		if row == l.list.cursor && l.list.picked {
			return l.open()
		}
		l.pause()
		stay := l.giveUp()
		l.list.selectRow(row)
		return tea.Batch(stay, l.extend(), l.follow())
	}
	return nil
}

// wheel scrolls the pane under the pointer.
func (l *Screen) wheel(m tea.Mouse) tea.Cmd {
	n := wheelRows
	if m.Button == tea.MouseWheelUp {
		n = -n
	} else if m.Button != tea.MouseWheelDown {
		return nil
	}
	if l.detail.Open() {
		l.detail.Scroll(n)
		return nil
	}
	switch a := l.area(); {
	case a.side.has(m.X, m.Y):
		l.firstWindow = max(0, min(l.firstWindow+n/wheelRows, len(l.windows)-1))
	case a.below.has(m.X, m.Y):
		l.firstRow = max(0, l.firstRow+n/wheelRows)
	default:
		l.pause()
		stay := l.giveUp()
		l.list.scroll(n)
		return tea.Batch(stay, l.extend(), l.follow())
	}
	return nil
}
