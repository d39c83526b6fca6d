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

// Operations stay when all sessions are pruned, and a file that has some is not empty.
func TestSettledOperationsAreShownWithoutAnySession(t *testing.T) {
	f := pendingStory()
	f.sessions, f.ended, f.running, f.windows, f.rollups = nil, nil, nil, nil, nil
	f.ops = f.ops[len(f.ops)-1:] // the one that has succeeded
	onDash(t, f, 110, 32, func(d *dash) {
		d.hides("Nothing is recorded yet")
		d.slowly("3", "v")
		d.shows("order-8700", "succeeded")
		for _, tab := range []string{"1", "2", "4", "5", "6"} {
			d.slowly(tab, "j", "enter", "n", "y", "esc")
			harmless(d.t, d.frame(), nil, 110, 32)
			d.hides("Nothing is recorded yet")
		}
	})
}
