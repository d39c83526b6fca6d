package tui

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
)

func TestTheHeaderNeverLies(t *testing.T) {
	beat := func(age time.Duration, more func(*ledger.Session)) *fakeStore {
		f := story()
		s := &f.sessions[0]
		s.LastSeen = storyNow().Add(-age)
		if more != nil {
			more(s)
		}
		return f
	}
	for _, c := range []struct {
		name  string
		store *fakeStore
		want  string
	}{
		{"a session that beats", beat(120*ms, nil), "● LIVE  beat <3s ago"},
		{"one that has been silent", beat(5*time.Second, nil), "◐ SILENT  last beat 5s ago"},
		{"one that is silent for longer than live lasts", beat(12*time.Second, nil), "◐ SILENT  last beat 12s ago"},
		{"one that ended", beat(time.Minute, func(s *ledger.Session) { s.Ended = s.LastSeen }), "■ RECORDED  Nov 29 11:59–12:03 "},
		{"one that was killed", beat(time.Minute, func(s *ledger.Session) { s.Dead = true }), "■ RECORDED  Nov 29 11:59–12:03, killed"},
		{"one of which nothing is known", beat(2*time.Hour, func(s *ledger.Session) { s.Started = s.LastSeen.Add(-time.Hour) }), "■ RECORDED  Nov 29 09:04–10:04, never ended"},
		{"one of another day", beat(48*time.Hour, func(s *ledger.Session) { s.Started, s.Dead = s.LastSeen.Add(-time.Hour), true }), "■ RECORDED  Nov 27 11:04–12:04, killed"},
		{"calls that were not written", losing(), "12 not written: queue full"},
		{"calls that the store lost", beat(0, func(s *ledger.Session) { s.Counters.StoreFailed = 3 }), "3 not written: store failed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			onDashWith(t, c.store, Options{Theme: "none", Now: still}, 110, 32, func(d *dash) {
				if !strings.Contains(d.line(0), c.want) {
					d.t.Errorf("the header is %q, want %q in it", d.line(0), c.want)
				}
			})
		})
	}
}

func TestAnAnswerStaysLongEnoughToBeRead(t *testing.T) {
	onDash(t, story(), 110, 32, func(d *dash) {
		d.shows("mail.example.test/send was not sent.")
		d.press("ctrl+t")
		fail := func(path string) {
			d.store.change(func(f *fakeStore) {
				f.add("12:04:36.3", "POST", "late.example.test", path, "").lost(ms).ends()
			})
			d.pass(100 * time.Millisecond)
		}
		fail("/one")
		d.shows("there is no filter")
		d.pass(5 * time.Second)
		fail("/two")
		d.shows("late.example.test/two: no answer came; it may have happened.")
	})
}

func TestTheSessionThatSendsForAPersonIsNotShown(t *testing.T) {
	own := func() ledger.SessionID { return 9 }
	onDashWith(t, story(), Options{Theme: "none", Own: own}, 110, 32, func(d *dash) {
		d.store.change(func(f *fakeStore) {
			f.sessions = append(f.sessions, ledger.Session{ID: 9, Service: "redial", PID: 7, Started: storyNow(), LastSeen: storyNow()})
			f.sessions[0].Dead = true
		})
		d.pass(1100 * time.Millisecond)
		d.hides("redial, pid 7")
		d.shows("checkout, pid 4242, is gone", "WRITER GONE")
	})
}

func TestSessionsThatBeginAndEndAreTold(t *testing.T) {
	onDash(t, story(), 110, 32, func(d *dash) {
		d.store.change(func(f *fakeStore) {
			f.sessions = append(f.sessions, ledger.Session{ID: 9, Service: "billing", PID: 7, Started: storyNow(), LastSeen: storyNow()})
		})
		d.pass(1100 * time.Millisecond)
		d.shows("billing, pid 7, has begun", "and 1 more")
		d.store.change(func(f *fakeStore) { f.sessions[1].Ended = storyNow() })
		d.pass(1100 * time.Millisecond)
		d.shows("billing, pid 7, has ended")
		d.hides("and 1 more")
		d.store.change(func(f *fakeStore) { f.sessions[0].Dead = true })
		d.pass(1100 * time.Millisecond)
		d.shows("checkout, pid 4242, is gone")
	})
}

func TestAWriterThatIsKilledIsNoticedThoughItChangesNothing(t *testing.T) {
	onDash(t, story(), 110, 32, func(d *dash) {
		d.shows("● LIVE")
		d.store.mu.Lock()
		d.store.sessions[0].Dead = true
		for i := range d.store.running {
			d.store.running[i].State = ledger.CutOff
		}
		d.store.mu.Unlock()
		d.pass(1200 * time.Millisecond)
		d.shows("■ WRITER GONE  since 12:04:36", "[1 Calls]", "cut off")
		d.hides("● LIVE", "following")
	})
}

