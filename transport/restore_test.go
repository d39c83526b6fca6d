package transport_test

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
	"redial/transport"
)

// restart hands what one transport's windows look like to another, as a recorder does.
func restart(t *testing.T, before, after *journal) {
	t.Helper()
	for _, l := range after.watched() {
		l.(ledger.Restorer).RestoreWindows(before.windows())
	}
}

// A restart does not forget what was used: it goes on as if there had been none, whatever
// the kind.
func TestRestartGoesOnWithTheWindows(t *testing.T) {
	for _, kind := range []transport.WindowKind{transport.FixedWindow, transport.SlidingWindow, transport.GCRA} {
		for _, key := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				w := transport.Window{Host: "api.example.test:80", Path: "/{any}", Kind: kind, Limit: 3, Per: 30 * time.Second}
				if kind == transport.GCRA {
					w.Burst = 2
				}
				if key {
					w.Key = header("Account")
				}
				before, _, old := newCrowd(t, w)
				elapse(7 * time.Second)
				for i := range 5 {
					before.joinAs("one", "api.example.test", fmt.Sprint(i))
				}
				elapse(time.Second)
				after, seen, j := newCrowd(t, w)
				after.rt.Validate() // the first use
				restart(t, old, j)
				start := time.Now()
				for i := range 3 {
					after.joinAs("one", "api.example.test", fmt.Sprint(i))
				}
				after.all.Wait()
				least := map[transport.WindowKind]time.Duration{transport.FixedWindow: 22 * time.Second, transport.SlidingWindow: 29 * time.Second, transport.GCRA: 9 * time.Second}[kind]
				if first := seen.start.Add(seen.times()[0]).Sub(start); first != least {
					t.Errorf("%v, key %v: the first went after %v, want %v", kind, key, first, least)
				}
				before.all.Wait()
			})
		}
	}
}

// What is restored adds to what was used since, and never widens a window.
func TestRestoreOnlyNarrows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := minutely(transport.FixedWindow, 5)
		c, seen, j := newCrowd(t, w)
		for i := range 2 {
			c.join("api.example.test", fmt.Sprint(i), 0)
		}
		restore := func(change func(*ledger.Window)) {
			s := j.windows()[0]
			s.Used = 0
			change(&s)
			j.watched()[0].(ledger.Restorer).RestoreWindows([]ledger.Window{s})
		}
		for name, change := range map[string]func(*ledger.Window){
			"another host":   func(s *ledger.Window) { s.Host, s.Used = "other.example.test", 5 },
			"another port":   func(s *ledger.Window) { s.Host, s.Used = "api.example.test:81", 5 },
			"another name":   func(s *ledger.Window) { s.Name, s.Used = "/items/", 5 },
			"another kind":   func(s *ledger.Window) { s.Kind, s.Used = ledger.SlidingWindow, 5 },
			"another limit":  func(s *ledger.Window) { s.Limit, s.Used = 6, 5 },
			"another period": func(s *ledger.Window) { s.Per, s.Used = time.Hour, 5 },
			"over":           func(s *ledger.Window) { s.Used, s.Opens = 5, time.Now() },
			"negative":       func(s *ledger.Window) { s.Used = -7 },
			"nonsense":       func(s *ledger.Window) { s.Host = "(others)" },
		} {
			restore(change)
			if got := j.windows()[0]; got.Used != 2 {
				t.Errorf("%s: %+v", name, got)
			}
		}
		restore(func(s *ledger.Window) { s.Used = 2 })
		if got := j.windows()[0]; got.Used != 4 {
			t.Errorf("two and two are %d", got.Used)
		}
		restore(func(s *ledger.Window) { s.Used = math.MaxInt })
		if got := j.windows()[0]; got.Used != 5 {
			t.Errorf("all are %d", got.Used)
		}
		c.join("api.example.test", "last", 0)
		c.all.Wait()
		if at := seen.times(); at[2] > time.Minute {
			t.Errorf("served at %v", at)
		}
	})
}

