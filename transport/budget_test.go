package transport_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
	"redial/transport"
)

// meter sends calls one after another to a base that answers as it is told to, and counts
// what that was asked.
type meter struct {
	*transport.Transport
	mu     sync.Mutex
	answer func(*http.Request) (*http.Response, error)
	asked  int
	*journal
}

func newMeter(b transport.Budget) *meter {
	m := &meter{journal: newJournal()}
	base := func(r *http.Request) (*http.Response, error) {
		sink(r)
		m.mu.Lock()
		m.asked++
		answer := m.answer
		m.mu.Unlock()
		return answer(r)
	}
	retry := plain(transport.Retry{Attempts: 3, Base: time.Millisecond, Multiplier: 1})
	m.Transport = &transport.Transport{Base: baseFunc(base), Recorder: m.journal, Retry: retry, Budget: b}
	return m
}

// send makes n calls, and returns how many requests they were.
func (m *meter) send(t *testing.T, n int, url string, answer func(*http.Request) (*http.Response, error)) int {
	t.Helper()
	m.answer = answer
	before := m.asked
	for range n {
		get(t, m.Transport, url)
	}
	return m.asked - before
}

// last returns the last decision on record.
func (m *meter) last() ledger.Decision {
	calls := m.all()
	ds := decisions(calls[len(calls)-1])
	return ds[len(ds)-1]
}

// hourly earns so little that in a test it is nothing.
var hourly = transport.Budget{Burst: 10, PerSecond: 1.0 / 3600}

// A host that fails is sent no multiple of its load for long: all calls are made, and
// retries only as far as the budget goes.
func TestAHostThatFailsIsNotSentAMultiple(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMeter(transport.Budget{})
		began := time.Now()
		requests := m.send(t, 1000, api, status(503))
		earned := int(10 * time.Since(began).Seconds())
		if most := 1000 + 100 + earned; requests > most || requests < most-2 {
			t.Errorf("%d requests in %v, want %d", requests, time.Since(began), most)
		}
	})
}

// What cannot be paid for is not waited for, and the last result is returned as it is
// (failsafe-go#139, #141).
func TestARefusalByTheBudgetReturnsTheLastResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMeter(hourly)
		m.send(t, 5, api, status(503))
		began := time.Now()
		code, body, err := get(t, m.Transport, api)
		if code != 503 || body != "body" || err != nil || time.Since(began) != 0 {
			t.Errorf("%d %q %v after %v", code, body, err, time.Since(began))
		}
		call := m.all()[5]
		if d := decisions(call); len(d) != 1 || d[0] != ledger.BudgetSpent || len(call.Waits) != 0 {
			t.Errorf("decided %v, waits %v", d, call.Waits)
		}
		if words := ledger.Explain(&call, &call.AttemptList[0]); !strings.Contains(words, "budget") {
			t.Error(words)
		}
		m.answer = failure(errLost)
		_, _, err = get(t, m.Transport, api)
		var gaveUp *transport.GaveUpError
		if !errors.Is(err, errLost) || errors.As(err, &gaveUp) || m.last() != ledger.BudgetSpent {
			t.Errorf("%v, decided %v, want what the attempt ended with", err, m.last())
		}
	})
}

// A first attempt costs nothing, however badly the host does.
func TestFirstAttemptsAreFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMeter(hourly)
		m.send(t, 5, api, status(503))
		if n := m.send(t, 100, api, status(503)); n != 100 {
			t.Errorf("100 calls are %d requests", n)
		}
	})
}

// flaky answers every other request well.
func flaky(bad, good int) func(*http.Request) (*http.Response, error) {
	n := 0
	return func(r *http.Request) (*http.Response, error) {
		if n++; n%2 == 1 {
			return answer(r, bad, ""), nil
		}
		return answer(r, good, ""), nil
	}
}

// Retries that lead to an answer are paid back, whatever the answer is
// (aws-sdk-go-v2#3186): a budget is for those that lead nowhere.
func TestRetriesThatLeadToAnAnswerArePaidBack(t *testing.T) {
	for _, code := range []int{200, 404, 500} {
		synctest.Test(t, func(t *testing.T) {
			m := newMeter(hourly)
			if n := m.send(t, 200, api, flaky(503, code)); n != 400 {
				t.Errorf("200 calls that end in %d are %d requests, want 400", code, n)
			}
		})
	}
}

// A budget that was spent is there again when the host is (aws-sdk-go-v2#3550).
func TestABudgetRecoversWithItsHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMeter(transport.Budget{Burst: 10, Ratio: 0.5, PerSecond: 1.0 / 3600})
		m.send(t, 10, api, status(503))
		if m.last() != ledger.BudgetSpent {
			t.Fatalf("the budget is not spent: %v", m.last())
		}
		m.send(t, 4, api, status(200)) // earns two retries
		if n := m.send(t, 2, api, status(503)); n != 2+2 {
			t.Errorf("two calls after four answers are %d requests, want 4", n)
		}
		m.send(t, 1000, api, status(200))
		if n := m.send(t, 20, api, status(503)); n != 20+10 {
			t.Errorf("20 calls after many answers are %d requests, want 30: no more than a full budget is saved up", n)
		}
	})
}

