package tui

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/exp/golden"
)

func TestEveryScreenLooksAsItDidIn16Colours(t *testing.T) {
	more := regexp.MustCompile(`[34]8;[25];`)
	for _, theme := range []string{"dark", "light"} {
		for name, do := range allScreens() {
			t.Run(theme+"/"+name, func(t *testing.T) {
				onDashWith(t, everything(), Options{Theme: theme, Now: still}, 80, 24, func(d *dash) {
					d.send(tea.ColorProfileMsg{Profile: colorprofile.ANSI})
					do(d)
					if more.MatchString(d.frame()) {
						d.t.Error("there is a colour that such a terminal does not have")
					}
					golden.RequireEqual(d.t, d.frame())
				})
			})
		}
	}
}

// allScreens returns how each tab is opened.
func allScreens() map[string]func(*dash) {
	all := map[string]func(*dash){}
	for i, name := range []string{"live", "timeline", "pending", "windows", "hosts", "sessions"} {
		all[name] = func(d *dash) { d.press(strconv.Itoa(i + 1)) }
	}
	return all
}

func TestNoScreenHasColoursOrLosesAMarkWithoutThem(t *testing.T) {
	colour := regexp.MustCompile(`\x1b\[[0-9;]*(3[0-7]|4[0-7]|9[0-7]|10[0-7]|[34]8)[;m]`)
	for name, do := range allScreens() {
		onDashWith(t, everything(), Options{Theme: "dark", Now: still}, 110, 32, func(d *dash) {
			do(d)
			coloured := d.text()
			d.send(tea.ColorProfileMsg{Profile: colorprofile.ASCII})
			if s := colour.FindString(d.frame()); s != "" {
				d.t.Errorf("%s has the colour %q", name, s)
			}
			thin := strings.NewReplacer("┏", "╭", "┓", "╮", "┗", "╰", "┛", "╯", "━", "─", "┃", "│")
			if got, want := thin.Replace(d.text()), thin.Replace(coloured); got != want {
				d.t.Errorf("%s without colours is\n%s\nwant\n%s", name, got, fmt.Sprint(want))
			}
		})
	}
}
