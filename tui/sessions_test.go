package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"redial/ledger"
)

// archive is the story with sessions from before it.
func archive() *fakeStore {
	f := story()
	day := 24 * time.Hour
	was := func(id ledger.SessionID, service string, age, length time.Duration, calls int64, more func(*ledger.Session)) {
		s := ledger.Session{ID: id, Service: service, Version: "1.4.1", Host: "web-1", PID: int(4000 + id), Calls: calls,
			Started: storyNow().Add(-age), LastSeen: storyNow().Add(length - age)}
		s.Ended = s.LastSeen
		if more != nil {
			more(&s)
		}
		f.sessions = append(f.sessions, s)
	}
	was(2, "checkout", 2*day, 29*time.Minute+29*time.Second, 6214, func(s *ledger.Session) {
		s.Name, s.Pinned = "the night of the 503s", true
		s.Ended, s.Dead = time.Time{}, true
	})
	was(1, "billing", 20*day, 3*time.Hour, 1204117, func(s *ledger.Session) { s.Pending, s.Host = 2, "web-2.eu-central.example.test" })
	was(4, "stock", 30*day, 90*time.Second, 12, func(s *ledger.Session) { s.Ended = time.Time{} })
	c := f.ended[0]
	c.ID, c.Host, c.Path = ledger.NewCallID(1, 1), "bills.example.test", "/bills"
	f.ended = append(f.ended, c)
	return f
}

// fakeKeeper is a keeper that keeps what it was told.
type fakeKeeper struct {
	f     *fakeStore
	mu    sync.Mutex
	rules []ledger.PruneRule
	err   error
	block bool // Prune waits until it is broken off
}

func (k *fakeKeeper) change(id ledger.SessionID, do func(*ledger.Session)) error {
	k.f.change(func(f *fakeStore) {
		f.sessions = slices.Clone(f.sessions)
		for i := range f.sessions {
			if f.sessions[i].ID == id {
				do(&f.sessions[i])
			}
		}
	})
	return k.err
}

func (k *fakeKeeper) NameSession(_ context.Context, id ledger.SessionID, name string) error {
	return k.change(id, func(s *ledger.Session) { s.Name = name })
}

func (k *fakeKeeper) PinSession(_ context.Context, id ledger.SessionID, pinned bool) error {
	return k.change(id, func(s *ledger.Session) { s.Pinned = pinned })
}

func (k *fakeKeeper) PrunePlan(_ context.Context, r ledger.PruneRule) (p ledger.PrunePlan, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.rules = append(k.rules, r)
	p.Used = 700 << 20
	sessions, err := k.f.Sessions(context.Background())
	for _, s := range sessions {
		c := ledger.Prunable{Session: s, Bytes: s.Calls * 82}
		switch {
		case r.Only != nil && !slices.Contains(r.Only, s.ID), r.Only == nil && storyNow().Sub(s.Started) < r.OlderThan:
		case s.Pinned:
			c.Why = "pinned"
			p.Stay = append(p.Stay, c)
		case s.Live(storyNow()):
			c.Why = "live"
			p.Stay = append(p.Stay, c)
		default:
			p.Go = append(p.Go, c)
		}
	}
	return p, errors.Join(err, k.err)
}

