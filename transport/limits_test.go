package transport_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
	"redial/transport"
)

// minutely is a window of the host that these tests call.
func minutely(kind transport.WindowKind, limit int) transport.Window {
	return transport.Window{Host: "api.example.test", Kind: kind, Limit: limit, Per: time.Minute, Burst: when(kind == transport.GCRA, limit)}
}

func when(yes bool, n int) int {
	if yes {
		return n
	}
	return 0
}

// What a server says is left narrows a window until its reset, whatever the kind; that it
// says more is left does not widen it.
func TestLearnedLimitsOnlyNarrow(t *testing.T) {
	for _, kind := range []transport.WindowKind{transport.FixedWindow, transport.SlidingWindow, transport.GCRA} {
		for _, c := range []struct {
			name  string
			field string
			want  map[time.Duration]int // how many were sent by then
		}{
			{"fewer", `"d";r=2;t=20`, map[time.Duration]int{0: 3, 19 * time.Second: 3, 21 * time.Second: 8}},
			{"none", `"d";r=0;t=20`, map[time.Duration]int{0: 1, 19 * time.Second: 1, 21 * time.Second: 8}},
			{"more", `"d";r=100;t=20`, map[time.Duration]int{0: 8, 21 * time.Second: 8}},
			{"malformed", `"d";r=0;t=`, map[time.Duration]int{0: 8}},
		} {
			synctest.Test(t, func(t *testing.T) {
				shop, v, j := newShop(t, &transport.Transport{Windows: []transport.Window{minutely(kind, 8)}},
					replies{"first": status(200, "RateLimit", c.field)})
				shop.join("api.example.test", "first", 0)
				for i := range 9 {
					shop.join("api.example.test", fmt.Sprint(i), 0)
				}
				if w := j.windows()[0]; c.want[0] < 8 && (!w.Full(time.Now()) || w.Declared.Remaining != 0 || time.Until(w.Declared.Resets) != 20*time.Second) {
					t.Errorf("%v, %s: %+v", kind, c.name, w)
				}
				shop.all.Wait()
				for at, want := range c.want {
					n := 0
					for _, sent := range v.times() {
						if sent <= at {
							n++
						}
					}
					if kind == transport.GCRA && at > 0 && want == 8 {
						want = n // It has gained some places meanwhile.
					}
					if n != want {
						t.Errorf("%v, %s: %d were sent by %v, want %d: %v", kind, c.name, n, at, want, v.times())
					}
				}
			})
		}
	}
}

// Requests that went after the one that is answered are not known to the answer, and answers
// that come late do not undo later ones.
func TestLearnedLimitsCountWhatIsUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		says := func(after time.Duration, field string) func(*http.Request) (*http.Response, error) {
			return func(r *http.Request) (*http.Response, error) {
				elapse(after)
				return status(200, "RateLimit", field)(r)
			}
		}
		shop, v, _ := newShop(t, &transport.Transport{Windows: []transport.Window{minutely(transport.SlidingWindow, 20)}}, replies{
			"a": says(2*time.Second, `"d";r=9;t=40`), "b": says(time.Second, `"d";r=3;t=41`), "c": says(3*time.Second, `"d";r=3;t=40`),
		})
		for _, name := range []string{"a", "b", "c"} { // c is under way when b's answer comes
			shop.join("api.example.test", name, 0)
		}
		elapse(2500 * time.Millisecond) // a's answer came last, but is the oldest
		for i := range 5 {
			shop.join("api.example.test", fmt.Sprint(i), 0)
		}
		if n := len(v.names()); n != 3+2 {
			t.Errorf("%d were sent, want two beside the three: %v", n, v.names())
		}
		shop.all.Wait()
	})
}

// Without a window of ours, what a server declares holds up nobody, and is shown: it only
// ever narrows what was configured.
func TestDeclaredLimitsWithoutAWindow(t *testing.T) {
	for name, c := range map[string]struct {
		header []string
		want   ledger.Declared // its times since the start
	}{
		"nothing left":   {[]string{"RateLimit", `"d";r=0;t=9`, "RateLimit-Policy", `"d";q=10;w=60`}, declared(10, time.Minute, 0, 9*time.Second)},
		"something left": {[]string{"RateLimit", `"d";r=1;t=9`, "RateLimit-Policy", `"d";q=10;w=60`}, declared(10, time.Minute, 1, 9*time.Second)},
		"a forerunner":   {[]string{"X-RateLimit-Limit", "10", "X-RateLimit-Remaining", "0", "X-RateLimit-Reset-After", "1.250"}, declared(10, 0, 0, 1250*time.Millisecond)},
		"for ever":       {[]string{"X-RateLimit-Limit", "10", "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "8640000"}, declared(10, 0, 0, 100*24*time.Hour)},
		"one of several": {[]string{"RateLimit", `"a";r=5;t=1,"b";r=0;t=3`}, declared(0, 0, 0, 3*time.Second)},
		"a cached one":   {[]string{"Age", "1", "RateLimit", `"d";r=0;t=9`}, ledger.Declared{}},
	} {
		synctest.Test(t, func(t *testing.T) {
			shop, v, j := newShop(t, &transport.Transport{Retry: twice}, replies{"first": status(200, c.header...)})
			shop.join("api.example.test", "first", 0)
			shop.join("api.example.test", "second", 0)
			if c.want != (ledger.Declared{}) {
				c.want.At, c.want.Resets = v.start.Round(0), v.start.Add(time.Duration(c.want.Resets.UnixNano())).Round(0)
				if w := j.windows(); len(w) != 1 || w[0].Limit != 0 || w[0].Host != "api.example.test" || w[0].Declared != c.want || !w[0].Paused.IsZero() {
					t.Errorf("%s: windows %+v, want %+v", name, w, c.want)
				}
			}
			shop.all.Wait()
			if at := v.times(); len(at) != 2 || at[1] != 0 {
				t.Errorf("%s: sent at %v", name, at)
			}
		})
	}
}

func declared(limit int, per time.Duration, remaining int, resets time.Duration) ledger.Declared {
	return ledger.Declared{Limit: limit, Per: per, Remaining: remaining, Resets: time.Unix(0, int64(resets))}
}

// Fields in a trailer say nothing.
func TestTrailersDeclareNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop, v, j := newShop(t, &transport.Transport{Retry: twice}, replies{"first": func(r *http.Request) (*http.Response, error) {
			resp := answer(r, 200, "body")
			resp.Trailer = http.Header{"Ratelimit": {`"d";r=0;t=9`}, "Retry-After": {"9"}}
			return resp, nil
		}})
		shop.join("api.example.test", "first", 0)
		shop.join("api.example.test", "second", 0)
		shop.all.Wait()
		if at := v.times(); at[1] != 0 || len(j.windows()) != 0 {
			t.Errorf("sent at %v, windows %v", at, j.windows())
		}
	})
}