// Clocks are set between sessions, and files go bad: no window is full for longer than one
// period, and no pause lasts longer than a day (facebook/rocksdb#1865).
func TestRestoreBelievesNoAgeThatCannotBe(t *testing.T) {
	for _, kind := range []transport.WindowKind{transport.FixedWindow, transport.SlidingWindow, transport.GCRA} {
		for _, off := range []time.Duration{-math.MaxInt64, -time.Hour, -time.Minute, -time.Second, 0, time.Second, time.Minute, time.Hour, 200 * 365 * 24 * time.Hour, math.MaxInt64} {
			synctest.Test(t, func(t *testing.T) {
				w := minutely(kind, 4)
				c, seen, j := newCrowd(t, w)
				c.rt.Validate()
				at := time.Now().Add(off)
				j.watched()[0].(ledger.Restorer).RestoreWindows([]ledger.Window{
					{Host: w.Host, Kind: kind, Limit: w.Limit, Per: w.Per, Used: 4, Opens: at},
				})
				for i := range 4 {
					c.join("api.example.test", fmt.Sprint(i), 0)
				}
				c.all.Wait()
				last := seen.times()[3]
				if last > time.Minute+time.Second || off <= -2*time.Minute && last != 0 {
					t.Errorf("%v, off by %v: served at %v", kind, off, seen.times())
				}
			})
		}
	}
	synctest.Test(t, func(t *testing.T) {
		j := newJournal()
		base := newScript(status(200))
		rt := &transport.Transport{Base: base, Recorder: j, Retry: twice}
		rt.Validate()
		j.watched()[0].(ledger.Restorer).RestoreWindows([]ledger.Window{
			{Host: "api.example.test", Paused: time.Now().Add(300 * 24 * time.Hour)},
		})
		var paused *transport.PausedError
		if _, _, err := get(t, rt, api); !errors.As(err, &paused) || time.Until(paused.Until) != 24*time.Hour {
			t.Errorf("got %v", err)
		}
	})
}

// Pauses and what servers declared outlast a restart as well.
func TestRestartKeepsPausesAndDeclarations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		says := replies{
			"paused": status(429, "Retry-After", "40"), "left": status(200, "RateLimit", `"d";r=1;t=30`),
			"none": status(200, "RateLimit", `"d";r=0;t=20`),
		}
		make := func() (*crowd, *replier, *journal) {
			return newShop(t, &transport.Transport{
				Retry:   transport.Retry{Attempts: 2, Base: time.Hour, Max: time.Hour, MaxRetryAfter: 50 * time.Second},
				Windows: []transport.Window{{Host: "left.example.test", Limit: 10, Per: time.Minute}},
			}, says)
		}
		before, _, old := make()
		before.join("paused.example.test:8443", "paused", 39*time.Second)
		before.join("left.example.test", "left", 0)
		before.join("none.example.test", "none", 0)
		elapse(5 * time.Second)
		after, v, j := make()
		after.rt.Validate()
		restart(t, old, j)
		for _, name := range []string{"1", "2"} {
			after.join("paused.example.test:8443", "p"+name, 0)
			after.join("left.example.test", "l"+name, 0)
			after.join("none.example.test", "n"+name, 0)
		}
		after.join("paused.example.test:80", "another port", 0)
		shown := []string{}
		for _, w := range j.windows() {
			shown = append(shown, fmt.Sprintf("%s %d %v %v", w.Host, w.Limit, w.Paused.Sub(v.start.Round(0)), w.Declared.Remaining))
		}
		slices.Sort(shown)
		if want := 3; len(shown) != want {
			t.Errorf("windows %q, want %d", shown, want)
		}
		after.all.Wait()
		want := map[string]time.Duration{"p1": 35, "p2": 35, "l1": 0, "l2": 25, "n1": 0, "n2": 0, "another port": 0}
		for i, who := range v.names() {
			if at := v.times()[i]; at != want[who]*time.Second {
				t.Errorf("%s at %v, want %v", who, at, want[who]*time.Second)
			}
		}
		before.all.Wait()
	})
}

// A window that was closed by what the server said of one account is closed again, and no
// other account's is.
func TestRestartKeepsAccountsApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		make := func() (*crowd, *replier, *journal) {
			return newShop(t, &transport.Transport{
				Windows: []transport.Window{{Host: "api.example.test", Limit: 10, Per: time.Minute, Key: header("Account")}},
			}, replies{"none": status(200, "RateLimit", `"d";r=0;t=20`)})
		}
		before, _, old := make()
		before.joinAs("a", "api.example.test", "none")
		after, v, j := make()
		after.rt.Validate()
		restart(t, old, j)
		after.joinAs("a", "api.example.test", "of a")
		after.joinAs("b", "api.example.test", "of b")
		after.all.Wait()
		if at := v.times(); v.names()[0] != "of b" || at[0] != 0 || at[1] != 20*time.Second {
			t.Errorf("%v at %v", v.names(), at)
		}
	})
}

// What other sessions used may be told while requests are under way.
func TestRestoreWhileRequestsRun(t *testing.T) {
	j := newJournal()
	rt := &transport.Transport{Base: newScript(status(200)), Recorder: j, Windows: []transport.Window{{Limit: 1000, Per: time.Millisecond, Key: header("Account")}}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 500 {
			req, _ := http.NewRequest(http.MethodGet, api, nil)
			req.Header.Set("Account", fmt.Sprint(i%7))
			finish(rt.RoundTrip(req))
		}
	}()
	for {
		select {
		case <-done:
			return
		default:
			for _, l := range j.watched() {
				l.(ledger.Restorer).RestoreWindows(j.windows())
			}
		}
	}
}
