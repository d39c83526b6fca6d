package transport_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"redial/transport"
)

// openConns counts the connections that are open.
type openConns struct{ open, all atomic.Int64 }

func (o *openConns) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	c, err := new(net.Dialer).DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	o.open.Add(1)
	o.all.Add(1)
	return &openConn{Conn: c, of: o}, nil
}

type openConn struct {
	net.Conn
	of   *openConns
	once sync.Once
}

func (c *openConn) Close() error {
	c.once.Do(func() { c.of.open.Add(-1) })
	return c.Conn.Close()
}

// leaky is a server that fails the first attempt of each call in the way that its path says.
func leaky(t *testing.T) string {
	var seen sync.Map
	large := strings.Repeat("x", 20_000)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		sink(r)
		_, again := seen.LoadOrStore(r.URL.RawQuery, true)
		switch {
		case r.URL.Path == "/hang":
			<-r.Context().Done()
		case r.URL.Path == "/busy" || !again && r.URL.Path != "/reset":
			w.WriteHeader(503)
			io.WriteString(w, large[:10_000])
		case !again:
			reset(w)
		default:
			io.WriteString(w, large)
		}
	})
	return s.URL
}

// Five thousand calls that are sent again, with bodies both ways, that are read, closed
// early, cancelled in every state or given up, leave neither a goroutine nor a connection
// behind, and use few connections while they last.
func TestThousandsOfRetriedCallsLeaveNothing(t *testing.T) {
	url := leaky(t)
	conns := new(openConns)
	base := &http.Transport{DialContext: conns.dial, MaxIdleConnsPerHost: 20}
	j := newJournal()
	j.limit = 0
	rt := &transport.Transport{Base: base, Recorder: j, Budget: transport.Budget{Off: true}}
	rt.Retry = transport.Retry{Attempts: 3, Base: time.Millisecond, Max: time.Millisecond, AttemptTimeout: time.Minute}
	before := runtime.NumGoroutine()
	var next atomic.Int64
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			for n := next.Add(1); n <= 5000; n = next.Add(1) {
				leak(t, rt, url, int(n))
			}
		})
	}
	all.Wait()
	retried := 0
	for _, c := range j.all() {
		retried += min(c.Attempts-1, 1)
	}
	if retried < 3000 || len(j.all()) != 5000 {
		t.Errorf("%d calls, %d of them were sent again", len(j.all()), retried)
	}
	base.CloseIdleConnections()
	eventually(t, "all connections closed", func() bool { return conns.open.Load() == 0 })
	eventually(t, "all goroutines ended", func() bool { return runtime.NumGoroutine() <= before })
	if n := len(j.running()); n != 0 {
		t.Errorf("%d calls still run", n)
	}
	if n := conns.all.Load(); n > 2500 { // those that were reset, cancelled, or closed before the end
		t.Errorf("%d connections were made", n)
	}
}

// leak makes the n-th call, in one of eight ways.
func leak(t *testing.T, rt http.RoundTripper, url string, n int) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	path := []string{"/ok", "/ok", "/ok", "/reset", "/ok", "/busy", "/hang", "/ok"}[n%8]
	var body io.Reader
	if n%2 == 0 {
		body = strings.NewReader(strings.Repeat("y", n))
	}
	req, _ := http.NewRequestWithContext(ctx, http.MethodPut, url+path+"?"+strconv.Itoa(n), body)
	switch n % 8 {
	case 4, 6: // cancelled in the second attempt, in a wait or in the body; or without an answer
		time.AfterFunc(time.Duration(n%40)*time.Millisecond/10, cancel)
	}
	resp, err := rt.RoundTrip(req)
	if err != nil {
		if n%8 != 4 && n%8 != 6 {
			t.Errorf("call %d: %v", n, err)
		}
		return
	}
	if n%8 == 7 { // closed before the end
		resp.Body.Read(make([]byte, 10))
	} else {
		io.Copy(io.Discard, resp.Body)
	}
	resp.Body.Close()
}
