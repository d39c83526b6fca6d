package transport_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
	"redial/transport"
)

// replier is a base transport that replies by path: with what was set for it, else with 200.
type replier struct {
	*arrivals
	replies replies
}

type replies = map[string]func(*http.Request) (*http.Response, error)

func (v *replier) RoundTrip(r *http.Request) (*http.Response, error) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	v.note(name)
	if answer := v.replies[name]; answer != nil {
		return answer(r)
	}
	return answer(r, 200, ""), nil
}

// newShop returns callers who send through rt to a vendor that gives these replies.
func newShop(t *testing.T, rt *transport.Transport, says replies) (*crowd, *replier, *journal) {
	v, j := &replier{newArrivals(), says}, newJournal()
	rt.Base, rt.Recorder = v, j
	return &crowd{t: t, rt: rt}, v, j
}

// firstTime gives an answer once, and then 200.
func firstTime(answer func(*http.Request) (*http.Response, error)) func(*http.Request) (*http.Response, error) {
	given := false
	return func(r *http.Request) (*http.Response, error) {
		if given {
			return status(200)(r)
		}
		given = true
		return answer(r)
	}
}

var twice = transport.Retry{Attempts: 2, Base: time.Second, Jitter: transport.NoJitter}

// What a server asks one caller it asks all: nobody sends to that host before, and who
// comes meanwhile waits, in order, and says so.
func TestThrottlingPausesTheHostForEverybody(t *testing.T) {
	for name, c := range map[string]struct {
		answer func(*http.Request) (*http.Response, error)
		want   time.Duration
	}{
		"429 with Retry-After":              {status(429, "Retry-After", "7"), 7 * time.Second},
		"503 with Retry-After":              {status(503, "Retry-After", "7"), 7 * time.Second},
		"429 alone":                         {status(429), time.Second},
		"429 with nonsense":                 {status(429, "Retry-After", "soon"), time.Second},
		"429 and a reset":                   {status(429, "RateLimit", `"default";r=0;t=9`), 9 * time.Second},
		"429, Retry-After before the reset": {status(429, "Retry-After", "5", "RateLimit", `"default";r=0;t=9`), 5 * time.Second},
		"503 alone":                         {status(503), 0},
		"500 with Retry-After":              {status(500, "Retry-After", "7"), 0},
		"200 with Retry-After":              {status(200, "Retry-After", "7"), 0},
		"403 with Retry-After":              {status(403, "Retry-After", "7"), 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				once := transport.Retry{Attempts: 2, Base: 20 * time.Second, Jitter: transport.NoJitter}
				shop, v, j := newShop(t, &transport.Transport{Retry: once}, replies{"first": firstTime(c.answer)})
				shop.join("api.example.test", "first", 0)
				for i := range 3 {
					shop.join("API.example.test:80", fmt.Sprint(i), 0)
				}
				shop.join("api.example.test:8080", "other port", 0)
				shop.join("other.example.test", "other host", 0)
				if c.want > 0 {
					w := j.windows()
					if len(w) != 1 || w[0].Limit != 0 || w[0].Host != "api.example.test" || w[0].Waiting != 3 || time.Until(w[0].Paused) != c.want || !w[0].Full(time.Now()) {
						t.Errorf("windows %+v", w)
					}
				}
				shop.all.Wait()
				for i, who := range v.names() {
					if at := v.times()[i]; len(who) == 1 && at != c.want || strings.HasPrefix(who, "other") && at != 0 {
						t.Errorf("%s at %v, want %v", who, at, c.want)
					}
				}
				for _, call := range j.all() {
					if len(call.Path) == 2 && c.want > 0 {
						if w := call.Waits[0]; w.Kind != ledger.WindowWait || !w.Rule.Paused || w.Planned != c.want || w.Took != c.want {
							t.Errorf("%s waited %+v", call.Path, w)
						}
					}
				}
			})
		})
	}
}

// Nothing is held back where it was switched off, or where the transport does nothing but
// record.
func TestNothingIsPausedUnlessSo(t *testing.T) {
	for name, rt := range map[string]*transport.Transport{
		"switched off":    {NoPause: true, Retry: twice, Windows: []transport.Window{{Host: "api.example.test", Limit: 100, Per: time.Hour}}},
		"only recording":  {},
		"not on the list": {Retry: transport.Retry{Attempts: 2, Statuses: []int{502}}},
	} {
		synctest.Test(t, func(t *testing.T) {
			shop, v, _ := newShop(t, rt, replies{"first": status(429, "Retry-After", "7", "RateLimit", `"default";r=0;t=9`)})
			shop.join("api.example.test", "first", time.Second)
			shop.join("api.example.test", "second", 0)
			if at := v.times(); len(at) != 2 || at[1] != 0 {
				t.Errorf("%s: %v at %v", name, v.names(), at)
			}
		})
	}
}

