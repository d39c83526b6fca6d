package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"redial/ledger"
)

func TestKeysDoWhatTheHelpSays(t *testing.T) {
	for _, c := range []struct {
		name  string
		press []string
		shows []string
		hides []string
	}{
		{"the newest call that has something to tell is selected at first", nil, []string{"▌◌ 12:04:35.9"}, nil},
		{"k goes up and pauses", []string{"k"}, []string{"▌◌ 12:04:35.6", "paused"}, []string{"following"}},
		{"j goes down", []string{"j"}, []string{"▌⇡ 12:04:36.0"}, nil},
		{"j stops at the last call", []string{"j", "j", "j", "j"}, []string{"▌⇡ 12:04:36.0"}, nil},
		{"g goes to the first call", []string{"g"}, []string{"▌  12:04:28.9"}, nil},
		{"G goes to the last call", []string{"g", "G"}, []string{"▌⇡ 12:04:36.0"}, nil},
		{"ctrl+u goes up half a page", []string{"ctrl+u"}, []string{"▌  12:04:31.0"}, nil},
		{"ctrl+d goes down half a page", []string{"g", "ctrl+d"}, []string{"▌✗ 12:04:33.1"}, nil},
		{"F follows again", []string{"k", "F"}, []string{"following"}, []string{"paused"}},
		{"n goes to the next trouble", []string{"g", "n", "n"}, []string{"▌  12:04:30.2"}, nil},
		{"N goes to the one before", []string{"N", "N"}, []string{"▌– 12:04:35.2"}, nil},
		{"n says when there is no more", []string{"G", "n"}, []string{"no call with trouble after this one"}, nil},
		{"N says when there is none before", []string{"g", "N"}, []string{"no call with trouble before this one"}, nil},
		{"enter opens, esc goes back", []string{"g", "enter", "esc"}, []string{"▌  12:04:28.9"}, []string{"decision"}},
		{"enter opens", []string{"g", "enter"}, []string{"Call 3-1200", "decision", "connection"}, nil},
		{"q goes back from the detail", []string{"g", "enter", "q"}, []string{"▌  12:04:28.9"}, []string{"Call 3-1200"}},
		{"n goes on in the detail", []string{"g", "enter", "n"}, []string{"Call 3-1201"}, nil},
		{"4 opens the windows", []string{"4"}, []string{"[4 Windows]", "Waiting now · quota"}, nil},
		{"1 goes back to the calls", []string{"4", "1"}, []string{"[1 Live]"}, nil},
		{"? shows help, esc leaves it", []string{"?", "esc"}, []string{"[1 Live]", "Calls"}, []string{"Marks"}},
		{"? shows the keys", []string{"?"}, []string{"next trouble", "Marks", "Filters"}, nil},
		{"w makes room for the columns", []string{"w"}, []string{"wide columns"}, []string{"╭ Windows"}},
		{"] goes to the next attempt", []string{"g", "j", "]", "]"}, []string{"▌2 retry"}, nil},
		{"[ goes to the one before", []string{"g", "j", "]", "]", "["}, []string{"▌1 first"}, nil},
		{"t goes through the themes", []string{"t"}, []string{"theme: dark"}, nil},
		{"tab gives the timeline the focus", []string{"g", "j", "tab", "tab", "j"}, []string{"▌1 first", "▌  12:04:29.4"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			onDash(t, story(), 110, 32, func(d *dash) {
				d.press(c.press...)
				d.shows(c.shows...)
				d.hides(c.hides...)
				if d.quit {
					d.t.Error("the dashboard ended")
				}
			})
		})
	}
}

func TestQuitKeysEndTheDashboard(t *testing.T) {
	for _, c := range []struct {
		name  string
		press []string
		quit  bool
	}{
		{"q on a screen", []string{"q"}, true},
		{"q on another screen", []string{"4", "q"}, true},
		{"ctrl+c anywhere", []string{"ctrl+c"}, true},
		{"ctrl+c in the filter", []string{"/", "ctrl+c"}, true},
		{"ctrl+c in the help", []string{"?", "ctrl+c"}, true},
		{"q in the filter is text", []string{"/", "q"}, false},
		{"q in the help leaves it", []string{"?", "q"}, false},
		{"q in the detail leaves it", []string{"enter", "q"}, false},
		{"esc on a screen", []string{"esc", "esc"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			onDash(t, story(), 110, 32, func(d *dash) {
				d.press(c.press...)
				if d.quit != c.quit {
					d.t.Errorf("ended: %v, want %v", d.quit, c.quit)
				}
			})
		})
	}
}

func TestFollowingPausesWhenTheUserMovesAndTellsHowManyAreNew(t *testing.T) {
	onDash(t, story(), 110, 32, func(d *dash) {
		d.press("k", "k")
		d.shows("▌– 12:04:35.2", "paused")
		d.store.change(func(f *fakeStore) {
			for i := range 3 {
				f.add(fmt.Sprintf("12:04:36.%d", i+1), "GET", "new.example.test", "/", "").answered(200, ms).ends()
			}
		})
		d.pass(300 * time.Millisecond)
		d.shows("▌– 12:04:35.2", "paused, 3 new")
		d.press("F")
		d.shows("following", "12:04:36.3")
	})
}

func TestTheSelectionStaysWithItsCall(t *testing.T) {
	onDash(t, story(), 110, 32, func(d *dash) {
		d.press("g", "j", "j", "j", "j")
		d.shows("▌  12:04:31.0 PUT")
		d.store.change(func(f *fakeStore) {
			f.ended = f.ended[2:]
			f.add("12:04:30.9", "GET", "late.example.test", "/", "").answered(200, ms).ends()
			f.ended[len(f.ended)-1].ID = ledger.NewCallID(3, 1100)
		})
		d.pass(300 * time.Millisecond)
		d.shows("▌  12:04:31.0 PUT")
	})
}

