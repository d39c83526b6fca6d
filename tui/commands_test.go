package tui

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"redial/tui/filter"
	"redial/tui/keys"
	"redial/tui/visible/hostile"
)

func TestEveryKeyOfEveryScreenIsACommand(t *testing.T) {
	for _, screen := range []string{"1", "2", "3", "4", "5", "6"} {
		onDashWith(t, pendingStory(), Options{Theme: "none", Actions: new(fakeActions)}, 110, 32, func(d *dash) {
			d.press(screen)
			var listed []string
			for _, c := range d.model.commands() {
				listed = append(listed, c.Key+" "+c.Does)
			}
			for _, group := range d.model.groups() {
				for _, b := range group.Keys {
					what := b.Help().Key + " " + b.Help().Desc
					if len(b.Keys()) > 0 && b.Help().Desc != "commands" && !slices.Contains(listed, what) {
						t.Errorf("screen %s: %q is in the help and no command", screen, what)
					}
				}
			}
		})
	}
}

func TestACommandDoesWhatItsKeyDoes(t *testing.T) {
	for _, c := range []struct {
		name  string
		write string
		want  []string
		not   []string
	}{
		{"another screen", "timel", []string{"[2 Timeline]", "[3 Pending"}, []string{"[1 Live]"}},
		{"the theme", "theme", []string{"theme: dark"}, nil},
		{"a move", "last", []string{"▌⇡ 12:04:36.0"}, nil},
		{"the filter", "filter", []string{"keep the filter", "sent twice"}, nil},
		{"a saved filter", "never reached", []string{"/ outcome:not-sent", "12:04:35.2"}, []string{"12:04:28.9"}},
		{"the help", "help", []string{"Help", "Everywhere"}, nil},
		{"the key itself", "F", []string{"following"}, nil},
		{"nothing", "qqq", []string{"nothing here has these letters"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			onDash(t, story(), 110, 32, func(d *dash) {
				d.press(":")
				d.shows("Commands", "do it")
				d.write(c.write)
				d.press("enter")
				found := slices.ContainsFunc(c.want, func(s string) bool { return strings.Contains(d.text(), s) })
				if !found {
					t.Errorf("none of %q is shown:\n%s", c.want, d.text())
				}
				d.hides(c.not...)
			})
		})
	}
}

func TestACommandAsksWhatItsKeyAsks(t *testing.T) {
	actions := new(fakeActions)
	onDashWith(t, pendingStory(), Options{Theme: "none", Actions: actions}, 110, 32, func(d *dash) {
		d.press("3", "j", "j", ":")
		d.write("replay")
		for range 5 {
			d.press("enter") // as a key that is held
		}
		d.shows("Replay ", "▐ Cancel ▌")
		if n := len(actions.did); n > 0 {
			t.Errorf("%d things were done", n)
		}
	})
}

func TestThePaletteLeavesEverythingAsItWas(t *testing.T) {
	onDash(t, story(), 110, 32, func(d *dash) {
		before := d.text()
		d.press(":")
		d.write("theme")
		d.press("esc")
		if d.text() != before {
			t.Errorf("esc leaves:\n%s", d.text())
		}
	})
}

func TestTextThatIsPastedIntoThePaletteRunsNothing(t *testing.T) {
	for _, text := range append(hostile.Strings(), "q\n", "quit\r\n", ":q\n", "\x1b\x03") {
		onDash(t, story(), 60, 16, func(d *dash) {
			d.press(":")
			d.send(tea.PasteMsg{Content: text})
			if d.quit || d.model.palette == nil {
				t.Errorf("%q did something", text)
			}
			for i, line := range strings.Split(d.text(), "\n") {
				if w := ansi.StringWidth(line); w != 60 {
					t.Errorf("%q makes line %d %d columns wide", text, i, w)
				}
			}
		})
	}
}

func TestChangedKeysAreThoseOfTheCommands(t *testing.T) {
	km := keys.Default()
	if err := km.Set("theme", []string{"ctrl+y"}); err != nil {
		t.Fatal(err)
	}
	onDashWith(t, story(), Options{Theme: "none", Keys: km}, 110, 32, func(d *dash) {
		d.press(":")
		d.write("theme")
		d.shows("ctrl+y")
		d.press("enter")
		d.shows("theme: dark")
	})
}

func TestSavedFiltersOfTheConfigurationComeFirst(t *testing.T) {
	o := Options{Theme: "none", SavedFilters: []filter.Saved{{Name: "our orders", Expr: "host:orders*"}, {Name: "slow", Expr: "dur:>9s"}}}
	onDashWith(t, story(), o, 110, 32, func(d *dash) {
		d.press("/")
		d.shows("our orders", "dur:>9s", "sent twice")
		d.hides("dur:>2s")
		d.press("down", "enter")
		d.shows("/ host:orders*", "12:04:29.4")
		d.hides("12:04:28.9")
		d.press("esc", ":")
		d.write("our orders")
		d.press("enter")
		d.shows("/ host:orders*")
		d.hides("12:04:28.9")
	})
}

func TestTheWheelMovesInTheHelpAndInTheCommands(t *testing.T) {
	onDash(t, story(), 110, 24, func(d *dash) {
		down, up := tea.MouseWheelMsg{X: 20, Y: 8, Button: tea.MouseWheelDown}, tea.MouseWheelMsg{X: 20, Y: 8, Button: tea.MouseWheelUp}
		d.press("?")
		d.shows("lines 1–")
		d.send(down)
		d.shows("lines 4–")
		d.send(up)
		d.shows("lines 1–")
		d.press("esc", ":")
		d.shows("▌ next trouble")
		d.send(down)
		d.shows("▌ previous trouble")
	})
}