// Nobody sleeps for an hour because a server said that nothing is left in a window: who
// waits and who comes is told.
func TestNothingLeftForLongRefuses(t *testing.T) {
	for name, rt := range map[string]*transport.Transport{
		"window": {Windows: []transport.Window{minutely(transport.FixedWindow, 3)}},
		"both":   {Retry: twice, Windows: []transport.Window{minutely(transport.SlidingWindow, 3)}},
		"two":    {Windows: []transport.Window{minutely(transport.GCRA, 3), {Host: "api.example.test", Limit: 2, Per: time.Hour}}},
	} {
		synctest.Test(t, func(t *testing.T) {
			shop, v, _ := newShop(t, rt, replies{"slow": func(r *http.Request) (*http.Response, error) {
				elapse(5 * time.Second)
				return status(200, "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", fmt.Sprint(time.Now().Unix()+3600))(r)
			}})
			shop.join("api.example.test", "slow", 0)
			for i := range 4 {
				shop.join("api.example.test", fmt.Sprintf("early %d", i), 0)
			}
			elapse(6 * time.Second)
			sent := len(v.names())
			shop.join("api.example.test", "late", 0)
			for _, who := range []string{"early 3", "late"} {
				var paused *transport.PausedError
				if err := shop.err(who); !errors.As(err, &paused) {
					t.Errorf("%s: %s got %v", name, who, err)
				}
			}
			if n := len(v.names()); n != sent {
				t.Errorf("%s: %v were sent", name, v.names()[sent:])
			}
			shop.all.Wait()
		})
	}
}

// The server's limit narrows the window that it is about: one account's does not hold up
// the other.
func TestLearnedLimitsByKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop, v, j := newShop(t, &transport.Transport{Windows: []transport.Window{
			{Host: "api.example.test", Key: header("Account"), Kind: transport.SlidingWindow, Limit: 100, Per: time.Minute},
			{Host: "api.example.test", Limit: 1000, Per: time.Hour},
		}}, replies{"first": status(200, "RateLimit", `"account";r=0;t=20`, "RateLimit-Policy", `"account";q=10;w=60`)})
		shop.joinAs("a", "api.example.test", "first")
		shop.joinAs("a", "api.example.test", "second")
		shop.joinAs("b", "api.example.test", "other")
		if want := []string{"first", "other"}; !slices.Equal(v.names(), want) {
			t.Errorf("sent at once: %v", v.names())
		}
		for _, w := range j.windows() {
			if declared := !w.Declared.At.IsZero(); declared != (w.Name == "a") || w.Full(time.Now()) != declared {
				t.Errorf("window %+v", w)
			}
		}
		shop.all.Wait()
		if at := v.times(); at[2] != 20*time.Second {
			t.Errorf("sent at %v", at)
		}
	})
}

// The same call waits for the reset that a 429 names in other ways than Retry-After.
func TestRetryWaitsForTheReset(t *testing.T) {
	for name, c := range map[string]struct {
		header []string
		want   time.Duration
	}{
		"the field":     {[]string{"RateLimit", `"d";r=0;t=9`}, 9 * time.Second},
		"delta seconds": {[]string{"X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "9"}, 9 * time.Second},
		"a moment":      {[]string{"X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "946684809"}, 9 * time.Second},
		"openai":        {[]string{"X-RateLimit-Remaining-Requests", "0", "X-RateLimit-Reset-Requests", "9s"}, 9 * time.Second},
		"some left (octokit/plugin-throttling#566)": {[]string{"X-RateLimit-Remaining", "4987", "X-RateLimit-Reset", "946688400"}, time.Minute},
		"Retry-After wins":                          {[]string{"Retry-After", "3", "RateLimit", `"d";r=0;t=9`}, 3 * time.Second},
		"nothing":                                   {nil, time.Second},
		"past":                                      {[]string{"X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "946684700"}, time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			shop, v, j := newShop(t, &transport.Transport{Retry: twice}, replies{"first": firstTime(status(429, c.header...))})
			shop.join("api.example.test", "first", 0)
			shop.all.Wait()
			if at := v.times(); len(at) != 2 || at[1] != c.want {
				t.Errorf("%s: sent at %v, want %v: %+v", name, at, c.want, j.only(t).Waits)
			}
		})
	}
}
