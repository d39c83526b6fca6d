package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
)

func TestTheKeysOfTheTimelineDoWhatTheHelpSays(t *testing.T) {
	for _, c := range []struct {
		name  string
		store *fakeStore
		press []string
		shows []string
		hides []string
	}{
		{"2 shows the last minute", story(), []string{"2"}, []string{"[2 Timeline]", "12:03:37–12:04:37 1m 00s", "13 calls · following"}, nil},
		{"+ sees half of it", story(), []string{"2", "+"}, []string{"12:04:06–12:04:36 30.0s", "following"}, nil},
		{"- sees twice as much", story(), []string{"2", "-"}, []string{" 2m 00s "}, nil},
		{"0 sees all", story(), []string{"2", "0"}, []string{"11:59:36–12:04:36 5m 00s", "F follows"}, nil},
		{"0 says when all is in sight", story(), []string{"2", "0", "0"}, []string{"all of it is in sight"}, nil},
		{"h goes back in time", story(), []string{"2", "h"}, []string{"12:03:24–12:04:24 1m 00s"}, []string{"following"}},
		{"l goes on in time", story(), []string{"2", "h", "h", "l"}, []string{"12:03:24–12:04:24 1m 00s"}, nil},
		{"l says when there is no more", story(), []string{"2", "h", "l", "l"}, []string{"this is where it ends"}, nil},
		{"F follows again", story(), []string{"2", "h", "F"}, []string{"12:03:37–12:04:37", "following"}, nil},
		{"F on a recording says why not", recording(), []string{"2", "F"}, []string{"this is a recording"}, nil},
		{"k goes up", story(), []string{"2", "k"}, []string{"▌◌ GET  /fx"}, []string{"following"}},
		{"g goes to the first row", story(), []string{"2", "g"}, []string{"▌  GET  /feed", "call 3-1208"}, nil},
		{"n goes to the next trouble", story(), []string{"2", "g", "n"}, []string{"▌– POST /send"}, nil},
		{"n without a cursor goes to the first one in sight", recording(), []string{"2", "n"}, []string{"▌  POST /orders", "order-8839  12:04:29.4"}, nil},
		{"N without a cursor goes to the last one in sight", recording(), []string{"2", "N"}, []string{"▌╳ GET  /report"}, nil},
		{"N goes to the one before", story(), []string{"2", "g", "N"}, []string{"▌✗ GET  /fx", "503 ×3"}, nil},
		{"n says when there is no more", recording(), []string{"2", "@", "12:04:36", "enter", "n", "n"}, []string{"no call with trouble after this one"}, nil},
		{"enter opens, esc goes back", story(), []string{"2", "g", "enter", "esc"}, []string{"▌  GET  /feed"}, []string{"Call 3-1208"}},
		{"enter opens", story(), []string{"2", "g", "enter"}, []string{"Call 3-1208", "decision"}, nil},
		{"n goes on in the detail", story(), []string{"2", "g", "enter", "n"}, []string{"Call 3-1209"}, nil},
		{"b stands calls of an operation together", story(), []string{"2", "b"}, []string{"Calls by operation", " order-8841 ", " without a key "}, nil},
		{"b goes back to hosts", story(), []string{"2", "b", "b"}, []string{"Calls by host"}, nil},
		{"@ takes a time of day", story(), []string{"2", "@", "12:01:00", "enter"}, []string{"went to 12:01:00.000", "12:00:42–12:01:42"}, nil},
		{"@ takes what has passed since the beginning", story(), []string{"2", "@", "90s", "enter"}, []string{"went to 12:01:06"}, nil},
		{"@ says what is wrong", story(), []string{"2", "@", "noon", "enter"}, []string{"not a time: write one of day", "@ noon"}, nil},
		{"@ says when nothing was recorded", story(), []string{"2", "@", "10:00", "enter"}, []string{"nothing was recorded then"}, nil},
		{"esc stays", story(), []string{"2", "@", "12:01", "esc"}, []string{"12:03:37–12:04:37"}, []string{"@ 12"}},
		{"/ filters", story(), []string{"2", "/", "outcome:unknown", "enter"}, []string{"/ outcome:unknown · 1 call", "POST /charges"}, []string{"/items"}},
		{"the filter goes along", story(), []string{"/", "outcome:unknown", "enter", "2"}, []string{"/ outcome:unknown · 1 call"}, []string{"/items"}},
		{"the filter comes back", story(), []string{"2", "/", "outcome:unknown", "enter", "1"}, []string{"/ outcome:unknown"}, []string{"/items"}},
		{"esc clears the filter", story(), []string{"2", "/", "outcome:unknown", "enter", "esc"}, []string{"13 calls", "the filter is cleared"}, nil},
		{"ctrl+t switches it off", story(), []string{"2", "/", "outcome:unknown", "enter", "ctrl+t"}, []string{"/ off: outcome:unknown · 13 calls"}, nil},
		{"y copies", recording(), []string{"2", "g", "y", "y"}, []string{"Copy", "curl"}, nil},
		{"space says that it is live", story(), []string{"2", "space"}, []string{"it is live: F follows it"}, nil},
		{"space plays a recording", recording(), []string{"2", "g", "space"}, []string{"plays at ×1"}, nil},
		{"space stops it", recording(), []string{"2", "g", "space", "space"}, []string{"stopped"}, []string{"plays at"}},
		{"> plays faster", recording(), []string{"2", "g", ">", "space"}, []string{"plays at ×2"}, nil},
		{"< plays slower", recording(), []string{"2", "g", "space", "<"}, []string{"plays at ×0.5"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			onDash(t, c.store, 110, 32, func(d *dash) {
				for _, k := range c.press {
					if len(k) > 1 && strings.ContainsAny(k, ":0123456789") || k == "noon" {
						d.write(k)
					} else {
						d.press(k)
					}
				}
				d.pass(300 * time.Millisecond)
				d.shows(c.shows...)
				d.hides(c.hides...)
			})
		})
	}
}

