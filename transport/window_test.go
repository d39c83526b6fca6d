package transport_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
	"redial/transport"
)

// crowd sends requests from goroutines that join the queue one after another.
type crowd struct {
	t    *testing.T
	rt   *transport.Transport
	all  sync.WaitGroup
	errs sync.Map // by name
}

// join starts a request to a path of host, and returns when it has been sent or waits.
// Calling the returned function gives it up.
func (c *crowd) join(host, name string, deadline time.Duration) context.CancelFunc {
	ctx, cancel := context.WithCancel(c.t.Context())
	if deadline > 0 {
		ctx, cancel = context.WithTimeout(c.t.Context(), deadline)
	}
	c.all.Go(func() {
		defer cancel()
		req, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+host+"/"+name, nil)
		_, _, err := finish(c.rt.RoundTrip(req))
		c.errs.Store(name, err)
	})
	synctest.Wait()
	return cancel
}

func (c *crowd) err(name string) error {
	err, _ := c.errs.Load(name)
	e, _ := err.(error)
	return e
}

// paths is a base transport that notes the paths it is asked for.
func paths(seen *arrivals) baseFunc {
	return func(r *http.Request) (*http.Response, error) {
		seen.note(strings.TrimPrefix(r.URL.Path, "/"))
		return answer(r, 200, ""), nil
	}
}

func newCrowd(t *testing.T, windows ...transport.Window) (*crowd, *arrivals, *journal) {
	seen, j := newArrivals(), newJournal()
	return &crowd{t: t, rt: &transport.Transport{Base: paths(seen), Recorder: j, Windows: windows}}, seen, j
}

// (sidekiq#5315, guava#1754.)
func TestFirstComeFirstServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, seen, _ := newCrowd(t, transport.Window{Host: "api.example.test", Limit: 1, Per: time.Second})
		for i := range 100 {
			c.join("api.example.test", fmt.Sprintf("%03d", i), 0)
		}
		c.all.Wait()
		if len(seen.names()) != 100 || !slices.IsSorted(seen.names()) {
			t.Errorf("served as %v", seen.names())
		}
		if last := seen.times()[99]; last > 100*time.Second {
			t.Errorf("the last waited %v", last)
		}
	})
}

// Those behind a waiter that gives up move forward (golang/go#69419, #56924).
func TestGivingUpLeavesNoHole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, seen, j := newCrowd(t, transport.Window{Host: "api.example.test", Limit: 2, Per: 10 * time.Second})
		c.join("api.example.test", "a", 0)
		c.join("api.example.test", "b", 0)
		giveUp := c.join("api.example.test", "c", 0)
		for _, name := range []string{"d", "e", "f"} {
			c.join("api.example.test", name, 0)
		}
		giveUp()
		synctest.Wait()
		if w := j.windows()[0]; w.Waiting != 3 || w.Used != 2 || w.Since.IsZero() {
			t.Errorf("window %+v", w)
		}
		c.all.Wait()
		who, at := seen.names(), seen.times()
		slices.Sort(who[2:4]) // two that were let through at the same moment
		if want := []string{"a", "b", "d", "e", "f"}; !slices.Equal(who, want) || at[2] != at[3] || at[4]-at[2] != 10*time.Second {
			t.Errorf("served %v at %v", who, at)
		}
		if err := c.err("c"); !errors.Is(err, context.Canceled) {
			t.Errorf("the one that gave up got %v", err)
		}
	})
}

// Cancelled in the very moment in which it is let through, a caller gives its place back.
func TestGivingUpAtTheOpeningSpendsNothing(t *testing.T) {
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			c, seen, j := newCrowd(t, transport.Window{Host: "api.example.test", Limit: 1, Per: time.Second})
			c.join("api.example.test", "a", 0)
			cancel := c.join("api.example.test", "b", 0)
			c.join("api.example.test", "c", 0)
			time.AfterFunc(time.Until(j.windows()[0].Opens), cancel)
			c.all.Wait()
			want := []string{"a", "c"}
			if c.err("b") == nil {
				want = []string{"a", "b", "c"}
			}
			if !slices.Equal(seen.names(), want) || seen.times()[len(want)-1] > time.Duration(len(want)-1)*time.Second {
				t.Errorf("served %v at %v, b got %v", seen.names(), seen.times(), c.err("b"))
			}
		})
	}
}

