package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

// charmbracelet/bubbletea#404 and #800: pasted text was taken for keys.
func TestPastedTextBecomesFilterTextAndNothingElse(t *testing.T) {
	onDash(t, story(), 110, 32, func(d *dash) {
		d.press("/")
		d.send(tea.PasteMsg{Content: "GET\nq\ny\n"})
		d.shows("/ GET q y")
		if d.quit {
			d.t.Error("pasted text ended the dashboard")
		}
		d.press("esc")
		d.send(tea.PasteMsg{Content: "q"})
		d.shows("nothing was pasted")
		if d.quit {
			d.t.Error("text pasted beside the filter ended the dashboard")
		}
	})
}

func TestAWrongFilterIsMarkedWhileTheLastValidOneHolds(t *testing.T) {
	onDash(t, story(), 110, 32, func(d *dash) {
		d.press("/")
		d.write("status:503")
		d.shows("12:04:33.1", "/ status:503")
		d.hides("12:04:28.9")
		d.send(tea.PasteMsg{Content: " foo:1"})
		d.shows(`unknown key "foo"`, "12:04:33.1", "/ status:503 · following", "/ status:503 foo:1")
		d.hides("12:04:28.9")
		d.press("enter")
		d.shows("/ status:503 · following")
		d.press("/")
		for range len(" foo:1") {
			d.press("backspace")
		}
		d.hides("unknown key")
		d.shows("12:04:33.1", "/ status:503")
	})
}

func TestAFilterIsSwitchedOffWithoutLosingItsText(t *testing.T) {
	onDash(t, story(), 110, 32, func(d *dash) {
		d.press("/")
		d.write("method:PUT")
		d.press("enter")
		d.hides("12:04:28.9")
		d.press("ctrl+t")
		d.shows("12:04:28.9", "/ off: method:PUT", "the filter is off")
		d.press("ctrl+t")
		d.shows("/ method:PUT", "the filter is on")
		d.hides("12:04:28.9", "off:")
		d.press("esc")
		d.shows("12:04:28.9", "the filter is cleared")
		d.hides("method:PUT")
		d.press("ctrl+t")
		d.shows("there is no filter")
	})
}

func TestEscInTheFilterClearsIt(t *testing.T) {
	onDash(t, story(), 110, 32, func(d *dash) {
		d.press("/")
		d.write("method:PUT")
		d.press("esc")
		d.shows("12:04:28.9")
		d.hides("method:PUT")
	})
}

// Evertras/bubble-table#76: a filter left the selection on a row that was not there.
func TestTheSelectionIsAListedCallAfterAFilter(t *testing.T) {
	onDash(t, story(), 110, 32, func(d *dash) {
		d.press("G", "/")
		d.write("host:quota*")
		d.press("enter")
		d.shows("▌◌ 12:04:35.9", "GET /items/19")
		d.press("/")
		d.write(" -running:yes")
		d.press("enter")
		d.shows("▌  12:04:30.2", "GET /items/18")
		d.press("/")
		d.write(" status:500")
		d.press("enter")
		d.shows("no call matches the filter")
		d.press("n", "j", "k", "enter", "g", "G", "]")
		d.press("esc", "esc")
		d.shows("12:04:28.9")
	})
}

func TestTheSelectionComesBackWithItsCallWhenAFilterIsCleared(t *testing.T) {
	onDash(t, story(), 110, 32, func(d *dash) {
		d.press("g", "j", "j", "j", "j", "/")
		d.shows("▌  12:04:31.0 PUT")
		d.write("method:POST")
		d.hides("PUT ")
		d.press("esc")
		d.shows("▌  12:04:31.0 PUT")
	})
}
