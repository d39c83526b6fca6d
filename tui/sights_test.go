package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"redial/tui/phrase"
)

// The timeline stayed empty when a filter left nothing for a moment and the call that had
// been selected came back.
func TestTheTimelineComesBackWithItsCall(t *testing.T) {
	onDash(t, story(), 110, 32, func(d *dash) {
		d.press("g", "j", "j", "j", "j")
		d.shows("PUT /sku/55", "1 first")
		for range 3 {
			d.press("/")
			d.send(tea.PasteMsg{Content: "nowhere"})
			d.shows("no call matches the filter")
			d.hides("1 first")
			for range 4 {
				d.press("ctrl+u")
			}
			d.press("enter")
			d.shows("PUT /sku/55", "1 first", "Not sent again because")
		}
	})
}

func TestTheWindowThatCallsWaitForIsLookedAtFirst(t *testing.T) {
	for name, change := range map[string]func(*fakeStore){
		"a queue": func(*fakeStore) {},
		"calls that have waited": func(f *fakeStore) {
			f.windows[0].Used, f.windows[1].Used, f.windows[1].Waiting = 10, 0, 0
		},
		"a full one": func(f *fakeStore) { f.ended, f.running, f.windows[1].Waiting = nil, nil, 0 },
		"the fuller": func(f *fakeStore) { f.ended, f.running, f.windows[1].Waiting, f.windows[1].Used = nil, nil, 0, 2 },
	} {
		f := story()
		change(f)
		t.Run(name, func(t *testing.T) {
			onDash(t, f, 110, 32, func(d *dash) {
				d.press("4")
				d.shows("▌quota.example.test")
			})
		})
	}
}

func TestARecordingHasAQueueOnlyIfSomebodyWaitedAtTheEnd(t *testing.T) {
	onDash(t, recording(), 110, 32, func(d *dash) {
		d.press("4")
		d.shows("Waiting at the end · quota", "Waited · quota", "quota full at the end")
		d.press("k")
		d.hides("Waiting at the end")
		d.shows("Waited · orders", "nobody waited at the end")
		d.press("tab")
		d.shows("┏ Waited")
	})
}

func TestTheHelpTellsEveryMarkWholeAtTheLeastSize(t *testing.T) {
	onDash(t, story(), leastWidth, leastHeight, func(d *dash) {
		d.press("?")
		var all string
		for range 60 {
			all += d.text()
			d.press("j")
		}
		for _, g := range phrase.Legend() {
			if !strings.Contains(all, g[0]) || !strings.Contains(all, g[1]+" ") {
				d.t.Errorf("%q is not explained as %q", g[0], g[1])
			}
		}
	})
}

func TestHeaderAndListCountTheSameCalls(t *testing.T) {
	f := recording()
	f.sessions[0].Calls, f.sessions[0].Running = 9, 5
	onDash(t, f, 110, 32, func(d *dash) {
		d.shows("━ 14 calls ━")
		if !strings.Contains(d.line(0), "14 calls  5 cut off") {
			d.t.Errorf("the header is %q", d.line(0))
		}
	})
}