func TestTheSessionThatWasWatchedStaysWhenItsProcessIsGone(t *testing.T) {
	f := story()
	f.sessions = append([]ledger.Session{{
		ID: 5, Service: "short", Started: storyNow().Add(-3 * time.Minute), Ended: storyNow().Add(-2 * time.Minute), LastSeen: storyNow().Add(-2 * time.Minute),
	}}, f.sessions...)
	onDash(t, f, 110, 32, func(d *dash) {
		d.shows("checkout")
		d.store.change(func(f *fakeStore) { f.sessions[1].Dead = true })
		d.pass(1100 * time.Millisecond)
		d.shows("checkout", "WRITER GONE")
		d.hides("short")
	})
}

func TestNothingIsReadWhileNothingChanges(t *testing.T) {
	f := recording()
	onDash(t, f, 110, 32, func(d *dash) {
		before, frame := f.reads, d.frame()
		d.pass(10 * time.Second)
		if f.reads != before {
			d.t.Errorf("the sessions were read %d times more", f.reads-before)
		}
		if d.frame() != frame {
			d.t.Error("the frame has changed")
		}
	})
}

// What changes once a second is not read twenty times in it.
func TestSessionsAreReadOnceASecondHoweverOftenTheFileChanges(t *testing.T) {
	f := story()
	onDash(t, f, 110, 32, func(d *dash) {
		before := f.reads
		for range 100 {
			f.change(func(f *fakeStore) { f.sessions[0].LastSeen = storyNow().Add(10 * time.Second) })
			d.pass(pollEach)
		}
		if n := f.reads - before; n < 4 || n > 6 {
			d.t.Errorf("in five seconds the sessions were read %d times", n)
		}
	})
}

func TestAChangeIsOnTheScreenWithin50Milliseconds(t *testing.T) {
	onDash(t, story(), 110, 32, func(d *dash) {
		d.pass(333 * time.Millisecond)
		d.store.change(func(f *fakeStore) {
			f.add("12:04:36.2", "GET", "new.example.test", "/now", "").answered(200, ms).ends()
		})
		d.hides("/now")
		d.pass(60 * time.Millisecond)
		d.shows("/now")
	})
}

func TestAFileThatCannotBeReadSaysSoAndIsTriedAgain(t *testing.T) {
	f := story()
	f.err = errors.New("read sessions: /home/ana/redial.db: disk I/O error")
	onDash(t, f, 110, 32, func(d *dash) {
		d.shows("CANNOT READ", "disk I/O error", "/home/ana/redial.db", "tried again")
		d.hides("● LIVE")
		d.store.change(func(f *fakeStore) { f.err = nil })
		d.pass(1100 * time.Millisecond)
		d.shows("● LIVE", "12:04:28.9")
		d.hides("CANNOT READ")
		d.store.change(func(f *fakeStore) { f.err = errors.New("read calls: /home/ana/redial.db: gone") })
		d.pass(1100 * time.Millisecond)
		d.shows("CANNOT READ", "OLD", "old data", "12:04:28.9", "gone")
		d.hides("● LIVE")
	})
}

func TestAnEmptyFileGreetsUntilASessionBegins(t *testing.T) {
	onDash(t, &fakeStore{}, 60, 16, func(d *dash) {
		d.shows("go mod edit -require=redial@v0.0.0", "-replace=redial=PATH", `db.Open("")`, "recorder.New", "transport.Transport", "/home/ana/redial.db")
		d.press("j", "enter", "n", "/", "w", "4", "1")
		s := story()
		d.store.change(func(f *fakeStore) { f.sessions, f.ended, f.running = s.sessions, s.ended, s.running })
		d.pass(100 * time.Millisecond)
		d.shows("● LIVE")
	})
}

func TestTheGreetingOpensTheFileThatWasNamed(t *testing.T) {
	onDashWith(t, &fakeStore{}, Options{Theme: "none", Open: `/tmp/ana's "calls".db`}, 110, 32, func(d *dash) {
		d.shows(`db.Open("/tmp/ana's \"calls\".db")`)
		d.hides(`db.Open("")`)
	})
}

func TestTheTerminalsAnswerChoosesTheThemeUnlessTheUserHas(t *testing.T) {
	light := tea.BackgroundColorMsg{Color: white{}}
	onDashWith(t, story(), Options{}, 110, 32, func(d *dash) {
		dark := d.frame()
		d.send(light)
		if d.model.scene.Theme.Name != "light" || d.frame() == dark {
			d.t.Error("a light terminal has no light theme")
		}
		d.press("t")
		chosen := d.model.scene.Theme.Name
		d.send(light)
		if d.model.scene.Theme.Name != chosen {
			d.t.Error("the terminal's answer undid what the user chose")
		}
	})
	onDashWith(t, story(), Options{Theme: "dark"}, 110, 32, func(d *dash) {
		d.send(light)
		if d.model.scene.Theme.Name != "dark" {
			d.t.Error("the terminal's answer undid the option")
		}
	})
}

// white is the background of a light terminal.
type white struct{}

func (white) RGBA() (r, g, b, a uint32) { return 0xffff, 0xffff, 0xffff, 0xffff }