// Two windows on one host are taken together or not at all.
func TestSeveralWindowsAreTakenTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, seen, j := newCrowd(t,
			transport.Window{Host: "api.example.test", Limit: 2, Per: time.Second},
			transport.Window{Host: "API.example.test", Limit: 3, Per: time.Minute})
		for i := range 7 {
			c.join("api.example.test", fmt.Sprint(i), 0)
		}
		for _, w := range j.windows() {
			if w.Used > 2 { // the third waits for the shorter one and has taken nothing of the longer
				t.Errorf("window %+v", w)
			}
		}
		c.all.Wait()
		perSecond, perMinute := map[int64]int{}, map[int64]int{}
		for _, at := range seen.times() {
			perSecond[seen.start.Add(at).Unix()]++
			perMinute[seen.start.Add(at).Unix()/60]++
		}
		for s, n := range perSecond {
			if n > 2 {
				t.Errorf("second %d had %d", s, n)
			}
		}
		for m, n := range perMinute {
			if n > 3 {
				t.Errorf("minute %d had %d", m, n)
			}
		}
		if len(perMinute) != 3 || len(seen.names()) != 7 {
			t.Errorf("served %v at %v", seen.names(), seen.times())
		}
	})
}

// A window with a port holds for that port, one without for all of them. Somebody who
// waits for one port holds up nobody at another, unless they share a window.
func TestWindowsByPort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, seen, j := newCrowd(t,
			transport.Window{Host: "api.example.test:8443", Limit: 1, Per: time.Hour},
			transport.Window{Host: "api.example.test:80", Limit: 2, Per: time.Hour})
		for _, name := range []string{"a", "b"} {
			c.join("api.example.test:8443", name, 2*time.Hour)
		}
		for _, name := range []string{"c", "d"} {
			c.join("API.Example.Test", name, 2*time.Hour) // port 80 is http's own
		}
		c.join("api.example.test:9999", "e", 0)
		c.join("other.example.test", "f", 0)
		if want := []string{"a", "c", "d", "e", "f"}; !slices.Equal(seen.names(), want) {
			t.Errorf("served at once: %v, want %v", seen.names(), want)
		}
		hosts := []string{}
		for _, w := range j.windows() {
			hosts = append(hosts, w.Host)
		}
		if want := []string{"api.example.test:8443", "api.example.test:80"}; !slices.Equal(hosts, want) {
			t.Errorf("windows of %v", hosts)
		}
		c.all.Wait()
	})
}

// However a host is spelled, it is the same host.
func TestSpellingsShareAWindow(t *testing.T) {
	for _, window := range []string{"api.example.test", "API.example.test.", "api.example.test:80", "api.example.test.:80"} {
		base := newScript(status(200))
		rt := &transport.Transport{Base: base, Windows: []transport.Window{{Host: window, Limit: 1, Per: 240 * time.Hour}}}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		for i, host := range []string{"api.example.test", "api.example.test.", "Api.Example.Test", "api.example.test:80", "API.example.test.:80"} {
			r, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+host, nil)
			if _, _, err := finish(rt.RoundTrip(r)); (err == nil) != (i == 0) {
				t.Errorf("window of %s, request %d, to %s: %v", window, i+1, host, err)
			}
		}
		cancel()
	}
}

// Every attempt is a request, and takes a place.
func TestRetriesTakePlacesToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := newScript(status(503))
		j := newJournal()
		rt := &transport.Transport{
			Base: base, Recorder: j, Retry: transport.Retry{Attempts: 5, Base: 1},
			Windows: []transport.Window{{Host: "api.example.test", Limit: 2, Per: 10 * time.Second}},
		}
		get(t, rt, api)
		perWindow := map[int64]int{}
		for _, at := range base.times() {
			perWindow[base.start.Add(at).Unix()/10]++
		}
		if len(base.times()) != 5 || len(perWindow) != 3 {
			t.Errorf("requests at %v", base.times())
		}
		call := j.only(t)
		if !call.WaitedFor.Has(ledger.WindowWait) || !call.WaitedFor.Has(ledger.BackoffWait) {
			t.Errorf("waits %+v", call.Waits)
		}
	})
}