func TestTheCursorIsTheSameOnEveryScreen(t *testing.T) {
	onDash(t, story(), 110, 32, func(d *dash) {
		d.press("g", "j", "2")
		d.shows("▌  POST /orders", "order-8839  12:04:29.4")
		d.press("j")
		d.shows("order-8841  12:04:31.2")
		d.press("1")
		d.shows("▌  12:04:31.2 POST orders.example.test")
		d.press("F", "2")
		d.pass(300 * time.Millisecond)
		d.press("F")
		d.shows("following")
	})
}

func TestALineShowsWhereTheCursorIs(t *testing.T) {
	onDash(t, recording(), 110, 32, func(d *dash) {
		column := func() (at int) {
			for i := 10; i < 26; i++ {
				for j, r := range []rune(d.line(i)) {
					if r == '│' {
						return j
					}
				}
			}
			return -1
		}
		d.press("2")
		if at := column(); at >= 0 {
			d.t.Errorf("there is a line in column %d before anything was gone to", at)
		}
		d.press("g")
		first := column()
		d.press("G")
		if last := column(); first < 60 || last == first || last < 60 {
			d.t.Errorf("the line is in column %d, and further down in %d", first, last)
		}
	})
}

func TestARecordingPlaysAsItHappened(t *testing.T) {
	f := recording()
	f.sessions[0].LastSeen = storyNow().Add(time.Second)
	onDash(t, f, 110, 32, func(d *dash) {
		d.press("2", "+", "+")
		d.press("@")
		d.write("12:04:29")
		d.press("enter", "space")
		d.hides("▒▒")
		d.pass(4 * time.Second)
		d.shows("order-8840", "▒▒")
		at := d.model.scene.Cursor.At
		if want := storyNow().Add(-7250*time.Millisecond + 4*time.Second); at.Sub(want).Abs() > time.Second {
			d.t.Errorf("the cursor is at %v, want about %v", at, want)
		}
		d.press(">", ">", ">", ">")
		d.pass(4 * time.Second)
		d.shows("this is where it ends")
		d.hides("plays")
		d.press("space")
		d.shows("11:59:36–")
		d.press("esc")
		d.shows("stopped")
		d.press("space", "j")
		d.hides("plays at")
	})
}

func TestWhereCallsAreTooManySomeWithTroubleAreShownFromAllOver(t *testing.T) {
	f := recording()
	f.ended = nil
	begin := storyNow().Add(-5*time.Minute + time.Second)
	for i := range 6000 {
		c := f.add(begin.Add(time.Duration(i)*49*ms).Format("15:04:05.0"), "GET", "busy.example.test", fmt.Sprintf("/%d", i), "")
		if i%10 == 0 {
			c.answered(503, ms).ends()
		} else {
			c.answered(200, ms).ends()
		}
		f.ended[i].ID = ledger.NewCallID(3, int64(i+1))
	}
	f.rollups = []ledger.Rollup{{Session: 3, Second: begin.Unix() + 5, Host: "busy.example.test", Calls: 6000, Failed: 600}}
	onDash(t, f, 110, 32, func(d *dash) {
		d.press("2", "0", "g")
		d.pass(time.Second)
		d.shows("590 of those with trouble, + shows more", "busy.example.test", "6,000 calls", "▇")
		d.shows("▌✗ GET  /0 ")
		d.press("G")
		d.shows("▌✗ GET  /59")
		d.press("+", "+", "+", "+", "+", "+")
		d.pass(time.Second)
		d.hides("of those with trouble")
		for _, q := range f.queries {
			if q.Limit == 0 && q.From.IsZero() && q.To.IsZero() {
				d.t.Errorf("a query without a bound: %+v", q)
			}
		}
	})
}

func TestWhatWasSentTwiceIsMarked(t *testing.T) {
	f := recording()
	f.ended[1].Duplicate = ledger.Duplicate{Call: f.ended[1].ID, Other: f.ended[5].ID, Kind: ledger.TwoKeys}
	for _, c := range []struct {
		w    int
		want string
	}{{110, "▲ SENT TWICE"}, {80, "▲ TWICE"}} {
		onDash(t, f, c.w, 32, func(d *dash) {
			d.press("2", "g", "j", "j")
			d.shows(c.want, "order-8839  12:04:29.4 ▲ sent twice with two keys, also as call 3-1205")
		})
	}
}

