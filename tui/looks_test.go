package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"redial/ledger"
)

// still is a clock that stands, so that pictures are the same each time.
func still() time.Time { return storyNow() }

func sizes() [][2]int { return [][2]int{{60, 16}, {110, 32}, {200, 60}} }

// opened returns how each screen is reached.
func opened() map[string]func(*dash) {
	return map[string]func(*dash){
		"live":     func(*dash) {},
		"timeline": func(d *dash) { d.press("2") },
		"windows":  func(d *dash) { d.press("4") },
		"detail":   func(d *dash) { d.press("g", "j", "j", "j", "j", "j", "enter") },
	}
}

func TestEveryScreenLooksAsItDidAtFourSizesInThreeThemes(t *testing.T) {
	for name, do := range opened() {
		for _, size := range append(sizes(), [2]int{80, 24}) {
			for _, theme := range []string{"dark", "light", "none"} {
				t.Run(fmt.Sprintf("%s/%dx%d/%s", name, size[0], size[1], theme), func(t *testing.T) {
					onDashWith(t, story(), Options{Theme: theme, Now: still}, size[0], size[1], func(d *dash) {
						do(d)
						golden.RequireEqual(d.t, d.frame())
					})
				})
			}
		}
	}
}

func TestOtherSightsLookAsTheyDid(t *testing.T) {
	for name, sight := range map[string]struct {
		store *fakeStore
		do    func(*dash)
	}{
		"empty":        {&fakeStore{}, func(*dash) {}},
		"help":         {story(), func(d *dash) { d.press("?") }},
		"recorded":     {recording(), func(*dash) {}},
		"filter":       {story(), func(d *dash) { d.press("/"); d.write("status:5xx or attempts:>1"); d.press("enter") }},
		"wrong filter": {story(), func(d *dash) { d.press("/"); d.write("status:5xx or foo:3") }},
		"wide":         {story(), func(d *dash) { d.press("w") }},
		"timeline":     {story(), func(d *dash) { d.press("g", "j", "j", "j", "j", "j", "tab", "tab", "]", "]") }},
		"stale": {story(), func(d *dash) {
			d.store.change(func(f *fakeStore) { f.err = errors.New("read sessions: /home/ana/redial.db: disk I/O error") })
			d.pass(time.Second)
		}},
		"copy":                {ordered(), func(d *dash) { d.press("g", "y") }},
		"operation":           {ordered(), func(d *dash) { d.press("g", "enter", "tab") }},
		"what differs":        {ordered(), func(d *dash) { d.press("g", "space", "j", "j", "d") }},
		"counters":            {losing(), func(*dash) {}},
		"several":             {several(), func(*dash) {}},
		"learned":             {learned(), func(*dash) {}},
		"learned, windows":    {learned(), func(d *dash) { d.press("4", "g") }},
		"learned, more":       {learned(), func(d *dash) { d.press("4", "G") }},
		"learned, sent twice": {learned(), func(d *dash) { d.press("/"); d.write("duplicate:yes"); d.press("enter", "g", "enter") }},
		"no colour less":      {story(), func(d *dash) { d.press("t") }},
	} {
		t.Run(name, func(t *testing.T) {
			onDashWith(t, sight.store, Options{Theme: "none", Now: still}, 110, 32, func(d *dash) {
				sight.do(d)
				golden.RequireEqual(d.t, d.frame())
			})
		})
	}
}

// recording is the story after its process was killed.
func recording() *fakeStore {
	f := story()
	f.sessions[0].Dead = true
	f.sessions[0].Calls = int64(len(f.ended) + len(f.running))
	for _, c := range f.running {
		c.State, c.Since = ledger.CutOff, time.Time{}
		c.Summarise()
		f.ended = append(f.ended, c)
	}
	f.running = nil
	return f
}

// losing is the story with calls that could not be written.
func losing() *fakeStore {
	f := story()
	f.sessions[0].Counters = ledger.Counters{Queued: 6226, Written: 6214, QueueFull: 12}
	return f
}

// several is the story with a second service.
func several() *fakeStore {
	f := story()
	f.sessions = append(f.sessions, ledger.Session{ID: 4, Service: "billing", PID: 77, Started: storyNow().Add(-time.Minute), LastSeen: storyNow().Add(-time.Second)})
	c := f.ended[0]
	c.ID = ledger.NewCallID(4, 1)
	f.ended = append(f.ended, c)
	return f
}

func TestEveryLineOfEveryScreenIsAsWideAsTheTerminal(t *testing.T) {
	for name, do := range opened() {
		for _, size := range append(sizes(), [2]int{61, 17}, [2]int{80, 24}, [2]int{99, 31}, [2]int{100, 20}, [2]int{149, 40}, [2]int{151, 18}) {
			t.Run(fmt.Sprintf("%s/%dx%d", name, size[0], size[1]), func(t *testing.T) {
				onDash(t, story(), size[0], size[1], func(d *dash) {
					do(d)
					lines := strings.Split(d.frame(), "\n")
					if len(lines) != size[1] {
						d.t.Errorf("%d lines, want %d", len(lines), size[1])
					}
					for i, l := range lines {
						if w := ansi.StringWidth(l); w != size[0] {
							d.t.Errorf("line %d is %d columns wide, want %d: %q", i, w, size[0], l)
						}
					}
				})
			})
		}
	}
}
