package transport_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"redial/transport"
)

// joinAs starts a request for an account, and returns when it has been sent or waits.
func (c *crowd) joinAs(account, host, name string) {
	c.all.Go(func() {
		req, _ := http.NewRequestWithContext(c.t.Context(), http.MethodGet, "http://"+host+"/"+url.PathEscape(name), nil)
		req.Header.Set("Account", account)
		_, _, err := finish(c.rt.RoundTrip(req))
		c.errs.Store(name, err)
	})
	synctest.Wait()
}

// header returns a function that counts apart by what a header says.
func header(name string) func(*http.Request) string {
	return func(r *http.Request) string { return r.Header.Get(name) }
}

// Who waits for the window of one port holds up nobody who does not need that one, and
// in the window that they share it goes before those who came later.
func TestSharedWindowKeepsTheOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, seen, _ := newCrowd(t,
			transport.Window{Host: "api.example.test", Limit: 3, Per: time.Minute},
			transport.Window{Host: "api.example.test:81", Limit: 1, Per: time.Hour})
		c.join("api.example.test:81", "a", 0)
		c.join("api.example.test:81", "b", 0) // waits for its port
		c.join("api.example.test:83", "c", 0)
		c.join("api.example.test:84", "d", 0)
		if want := []string{"a", "c", "d"}; !slices.Equal(seen.names(), want) {
			t.Errorf("served at once: %v, want %v", seen.names(), want)
		}
		elapse(59*time.Minute + 30*time.Second)
		for _, name := range []string{"e", "f", "g", "h", "i", "j", "k"} { // three now, and more than three later
			c.join("api.example.test:83", name, 0)
		}
		elapse(30 * time.Second)
		synctest.Wait()
		who := seen.names()
		slices.Sort(who[6:])
		if want := []string{"a", "c", "d", "e", "f", "g", "b", "h", "i"}; !slices.Equal(who, want) {
			t.Errorf("served by the hour: %v, want %v", who, want)
		}
		c.all.Wait()
	})
}

// However many come who need one window each, one who needs both is not passed over for ever:
// it is served with the next opening of the faster after its turn in the slower.
func TestWhoNeedsSeveralWindowsIsNotStarved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, seen, _ := newCrowd(t,
			transport.Window{Host: "api.example.test:81", Kind: transport.GCRA, Limit: 1, Per: 1500 * time.Millisecond},
			transport.Window{Host: "api.example.test", Key: header("Account"), Kind: transport.GCRA, Limit: 1, Per: time.Second})
		for i := range 40 {
			c.joinAs("1", "api.example.test:80", fmt.Sprintf("fast %d", i))
			c.joinAs("", "api.example.test:81", fmt.Sprintf("slow %d", i))
		}
		c.joinAs("1", "api.example.test:81", "both")
		for i := range 40 {
			c.joinAs("1", "api.example.test:80", fmt.Sprintf("late fast %d", i))
			c.joinAs("", "api.example.test:81", fmt.Sprintf("late slow %d", i))
		}
		c.all.Wait()
		i := slices.Index(seen.names(), "both")
		if at := seen.times()[i]; at < 60*time.Second || at > 61*time.Second {
			t.Errorf("served at %v, want it behind the 40 that came before", at)
		}
	})
}
