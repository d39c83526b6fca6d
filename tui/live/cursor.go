package live

import (
	tea "charm.land/bubbletea/v2"

	"redial/ledger"
)

// point puts the cursor that all screens share at a call that the user has gone to.
func (l *Screen) point(c *ledger.Call) {
	if l.list.picked && c.ID != l.pointed {
		l.pointed = c.ID
		l.scene.Cursor = l.scene.CursorAt(c)
	}
}

// meet goes to the call that the user has gone to on another screen.
func (l *Screen) meet() (tea.Cmd, bool) {
	id := l.scene.Cursor.Call
	if id == 0 || id == l.pointed {
		return nil, false
	}
	l.pause()
	l.pointed, l.want = id, goal{id: id}
	return l.reload(place{around: id}), true
}
