package transport_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"redial/ledger"
	"redial/transport"
)

// brittle is a connection that breaks: of a write after that only some bytes leave.
type brittle struct {
	net.Conn
	broken *atomic.Bool
	leave  int
}

func (b brittle) Write(p []byte) (int, error) {
	if !b.broken.Load() {
		return b.Conn.Write(p)
	}
	n := min(b.leave, len(p))
	if n > 0 {
		_, _ = b.Conn.Write(p[:n])
	}
	return n, &net.OpError{Op: "write", Err: syscall.EPIPE}
}

func TestWhereNotAByteHasLeftItWasNotSent(t *testing.T) {
	for _, test := range []struct {
		name  string
		count bool
		leave int
		want  ledger.Outcome
	}{
		{"nothing has left", true, 0, ledger.NotSent},
		{"nothing has left, and nobody counts", false, 0, ledger.Unknown},
		{"one byte has left", true, 1, ledger.Unknown},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }))
			defer server.Close()
			var broken atomic.Bool
			dial := func(ctx context.Context, network, addr string) (net.Conn, error) {
				c, err := new(net.Dialer).DialContext(ctx, network, addr)
				return brittle{c, &broken, test.leave}, err
			}
			if test.count {
				dial = transport.CountWrites(dial)
			}
			base := &http.Transport{DialContext: dial}
			defer base.CloseIdleConnections()
			if got, err := outcomeOf(t, t.Context(), base, server.URL); got != ledger.Answered {
				t.Fatalf("the first was %s: %v", got, err)
			}
			broken.Store(true)
			if got, err := outcomeOf(t, t.Context(), base, server.URL); got != test.want {
				t.Errorf("it was %s, want %s: %v", got, test.want, err)
			}
		})
	}
}

// outcomeOf posts a body that cannot be made again, and returns what is known of its sending.
func outcomeOf(t *testing.T, ctx context.Context, base http.RoundTripper, url string) (outcome ledger.Outcome, err error) {
	t.Helper()
	trace := &ledger.Trace{Done: func(c *ledger.Call) { outcome = c.Outcome }}
	req, err := http.NewRequestWithContext(ledger.WithTrace(ctx, trace), "POST", url, io.MultiReader(strings.NewReader("order")))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := (&transport.Transport{Base: base}).RoundTrip(req)
	if err == nil {
		resp.Body.Close()
	}
	return outcome, err
}
