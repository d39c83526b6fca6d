package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"redial/ledger"
)

// market is the story with what has ended at all of its hosts, over an hour.
func market() *fakeStore {
	f := story()
	f.sessions[0].Started = storyNow().Add(-time.Hour)
	f.rollups = nil
	for i, host := range []string{"flaky.example.test", "mail.example.test:2525", "orders.example.test", "pay.example.test", "quota.example.test", "rates.example.test"} {
		for s := range int64(3600) {
			if s%int64(i+1) != 0 || s > 90 && s%60 != 0 {
				continue
			}
			r := ledger.Rollup{Session: 3, Second: storyNow().Unix() - s, Host: host, Calls: 2, Attempts: 2}
			r.Latency.Add(time.Duration(20+10*i) * ms)
			r.Latency.Add(time.Duration(1+s%90) * 20 * ms)
			switch {
			case i == 0:
				r.Attempts, r.Retried = 2+s%4, min(s%4, 1)
				r.Waited[ledger.BackoffWait] = time.Duration(s%4) * 310 * ms
			case i == 4:
				r.Waited[ledger.WindowWait] = 4 * time.Second
			case i == 5 && s < 30:
				r.Attempts, r.Retried, r.Failed = 4, 2, 1
				r.Waited[ledger.RetryAfterWait], r.Waited[ledger.BandwidthWait] = 2200*ms, 10*ms
			}
			f.rollups = append(f.rollups, r)
		}
	}
	return f
}

func hostSights() map[string]func(*dash) {
	return map[string]func(*dash){
		"hosts":  func(d *dash) { d.press("5") },
		"routes": func(d *dash) { d.press("5", "H", "G", "enter") },
	}
}

func TestTheHostsLookAsTheyDidAtFourSizesInThreeThemes(t *testing.T) {
	for name, do := range hostSights() {
		for _, size := range append(sizes(), [2]int{80, 24}) {
			for _, theme := range []string{"dark", "light", "none"} {
				t.Run(fmt.Sprintf("%s/%dx%d/%s", name, size[0], size[1], theme), func(t *testing.T) {
					onDashWith(t, market(), Options{Theme: theme, Now: still}, size[0], size[1], func(d *dash) {
						do(d)
						golden.RequireEqual(d.t, d.frame())
					})
				})
			}
		}
	}
}

func TestTheHostsFillEverySizeExactly(t *testing.T) {
	for name, do := range hostSights() {
		for _, w := range []int{60, 61, 79, 80, 99, 100, 131, 150, 200, 300} {
			for _, h := range []int{16, 17, 24, 61} {
				onDashWith(t, market(), Options{Theme: "none", Now: still}, w, h, func(d *dash) {
					do(d)
					lines := strings.Split(d.frame(), "\n")
					if len(lines) != h {
						d.t.Errorf("%s: %d lines at %d×%d", name, len(lines), w, h)
					}
					for i, l := range lines {
						if n := ansi.StringWidth(l); n != w {
							d.t.Errorf("%s: line %d is %d columns wide at %d×%d: %q", name, i, n, w, h, l)
						}
					}
				})
			}
		}
	}
}

func TestKeysOnTheHosts(t *testing.T) {
	for _, c := range []struct {
		name         string
		keys         []string
		shows, hides []string
	}{
		{"a minute at first", nil, []string{"Hosts · last minute", "6 hosts · 294 calls · by calls ▼", "▌flaky"}, nil},
		{"r goes through the ranges", []string{"r", "r", "r"}, []string{"Hosts · last hour", "range: last hour"}, nil},
		{"and round", []string{"r", "r", "r", "r", "r"}, []string{"Hosts · last minute"}, nil},
		{"all of it", []string{"r", "r", "r", "r"}, []string{"Hosts · all of it", "1,148 calls"}, nil},
		{"a letter sorts", []string{"H"}, []string{"sorted by host ▲"}, nil},
		{"once more turns it round", []string{"H", "H"}, []string{"sorted by host ▼"}, nil},
		{"by amplification", []string{"M"}, []string{"sorted by amplification ▼"}, nil},
		{"the selection stays with its host", []string{"j", "E"}, []string{"▌mail"}, nil},
		{"enter shows the routes", []string{"H", "G", "enter"}, []string{"┏ Routes · rates.example.test", "GET    /fx"}, nil},
		{"esc leaves them", []string{"H", "G", "enter", "esc"}, []string{"┏ Hosts"}, []string{"Routes"}},
		{"tab goes back and forth", []string{"enter", "tab"}, []string{"┏ Hosts", "╭ Routes"}, nil},
		{"enter on a route lists its calls", []string{"H", "G", "enter", "enter"}, []string{"[1 Live]", "/ host:rates.example.test method:GET path:/fx"}, []string{"/orders"}},
		{"c lists those of the host", []string{"H", "G", "c"}, []string{"[1 Live]", "/ host:rates.example.test", "/fx"}, []string{"/orders"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			onDashWith(t, market(), Options{Theme: "none", Now: still}, 110, 32, func(d *dash) {
				d.press(append([]string{"5"}, c.keys...)...)
				d.shows(c.shows...)
				d.hides(c.hides...)
			})
		})
	}
}

