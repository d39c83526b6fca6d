package tui

import (
	"testing"
	"time"

	"redial/ledger"
)

// A service that was killed before its first call leaves a recording to which none is added.
func TestARecordingWithoutCallsDoesNotPromiseAny(t *testing.T) {
	f := &fakeStore{version: 1, sessions: []ledger.Session{{
		ID: 3, Service: "checkout", Started: storyNow().Add(-time.Hour), LastSeen: storyNow().Add(-time.Hour + time.Minute), Dead: true,
	}}}
	onDash(t, f, 110, 32, func(d *dash) {
		d.shows("no call was recorded")
		d.hides("as they are made")
		d.press("2")
		d.shows("no call was recorded")
		d.hides("goes to the next trouble")
	})
}
