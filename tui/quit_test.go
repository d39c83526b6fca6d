package tui

import "testing"

func TestTheHelpGoesToItsEndAndBack(t *testing.T) {
	onDash(t, story(), 80, 24, func(d *dash) {
		d.press("?")
		top := d.text()
		if d.press("G"); d.text() == top {
			t.Error("the help stays where it is")
		}
		end := d.text()
		if d.press("j"); d.text() != end {
			t.Error("the help did not go to its end")
		}
		if d.press("g"); d.text() != top {
			t.Error("the help did not go back to its beginning")
		}
	})
}

// TestTheKeyThatQuitsSaysWhenItOnlyGoesBack holds on every screen that something can lie over.
func TestTheKeyThatQuitsSaysWhenItOnlyGoesBack(t *testing.T) {
	for _, keys := range [][]string{{"g", "enter"}, {"2", "g", "enter"}, {"5", "g", "enter"}} {
		onDash(t, story(), 110, 60, func(d *dash) {
			d.press(keys...)
			d.shows("q back")
			d.hides("q quit")
			d.press("?", "/")
			d.write("back")
			d.press("enter")
			d.shows("q         back")
			d.press("esc", "esc", "q")
			d.shows("q quit")
			d.hides("q back")
			if d.quit {
				t.Error("the dashboard has ended")
			}
			if d.press("q"); !d.quit {
				t.Error("the dashboard has not ended")
			}
		})
	}
}
