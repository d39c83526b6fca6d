package live

import (
	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/clip"
)

// ready reports whether the selected call was read whole. If it was not it has said so, and
// has the call read.
func (l *Screen) ready() (bool, tea.Cmd) {
	c := l.list.selected()
	if c == nil {
		l.scene.Say("no call is selected")
		return false, nil
	}
	l.pause()
	l.list.picked = true
	if l.whole.ID == c.ID && (l.whole.Running() || l.whole.AttemptList != nil || l.whole.Attempts == 0) {
		return true, nil
	}
	if l.asked != c.ID || !l.calls.Busy() {
		l.asked = 0
	}
	l.scene.Say("the call is being read: press it once more")
	return false, l.follow()
}

// Copy returns what can be copied of the selected call, of the attempt that was gone to or
// else of the last one; of the call in the detail, if that is open.
func (l *Screen) Copy() (clip.Subject, bool, tea.Cmd) {
	if l.detail.Open() {
		if c := l.detail.Call(); c.ID != l.whole.ID {
			return clip.OfCall(c, l.detail.Attempt()), true, nil
		}
	}
	ok, cmd := l.ready()
	if !ok {
		return clip.Subject{}, false, cmd
	}
	n := l.chosen
	if l.detail.Open() {
		n = l.detail.Attempt()
	}
	return clip.OfCall(&l.whole, n), true, nil
}

// mark keeps the selected call, to be compared with another one.
func (l *Screen) mark() tea.Cmd {
	ok, cmd := l.ready()
	if ok {
		l.detail.Mark(&l.whole)
	}
	return cmd
}

// diff opens what differs between the marked call and the selected one, or between its last
// two attempts.
func (l *Screen) diff() tea.Cmd {
	ok, cmd := l.ready()
	if ok && l.detail.Differs() {
		cmd = l.open()
		l.detail.DiffAlone()
	}
	return cmd
}

// InForce returns the filter of the calls that are listed.
func (l *Screen) InForce() ledger.Filter { return l.bar.InForce() }