func TestTheHostsGoOnWithWhatEnds(t *testing.T) {
	onDash(t, market(), 110, 32, func(d *dash) {
		d.press("5")
		d.shows("294 calls")
		d.store.change(func(f *fakeStore) {
			f.rollups = append(f.rollups, ledger.Rollup{Session: 3, Second: storyNow().Unix() + 1, Host: "new.example.test", Calls: 1000, Attempts: 1000})
		})
		d.pass(2 * time.Second)
		d.shows("new.example.test", "▌flaky", "7 hosts")
	})
}

func TestARecordingIsSummedUpWholeOrAroundTheCursor(t *testing.T) {
	f := market()
	f.sessions[0].Dead = true
	f.sessions[0].Ended = storyNow()
	onDashWith(t, f, Options{Theme: "none", Now: still}, 110, 32, func(d *dash) {
		d.press("5")
		d.shows("Hosts · the whole recording", "1,148 calls")
		d.press("r")
		d.shows("Hosts · last minute of the recording", "294 calls")
		at := storyNow().Add(-30 * time.Minute)
		d.model.scene.Cursor.At = at
		d.press("2", "5")
		d.shows("Hosts · 1m around "+at.In(storyZone()).Format("15:04:05"), "┃ cursor "+at.In(storyZone()).Format("15:04:05.0"))
		d.hides("294 calls")
		d.press("r", "r")
		d.shows("Hosts · 15m around")
		d.press("r") // an hour is all of it
		d.shows("Hosts · the whole recording", "1,148 calls")
	})
}

func TestTheHostsTakeOfTheFilterWhatNamesHosts(t *testing.T) {
	onDashWith(t, market(), Options{Theme: "none", Now: still}, 110, 32, func(d *dash) {
		d.press("5", "/")
		d.write("host:pay.*")
		d.press("enter")
		d.shows("/ host:pay.* · 1 host", "▌pay.example.test")
		d.hides("orders.example.test")
		d.press("ctrl+t")
		d.shows("/ off: host:pay.*", "6 hosts", "the filter is off; its text is kept")
		d.press("ctrl+t", "/")
		d.write(" waited:>1s")
		d.press("enter")
		d.shows("of which only host: counts here · 1 host")
		d.press("1")
		d.shows("/ host:pay.* waited:>1s")
		d.press("5", "esc")
		d.shows("6 hosts", "the filter is cleared")
		d.press("/")
		d.write("host:nobody")
		d.press("enter")
		d.shows("no host matches the filter: esc clears it")
		d.send(tea.PasteMsg{Content: "q"})
		d.shows("nothing was pasted")
	})
}

// slowSums is a store whose older sums come only when they are let go.
type slowSums struct {
	*fakeStore
	gone chan struct{}
}

func (s *slowSums) Sums(ctx context.Context, q ledger.SumQuery, each func(*ledger.Rollup) error) error {
	if q.From.Before(storyNow().Add(-20 * time.Minute)) {
		select {
		case <-s.gone:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return s.fakeStore.Sums(ctx, q, each)
}

func TestALongReadingIsToldAndCanBeGivenUp(t *testing.T) {
	f := market()
	onDash(t, f, 110, 32, func(d *dash) {
		slow := &slowSums{fakeStore: f, gone: make(chan struct{})}
		d.model = newModel(d.model.ctx, slow, d.model.options)
		d.run(d.model.Init())
		d.send(tea.WindowSizeMsg{Width: 110, Height: 32})
		d.press("5", "r", "r", "r")
		d.pass(300 * ms)
		d.shows("Hosts · last hour", "reading… 0%, esc gives up")
		d.press("j", "k") // keys work meanwhile
		d.press("esc")
		d.shows("reading was given up", "[5 Hosts]")
		d.pass(3 * time.Second)
		d.shows("only the first 0% of it was read")
		d.press("r", "r")
		d.pass(2 * time.Second)
		d.shows("Hosts · last minute", "6 hosts")
		close(slow.gone)
	})
}
