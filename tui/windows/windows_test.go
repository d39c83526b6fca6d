package windows

import (
	"strings"
	"testing"
	"time"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/keys"
	"redial/tui/scene"
	"redial/tui/theme"
)

func TestAWindowHoldsTheCallsOfItsHost(t *testing.T) {
	for _, c := range []struct {
		window, host string
		want         bool
	}{
		{"api.test", "api.test", true}, {"api.test", "API.test", true}, {"api.test", "api.test:8080", true},
		{"api.test:8080", "api.test:8080", true}, {"api.test:8080", "api.test", false}, {"api.test:8080", "api.test:9090", false},
		{"api.test", "other.test", false}, {"[::1]", "[::1]:80", false}, {"::1", "[::1]:80", true}, {"api.test", "", false},
	} {
		if got := holds(&ledger.Window{Host: c.window}, c.host); got != c.want {
			t.Errorf("a window of %q holds calls to %q: %v", c.window, c.host, got)
		}
	}
}

func shown(now time.Time, live bool) *scene.Scene {
	s := &scene.Scene{Theme: theme.None(), Keys: keys.Default(), Zone: time.UTC}
	s.Now, s.Live = now, live
	s.Sessions = []ledger.Session{{ID: 1, LastSeen: now, Dead: !live}}
	return s
}

func TestABlockTellsUseAndQueue(t *testing.T) {
	now := time.Date(2025, 11, 29, 12, 0, 0, 0, time.UTC)
	full := ledger.Window{Host: "quota.test", Limit: 3, Per: 4500 * time.Millisecond, Used: 3, Opens: now.Add(1200 * time.Millisecond), Waiting: 4, Since: now.Add(-3300 * time.Millisecond)}
	for _, c := range []struct {
		name   string
		window ledger.Window
		at     time.Time
		live   bool
		want   []string
	}{
		{"full", full, now, true, []string{"quota.test", "3 per 4.5s", "3/3   FULL", "opens in 1.2s", "4 waiting, first for 3.3s"}},
		{"opened since", ledger.Window{Host: "a", Limit: 3, Per: time.Second, Used: 3, Opens: now}, now, true, []string{"0/3", "open", "nobody waits"}},
		{"on a recording", full, now, false, []string{"3/3   FULL", "4 waiting"}},
	} {
		for _, w := range []int{12, 30, 60} {
			var all string
			for _, l := range append(Block(shown(c.at, c.live), &c.window, w, true), Row(shown(c.at, c.live), &c.window, Measure([]ledger.Window{c.window}), w, true)) {
				if draw.Width(strip(l)) != w {
					t.Errorf("%s: a line is %d columns wide, want %d: %q", c.name, draw.Width(strip(l)), w, l)
				}
				all += strip(l) + "\n"
			}
			for _, want := range c.want {
				if w == 60 && !strings.Contains(all, want) {
					t.Errorf("%s does not say %q:\n%s", c.name, want, all)
				}
			}
		}
	}
}

// strip removes the styles of the theme without colours.
func strip(s string) string {
	for _, seq := range []string{"\x1b[m", "\x1b[1m", "\x1b[7m", "\x1b[1;7m", "\x1b[4m"} {
		s = strings.ReplaceAll(s, seq, "")
	}
	return s
}

func TestWindowsKeepTheirPlace(t *testing.T) {
	ws := []ledger.Window{{Host: "b", Waiting: 9}, {Host: "a", Per: 2}, {Host: "a", Per: 1}}
	Sort(ws)
	if ws[0].Per != 1 || ws[1].Per != 2 || ws[2].Host != "b" {
		t.Errorf("the order is %+v", ws)
	}
}

func TestAWindowInWhichTheServerSaysNothingIsLeftIsFullAndNotPaused(t *testing.T) {
	now := time.Date(2025, 11, 29, 12, 0, 0, 0, time.UTC)
	w := ledger.Window{Host: "quota.test", Limit: 3, Per: time.Second, Used: 3, Opens: now.Add(time.Second), Paused: now.Add(2 * time.Second),
		Declared: ledger.Declared{At: now, Limit: 3, Resets: now.Add(2 * time.Second)}}
	for _, c := range []struct {
		change func(*ledger.Window)
		want   []string
	}{
		{func(*ledger.Window) {}, []string{"3/3   FULL", "opens in 2.0s", "server: 0 of 3 left, 2.0s"}},
		{func(w *ledger.Window) { w.Paused = now.Add(3 * time.Second) }, []string{"3/3   PAUSED", "server asked, opens in 3.0s"}},
		{func(w *ledger.Window) { w.Limit = 0 }, []string{"PAUSED", "server asked, opens in 2.0s"}},
		{func(w *ledger.Window) {
			w.Kind, w.Used, w.Name, w.Paused = ledger.SlidingWindow, 1, "/items/{id}", time.Time{}
		},
			[]string{"/items/{id} · sliding", "1/3", "1 more in 1.0s"}},
	} {
		w := w
		c.change(&w)
		got := strip(strings.Join(Block(shown(now, true), &w, 60, false), "\n"))
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%q is not in\n%s", want, got)
			}
		}
	}
}
