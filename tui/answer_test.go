package tui

import (
	"testing"
	"time"
)

// An answer that stays speaks of a call that is not shown any more, or of a key that does
// something else by now.
func TestAnAnswerGoesWithTheNextKey(t *testing.T) {
	const follows, visited = "this is a recording: no new calls come", "call 3-3; esc goes back"
	for _, c := range []struct {
		name   string
		press  []string
		answer string
		next   string
	}{
		{"another screen is opened", []string{"F"}, follows, "2"},
		{"the cursor moves", []string{"F"}, follows, "k"},
		{"the help is opened", []string{"F"}, follows, "?"},
		{"what it spoke of is left", []string{"g", "enter", "tab", "enter"}, visited, "esc"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := ordered()
			f.sessions[0].Ended = f.sessions[0].LastSeen
			onDash(t, f, 110, 40, func(d *dash) {
				d.press(c.press...)
				d.shows(c.answer)
				d.press(c.next)
				d.hides(c.answer)
			})
		})
	}
}

func TestAnAnswerThatIsGivenTwiceStays(t *testing.T) {
	f := ordered()
	f.sessions[0].Ended = f.sessions[0].LastSeen
	onDash(t, f, 110, 40, func(d *dash) {
		d.press("F", "F")
		d.shows("this is a recording: no new calls come")
	})
}

func TestNewsStayUntilAnotherScreenIsOpened(t *testing.T) {
	f := story()
	onDash(t, f, 110, 40, func(d *dash) {
		d.model.scene.Report("checkout has ended")
		d.press("k")
		d.shows("checkout has ended")
		d.press("5")
		d.hides("checkout has ended")
		d.pass(time.Second)
		d.hides("checkout has ended")
	})
}