// What it waits for, behind how many, and for how long is on record while it lasts.
func TestWindowWaitIsSeenWhileItLasts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _, j := newCrowd(t, transport.Window{Host: "api.example.test", Limit: 2, Per: 10 * time.Second})
		for i := range 7 {
			c.join("api.example.test", fmt.Sprint(i), 0)
		}
		elapse(time.Second)
		running := j.running()
		if len(running) != 5 {
			t.Fatalf("%d calls run, want 5", len(running))
		}
		slices.SortFunc(running, func(a, b ledger.Call) int { return strings.Compare(a.Path, b.Path) })
		opens := time.Until(j.windows()[0].Opens)
		for i, call := range running {
			w := call.Waits[0]
			planned := opens + time.Second + time.Duration(i/2)*10*time.Second
			if call.State != ledger.Waiting || w.Kind != ledger.WindowWait || w.Before != 1 || w.Took != 0 || w.Planned != planned {
				t.Errorf("%s is %v, wait %+v, want %v", call.Path, call.State, w, planned)
			}
			if want := (ledger.Rule{Limit: 2, Per: 10 * time.Second, Ahead: i}); w.Rule != want {
				t.Errorf("rule %+v, want %+v", w.Rule, want)
			}
			if call.Waited != 0 || call.Attempts != 0 || call.Outcome != ledger.NoOutcome {
				t.Errorf("summary %+v", call)
			}
		}
		c.all.Wait()
		for _, call := range j.all() {
			for _, w := range call.Waits {
				if a := call.AttemptList[0]; w.Took != w.Planned || a.Start != w.Start+w.Took {
					t.Errorf("planned %v, took %v, and the attempt began at %v", w.Planned, w.Took, a.Start)
				}
			}
		}
	})
}

// A window that certainly opens after the deadline is not waited for; one that may open
// earlier because others give up is.
func TestWindowAndDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, seen, j := newCrowd(t, transport.Window{Host: "api.example.test", Limit: 1, Per: 10 * time.Second})
		c.join("api.example.test", "a", 0)
		left := time.Until(j.windows()[0].Opens)
		c.join("api.example.test", "too late", left)
		if err := c.err("too late"); !errors.Is(err, context.DeadlineExceeded) || len(j.running()) != 0 {
			t.Errorf("got %v at once", err)
		}
		giveUp := c.join("api.example.test", "b", 0)
		c.join("api.example.test", "c", left+time.Second)
		giveUp()
		c.all.Wait()
		if !slices.Equal(seen.names(), []string{"a", "c"}) {
			t.Errorf("served %v", seen.names())
		}
	})
}

// The next attempt's window counts: it is known while the response is still open.
func TestWindowAfterTheDeadlineReturnsTheResponse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := newScript(status(503))
		j := newJournal()
		rt := &transport.Transport{
			Base: base, Recorder: j, Retry: transport.Retry{Attempts: 2, Base: 1},
			Windows: []transport.Window{{Host: "api.example.test", Limit: 1, Per: 240 * time.Hour}},
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		req, _ := http.NewRequestWithContext(ctx, http.MethodGet, api, nil)
		if code, body, err := finish(rt.RoundTrip(req)); code != 503 || body != "body" || err != nil || time.Since(base.start) != 0 {
			t.Errorf("%d %q %v", code, body, err)
		}
		if d := decisions(j.only(t)); d[0] != ledger.DeadlineTooSoon {
			t.Errorf("decided %v", d)
		}
	})
}

// The limit of a policy ends the wait of a later attempt for a window.
func TestLimitEndsAWaitForAWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := newScript(failure(errLost))
		rt := &transport.Transport{
			Base: base, Retry: plain(transport.Retry{Attempts: 9, Base: time.Second, Limit: 25 * time.Second}),
			Windows: []transport.Window{{Host: "api.example.test", Limit: 1, Per: 10 * time.Second}},
		}
		var all sync.WaitGroup
		for range 5 { // so many share the window that most do not get through twice
			all.Go(func() {
				if _, _, err := get(t, rt, api); !errors.Is(err, errLost) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if last := base.times()[len(base.times())-1]; last > 50*time.Second {
			t.Errorf("requests at %v", base.times())
		}
	})
}

// A fixed window lets twice its limit through around a boundary, by design and as
// documented, and never more within one window (plausible/analytics#6497).
func TestBoundaryOfAFixedWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, seen, _ := newCrowd(t, transport.Window{Host: "api.example.test", Limit: 10, Per: time.Second})
		elapse(900 * time.Millisecond)
		for i := range 10 {
			c.join("api.example.test", fmt.Sprint(i), 0)
		}
		elapse(200 * time.Millisecond)
		for i := range 15 {
			c.join("api.example.test", fmt.Sprint(i), 0)
		}
		c.all.Wait()
		var first, second, third int
		for _, at := range seen.times() {
			switch at / time.Second {
			case 0:
				first++
			case 1:
				second++
			case 2:
				third++
			}
		}
		if first != 10 || second != 10 || third != 5 {
			t.Errorf("%d, %d, %d in three windows", first, second, third)
		}
	})
}
