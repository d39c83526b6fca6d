package transport_test

import (
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

// Stats count what was done, with a recorder or without.
func TestStatsCountWhatWasDone(t *testing.T) {
	for _, recorder := range []transport.Recorder{nil, newJournal()} {
		synctest.Test(t, func(t *testing.T) {
			base := newScript(status(503), status(200), failure(errLost), failure(errLost), failure(errLost), status(400), status(404), func(r *http.Request) (*http.Response, error) {
				return answer(r, 200, strings.Repeat("x", 1050)), nil
			})
			rt := &transport.Transport{
				Base: base, Recorder: recorder, Retry: plain(transport.Retry{Attempts: 3, Base: time.Second}),
				Windows:   []transport.Window{{Host: "api.example.test", Limit: 7, Per: time.Hour}},
				Bandwidth: []transport.Bandwidth{{Down: 1000}},
			}
			if s := rt.Stats(); s != (transport.Stats{}) {
				t.Errorf("before the first call: %+v", s)
			}
			get(t, rt, api)       // 503, 200
			get(t, rt, api)       // three errors
			get(t, rt, "http://") // refused here
			get(t, rt, api)       // 400
			get(t, rt, api)       // 404
			elapse(10 * time.Minute)
			req, _ := http.NewRequest(http.MethodGet, api, nil)
			resp, err := rt.RoundTrip(req) // waits for the window
			if err != nil {
				t.Fatal(err)
			}
			if s := rt.Stats(); s.Running != 1 || s.Calls != 5 {
				t.Errorf("while a body is open: %+v", s)
			}
			io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
			s := rt.Stats()
			waits := s.Waits
			s.Waits = [ledger.NumWaitKinds]transport.WaitStats{}
			want := transport.Stats{Calls: 6, Answered: 4, Unknown: 1, NotSent: 1, Failed: 2, Attempts: 8, Retries: 3}
			if s != want {
				t.Errorf("%+v, want %+v", s, want)
			}
			if b := waits[ledger.BackoffWait]; b != (transport.WaitStats{Count: 3, Took: 4 * time.Second}) {
				t.Errorf("backoff: %+v", b)
			}
			if w := waits[ledger.WindowWait]; w.Count != 1 || w.Took < 40*time.Minute || w.Took > time.Hour {
				t.Errorf("window: %+v", w)
			}
			if b := waits[ledger.BandwidthWait]; b.Count != 1 || b.Took != time.Second {
				t.Errorf("bandwidth: %+v", b)
			}
		})
	}
}

// Refusals to send again are told apart, and so are wire sends that net/http made by itself.
func TestStatsTellWhyNot(t *testing.T) {
	rt := &transport.Transport{
		Base:  baseFunc(func(r *http.Request) (*http.Response, error) { fireAll(r); fireAll(r); return answer(r, 503, ""), nil }),
		Retry: transport.Retry{Attempts: 2, Base: 1}, Budget: transport.Budget{Burst: 5, PerSecond: 0.001, Ratio: 0.001},
	}
	for range 20 {
		get(t, rt, api)
	}
	if s := rt.Stats(); s.BudgetSpent == 0 || s.BudgetSpent+s.Retries != 20 || s.Attempts != 20+s.Retries || s.Sends != 2*s.Attempts || s.Answered != 20 || s.Failed != 0 {
		t.Errorf("%+v", s)
	}
}

// The zero transport hands requests on and counts nothing.
func TestStatsOfTheZeroTransport(t *testing.T) {
	rt := &transport.Transport{Base: newScript(status(200))}
	get(t, rt, api)
	if s := rt.Stats(); s != (transport.Stats{}) {
		t.Errorf("%+v", s)
	}
}

// Nothing is lost where many count at once, and nothing is negative while they do.
func TestStatsOfManyCallers(t *testing.T) {
	rt := &transport.Transport{Base: newScript(status(200)), Retry: quick}
	const callers, each = 8, 500
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for range each {
				get(t, rt, api)
			}
		})
	}
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	for running := true; running; {
		if s := rt.Stats(); s.Running < 0 || s.Calls > callers*each {
			t.Errorf("%+v", s)
		}
		select {
		case <-done:
			running = false
		default:
		}
	}
	if s := rt.Stats(); s.Calls != callers*each || s.Attempts != callers*each || s.Running != 0 || s.Answered != callers*each {
		t.Errorf("%+v", s)
	}
}
