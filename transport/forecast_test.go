package transport_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
	"redial/transport"
)

// Who stands behind a caller that waits for another port waits for that port's window, too:
// the plan says so, and a deadline before that is refused at once.
func TestPlanFollowsWhatThoseAheadWaitFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, seen, j := newCrowd(t,
			transport.Window{Host: "api.example.test", Limit: 10, Per: time.Minute},
			transport.Window{Host: "api.example.test:81", Limit: 1, Per: time.Hour})
		c.join("api.example.test:81", "a", 0)
		c.join("api.example.test:81", "b", 0)
		hour := time.Until(j.windows()[1].Opens)
		c.join("api.example.test:83", "d", 0)
		c.join("api.example.test:83", "e", 10*time.Second)
		if err := c.err("e"); !errors.Is(err, context.DeadlineExceeded) || len(j.running()) != 2 {
			t.Errorf("the caller with a deadline got %v at once, %d wait", err, len(j.running()))
		}
		for _, call := range j.running() {
			w := call.Waits[0]
			want := ledger.Rule{Limit: 1, Per: time.Hour}
			if call.Path == "/d" {
				want.Ahead = 1
			}
			if w.Planned != hour || w.Rule != want {
				t.Errorf("%s waits %+v, want %v by %+v", call.Path, w, hour, want)
			}
		}
		c.all.Wait()
		if at := seen.times(); len(at) != 3 || at[2] != hour {
			t.Errorf("served %v at %v", seen.names(), at)
		}
	})
}

// Whatever windows a host has, a wait takes as long as was planned if nobody gives up.
func TestPlansComeTrue(t *testing.T) {
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			dice := rand.New(rand.NewPCG(seed, 0))
			windows := []transport.Window{{Host: "api.example.test", Limit: 1 + dice.IntN(4), Per: time.Duration(1+dice.IntN(20)) * time.Second}}
			for _, host := range []string{"api.example.test", "api.example.test:81", "api.example.test:82"} {
				windows = append(windows, transport.Window{Host: host, Limit: 1 + dice.IntN(3), Per: time.Duration(1+dice.IntN(60)) * time.Second})
			}
			c, _, j := newCrowd(t, windows[dice.IntN(2):]...)
			for i := range 40 {
				c.join(fmt.Sprintf("api.example.test:%d", 81+dice.IntN(3)), fmt.Sprint(i), 0)
				elapse(time.Duration(dice.IntN(5000)) * time.Millisecond)
			}
			c.all.Wait()
			for _, call := range j.all() {
				for _, w := range call.Waits {
					if w.Took != w.Planned || w.Planned <= 0 {
						t.Errorf("seed %d: %s%s planned %v and waited %v", seed, call.Host, call.Path, w.Planned, w.Took)
					}
				}
			}
		})
	}
}