func (k *fakeKeeper) Prune(ctx context.Context, ids []ledger.SessionID, _ func(int64)) ([]ledger.SessionID, error) {
	if k.block {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	k.f.change(func(f *fakeStore) {
		f.sessions = slices.DeleteFunc(slices.Clone(f.sessions), func(s ledger.Session) bool { return slices.Contains(ids, s.ID) })
	})
	return ids, k.err
}

// onArchive runs a test on the sessions screen of a dashboard that may change them.
func onArchive(t *testing.T, theme string, w, h int, do func(*dash, *fakeKeeper)) {
	t.Helper()
	f := archive()
	k := &fakeKeeper{f: f}
	onDashWith(t, f, Options{Theme: theme, Keeper: k}, w, h, func(d *dash) {
		d.press("6")
		do(d, k)
	})
}

func sessionSights() map[string][]string {
	return map[string][]string{
		"list":  nil,
		"name":  {"j", "e"},
		"prune": {"j", "D", "tab", "down", "down", "tab"},
	}
}

func TestTheSessionsLookAsTheyDidAtFourSizesInThreeThemes(t *testing.T) {
	for name, keys := range sessionSights() {
		for _, size := range append(sizes(), [2]int{80, 24}) {
			for _, theme := range []string{"dark", "light", "none"} {
				t.Run(fmt.Sprintf("%s/%dx%d/%s", name, size[0], size[1], theme), func(t *testing.T) {
					f := archive()
					now := storyNow()
					o := Options{Theme: theme, Keeper: &fakeKeeper{f: f}, Now: func() time.Time { return now }}
					onDashWith(t, f, o, size[0], size[1], func(d *dash) {
						d.press("6")
						for _, key := range keys {
							now = now.Add(ms) // dialogs need to be read before they hear
							if key == "tab" {
								now = now.Add(400 * ms)
							}
							d.press(key)
						}
						golden.RequireEqual(d.t, d.frame())
					})
				})
			}
		}
	}
}

func TestTheSessionsFillEverySizeExactly(t *testing.T) {
	for name, keys := range sessionSights() {
		for _, w := range []int{60, 61, 79, 80, 99, 100, 131, 150, 200, 300} {
			for _, h := range []int{16, 17, 24, 61} {
				onArchive(t, "none", w, h, func(d *dash, _ *fakeKeeper) {
					d.press(keys...)
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

func TestKeysOnTheSessions(t *testing.T) {
	for _, c := range []struct {
		name         string
		keys         []string
		shows, hides []string
	}{
		{"the newest first, with how each ended", nil, []string{"4 sessions, 1 live · by started ▼", "▌► ●", "live", "killed", "ended", "unknown", "▲2", "1,204,117"}, nil},
		{"a letter sorts", []string{"C"}, []string{"sorted by calls ▼", "▌► ●"}, nil},
		{"enter opens one on all screens", []string{"j", "j", "enter"}, []string{"[1 Calls]", "/bills", "session 1", "■ RECORDED", "session 1 is shown; esc goes back"}, []string{"/fx"}},
		{"esc goes back to what is live", []string{"j", "j", "enter", "esc"}, []string{"[1 Live]", "/fx", "what is live is shown again"}, []string{"/bills"}},
		{"one that is named is known by its name", []string{"j", "enter"}, []string{"the night of the 503s"}, []string{"session 2  "}},
		{"a live one can be chosen too", []string{"enter"}, []string{"[1 Live]", "● LIVE", "session 3 is shown"}, nil},
		{"p pins", []string{"j", "j", "p"}, []string{"session 1 is pinned: it is not pruned"}, nil},
		{"once more takes the pin away", []string{"j", "p"}, []string{"session 2 is not pinned any more"}, nil},
		{"an empty name where there was none changes nothing", []string{"j", "j", "e", "enter", "enter"}, []string{"session 1 has no name, as before"}, []string{"any more"}},
		{"e names", []string{"j", "j", "e", "x", "y", "enter", "enter"}, []string{"session 1 is called xy", "★ the night"}, nil},
		{"D shows what goes", []string{"j", "j", "D"}, []string{"1 session with 1,204,117 calls would go", "✗ goes", "▐ Cancel ▌", "- Prune -"}, nil},
		{"esc does nothing", []string{"j", "j", "D", "esc"}, []string{"nothing was done", "1,204,117"}, nil},
		{"enter cancels", []string{"j", "j", "D", "enter"}, []string{"nothing was done", "1,204,117"}, nil},
		{"nothing goes before it is said which", []string{"j", "j", "D", "tab", "tab", "tab", "tab", "enter"}, []string{"! choose which sessions are to go"}, nil},
		{"one goes", []string{"j", "j", "D", "tab", "down", "tab", "tab", "tab", "enter"}, []string{"1 session went; the file keeps its size", "3 sessions"}, []string{"billing"}},
		{"the old ones go", []string{"D", "tab", "down", "down", "tab", "tab", "tab", "enter"}, []string{"2 sessions went", "the night"}, []string{"billing", "stock"}},
		{"a pinned one does not", []string{"j", "D", "tab", "down", "tab", "tab", "tab", "enter"}, []string{"★ stays", "pinned", "! nothing would go"}, nil},
		{"a wrong size is told", []string{"D", "tab", "down", "down", "tab", "tab", "7"}, []string{"more than how much? Write 512MB"}, nil},
		{"a wrong age is told", []string{"D", "tab", "down", "down", "tab", "x"}, []string{"older than what? Write 14d"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			onArchive(t, "none", 120, 32, func(d *dash, _ *fakeKeeper) {
				d.slowly(c.keys...)
				d.shows(c.shows...)
				d.hides(c.hides...)
			})
		})
	}
}

func TestPruningIsToldAndCanBeBrokenOff(t *testing.T) {
	onArchive(t, "none", 120, 32, func(d *dash, k *fakeKeeper) {
		k.block = true
		d.slowly("j", "j", "D", "tab", "down", "tab", "tab", "tab", "enter")
		d.shows("pruning 1 session…", "esc breaks it off")
		d.slowly("D")
		d.shows("pruning is under way")
		d.slowly("q")
		d.shows("Leave?", "pruning 1 session")
		d.slowly("esc", "esc")
		d.shows("pruning was broken off: 0 sessions of 1 went", "billing")
	})
}

func TestWhatFailsIsTold(t *testing.T) {
	onArchive(t, "none", 120, 32, func(d *dash, k *fakeKeeper) {
		k.err = errors.New("the disk is full")
		for _, keys := range [][]string{{"p"}, {"e", "x", "tab", "enter"}} {
			d.slowly(keys...)
			d.shows("the disk is full")
		}
		d.slowly("D")
		d.shows("the disk is full", "▐ Cancel ▌")
	})
}

func TestAReadOnlyDashboardChangesNoSessions(t *testing.T) {
	f := archive()
	k := &fakeKeeper{f: f}
	onDashWith(t, f, Options{Theme: "none", Keeper: k, ReadOnly: true}, 120, 32, func(d *dash) {
		d.slowly("6", "j")
		d.shows("read-only")
		d.hides("name…", "prune…")
		for _, key := range []string{"p", "e", "D"} {
			d.slowly(key)
			d.shows("this dashboard is read-only: nothing was done")
		}
		if len(k.rules) > 0 || len(f.sessions) != 4 || !f.sessions[1].Pinned {
			d.t.Errorf("the keeper was asked for %v, and the sessions are %+v", k.rules, f.sessions)
		}
		d.slowly("?")
		d.hides("prune…")
	})
}

// What is pasted or held confirms nothing.
func TestStrayKeysPruneNothing(t *testing.T) {
	for _, gap := range []time.Duration{0, 5 * ms, 30 * ms} {
		onArchive(t, "none", 120, 32, func(d *dash, _ *fakeKeeper) {
			d.press("j", "j", "D")
			d.pass(time.Second)
			for range 30 {
				for _, key := range []string{"tab", "down", "enter", "y"} {
					if gap > 0 {
						time.Sleep(gap)
					}
					d.press(key)
				}
				d.send(tea.PasteMsg{Content: "\n\ny\n"})
			}
			d.pass(time.Second)
			d.store.mu.Lock()
			defer d.store.mu.Unlock()
			if len(d.store.sessions) != 4 {
				d.t.Errorf("after keys each %v there are %d sessions", gap, len(d.store.sessions))
			}
		})
	}
}

func TestASessionThatGoesWhileItIsShownIsToldOf(t *testing.T) {
	onArchive(t, "none", 120, 32, func(d *dash, _ *fakeKeeper) {
		d.slowly("j", "j", "enter")
		d.shows("/bills")
		d.store.change(func(f *fakeStore) {
			f.sessions = slices.DeleteFunc(slices.Clone(f.sessions), func(s ledger.Session) bool { return s.ID == 1 })
		})
		d.pass(2 * time.Second)
		d.shows("session 1 is not in the file any more", "[1 Live]")
	})
}

func TestThePaneOfASessionSaysHowItEndedAndWhetherItStays(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*ledger.Session)
		want   []string
	}{
		"live":    {func(*ledger.Session) {}, []string{"● it is live, for 5m 00s by now", "nothing is known to be missing", "it stays when others are pruned, since it is live"}},
		"silent":  {func(s *ledger.Session) { s.LastSeen = storyNow().Add(-time.Minute) }, []string{"◐ no sign of life since Nov 29 12:03:36", "since it may go on"}},
		"killed":  {func(s *ledger.Session) { s.Dead = true }, []string{"╳ its process is gone without a word", "it goes when sessions are pruned"}},
		"unknown": {func(s *ledger.Session) { s.LastSeen = storyNow().Add(-2 * time.Hour) }, []string{"? last heard of on Nov 29 10:04:36"}},
		"ended":   {func(s *ledger.Session) { s.Ended, s.Pinned = storyNow(), true }, []string{"■ it ended by itself on Nov 29 12:04:36, after 5m 00s", "★ it is pinned"}},
		"pending": {func(s *ledger.Session) { s.Ended, s.Pending = storyNow(), 2 }, []string{"not settled; pending in checkout: 2"}},
		"missing": {func(s *ledger.Session) { s.Counters = ledger.Counters{QueueFull: 12, StoreFailed: 3} }, []string{"15 calls not written: for 12 the queue was full, for 3 the file took nothing"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := story()
			c.change(&f.sessions[0])
			onDashWith(t, f, Options{Theme: "none", Now: still}, 110, 32, func(d *dash) {
				d.press("6")
				d.shows(c.want...)
			})
		})
	}
}