func TestACallThatWaitsCountsDownAndThenStandsThereWithItsResult(t *testing.T) {
	onDash(t, story(), 110, 32, func(d *dash) {
		d.shows("window 1.2s", "opens in 1.2s")
		d.pass(500 * time.Millisecond)
		d.shows("window 0.7s", "opens in 0.7s")
		d.store.change(func(f *fakeStore) {
			c := f.running[1]
			f.running = append(f.running[:1:1], f.running[2])
			c.State, c.Since = ledger.Ended, time.Time{}
			c.Waits = []ledger.Wait{c.Waits[0]}
			c.Waits[0].Took = 1500 * ms
			c.AttemptList = []ledger.Attempt{{N: 1, Start: 1500 * ms, Took: 20 * ms, Status: 200, Outcome: ledger.Answered, Decision: ledger.Done}}
			c.Took = 1520 * ms
			c.Summarise()
			f.ended = append(f.ended, c)
		})
		d.pass(100 * time.Millisecond)
		d.shows("200     1.52s window 1.5s")
	})
}

func TestOlderCallsAreReadWhenTheUserScrollsBack(t *testing.T) {
	f := story()
	for i := range 1000 {
		at := storyNow().Add(-time.Hour + time.Duration(i)*time.Second)
		f.add(at.Format("15:04:05.0"), "GET", "old.example.test", fmt.Sprintf("/%d", i), "").answered(200, ms).ends()
		f.ended[len(f.ended)-1].ID = ledger.NewCallID(3, int64(i+1))
	}
	onDash(t, f, 110, 32, func(d *dash) {
		for range 160 {
			d.press("ctrl+u")
		}
		d.shows("▌  11:04:36.2", "/0 ")
		for range 160 {
			d.press("ctrl+d")
		}
		d.shows("▌⇡ 12:04:36.0")
		d.press("g")
		d.shows("▌  11:04:36.2")
		d.press("G")
		d.shows("▌⇡ 12:04:36.0")
		d.press("g", "n")
		d.shows("▌  12:04:29.4")
		d.press("N")
		d.shows("no call with trouble before this one")
		for _, q := range f.queries {
			if q.Limit == 0 || q.Limit > 250 {
				d.t.Errorf("a query without a bound: %+v", q)
			}
		}
	})
}

func TestWhereQuickKeysLeadDoesNotDependOnHowFastTheFileIs(t *testing.T) {
	for _, keys := range []string{
		"G" + strings.Repeat(" ctrl+u", 90) + " j j j k pgdown ctrl+u ctrl+u k",
		"g j j j", "g G k k k", "g n n n", "g ctrl+d n n N k", "N N N N N N N N N N k",
	} {
		want := afterKeys(t, keys, (*dash).press)
		got := afterKeys(t, keys, func(d *dash, keys ...string) {
			for _, k := range keys {
				d.run(d.model.Update(keyPress(k)))
			}
		})
		if got != want || want == "" {
			t.Errorf("%s: quick keys lead to %q, slow ones to %q", keys, got, want)
		}
	}
}

// afterKeys returns the row that is selected in a file of 1,013 calls.
func afterKeys(t *testing.T, keys string, press func(*dash, ...string)) (row string) {
	f := story()
	for i := range 1000 {
		at := storyNow().Add(-time.Hour + time.Duration(i)*time.Second)
		c := f.add(at.Format("15:04:05.0"), "GET", "old.example.test", fmt.Sprintf("/%d", i), "")
		if i%150 == 149 {
			c.answered(503, ms).waits(ledger.BackoffWait, 100*ms)
		}
		c.answered(200, ms).ends()
		f.ended[len(f.ended)-1].ID = ledger.NewCallID(3, int64(i+1))
	}
	onDash(t, f, 110, 32, func(d *dash) {
		press(d, strings.Split(keys, " ")...)
		d.pass(time.Second)
		_, row, _ = strings.Cut(d.text(), "▌")
		row, _, _ = strings.Cut(row, "\n")
	})
	return row
}

func TestAKeyThatGoesElsewhereIsNotHeldUpByASlowFile(t *testing.T) {
	f := story()
	for i := range 300 {
		f.add("12:03:00.0", "GET", "old.example.test", fmt.Sprintf("/%d", i), "").answered(200, ms).ends()
		f.ended[len(f.ended)-1].ID = ledger.NewCallID(3, int64(i+1))
	}
	onDash(t, f, 110, 32, func(d *dash) {
		d.press("G")
		d.store.block = make(chan struct{})
		d.press("g")
		d.shows("▌⇡ 12:04:36.0")
		d.press("k")
		d.shows("▌⇡ 12:04:36.0")
		d.pass(500 * time.Millisecond)
		d.shows("reading…")
		d.press("k")
		d.shows("▌◌ 12:04:35.9")
		close(d.store.block)
		d.settle()
		d.shows("▌◌ 12:04:35.9")
	})
}

func TestSlowReadingBlocksNoKeyAndItsResultIsDroppedWhenItIsLate(t *testing.T) {
	f := story()
	onDash(t, f, 110, 32, func(d *dash) {
		d.store.block = make(chan struct{})
		d.press("/")
		d.write("status:503")
		d.pass(300 * time.Millisecond)
		d.shows("/ status:503", "reading…", "● LIVE  beat <3s ago")
		d.press("enter", "esc")
		d.shows("reading was given up")
		d.press("esc")
		d.hides("status:503")
		close(d.store.block)
		d.settle()
		d.shows("12:04:28.9", "following")
	})
}
