package transport

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// takes tells when a window let requests through while two clocks ran as clocks says and a
// caller asked at every step.
func takes(w meter, steps int, clocks func(step int) (wall int64, mono time.Duration), note func(wall int64)) (at []time.Duration) {
	for i := range steps {
		wall, mono := clocks(i)
		w.roll(wall, mono)
		for w.room(mono) > 0 {
			w.spend(mono)
			at = append(at, mono)
			note(wall)
		}
	}
	return at
}

// Whatever somebody does to the wall clock, in any stretch of one period there are at
// most as many requests as a fixed window lets through around a boundary, and the next
// window comes within two periods (facebook/rocksdb#1865).
func TestClockJumpsNeitherStallNorBurst(t *testing.T) {
	const (
		limit = 3
		per   = 10 * time.Second
		step  = 100 * time.Millisecond
		start = int64(1_767_225_540e9)
	)
	for _, c := range []struct {
		name    string
		regular bool // the wall clock is never set
		offset  func(i int) time.Duration
	}{
		{"steady", true, func(int) time.Duration { return 0 }},
		{"slewed fast", true, func(i int) time.Duration { return time.Duration(i) * step / 2000 }},
		{"slewed slow", true, func(i int) time.Duration { return -time.Duration(i) * step / 2000 }},
		{"jittery readings", true, func(int) time.Duration { return time.Duration(rand.Int64N(200)) }},
		{"an hour forward", false, func(i int) time.Duration { return when(i > 333, time.Hour) }},
		{"an hour back", false, func(i int) time.Duration { return when(i > 333, -time.Hour) }},
		{"4 s forward", false, func(i int) time.Duration { return when(i > 333, 4*time.Second) }},
		{"4 s back", false, func(i int) time.Duration { return when(i > 333, -4*time.Second) }},
		{"to 1969", false, func(i int) time.Duration { return when(i > 333, -time.Duration(start)-time.Hour) }},
		{"back and forth", false, func(i int) time.Duration { return time.Duration(i/50%2) * 7 * time.Second }},
		{"forward each time", false, func(i int) time.Duration { return time.Duration(i) * 3 * time.Second }},
		{"at random", false, func(int) time.Duration { return time.Duration(rand.Int64N(int64(time.Hour))) }},
	} {
		w := &fixed{limit: limit, per: per}
		perWall := map[int64]int{} // requests by the window that the wall clock names
		at := takes(w, 3000, func(i int) (int64, time.Duration) {
			mono := time.Duration(i) * step
			return start + int64(mono) + int64(c.offset(i)), mono
		}, func(wall int64) { perWall[wall/int64(per)]++ })
		most := 2*per + step
		if c.regular {
			most = per + per/64 + step
			for n, count := range perWall {
				if count > limit {
					t.Errorf("%s: %d requests in window %d", c.name, count, n)
				}
			}
		}
		opened := slices.Compact(slices.Clone(at))
		for i := 1; i < len(opened); i++ {
			gap := opened[i] - opened[i-1]
			if gap > most {
				t.Errorf("%s: stalled from %v to %v", c.name, opened[i-1], opened[i])
			}
			if i > 1 && gap < per-per/64-step {
				t.Errorf("%s: windows opened at %v and again at %v", c.name, opened[i-1], opened[i])
			}
		}
		if len(at) < limit*3000*int(step)/int(2*per+step) {
			t.Errorf("%s: only %d requests in %v", c.name, len(at), 3000*step)
		}
	}
}

func when(yes bool, d time.Duration) time.Duration {
	if yes {
		return d
	}
	return 0
}

// A window begins at a multiple of its length in Unix time, also before 1970.
func TestWindowsAreAligned(t *testing.T) {
	for _, wall := range []int64{1_767_225_540e9 + 123, 4_500_000_000 * 7, -1, -4_500_000_001, 0} {
		w := &fixed{limit: 1, per: 4500 * time.Millisecond}
		w.roll(wall, 100*time.Second)
		end := wall + int64(w.end-100*time.Second)
		if end%int64(w.per) != 0 || end <= wall || end > wall+int64(w.per) {
			t.Errorf("at %d the window ends at %d", wall, end)
		}
	}
}

// After a clock was set, the windows line up with it again.
func TestWindowsAlignAgainAfterAJump(t *testing.T) {
	w := &fixed{limit: 1, per: 10 * time.Second}
	start := int64(1_767_225_540e9)
	for i := range 500 {
		mono := time.Duration(i) * 100 * time.Millisecond
		w.roll(start+int64(mono)+int64(when(i > 100, 3*time.Second)), mono)
	}
	mono := 50 * time.Second
	if end := start + int64(w.end) + int64(3*time.Second); end%int64(w.per) != 0 || w.end < mono-w.per {
		t.Errorf("the window ends at %d", end)
	}
}