// Who cannot wait that long is told at once, and told why: a deadline is a deadline, and
// beyond the policy's maximum nobody sleeps for an hour, and nobody asks earlier.
func TestPauseThatIsTooLongRefusesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop, v, j := newShop(t, &transport.Transport{Retry: twice}, replies{"first": status(429, "Retry-After", "3600")})
		shop.join("api.example.test", "first", 0)
		if len(j.all()) != 1 || decisions(j.all()[0])[0] != ledger.RetryAfterTooLong {
			t.Errorf("the first call: %+v", j.all())
		}
		shop.join("api.example.test", "second", 0)
		var paused *transport.PausedError
		err := shop.err("second")
		if !errors.As(err, &paused) || paused.Host != "api.example.test" || time.Until(paused.Until) != time.Hour || paused.Max != time.Minute {
			t.Fatalf("the second got %v", err)
		}
		for _, part := range []string{"api.example.test", paused.Until.UTC().Format(time.RFC3339), "Retry.MaxRetryAfter"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q does not say %q", err, part)
			}
		}
		if c := j.all()[1]; c.Outcome != ledger.NotSent || c.Attempts != 0 || c.Waited != 0 {
			t.Errorf("the second call: %+v", c)
		}
		elapse(time.Hour - 30*time.Second)
		shop.join("api.example.test", "with a deadline", 10*time.Second)
		if err := shop.err("with a deadline"); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "left alone") {
			t.Errorf("the one with a deadline got %v", err)
		}
		shop.join("api.example.test", "patient", 0)
		shop.all.Wait()
		if want := []string{"first", "patient"}; !slices.Equal(v.names(), want) || v.times()[1] != time.Hour {
			t.Errorf("%v at %v", v.names(), v.times())
		}
	})
}

// A pause that becomes longer while somebody waits for it concerns him, too; one that
// becomes shorter does not. Who then would wait too long is told.
func TestPausesOnlyBecomeLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := func(d time.Duration, after string) func(*http.Request) (*http.Response, error) {
			return func(r *http.Request) (*http.Response, error) {
				elapse(d)
				return status(429, "Retry-After", after)(r)
			}
		}
		shop, v, _ := newShop(t, &transport.Transport{Retry: transport.Retry{Attempts: 2}}, replies{
			"a": slow(time.Second, "10"), "b": slow(2*time.Second, "30"), "c": slow(3*time.Second, "1"), "d": slow(20*time.Second, "50"),
		})
		for _, name := range []string{"a", "b", "c", "d"} {
			shop.join("api.example.test", name, 0)
		}
		elapse(1500 * time.Millisecond)
		shop.join("api.example.test", "waits", 0)
		shop.join("api.example.test", "until 40", 38500*time.Millisecond)
		elapse(20 * time.Second)
		if err := shop.err("until 40"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("who cannot wait so long got %v", err)
		}
		shop.all.Wait()
		i := slices.Index(v.names(), "waits")
		if i < 0 || v.times()[i] != 70*time.Second {
			t.Errorf("%v at %v", v.names(), v.times())
		}
	})
}

// The call that was told to wait waits once, and stands behind nobody who came later.
func TestWhoWasThrottledGoesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop, v, j := newShop(t, &transport.Transport{
			Retry:   twice,
			Windows: []transport.Window{{Host: "api.example.test", Kind: transport.GCRA, Limit: 1, Per: time.Second}},
		}, replies{"throttled": firstTime(status(429, "Retry-After", "10"))})
		shop.join("api.example.test", "throttled", 0)
		for i := range 5 {
			shop.join("api.example.test", fmt.Sprint(i), 0)
		}
		shop.all.Wait()
		if at := slices.Index(v.names()[1:], "throttled"); at > 1 {
			t.Errorf("served %v at %v", v.names(), v.times())
		}
		for _, call := range j.all() {
			if call.Path == "/throttled" && (call.Waits[0].Kind != ledger.RetryAfterWait || len(call.Waits) > 2) {
				t.Errorf("it waited %+v", call.Waits)
			}
		}
	})
}

// A pause holds for operations as well, and for retries that were under way when it began.
func TestPauseHoldsForOperationsAndRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop, v, _ := newShop(t, &transport.Transport{Retry: twice}, replies{
			"flaky": status(502), "limited": status(429, "Retry-After", "20"),
		})
		shop.join("api.example.test", "flaky", 0)
		shop.join("api.example.test", "limited", 5*time.Second)
		ctx := ledger.WithTrace(t.Context(), &ledger.Trace{Key: "order-1"})
		shop.all.Go(func() {
			req, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://api.example.test/operation", nil)
			finish(shop.rt.RoundTrip(req))
		})
		shop.all.Wait()
		for _, who := range []string{"operation", "flaky"} {
			i := len(v.names()) - 1 - slices.Index(reversed(v.names()), who)
			if v.times()[i] != 20*time.Second {
				t.Errorf("%s at %v", who, v.times()[i])
			}
		}
	})
}

