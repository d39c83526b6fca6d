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

// Accounts are counted apart, what has no key not at all, and a window of the host holds
// for all of them together.
func TestWindowsByKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, seen, j := newCrowd(t,
			transport.Window{Host: "api.example.test", Key: header("Account"), Limit: 1, Per: time.Hour},
			transport.Window{Host: "api.example.test", Limit: 4, Per: time.Minute})
		for _, who := range []string{"a", "a", "b", "", "", ""} {
			c.joinAs(who, "api.example.test", "of "+who)
		}
		if want := []string{"of a", "of b", "of ", "of "}; !slices.Equal(seen.names(), want) {
			t.Errorf("served at once: %q, want %q", seen.names(), want)
		}
		names := map[string]int{}
		for _, w := range j.windows() {
			names[fmt.Sprintf("%s per %v used %d waiting %d", w.Name, w.Per, w.Used, w.Waiting)]++
		}
		want := map[string]int{"a per 1h0m0s used 1 waiting 1": 1, "b per 1h0m0s used 1 waiting 0": 1, " per 1m0s used 4 waiting 1": 1}
		if fmt.Sprint(names) != fmt.Sprint(want) {
			t.Errorf("windows %v, want %v", names, want)
		}
		c.all.Wait()
	})
}

// A window with a path is for the requests that fit it, and named after it.
func TestWindowsByPath(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, seen, j := newCrowd(t,
			transport.Window{Host: "api.example.test", Path: "/items/{id}", Limit: 2, Per: time.Hour},
			transport.Window{Host: "api.example.test", Path: "/search/", Key: header("Account"), Kind: transport.SlidingWindow, Limit: 1, Per: time.Hour})
		for _, path := range []string{"items/1", "items/2", "items/3", "items/4/notes", "items", "search/x", "search/y", "other"} {
			c.join("api.example.test", path, 2*time.Hour)
		}
		if want := []string{"items/1", "items/2", "items/4/notes", "items", "search/x", "search/y", "other"}; !slices.Equal(seen.names(), want) {
			t.Errorf("served at once: %q, want %q", seen.names(), want)
		}
		if w := j.windows(); len(w) != 1 || w[0].Name != "/items/{id}" || w[0].Used != 2 || w[0].Waiting != 1 {
			t.Errorf("windows %+v", w)
		}
		c.joinAs("a", "api.example.test", "search")
		req, _ := http.NewRequest(http.MethodGet, "http://api.example.test/search/z", nil)
		req.Header.Set("Account", "a")
		finish(c.rt.RoundTrip(req))
		if w := j.windows(); len(w) != 2 || w[1].Name != "/search/ a" || w[1].Kind != ledger.SlidingWindow {
			t.Errorf("windows %+v", w)
		}
		c.all.Wait()
	})
}

// A window without a host counts each host apart, beside those that have their own.
func TestWindowOfEveryHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, seen, j := newCrowd(t,
			transport.Window{Limit: 2, Per: time.Hour},
			transport.Window{Host: "b.example.test", Limit: 1, Per: time.Minute})
		for _, host := range []string{"a", "a", "a", "A", "b", "b", "b", "c:8080", "c:9090", "c"} {
			name, port, named := strings.Cut(host, ":")
			if name += ".example.test"; named {
				name += ":" + port
			}
			c.join(name, host, 90*time.Minute)
		}
		if want := []string{"a", "a", "b", "c:8080", "c:9090"}; !slices.Equal(seen.names(), want) {
			t.Errorf("served at once: %q, want %q", seen.names(), want)
		}
		hosts := []string{}
		for _, w := range j.windows() {
			hosts = append(hosts, fmt.Sprintf("%s %d per %v", w.Host, w.Limit, w.Per))
		}
		if want := "b.example.test 2 per 1h0m0s"; !slices.Contains(hosts, want) {
			t.Errorf("windows %q lack %q", hosts, want)
		}
		c.all.Wait()
	})
}

// However many keys and hosts there are, memory is bounded: those that have all of their
// places are forgotten, and if none has, the rest share a window, and are not let through
// unlimited.
func TestKeysAreBounded(t *testing.T) {
	for name, send := range map[string]func(c *crowd, i int) error{
		"keys": func(c *crowd, i int) error {
			req, _ := http.NewRequestWithContext(c.t.Context(), http.MethodGet, api, nil)
			req.Header.Set("Account", fmt.Sprint(i))
			return c.brief(req)
		},
		"hosts": func(c *crowd, i int) error {
			req, _ := http.NewRequestWithContext(c.t.Context(), http.MethodGet, fmt.Sprintf("http://h%d.example.test", i), nil)
			req.Header.Set("Account", "one")
			return c.brief(req)
		},
	} {
		for _, kind := range []transport.WindowKind{transport.FixedWindow, transport.SlidingWindow, transport.GCRA} {
			synctest.Test(t, func(t *testing.T) {
				c, _, j := newCrowd(t, transport.Window{Kind: kind, Limit: 2, Per: time.Hour, Key: header("Account")})
				elapse(time.Hour - time.Since(time.Unix(time.Now().Unix()/3600*3600, 0)))
				let := 0
				for i := range 1024 + 100 {
					if send(c, i) == nil {
						let++
					}
				}
				shared := 2
				if kind == transport.GCRA {
					shared = 1
				}
				if let != 1024+shared {
					t.Errorf("%s, %v: %d were let through, want %d", name, kind, let, 1024+shared)
				}
				if n := len(j.windows()); n != 1025 {
					t.Errorf("%s, %v: %d windows are shown", name, kind, n)
				}
				elapse(2 * time.Hour) // now all are idle, and forgotten for others
				for i := range 3000 {
					if i%100 == 0 {
						elapse(2 * time.Hour)
					}
					if err := send(c, 5000+i); err != nil {
						t.Fatalf("%s, %v: %d: %v", name, kind, i, err)
					}
				}
			})
		}
	}
}

// brief sends a request that waits for nothing.
func (c *crowd) brief(req *http.Request) error {
	ctx, cancel := context.WithTimeout(req.Context(), time.Millisecond)
	defer cancel()
	_, _, err := finish(c.rt.RoundTrip(req.WithContext(ctx)))
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		c.t.Error(err)
	}
	return err
}

// The key is asked for once for each call, however often the request is sent, and never
// under a lock: it may use the transport itself.
func TestKeyIsAskedForOnce(t *testing.T) {
	asked := 0
	base := newScript(status(503), status(503), status(200))
	rt := &transport.Transport{Base: base, Retry: quick}
	rt.Windows = []transport.Window{{Host: "api.example.test", Limit: 10, Per: time.Hour, Key: func(r *http.Request) string {
		asked++
		get(t, rt, "http://other.example.test")
		return "one"
	}}}
	if code, _, err := get(t, rt, api); code != 200 || err != nil || asked != 1 {
		t.Errorf("%d %v, asked %d times", code, err, asked)
	}
}
