package transport_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"redial/ledger"
	"redial/transport"
	"redial/transport/digest"
)

// hostile are header lines that a server may send by mistake or out of malice.
var hostile = [][2]string{
	{"Retry-After", "0"}, {"Retry-After", "-1"}, {"Retry-After", "\x7f"}, {"Date", "Fri, 31 Dec 9999 23:59:59 GMT"}, {"Date", "Thu, 01 Jan 1970 00:00:00 GMT"}, {"Age", "999999999999"},
	{"RateLimit", `"a";r=0;t=0`}, {"RateLimit", `"a";r=999999999999999;t=999999999999999`}, {"RateLimit", strings.Repeat(`"a";r=0,`, 400)},
	{"RateLimit-Policy", `"a";q=0;w=0`}, {"RateLimit-Policy", `"a";q=-999999999999999;w=999999999999999;qu="requests"`},
	{"X-RateLimit-Remaining", "-0"}, {"X-RateLimit-Remaining", "1e9"}, {"X-RateLimit-Limit", "0"},
	{"X-RateLimit-Reset", "18446744073709551616"}, {"X-RateLimit-Reset", "0.000000000000000001"}, {"X-RateLimit-Reset", "9223372036854775807"},
	{"X-RateLimit-Reset-After", "0.001"}, {"X-RateLimit-Reset-Requests", "9999h59m"},
	{"WWW-Authenticate", "Digest"}, {"WWW-Authenticate", `Digest realm="r", nonce="n", qop="auth", stale=true`}, {"WWW-Authenticate", "Digest " + strings.Repeat(`a="b",`, 5000)},
	{"WWW-Authenticate", `Digest realm="r", nonce="n", algorithm=MD5-sess, qop="auth-int"`}, {"WWW-Authenticate", `Basic realm="r"`},
	{"Authentication-Info", `nextnonce="m", qop=auth, nc=ffffffff`}, {"Authentication-Info", strings.Repeat(",", 10_000)},
	{"Retry-After", "0.001"}, {"X-RateLimit-Remaining", "1"}, {"X-RateLimit-Remaining", "99999999999"},
	{"Location", "http://[::1"}, {"Location", "/"}, {"Set-Cookie", "="}, {"Trailer", "RateLimit"}, {"Upgrade", "h2c"},
}

// deadly are those after which a host is not asked again for long.
var deadly = [][2]string{
	{"Retry-After", "99999999999999999999"}, {"Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT"}, {"RateLimit", `"a";r=0;t=9999`}, {"X-RateLimit-Remaining", "0"},
}

// malice answers at random: with any status, hostile headers, bodies that break off, or not
// at all.
func malice(w http.ResponseWriter, r *http.Request) {
	if rand.N(3) > 0 {
		io.CopyN(io.Discard, r.Body, int64(rand.N(5000)))
	}
	for range rand.N(4) {
		line := hostile[rand.N(len(hostile))]
		if rand.N(200) == 0 {
			line = deadly[rand.N(len(deadly))]
		}
		w.Header().Add(line[0], line[1])
	}
	switch rand.N(12) {
	case 0:
		reset(w)
		return
	case 1:
		select { // Nobody waits so long. A request that was not read to its end does not say that its client left.
		case <-r.Context().Done():
		case <-time.After(time.Second):
		}
		return
	case 2:
		w.Header().Set("Content-Length", "5000")
	}
	statuses := []int{200, 200, 201, 204, 304, 307, 401, 401, 407, 408, 409, 421, 425, 429, 429, 500, 502, 503, 503, 599}
	status := statuses[rand.N(len(statuses))]
	if status == 401 && rand.N(2) == 0 {
		w.Header().Add("WWW-Authenticate", fmt.Sprintf(`Digest realm="r", nonce="%d", qop="auth", stale=%v`, rand.N(5), rand.N(2) == 0))
	}
	w.WriteHeader(status)
	io.WriteString(w, strings.Repeat("x", rand.N(3000)))
}

// hammered returns a transport with all that there is in it, whose hosts are all the same
// server.
func hammered(t *testing.T, j *journal) (*transport.Transport, *openConns) {
	s := serve(t, malice)
	conns := new(openConns)
	auth := &digest.Digest{Username: "u", Password: "p"}
	for i := range 300 {
		auth.Origins = append(auth.Origins, fmt.Sprintf("http://h%d.example.test", i))
	}
	key := func(r *http.Request) string { return r.URL.Query().Get("key") }
	const ms = time.Millisecond
	return &transport.Transport{
		Base: &http.Transport{MaxIdleConnsPerHost: 4, DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return conns.dial(ctx, network, s.Listener.Addr().String())
		}},
		Recorder: j,
		Auth:     auth,
		Retry:    transport.Retry{Attempts: 4, Base: ms / 10, Max: ms, AttemptTimeout: 100 * ms, Limit: time.Second, MaxRetryAfter: 20 * ms},
		Routes: []transport.Route{
			{Methods: []string{"POST"}, Path: "/read/{id}", Retry: transport.Retry{Attempts: 3, Base: ms, Max: ms, Repeat: transport.AlwaysRepeat, Statuses: []int{500}}},
			{Host: "*.example.test", Path: "/once/", Retry: transport.Retry{Attempts: 1}},
		},
		Budget: transport.Budget{Burst: 50, PerSecond: 500},
		Windows: []transport.Window{
			{Limit: 3, Per: 5 * ms},
			{Limit: 2, Per: 5 * ms, Kind: transport.SlidingWindow, Key: key},
			{Host: "h1.example.test", Limit: 500, Per: 50 * ms, Kind: transport.GCRA, Burst: 20, Path: "/read/"},
		},
		Bandwidth: []transport.Bandwidth{{Up: 2 << 20, Down: 1 << 19}, {Host: "h2.example.test", Up: 1 << 20, Down: 1 << 20}},
	}, conns
}

