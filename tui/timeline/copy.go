package timeline

import (
	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/clip"
)

// Copy returns what can be copied of the selected call, of its last attempt or of the one
// that is open. A call that was not read whole is read.
func (t *Screen) Copy() (clip.Subject, bool, tea.Cmd) {
	if t.detail.Open() {
		return clip.OfCall(t.detail.Call(), t.detail.Attempt()), true, nil
	}
	c := t.selected()
	if c == nil {
		t.scene.Say("no call is selected: there is nothing to copy")
		return clip.Subject{}, false, nil
	}
	t.rest()
	t.pick()
	if t.opened.ID != c.ID || c.Running() {
		t.scene.Say("the call is being read: once more, and it can be copied")
		ctx, seq := t.opens.Begin(t.ctx)
		return clip.Subject{}, false, readCall(ctx, t.store, seq, c.ID, false)
	}
	return clip.OfCall(&t.opened, 0), true, nil
}

// InForce returns the filter of the calls that are listed.
func (t *Screen) InForce() ledger.Filter { return t.bar.InForce() }
