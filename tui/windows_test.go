package tui

import (
	"testing"
	"time"
)

func TestTheWindowsFollowTheFilterAndTheCursor(t *testing.T) {
	onDashWith(t, recording(), Options{Theme: "none", Now: still}, 110, 32, func(d *dash) {
		d.press("4", "/")
		d.write("host:quota.*")
		d.press("enter")
		d.shows("quota full at the end", "▌quota.example.test", "Waited · quota.example.test", "/ host:quota.* · ")
		d.hides("orders.example.test")
		d.press("esc")
		d.shows("orders.example.test", "the filter is cleared")
		d.press("tab", "j")
		at := d.model.scene.Cursor
		if at.Call == 0 {
			d.t.Fatal("a call that was gone to is not where the cursor is")
		}
		d.shows("▲ at " + d.model.scene.Clock(at.At))
		d.press("2")
		if got := d.model.scene.Cursor; got != at {
			d.t.Errorf("on the timeline the cursor is %+v, want %+v", got, at)
		}
		d.model.scene.Cursor.At, d.model.scene.Cursor.Call = storyNow().Add(-time.Hour), 0
		d.press("4")
		d.hides("▲ at " + d.model.scene.Clock(at.At))
	})
}