// A host that nobody calls earns, so that a rare call can always be sent again.
func TestAHostEarnsWithoutBeingCalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMeter(transport.Budget{Burst: 10, PerSecond: 1.0 / 60})
		m.send(t, 10, api, status(503))
		for range 5 {
			elapse(2 * time.Minute)
			if n := m.send(t, 2, api, status(503)); n != 3+1 {
				t.Errorf("two calls each two minutes are %d requests, want 4", n)
			}
		}
		elapse(24 * time.Hour)
		if n := m.send(t, 20, api, status(503)); n != 20+10 {
			t.Errorf("20 calls after a day are %d requests, want 30", n)
		}
	})
}

// One host does not starve another (aws-sdk-js-v3#4754), and one that is spelled in several
// ways is one.
func TestHostsDoNotShareABudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMeter(hourly)
		m.send(t, 10, "http://api.example.test/a", status(503))
		for url, want := range map[string]int{
			"http://api.example.test/b":      1,
			"http://API.example.test.:80/a":  1,
			"http://api.example.test:8080/a": 3,
			"https://api.example.test/a":     3,
			"http://b.example.test/a":        3,
		} {
			if n := m.send(t, 1, url, status(503)); n != want {
				t.Errorf("%s: %d requests, want %d", url, n, want)
			}
		}
	})
}

func TestARouteCanHaveABudgetOfItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMeter(hourly)
		shared, own := m.Retry, m.Retry
		m.Routes = []transport.Route{
			{Path: "/shared", Retry: shared},
			{Path: "/own", Retry: own, Budget: transport.Budget{Burst: 2, PerSecond: 1.0 / 3600}},
			{Path: "/free", Retry: own, Budget: transport.Budget{Off: true}},
		}
		m.send(t, 10, "http://api.example.test/", status(503))
		for path, want := range map[string]int{"/shared": 10, "/own": 12, "/free": 30} {
			if n := m.send(t, 10, "http://api.example.test"+path, status(503)); n != want {
				t.Errorf("10 calls of %s are %d requests, want %d", path, n, want)
			}
		}
		for _, c := range m.all() {
			want := map[string]string{"/": "budget of 10 retries", "/shared": "route /shared: ", "/own": "budget of 2 retries"}[c.Path]
			if !strings.Contains(c.Policy, want) || c.Path == "/free" && strings.Contains(c.Policy, "budget") {
				t.Errorf("%s has %q on record, without %q", c.Path, c.Policy, want)
			}
		}
	})
}

func TestABudgetCanBeSwitchedOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMeter(transport.Budget{Off: true})
		if n := m.send(t, 500, api, status(503)); n != 1500 {
			t.Errorf("500 calls are %d requests, want 1500", n)
		}
	})
}

// A retry that was never sent costs nothing: its caller gave up while it waited, or its
// body could not be made again. Nor does one that its caller broke off.
func TestRetriesThatAreNotSentCostNothing(t *testing.T) {
	for name, spoil := range map[string]func(*http.Request, context.CancelFunc){
		"given up while waiting": func(_ *http.Request, cancel context.CancelFunc) { time.AfterFunc(time.Millisecond/2, cancel) },
		"given up in the attempt": func(_ *http.Request, cancel context.CancelFunc) {
			time.AfterFunc(3*time.Millisecond/2, cancel)
		},
		"no body": func(r *http.Request, _ context.CancelFunc) {
			r.GetBody = func() (io.ReadCloser, error) { return nil, errLost }
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := newMeter(hourly)
			first := true
			for range 100 {
				ctx, cancel := context.WithCancel(t.Context())
				r, _ := http.NewRequestWithContext(ctx, http.MethodPut, api, strings.NewReader(payload))
				spoil(r, cancel)
				first = true
				m.answer = func(r *http.Request) (*http.Response, error) {
					if first {
						first = false
						return answer(r, 503, ""), nil
					}
					<-r.Context().Done()
					return nil, r.Context().Err()
				}
				finish(m.RoundTrip(r))
				cancel()
			}
			if n := m.send(t, 5, api, status(503)); n != 5+10 {
				t.Errorf("%s: 5 calls after that are %d requests, want 15", name, n)
			}
		})
	}
}

// Many callers at once spend no more than there is, and what they pay back is there again.
func TestABudgetIsExactAmongManyCallers(t *testing.T) {
	m := newMeter(transport.Budget{Burst: 50, PerSecond: 1.0 / 3600})
	m.Retry.Base = 1
	for _, round := range []struct {
		answer   func(*http.Request) (*http.Response, error)
		requests int
	}{{status(200), 200}, {status(503), 250}, {status(503), 200}} {
		m.answer, m.asked = round.answer, 0
		var all sync.WaitGroup
		for range 200 {
			all.Go(func() { get(t, m.Transport, api) })
		}
		all.Wait()
		if m.asked != round.requests {
			t.Errorf("200 calls at once are %d requests, want %d", m.asked, round.requests)
		}
	}
}
