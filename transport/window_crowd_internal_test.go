package transport

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// throng is a crowd of callers who need some of several windows each, of whom some give up
// and some get their places back.
type throng struct {
	t    *testing.T
	hs   *hosts
	all  sync.WaitGroup
	mu   sync.Mutex
	dice *rand.Rand
	sent map[*window][]time.Duration // what was let through, and was not given back
}

func (c *throng) roll(n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dice.IntN(n)
}

// call lets one caller come.
func (c *throng) call() {
	u := &url.URL{Scheme: "http", Host: fmt.Sprintf("a.example.test:%d", 80+c.roll(3)), Path: "/"}
	r := &http.Request{URL: u, Header: http.Header{"Account": {fmt.Sprint(c.roll(3))}}}
	var cl claim
	c.hs.find(&cl, r, "/")
	patience := time.Duration(1+c.roll(20_000)) * time.Millisecond
	a := asking{most: time.Minute}
	if c.roll(2) == 0 {
		a.deadline = time.Now().Add(patience)
	}
	turn := c.hs.take(&cl, u, a)
	if turn.err != nil {
		return
	}
	if q := turn.waiter; q != nil {
		timer := time.NewTimer(patience)
		defer timer.Stop()
		select {
		case <-q.ready:
			if q.err != nil {
				return
			}
		case <-timer.C:
			cl.host.leave(q)
			return
		}
	}
	now := time.Since(c.hs.started)
	switch c.roll(10) {
	case 0:
		cl.host.giveBack(cl.slots)
		return
	case 1:
		c.hs.hear(&cl, u, news{at: time.Now(), pause: time.Duration(c.roll(3000)) * time.Millisecond})
	case 2:
		var n news
		n.at = time.Now()
		n.limits.add(limit{remaining: c.roll(4), resets: time.Duration(1+c.roll(5000)) * time.Millisecond})
		c.hs.hear(&cl, u, n)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range cl.slots {
		c.sent[cl.slots[i].window] = append(c.sent[cl.slots[i].window], now)
	}
}

// Whoever comes, gives up or gets its places back, and whatever the server says meanwhile:
// no window lets more through than it may, everybody is answered, and in the end nothing is
// held for anybody.
func TestCrowdsLeaveWindowsAsTheyWere(t *testing.T) {
	for seed := range uint64(30) {
		synctest.Test(t, func(t *testing.T) {
			account := func(r *http.Request) string { return r.Header.Get("Account") }
			c := &throng{t: t, dice: rand.New(rand.NewPCG(seed, 7)), sent: map[*window][]time.Duration{}}
			c.hs = newHosts([]Window{
				{Host: "a.example.test", Kind: SlidingWindow, Limit: 5, Per: time.Second},
				{Host: "a.example.test:81", Kind: FixedWindow, Limit: 3, Per: 2 * time.Second},
				{Kind: GCRA, Limit: 20, Per: 10 * time.Second, Burst: 4, Key: account},
				{Host: "a.example.test:82", Kind: SlidingWindow, Limit: 8, Per: 7 * time.Second, Key: account},
			}, true, new(clock))
			for range 300 {
				c.all.Go(c.call)
				if c.roll(3) == 0 {
					<-time.After(time.Duration(c.roll(200)) * time.Millisecond)
				}
			}
			c.all.Wait()
			<-time.After(time.Minute) // An alarm may be left of somebody who gave up.
			h := c.hs.named[0]
			h.mu.Lock()
			defer h.mu.Unlock()
			if n := c.waiting(h); n != 0 || len(h.agenda) != 0 || h.rings != 0 {
				t.Errorf("seed %d: %d wait, alarms %v at %v", seed, n, h.agenda, h.rings)
			}
			c.check(h)
		})
	}
}

func (c *throng) waiting(h *host) (n int) {
	for _, p := range h.ports {
		n += p.queue.len()
	}
	for _, k := range h.kept {
		k.each(func(w *window) bool {
			n += w.queue.len() + w.held + w.pins
			return true
		})
	}
	return n
}

// check compares what was let through with what each kind of window allows.
func (c *throng) check(h *host) {
	served := 0
	for _, k := range h.kept {
		k.each(func(w *window) bool {
			at := c.sent[w]
			slices.Sort(at)
			served += len(at)
			n, per := w.spec.Limit, w.spec.Per
			switch w.spec.Kind {
			case FixedWindow:
				n *= 2
			case GCRA:
				n += max(w.spec.Burst, 1) - 1
			}
			for i := n; i < len(at); i++ {
				if at[i]-at[i-n] < per {
					c.t.Errorf("%v: more than %d from %v to %v", w.spec.Kind, n, at[i-n], at[i])
				}
			}
			return true
		})
	}
	if served == 0 {
		c.t.Error("nobody was served")
	}
}
