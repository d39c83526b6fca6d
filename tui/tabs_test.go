package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestEveryTabHasItsNumberANameAndAPlaceToClickAtTheLeastWidth(t *testing.T) {
	for pending, want := range map[int64][]string{
		0:       {"1 Live", "2 Time", "3 Pend", "4 Wins", "5 Hosts", "6 Sess"},
		12:      {"1 Live", "2 Time", "3 Pend ▲12", "4 Wins", "5 Hosts", "6 Sess"},
		1234567: {"1", "2", "3 ▲1,234,567", "4", "5", "6"},
	} {
		onDash(t, story(), leastWidth, leastHeight, func(d *dash) {
			d.model.counts.Pending = pending
			for open := range want {
				d.press(fmt.Sprint(open + 1))
				for i, brief := range want {
					if open == i {
						brief = fmt.Sprintf("[%d %s", i+1, d.model.tabs[i].name)
					}
					if !strings.Contains(d.line(1), brief) {
						d.t.Errorf("with tab %d open, %q does not name tab %d as %q", open+1, d.line(1), i+1, brief)
					}
				}
				d.clickTab(d.line(1), (open+3)%len(want))
			}
		})
	}
}

// clickTab clicks on the number of a tab, and fails the test unless that opens it.
func (d *dash) clickTab(line string, i int) {
	d.t.Helper()
	before, _, _ := strings.Cut(line, fmt.Sprintf("%d ", i+1))
	d.send(tea.MouseClickMsg{X: len([]rune(before)), Y: 1, Button: tea.MouseLeft})
	if d.model.active != i {
		d.t.Errorf("a click on tab %d opened tab %d", i+1, d.model.active+1)
	}
}