func TestAClickOnTheOverviewGoesThere(t *testing.T) {
	onDash(t, recording(), 110, 32, func(d *dash) {
		d.press("2")
		d.send(tea.MouseClickMsg{X: 60, Y: 3, Button: tea.MouseLeft})
		d.shows("12:01:43–12:02:43")
		d.press("0")
		d.send(tea.MouseClickMsg{X: 20, Y: 13, Button: tea.MouseLeft})
		d.shows("▌– POST /send")
		d.send(tea.MouseClickMsg{X: 20, Y: 13, Button: tea.MouseLeft})
		d.shows("Call 3-1209")
	})
}

func TestTheTimelineReadsNoMoreOftenThanItMust(t *testing.T) {
	f := story()
	onDash(t, f, 110, 32, func(d *dash) {
		d.press("2")
		d.pass(time.Second)
		before := len(f.queries)
		for range 40 {
			f.change(func(*fakeStore) {})
			d.pass(50 * time.Millisecond)
		}
		if n := len(f.queries) - before; n > 12 || n < 4 {
			d.t.Errorf("%d queries in two seconds, want one each 200 ms", n)
		}
	})
}

func TestWhereQuickKeysOfTheTimelineLeadDoesNotDependOnHowFastTheFileIs(t *testing.T) {
	selected := func(keys string, press func(*dash, ...string)) (row string) {
		onDash(t, recording(), 110, 32, func(d *dash) {
			d.press("2")
			press(d, strings.Split(keys, " ")...)
			d.pass(time.Second)
			_, row, _ = strings.Cut(d.text(), "▌")
			row, _, _ = strings.Cut(row, "\n")
		})
		return row
	}
	for _, keys := range []string{"0 g n n j", "n n n + + j j", "g n + k n j", "N N N k - j", "n n n N j"} {
		want := selected(keys, (*dash).press)
		got := selected(keys, func(d *dash, keys ...string) {
			for _, k := range keys {
				d.run(d.model.Update(keyPress(k)))
			}
		})
		if got != want || want == "" {
			t.Errorf("%s: quick keys lead to %q, slow ones to %q", keys, got, want)
		}
	}
}

func TestAnotherServiceThatBeginsDoesNotTakeTheUserElsewhere(t *testing.T) {
	onDash(t, story(), 110, 32, func(d *dash) {
		d.press("2", "h", "h", "+")
		d.shows("12:03:27–12:03:57 30.0s")
		d.store.change(func(f *fakeStore) { f.sessions = several().sessions })
		d.pass(2 * time.Second)
		d.shows("12:03:27–12:03:57 30.0s")
		d.store.change(func(f *fakeStore) {
			f.sessions = []ledger.Session{{ID: 9, Service: "other", Started: storyNow().Add(-time.Second), LastSeen: storyNow()}}
		})
		d.pass(2 * time.Second)
		d.shows("following")
	})
}

func TestATimelineWhoseSessionEndsStandsStill(t *testing.T) {
	onDash(t, story(), 110, 32, func(d *dash) {
		d.press("2")
		d.shows("following")
		d.store.change(func(f *fakeStore) {
			r := recording()
			f.sessions, f.ended, f.running = r.sessions, r.ended, r.running
		})
		d.pass(2 * time.Second)
		d.hides("following")
		before := d.text()
		d.pass(2 * time.Second)
		if d.text() != before {
			d.t.Errorf("the screen moves:\n%s", d.text())
		}
		d.press("+")
		d.shows(" 30.0s")
	})
}

func TestAYoungSessionFillsAMinuteAsItGoesOn(t *testing.T) {
	f := story()
	f.sessions[0].Started = storyNow().Add(-10 * time.Second)
	onDash(t, f, 110, 32, func(d *dash) {
		grow := func(t time.Duration) {
			for range int(t / time.Second) {
				d.store.change(func(f *fakeStore) { f.sessions[0].LastSeen = f.sessions[0].LastSeen.Add(time.Second) })
				d.pass(time.Second)
			}
		}
		d.press("2")
		d.shows("12:04:26–12:04:3")
		grow(30 * time.Second)
		d.shows("12:04:26–12:05:0")
		grow(40 * time.Second)
		d.hides("12:04:26–")
		d.shows(" 1m 00s")
	})
}

// TestTheNextTroubleIsReachedWhereNotEveryCallHasARow goes beyond those with trouble that
// were picked out of too many.
func TestTheNextTroubleIsReachedWhereNotEveryCallHasARow(t *testing.T) {
	f := recording()
	for i := range 2500 {
		f.add(fmt.Sprintf("12:00:%02d.%d", i/50, i%50/5), "GET", "old.example.test", fmt.Sprintf("/%d", i), "").answered(503, ms).ends()
		f.ended[len(f.ended)-1].ID = ledger.NewCallID(3, int64(i+1))
	}
	onDashWith(t, f, Options{Theme: "none", Now: still}, 110, 32, func(d *dash) {
		d.press("2", "0")
		d.shows("of those with trouble")
		for range 150 {
			d.press("n")
		}
		d.shows("call 3-150 ")
	})
}