func reversed(names []string) []string {
	slices.Reverse(names)
	return names
}

// A retry that a pause would hold up for too long is not waited for: the call returns the
// response that it has, whole.
func TestRetryIntoALongPauseReturnsTheResponse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop, _, j := newShop(t, &transport.Transport{Retry: twice}, replies{
			"slow": func(r *http.Request) (*http.Response, error) {
				elapse(time.Minute)
				return status(502)(r)
			},
			"throttled": status(429, "Retry-After", "3600"),
		})
		shop.join("api.example.test", "slow", 0)
		shop.join("api.example.test", "throttled", 0)
		shop.all.Wait()
		for _, call := range j.all() {
			if d := decisions(call); call.Path == "/slow" && (len(d) != 1 || d[0] != ledger.RetryAfterTooLong || call.Status != 502 || shop.err("slow") != nil) {
				t.Errorf("%v, %d, %v", d, call.Status, shop.err("slow"))
			}
		}
	})
}

// However many hosts and ports throttle, what is remembered of them is bounded.
func TestPausedHostsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := newScript(status(429, "Retry-After", "3600"))
		j := newJournal()
		rt := &transport.Transport{Base: base, Recorder: j, Retry: twice}
		for i := range 3000 {
			get(t, rt, fmt.Sprintf("http://h%d.example.test:%d", i/20, 8000+i%20))
			get(t, rt, fmt.Sprintf("http://x%d.example.test", i))
		}
		if n := len(j.windows()); n > 1024*16 || n < 1024 {
			t.Errorf("%d are remembered", n)
		}
	})
}

// An advisor that recognises a rate limit pauses the host as well (hub4j/github-api#1805,
// octokit/plugin-throttling#566).
func TestAdvisorsPauseTheHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		retry := twice
		retry.Advisors = []transport.Advisor{transport.GitHubLimits}
		shop, v, _ := newShop(t, &transport.Transport{Retry: retry}, replies{
			"secondary": func(r *http.Request) (*http.Response, error) {
				return answer(r, 403, "You have exceeded a secondary rate limit",
					"X-RateLimit-Remaining", "4987", "X-RateLimit-Reset", fmt.Sprint(time.Now().Unix()+60)), nil
			},
			"forbidden": func(r *http.Request) (*http.Response, error) {
				return answer(r, 403, "Resource not accessible",
					"X-RateLimit-Remaining", "4986", "X-RateLimit-Reset", fmt.Sprint(time.Now().Unix()+60)), nil
			},
		})
		shop.join("api.example.test", "forbidden", 0)
		shop.join("api.example.test", "secondary", 0)
		shop.join("api.example.test", "other", 0)
		shop.all.Wait()
		if want := []string{"forbidden", "secondary"}; !slices.Equal(v.names()[:2], want) || v.times()[2] < time.Minute || v.times()[3] < time.Minute {
			t.Errorf("%v at %v", v.names(), v.times())
		}
	})
}

// The pause that a call's own answer began is no second wait for it.
func TestWhoWasThrottledDoesNotWaitTwice(t *testing.T) {
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			shop, v, j := newShop(t, &transport.Transport{Retry: transport.Retry{Attempts: 2}}, replies{"first": firstTime(status(429))})
			shop.join("api.example.test", "first", 0) // with a jitter, so its own wait is shorter than that of others
			shop.join("api.example.test", "second", 0)
			shop.all.Wait()
			for i, who := range v.names() {
				if at := v.times()[i]; who == "second" && at != time.Second || who == "first" && at >= time.Second {
					t.Errorf("%s at %v", who, at)
				}
			}
			if w := j.all()[0].Waits; len(w) != 1 || w[0].Kind != ledger.BackoffWait {
				t.Errorf("it waited %+v", w)
			}
		})
	}
}

// Hosts beyond the bound share a window, but not what one of them said.
func TestPausesAreNotShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop, v, _ := newShop(t, &transport.Transport{Windows: []transport.Window{{Limit: 9, Per: 1000 * time.Hour}}},
			replies{"throttled": status(429, "Retry-After", "30")})
		for i := range 1024 {
			shop.join(fmt.Sprintf("h%d.example.test", i), fmt.Sprint(i), 0)
		}
		shop.join("one.example.test", "throttled", 0)
		shop.join("another.example.test", "free", time.Second)
		shop.all.Wait()
		if n := len(v.names()); n != 1026 || v.times()[1025] != 0 {
			t.Errorf("%d were sent, the last at %v, %v", n, v.times()[n-1], shop.err("free"))
		}
	})
}