// Servers that do whatever they like, ten thousand keys, callers that leave at any moment and
// others who look on: nobody panics, nothing is stuck or left over, and the books agree.
func TestHammeredWithEverything(t *testing.T) {
	j := newJournal()
	j.limit = 100
	rt, conns := hammered(t, j)
	before := runtime.NumGoroutine()
	stop := make(chan struct{})
	var watchers, callers sync.WaitGroup
	for range 2 {
		watchers.Go(func() {
			for look := time.NewTicker(time.Millisecond); ; <-look.C {
				select {
				case <-stop:
					look.Stop()
					return
				default:
				}
				j.running()
				j.windows()
				rt.Stats()
			}
		})
	}
	var next atomic.Int64
	for range 32 {
		callers.Go(func() {
			for n := next.Add(1); n <= 6000; n = next.Add(1) {
				hammer(t, rt, int(n))
			}
		})
	}
	callers.Wait()
	close(stop)
	watchers.Wait()
	checkBooks(t, rt, j)
	rt.CloseIdleConnections()
	eventually(t, "all connections closed", func() bool { return conns.open.Load() == 0 })
	eventually(t, "all goroutines ended", func() bool { return runtime.NumGoroutine() <= before })
}

// hammer makes one call of some kind.
func hammer(t *testing.T, rt http.RoundTripper, n int) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1+rand.N(300))*time.Millisecond)
	defer cancel()
	if n%3 == 0 {
		time.AfterFunc(time.Duration(rand.N(20_000))*time.Microsecond, cancel)
	}
	var watched *transport.Watched
	if n%5 == 0 {
		ctx, watched = transport.Watch(ctx)
	}
	method := []string{"GET", "PUT", "POST", "HEAD", "DELETE"}[rand.N(5)]
	path := []string{"/read/7", "/once/x", "/", "/read/"}[rand.N(4)]
	// One host after another, since each is soon left alone because of what it said.
	url := fmt.Sprintf("http://h%d.example.test%s?key=%d", n/20, path, n*7%10_000)
	var body io.Reader
	if rand.N(2) == 0 {
		body = strings.NewReader(strings.Repeat("y", rand.N(20_000)))
		if rand.N(3) == 0 {
			body = io.MultiReader(body)
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		t.Error(err)
		return
	}
	resp, err := rt.RoundTrip(req)
	if (resp == nil) == (err == nil) {
		t.Errorf("call %d: %v, %v", n, resp, err)
	}
	if err == nil {
		if rand.N(4) > 0 {
			io.Copy(io.Discard, resp.Body)
		}
		resp.Body.Close()
	}
	if watched != nil {
		if _, ok := watched.Last(); !ok {
			t.Errorf("call %d was not seen", n)
		}
	}
	if err != nil && strings.Contains(err.Error(), "panic") {
		t.Errorf("call %d: %v", n, err)
	}
}

// checkBooks checks what was recorded of the hammering.
func checkBooks(t *testing.T, rt *transport.Transport, j *journal) {
	eventually(t, "all calls ended", func() bool { return len(j.running()) == 0 })
	calls, stats := j.all(), rt.Stats()
	if len(calls) != 6000 || stats.Calls != 6000 || stats.Running != 0 {
		t.Errorf("%d calls recorded, %d counted, %d running", len(calls), stats.Calls, stats.Running)
	}
	if stats.Retries < 100 || stats.AuthLegs < 5 || stats.Waits[ledger.WindowWait].Count < 300 || stats.Waits[ledger.BandwidthWait].Count < 10 {
		t.Errorf("too little happened: %+v", stats)
	}
	attempts := 0
	for i := range calls {
		c := &calls[i]
		attempts += len(c.AttemptList)
		for _, w := range c.Waits {
			if w.Took < 0 || w.Took > 10*time.Second || w.Planned < 0 || w.Planned > time.Minute {
				t.Errorf("a wait of %+v", w)
			}
		}
		for k, a := range c.AttemptList {
			if a.N != k+1 || a.Took <= 0 || a.Outcome == ledger.NoOutcome || a.Decision == ledger.Undecided && c.Error == "" {
				t.Errorf("call %v: attempt %+v", c.Error, a)
			}
		}
	}
	if int64(attempts) != stats.Attempts {
		t.Errorf("%d attempts recorded, %d counted", attempts, stats.Attempts)
	}
	for _, w := range j.windows() {
		if w.Waiting != 0 || w.Used < 0 || w.Limit > 0 && w.Used > w.Limit {
			t.Errorf("window %+v", w)
		}
	}
}

// A host that had everybody wait is asked again when that is over, and others never waited.
func TestPausesPass(t *testing.T) {
	base := newScript(status(429, "Retry-After", "1"), status(200))
	rt := &transport.Transport{Base: base, Retry: transport.Retry{Attempts: 2, MaxRetryAfter: time.Millisecond}}
	if code, _, err := get(t, rt, api); code != 429 || err != nil {
		t.Fatal(code, err)
	}
	var paused *transport.PausedError
	if _, _, err := get(t, rt, api); !errors.As(err, &paused) {
		t.Errorf("%v, want a PausedError", err)
	}
	if code, _, err := get(t, rt, "http://other.example.test/"); code != 200 || err != nil {
		t.Errorf("another host: %d %v", code, err)
	}
	eventually(t, "the host is asked again", func() bool {
		code, _, _ := get(t, rt, api)
		return code == 200
	})
}
