package live

import (
	tea "charm.land/bubbletea/v2"

	"redial/tui/clip"
)

// Copy returns what can be copied of the selected call, of the attempt that was gone to or
// else of the last one. A call that was not read whole is read.
func (l *Screen) Copy() (clip.Subject, bool, tea.Cmd) {
	c := l.list.selected()
	if c == nil {
		l.scene.Say("no call is selected: there is nothing to copy")
		return clip.Subject{}, false, nil
	}
	l.pause()
	l.list.picked = true
	if l.whole.ID != c.ID || !l.whole.Running() && l.whole.AttemptList == nil && l.whole.Attempts > 0 {
		if l.asked != c.ID || !l.calls.Busy() {
			l.asked = 0
		}
		l.scene.Say("the call is being read: once more, and it can be copied")
		return clip.Subject{}, false, l.follow()
	}
	n := l.chosen
	if l.detail.Open() {
		n = l.detail.Attempt()
	}
	return clip.OfCall(&l.whole, n), true, nil
}