// However long a window was idle, it lets no more through than it ever does at once
// (uber-go/ratelimit#119, #106, #122).
func TestIdleDoesNotSaveUp(t *testing.T) {
	for _, c := range []struct {
		window Window
		want   int
	}{
		{Window{Limit: 5, Per: time.Second}, 5},
		{Window{Kind: SlidingWindow, Limit: 5, Per: time.Second}, 5},
		{Window{Kind: GCRA, Limit: 5, Per: time.Second}, 1},
		{Window{Kind: GCRA, Limit: 5, Per: time.Second, Burst: 3}, 3},
	} {
		m := newMeter(&c.window)
		m.roll(0, 0)
		for range c.want {
			m.spend(0)
		}
		if n := m.room(0); n != 0 {
			t.Errorf("%v: %d free, all was taken", c.window, n)
		}
		m.roll(int64(time.Hour), time.Hour)
		if n := m.room(time.Hour); n != c.want || !m.idle(time.Hour) {
			t.Errorf("%v: %d free after an idle hour, want %d", c.window, n, c.want)
		}
	}
}

// However long the queue and the windows, the estimate neither overflows nor shrinks.
func TestLongestEstimate(t *testing.T) {
	for _, kind := range []WindowKind{FixedWindow, SlidingWindow, GCRA} {
		for _, per := range []time.Duration{1, time.Second, maxWait / 2, maxWait} {
			for _, limit := range []int{1, 3, 5000, 1 << 40} {
				m := newMeter(&Window{Kind: kind, Limit: limit, Per: per})
				m.roll(0, 0)
				for range min(limit, 10_000) {
					m.spend(0)
				}
				last := time.Duration(0)
				for _, ahead := range []int{0, 1, 2, limit - 1, limit, 1 << 40, 1 << 62} {
					got := m.after(ahead, 0)
					if got < 0 || ahead > 0 && got < last && ahead != limit-1 {
						t.Errorf("%v, %d per %v, behind %d: %v after %v", kind, limit, per, ahead, got, last)
					}
					last = got
				}
			}
		}
	}
	w := &fixed{limit: 1, per: maxWait / 2}
	w.roll(0, 0)
	w.spend(0)
	for ahead, want := range map[int]time.Duration{0: maxWait / 2, 1: maxWait - 1, 2: maxWait, 1 << 40: maxWait} {
		if got := w.after(ahead, 0); got != want {
			t.Errorf("behind %d: %v, want %v", ahead, got, want)
		}
	}
}

func TestSplitHost(t *testing.T) {
	for host, want := range map[string]string{
		"API.Example.test": "api.example.test|", "a.example.test:80": "a.example.test|80",
		"A.example.test.": "a.example.test|", "a.example.test.:80": "a.example.test|80",
		"::1": "::1|", "[::1]": "::1|", "[FE80::1]:8080": "fe80::1|8080",
	} {
		name, port, ok := splitHost(host)
		if got := strings.Join([]string{name, port}, "|"); got != want || !ok {
			t.Errorf("%s: %s %v, want %s", host, got, ok, want)
		}
	}
}

// Whoever comes first after a window has opened lets the waiters through, so that nobody
// depends on the timer being the first.
func TestWaitersDoNotDependOnTheTimer(t *testing.T) {
	for name, come := range map[string]func(hs *hosts, c *claim, last *waiter){
		"another caller": func(hs *hosts, c *claim, _ *waiter) { hs.take(c, nil, asking{}) },
		"a look":         func(hs *hosts, _ *claim, _ *waiter) { hs.appendState(nil) },
		"a plan":         func(hs *hosts, c *claim, _ *waiter) { hs.outlook(c, nil) },
		"one who leaves": func(hs *hosts, _ *claim, last *waiter) { hs.named[0].leave(last) },
	} {
		for _, kind := range []WindowKind{FixedWindow, SlidingWindow, GCRA} {
			t.Run(name+" "+kind.String(), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					hs := newHosts([]Window{{Host: "a.example.test", Kind: kind, Limit: 1, Per: time.Second}}, false, new(clock))
					claims := make([]claim, 5)
					for i := range claims {
						claims[i] = claim{server: server{"a.example.test", "80"}, slots: []slot{{}}}
					}
					hs.take(&claims[0], nil, asking{})
					first := hs.take(&claims[1], nil, asking{}).waiter
					second := hs.take(&claims[2], nil, asking{}).waiter
					third := hs.take(&claims[3], nil, asking{}).waiter
					hs.named[0].mu.Lock()
					hs.named[0].timer.Stop()
					hs.named[0].mu.Unlock()
					<-time.After(1500 * time.Millisecond)
					come(hs, &claims[4], third)
					select {
					case <-first.ready:
					default:
						t.Fatal("the window opened, and the first waiter still waits")
					}
					<-second.ready // hangs if the timer was not set again
				})
			})
		}
	}
}
