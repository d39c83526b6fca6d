package tui

import (
	"testing"
	"time"

	"redial/ledger"
)

// What was pruned was answered for as long as it took to read the file again, and the
// figures of a recording stayed in the header when it was gone.
func TestWhoPrunesWhatIsShownIsAnsweredAndSeesNoFiguresOfIt(t *testing.T) {
	f := recording()
	f.sessions[0].Ended, f.sessions[0].Dead = f.sessions[0].LastSeen, false
	old := f.sessions[0]
	old.ID, old.Started, old.LastSeen = 2, old.Started.Add(-time.Hour), old.LastSeen.Add(-time.Hour)
	old.Ended = old.LastSeen
	f.sessions = []ledger.Session{f.sessions[0], old}
	onDashWith(t, f, Options{Theme: "none", Keeper: &fakeKeeper{f: f}}, 140, 32, func(d *dash) {
		d.pass(3 * time.Minute) // nothing is live any more
		d.shows("err 2%")
		for range 2 {
			d.slowly("6", "g", "D", "tab", "down", "tab", "tab", "tab", "enter")
			d.pass(2 * time.Second)
			d.shows("1 session went; the file keeps its size")
		}
		d.shows("no calls yet")
		d.hides("err 2%", "p95")
	})
}
