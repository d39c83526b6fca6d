package tui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
)

// marcus/sidecar PR 161 again, on a line so slow that the library gives up the beginning
// of a sequence before the rest has come.
func TestTheRestOfATornSequenceIsNoKey(t *testing.T) {
	keys := func(s string) (all []tea.Msg) {
		for _, r := range s {
			all = append(all, tea.KeyPressMsg{Code: r, Text: string(r)})
		}
		return all
	}
	esc, bell := tea.KeyPressMsg{Code: tea.KeyEscape}, tea.KeyPressMsg{Code: 'g', Mod: tea.ModCtrl}
	alt := tea.KeyPressMsg{Code: '[', Mod: tea.ModAlt}
	for _, c := range []struct {
		name string
		msgs []tea.Msg
	}{
		{"a mouse report in the middle of a number", append([]tea.Msg{uv.UnknownEvent("\x1b[<65;1")}, keys("4;5M")...)},
		{"a mouse report behind the bracket", append([]tea.Msg{alt}, keys("<65;14;5M")...)},
		{"a mouse report behind the escape", append([]tea.Msg{esc}, keys("[<65;14;5M")...)},
		{"the answer to a question about a mode", append([]tea.Msg{uv.UnknownEvent("\x1b[?20")}, keys("26;2$y")...)},
		{"the answer to a question about a colour", append(append([]tea.Msg{uv.UnknownEvent("\x1b]11;r")}, keys("gb:1e1e/1e1e/4444q")...), bell)},
	} {
		t.Run(c.name, func(t *testing.T) {
			onDash(t, story(), 110, 32, func(d *dash) {
				before := d.text()
				for _, m := range c.msgs {
					d.send(m)
				}
				if d.text() != before || d.quit {
					d.t.Errorf("the screen has changed:\n%s", d.text())
				}
				d.press("g")
				d.shows("▌  12:04:28.9")
			})
			onDash(t, story(), 110, 32, func(d *dash) {
				d.press("/")
				for _, m := range c.msgs {
					d.send(m)
				}
				d.hides("65;", ";5", "2$y", "rgb")
			})
		})
	}
}

func TestKeysAreKeysAgainWhenTheRestDoesNotCome(t *testing.T) {
	onDash(t, story(), 110, 32, func(d *dash) {
		d.send(uv.UnknownEvent("\x1b[<65;1"))
		d.pass(tornFor + time.Millisecond)
		d.press("4")
		d.shows("[4 Windows]")
		d.press("esc", "1")
		d.shows("[1 Live]")
		d.press("g", "j", "]", "]", "esc", "[")
		d.shows("▌1 first")
	})
}
