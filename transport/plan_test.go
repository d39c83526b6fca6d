package transport_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"redial/transport"
)

// randomCrowd lets 40 callers come to the ports of a host, each of which needs all windows of
// its port, and returns when all were served.
func randomCrowd(t *testing.T, dice *rand.Rand, windows ...transport.Window) *journal {
	c, _, j := newCrowd(t, windows...)
	for i := range 40 {
		c.join(fmt.Sprintf("api.example.test:%d", 81+dice.IntN(3)), fmt.Sprint(i), 0)
		elapse(time.Duration(dice.IntN(5000)) * time.Millisecond)
	}
	c.all.Wait()
	return j
}

// A wait for one window takes as long as was planned if nobody gives up, whatever its kind.
func TestPlansComeTrue(t *testing.T) {
	for _, kind := range []transport.WindowKind{transport.FixedWindow, transport.SlidingWindow, transport.GCRA} {
		for seed := range uint64(10) {
			synctest.Test(t, func(t *testing.T) {
				dice := rand.New(rand.NewPCG(seed, 0))
				w := transport.Window{Host: "api.example.test", Kind: kind, Limit: 1 + dice.IntN(4), Per: time.Duration(1+dice.IntN(20)) * time.Second}
				if kind == transport.GCRA {
					w.Burst = dice.IntN(4)
				}
				waited := 0
				for _, call := range randomCrowd(t, dice, w).all() {
					for _, wait := range call.Waits {
						waited++
						if wait.Took != wait.Planned || wait.Planned <= 0 {
							t.Errorf("%v, seed %d: %s planned %v and waited %v", kind, seed, call.Path, wait.Planned, wait.Took)
						}
					}
				}
				if waited == 0 && w.Per > 10*time.Second {
					t.Errorf("%+v: nobody waited", w)
				}
			})
		}
	}
}

// With several windows the plan is an estimate: callers who need the same ones wait at
// least as long as that, since each of the windows makes them.
func TestPlansWithSeveralWindowsAreNotTooLong(t *testing.T) {
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			dice := rand.New(rand.NewPCG(seed, 1))
			windows := make([]transport.Window, 3)
			for i := range windows {
				windows[i] = transport.Window{
					Host: "api.example.test", Kind: transport.WindowKind(dice.IntN(3)),
					Limit: 1 + dice.IntN(4), Per: time.Duration(1+dice.IntN(30)) * time.Second,
				}
			}
			for _, call := range randomCrowd(t, dice, windows...).all() {
				for _, wait := range call.Waits {
					if wait.Took < wait.Planned || wait.Planned <= 0 {
						t.Errorf("seed %d: %s planned %v and waited %v", seed, call.Path, wait.Planned, wait.Took)
					}
				}
			}
		})
	}
}
