package tui

import (
	"errors"
	"testing"
	"time"

	"redial/ledger"
)

func TestAComplaintIsTakenBackWhenTheFileCanBeReadAgain(t *testing.T) {
	const gone = "/srv/gone.db does not exist"
	onDash(t, story(), 110, 32, func(d *dash) {
		d.store.change(func(f *fakeStore) { f.err = errors.New(gone) })
		d.press("g") // which reads another call
		d.pass(2 * time.Second)
		d.shows("CANNOT READ", gone)
		d.store.change(func(f *fakeStore) { f.err = nil })
		d.pass(2 * time.Second)
		d.hides("CANNOT READ", gone)
	})
}

func TestWhatWasSaidOfASessionEndsWhenAnotherOneIsShown(t *testing.T) {
	onDash(t, story(), 110, 32, func(d *dash) {
		d.store.change(func(f *fakeStore) { f.sessions[0].Dead = true })
		d.pass(1100 * time.Millisecond)
		d.shows("checkout, pid 4242, is gone without a word")
		d.store.change(func(f *fakeStore) { // another recording takes the place of the file
			ended := storyNow().Add(-time.Hour)
			f.sessions = []ledger.Session{{ID: 3, Service: "billing", PID: 7, Started: ended.Add(-time.Hour), LastSeen: ended, Ended: ended}}
		})
		d.pass(1100 * time.Millisecond)
		d.shows("billing", "RECORDED")
		d.hides("is gone without a word")
	})
}

func TestASessionWithTheNumberOfOneThatIsGoneBegins(t *testing.T) {
	onDash(t, story(), 110, 32, func(d *dash) {
		d.store.change(func(f *fakeStore) { f.sessions[0].Dead = true })
		d.pass(1100 * time.Millisecond)
		d.shows("is gone without a word")
		d.store.change(func(f *fakeStore) { // another file takes the place of the one that was open
			now := d.model.now
			f.sessions = []ledger.Session{{ID: 3, Service: "billing", PID: 7, Started: now, LastSeen: now}}
		})
		d.pass(1100 * time.Millisecond)
		d.shows("billing, pid 7, has begun")
	})
}
