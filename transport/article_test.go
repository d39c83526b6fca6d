package transport_test

import (
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

// arrivals notes when requests arrive at a server, since it was made.
type arrivals struct {
	start time.Time
	mu    sync.Mutex
	at    []time.Duration
	who   []string
}

func newArrivals() *arrivals { return &arrivals{start: time.Now()} }

func (a *arrivals) note(who string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.at = append(a.at, time.Since(a.start))
	a.who = append(a.who, who)
}

func (a *arrivals) times() []time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.at)
}

func (a *arrivals) names() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.who)
}

func TestArticleRetryDoublesFromTwoSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := newArrivals()
		retry := transport.ArticleRetry
		retry.Attempts = 6
		j := newJournal()
		client := &http.Client{Transport: &transport.Transport{
			Base: pipe(t, func(w http.ResponseWriter, r *http.Request) {
				seen.note("")
				http.Error(w, "broken", 500)
			}),
			Recorder: j,
			Retry:    retry,
		}}
		resp, err := client.Get("http://api.example.test/orders")
		if status, body, err := finish(resp, err); status != 500 || body != "broken\n" || err != nil {
			t.Errorf("got %d %q %v, want the last 500 with its body", status, body, err)
		}
		want := []time.Duration{0, 2, 6, 14, 30, 62}
		for i := range want {
			want[i] *= time.Second
		}
		if !slices.Equal(seen.times(), want) {
			t.Errorf("requests at %v, want %v", seen.times(), want)
		}
		call := j.only(t)
		for i, w := range call.Waits {
			if w.Kind != ledger.BackoffWait || w.Planned != 2*time.Second<<i || w.Took != w.Planned || w.Rule.Exponent != i {
				t.Errorf("wait %d: %+v", i+1, w)
			}
		}
		if d := call.AttemptList[5].Decision; len(call.Waits) != 5 || d != ledger.NoAttemptsLeft {
			t.Errorf("%d waits, last decision %v", len(call.Waits), d)
		}
	})
}

// Twenty requests through a window of 3 per 4.5 s need seven windows.
const (
	articlePer      = 4500 * time.Millisecond
	articleRequests = 20
)

func TestArticleWindowFromOneGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen, rt := articleWindow(t)
		for i := range articleRequests {
			if status, _, err := get(t, rt, fmt.Sprintf("http://api.example.test/%02d", i)); status != 200 || err != nil {
				t.Fatal(status, err)
			}
		}
		checkArticleWindows(t, seen)
		if !slices.IsSorted(seen.names()) {
			t.Errorf("arrived as %v", seen.names())
		}
	})
}

func TestArticleWindowFromTwentyGoroutines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen, rt := articleWindow(t)
		var all sync.WaitGroup
		for i := range articleRequests {
			all.Go(func() {
				if status, _, err := get(t, rt, fmt.Sprintf("http://api.example.test/%02d", i)); status != 200 || err != nil {
					t.Error(status, err)
				}
			})
			synctest.Wait() // it stands in the queue before the next one comes
		}
		all.Wait()
		checkArticleWindows(t, seen)
		// Those that share a window are let through at the same moment and race to the
		// server; the windows are in the order of arrival.
		who := seen.names()
		for i := 0; i < len(who); i += 3 {
			slices.Sort(who[i:min(i+3, len(who))])
		}
		if !slices.IsSorted(who) {
			t.Errorf("arrived as %v", who)
		}
	})
}

func articleWindow(t *testing.T) (*arrivals, *transport.Transport) {
	seen := newArrivals()
	return seen, &transport.Transport{
		Base: pipe(t, func(w http.ResponseWriter, r *http.Request) {
			seen.note(strings.TrimPrefix(r.URL.Path, "/"))
		}),
		Windows: []transport.Window{{Host: "api.example.test", Limit: 3, Per: articlePer}},
	}
}

func checkArticleWindows(t *testing.T, seen *arrivals) {
	t.Helper()
	perWindow := map[int64]int{}
	for _, at := range seen.times() {
		perWindow[seen.start.Add(at).UnixNano()/int64(articlePer)]++
	}
	for n, count := range perWindow {
		if count > 3 {
			t.Errorf("window %d had %d requests", n, count)
		}
	}
	if len(seen.times()) != articleRequests || len(perWindow) != 7 {
		t.Errorf("%d requests in %d windows, want %d in 7", len(seen.times()), len(perWindow), articleRequests)
	}
}
