package transport_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"redial/transport"
)

// faulty is a connection whose second request fails: its write puts as many bytes on the
// wire as it says, and returns an error.
type faulty struct {
	net.Conn
	writes *int
	most   int
}

func (c faulty) Write(p []byte) (int, error) {
	if *c.writes++; *c.writes != 2 {
		return c.Conn.Write(p)
	}
	n, _ := c.Conn.Write(p[:c.most])
	c.Conn.Close()
	return n, errors.New("second write fails")
}

// net/http sends a request again by itself when a used connection fails before a byte of it
// was written, and when it takes it for idempotent (net/http: TestRetryRequestsOnError). Both still
// happen below redial, are counted, and stay within the gate; the bytes on the wire are the same
// as without it.
func TestPeersRequestsOnAConnectionThatFails(t *testing.T) {
	for _, c := range []struct {
		name, method, body string
		written            int
		wire               int // how often it is on the wire
		attempts           int // 0: one or two, by which of two goroutines of net/http first sees the failure
		ok                 bool
	}{
		{"GET, something written", "GET", "", 1, 2, 0, true},
		{"GET with a body, something written", "GET", "foo\n", 1, 2, 0, true},
		{"DELETE, nothing written", "DELETE", "", 0, 2, 1, true},
		{"DELETE, something written", "DELETE", "", 1, 2, 2, true},
		{"POST, nothing written", "POST", "foo\n", 0, 2, 1, true},
		{"POST, something written", "POST", "foo\n", 1, 1, 1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var mu sync.Mutex
			var wire []string
			s := talkers(t, func(text string) {
				mu.Lock()
				defer mu.Unlock()
				wire = append(wire, text)
			})
			writes := 0
			base := &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
				conn, err := new(net.Dialer).DialContext(ctx, network, addr)
				return faulty{conn, &writes, c.written}, err
			}}
			defer base.CloseIdleConnections()
			j := newJournal()
			rt := &transport.Transport{Base: base, Retry: quick, Recorder: j}
			for range 2 {
				req, _ := http.NewRequest(c.method, s, strings.NewReader(c.body))
				if c.body == "" {
					req.Body = nil
				}
				code, _, err := finish(rt.RoundTrip(req))
				if calls := j.all(); len(calls) == 2 && (err == nil) != c.ok || err == nil && code != 200 {
					t.Errorf("%d %v", code, err)
				}
			}
			call := j.all()[1]
			if call.WireSends != c.wire || call.Attempts > 2 || c.attempts > 0 && call.Attempts != c.attempts {
				t.Errorf("%d wire sends in %d attempts", call.WireSends, call.Attempts)
			}
			mu.Lock()
			defer mu.Unlock()
			if c.ok && (len(wire) != 2 || wire[0] != wire[1]) || !c.ok && len(wire) != 1 || !strings.HasSuffix(wire[0], c.body) {
				t.Errorf("on the wire %q", wire)
			}
		})
	}
}

// talkers serves any number of requests on each connection, and shows each as it was on the
// wire.
func talkers(t *testing.T, show func(string)) (url string) {
	return listener(t, func(conn net.Conn) {
		var text strings.Builder
		from := bufio.NewReader(io.TeeReader(conn, &text))
		for {
			req, err := http.ReadRequest(from)
			if err != nil || sink(req) == "" && req.ContentLength > 0 {
				return
			}
			show(text.String())
			text.Reset()
			io.WriteString(conn, works.say)
		}
	})
}

// What net/http takes for replayable (net/http: TestTransportRequestReplayable), and what the
// gate takes for it. They differ in PUT and DELETE, which are idempotent by HTTP (RFC 9110,
// section 9.2.2) and which net/http does not replay.
func TestPeersWhatIsReplayable(t *testing.T) {
	key := func(name string) http.Header { return http.Header{name: {"x"}} }
	for _, c := range []struct {
		method string
		header http.Header
		body   io.ReadCloser
		want   bool
	}{
		{"GET", nil, nil, true},
		{"GET", nil, http.NoBody, true},
		{"GET", nil, io.NopCloser(strings.NewReader("")), false},
		{"HEAD", nil, nil, true},
		{"OPTIONS", nil, nil, true},
		{"TRACE", nil, nil, true},
		{"PUT", nil, nil, true},
		{"DELETE", nil, nil, true},
		{"POST", nil, nil, false},
		{"POST", key("Idempotency-Key"), nil, true},
		{"POST", key("X-Idempotency-Key"), nil, true},
		{"POST", key("Idempotency-Key"), io.NopCloser(strings.NewReader("")), false},
	} {
		base := newScript(failure(errLost))
		req, _ := http.NewRequest(c.method, api, nil)
		req.Body = c.body
		if c.header != nil {
			req.Header = c.header
		}
		(&transport.Transport{Base: base, Retry: quick}).RoundTrip(req)
		if got := len(base.times()) > 1; got != c.want {
			t.Errorf("%s %v, body %v: sent again %v", c.method, c.header, c.body, got)
		}
	}
}
