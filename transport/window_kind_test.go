package transport_test

import (
	"fmt"
	"net"
	"net/http"
	"slices"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"redial/transport"
)

// arrive lets n callers come to a host now.
func (c *crowd) arrive(n int) {
	for i := range n {
		c.join("api.example.test", fmt.Sprint(i), 0)
	}
}

// A sliding window lets no more than its limit through around the boundary of a period
// either (plausible/analytics#6497, tower-rs/tower#842).
func TestSlidingWindowHoldsAtEveryMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, seen, _ := newCrowd(t, transport.Window{Host: "api.example.test", Kind: transport.SlidingWindow, Limit: 10, Per: time.Second})
		elapse(900 * time.Millisecond)
		c.arrive(10)
		elapse(200 * time.Millisecond)
		c.arrive(10)
		c.all.Wait()
		at := seen.times()
		if at[9] != 900*time.Millisecond || at[10] != 1900*time.Millisecond || at[19] != at[10] {
			t.Errorf("served at %v", at)
		}
	})
}

// Whatever the traffic, no stretch of one period has more than the limit.
func TestNoPeriodHasMoreThanTheLimit(t *testing.T) {
	for _, w := range []transport.Window{
		{Kind: transport.SlidingWindow, Limit: 3},
		{Kind: transport.SlidingWindow, Limit: 1},
		{Kind: transport.GCRA, Limit: 3},
		{Kind: transport.GCRA, Limit: 7},
	} {
		synctest.Test(t, func(t *testing.T) {
			w.Host, w.Per = "api.example.test", 10*time.Second
			c, seen, _ := newCrowd(t, w)
			for i := range 60 {
				c.join("api.example.test", fmt.Sprint(i), 0)
				elapse(time.Duration(i*i%37) * 100 * time.Millisecond)
			}
			c.all.Wait()
			at := seen.times()
			for i := w.Limit; i < len(at); i++ {
				if at[i]-at[i-w.Limit] < w.Per {
					t.Fatalf("%v, %d per %v: request %d at %v, and %d at %v", w.Kind, w.Limit, w.Per, i-w.Limit, at[i-w.Limit], i, at[i])
				}
			}
		})
	}
}

// A cell rate spreads requests evenly, but for the burst that it allows, also after an
// hour without any (uber-go/ratelimit#119, #106, #122).
func TestGCRASpreadsRequests(t *testing.T) {
	for burst, want := range map[int][]time.Duration{
		0: {0, 1, 2, 3, 4, 5},
		1: {0, 1, 2, 3, 4, 5},
		3: {0, 0, 0, 1, 2, 3},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, seen, _ := newCrowd(t, transport.Window{Host: "api.example.test", Kind: transport.GCRA, Limit: 10, Per: 10 * time.Second, Burst: burst})
			for range 2 {
				elapse(time.Hour)
				first, start := len(seen.times()), time.Since(seen.start)
				c.arrive(6)
				c.all.Wait()
				for i, at := range seen.times()[first:] {
					if at-start != want[i]*time.Second {
						t.Errorf("burst %d: request %d after %v, want %v", burst, i, at-start, want[i]*time.Second)
					}
				}
			}
		})
	}
}

// First come, first served, nobody who gives up leaves a hole, and what was taken in the
// moment of giving up is given back, whatever the kind (sidekiq#5315, golang/go#69419).
func TestEveryKindKeepsTheOrder(t *testing.T) {
	for _, kind := range []transport.WindowKind{transport.FixedWindow, transport.SlidingWindow, transport.GCRA} {
		synctest.Test(t, func(t *testing.T) {
			c, seen, _ := newCrowd(t, transport.Window{Host: "api.example.test", Kind: kind, Limit: 1, Per: time.Second})
			var giveUp []func()
			for i := range 60 {
				cancel := c.join("api.example.test", fmt.Sprintf("%03d", i), 0)
				if i%3 == 1 {
					giveUp = append(giveUp, cancel)
				}
			}
			for _, cancel := range giveUp[1:] {
				cancel()
				synctest.Wait()
			}
			time.AfterFunc(time.Second, giveUp[0]) // in the moment in which it may be let through
			c.all.Wait()
			n := len(seen.names())
			if n != 40 && n != 41 || !slices.IsSorted(seen.names()) {
				t.Errorf("%v: served %v", kind, seen.names())
			}
			if last := seen.times()[n-1]; last > time.Duration(n-1)*time.Second {
				t.Errorf("%v: %d were served, the last at %v", kind, n, last)
			}
		})
	}
}

// Who is cancelled beforehand takes no place of any kind (rreading-glasses#452, gkit#134).
func TestCancelledWaitsSpendNothing(t *testing.T) {
	for _, kind := range []transport.WindowKind{transport.FixedWindow, transport.SlidingWindow, transport.GCRA} {
		synctest.Test(t, func(t *testing.T) {
			c, seen, _ := newCrowd(t, transport.Window{Host: "api.example.test", Kind: kind, Limit: 1, Per: 10 * time.Second})
			c.join("api.example.test", "first", 0)
			for i := range 1000 {
				c.join("api.example.test", fmt.Sprint(i), 0)()
			}
			synctest.Wait()
			c.join("api.example.test", "second", 0)
			c.all.Wait()
			if at := seen.times(); len(at) != 2 || at[1] > 10*time.Second {
				t.Errorf("%v: %v served at %v", kind, seen.names(), at)
			}
		})
	}
}

// An attempt that provably never reached the server gives its place back; one of which
// nobody knows does not.
func TestPlacesOfWhatWasNotSentAreGivenBack(t *testing.T) {
	for _, kind := range []transport.WindowKind{transport.FixedWindow, transport.SlidingWindow, transport.GCRA} {
		for _, c := range []struct {
			name string
			fail func(*http.Request) (*http.Response, error)
			want time.Duration
		}{
			{"not sent", failure(&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}), 2 * time.Second},
			{"unknown", failure(errLost), 20 * time.Second},
		} {
			synctest.Test(t, func(t *testing.T) {
				base := newScript(c.fail, c.fail, status(200))
				rt := &transport.Transport{
					Base: base, Retry: plain(transport.Retry{Attempts: 3, Base: time.Second, Multiplier: 1}),
					Windows: []transport.Window{{Host: "api.example.test", Kind: kind, Limit: 1, Per: 10 * time.Second}},
				}
				code, _, err := get(t, rt, api)
				at := base.times()
				if code != 200 || err != nil || len(at) != 3 || at[2] > c.want || c.want > 10*time.Second && at[2] < 10*time.Second {
					t.Errorf("%v, %s: %d %v, requests at %v", kind, c.name, code, err, at)
				}
			})
		}
	}
}
