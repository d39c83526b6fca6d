package transport_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"redial/ledger"
	"redial/transport"
)

// journal is a recorder that keeps what it is given.
type journal struct {
	limit int64 // of bodies

	mu    sync.Mutex
	ids   int64
	calls []ledger.Call
	live  []ledger.Live
}

func newJournal() *journal { return &journal{limit: 64 << 10} }

func (j *journal) NewID() ledger.CallID {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.ids++
	return ledger.NewCallID(1, j.ids)
}

func (j *journal) BodyLimit() int64 { return j.limit }

func (j *journal) Watch(l ledger.Live) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.live = append(j.live, l)
}

func (j *journal) Record(c *ledger.Call) {
	kept := *c
	kept.Waits = append([]ledger.Wait(nil), c.Waits...)
	kept.AttemptList = append([]ledger.Attempt(nil), c.AttemptList...)
	for i := range kept.AttemptList {
		a := &kept.AttemptList[i]
		a.Request.Header = append([]ledger.Field{}, a.Request.Header...)
		a.Response.Header = append([]ledger.Field{}, a.Response.Header...)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.calls = append(j.calls, kept)
}

func (j *journal) all() []ledger.Call {
	j.mu.Lock()
	defer j.mu.Unlock()
	return append([]ledger.Call(nil), j.calls...)
}

// only returns the one call that was recorded.
func (j *journal) only(t *testing.T) ledger.Call {
	t.Helper()
	calls := j.all()
	if len(calls) != 1 {
		t.Fatalf("%d calls recorded, want 1: %+v", len(calls), calls)
	}
	return calls[0]
}

// running pulls what the recorder would pull.
func (j *journal) running() []ledger.Call { return j.runningBefore(time.Now().Add(time.Hour)) }

func (j *journal) runningBefore(t time.Time) (calls []ledger.Call) {
	for _, l := range j.watched() {
		calls = l.AppendRunning(calls, t)
	}
	return calls
}

func (j *journal) windows() (windows []ledger.Window) {
	for _, l := range j.watched() {
		windows = l.AppendWindows(windows)
	}
	return windows
}

func (j *journal) watched() []ledger.Live {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.live)
}

// decisions returns what was decided after each attempt.
func decisions(c ledger.Call) (ds []ledger.Decision) {
	for _, a := range c.AttemptList {
		ds = append(ds, a.Decision)
	}
	return ds
}

// baseFunc is a base transport that fires no hooks.
type baseFunc func(*http.Request) (*http.Response, error)

func (f baseFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// answer makes a response as a base transport would.
func answer(r *http.Request, status int, body string, header ...string) *http.Response {
	resp := &http.Response{
		StatusCode: status, Status: http.StatusText(status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{}, Body: http.NoBody, ContentLength: int64(len(body)), Request: r,
	}
	for i := 0; i+1 < len(header); i += 2 {
		resp.Header.Add(header[i], header[i+1])
	}
	if body != "" {
		resp.Body = io.NopCloser(strings.NewReader(body))
	}
	return resp
}

// sink reads a request's body as a base transport must, and closes it.
func sink(r *http.Request) string {
	if r.Body == nil {
		return ""
	}
	defer r.Body.Close()
	b, _ := io.ReadAll(r.Body)
	return string(b)
}

// countedBody counts how often it is closed.
type countedBody struct {
	io.Reader
	closes atomic.Int32
}

func (b *countedBody) Close() error { b.closes.Add(1); return nil }

// bodies makes countedBodies and remembers them.
type bodies struct {
	text string
	mu   sync.Mutex
	made []*countedBody
}

func (bs *bodies) get() (io.ReadCloser, error) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	b := &countedBody{Reader: strings.NewReader(bs.text)}
	bs.made = append(bs.made, b)
	return b, nil
}

// closedOnce waits until each body that was given out is closed, and reports one that was
// closed more than once.
func (bs *bodies) closedOnce(t *testing.T) {
	t.Helper()
	bs.mu.Lock()
	defer bs.mu.Unlock()
	for i, b := range bs.made {
		eventually(t, "body closed", func() bool { return b.closes.Load() > 0 })
		if n := b.closes.Load(); n != 1 {
			t.Errorf("body %d was closed %d times", i+1, n)
		}
	}
}

// request makes a request whose bodies are counted. With an empty text it has none.
func (bs *bodies) request(t *testing.T, method, url string, getBody bool) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if bs.text != "" {
		r.Body, _ = bs.get()
		r.ContentLength = int64(len(bs.text))
		if getBody {
			r.GetBody = bs.get
		}
	}
	return r
}

// eventually waits until ok holds.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	deadline := time.NewTimer(time.Minute)
	defer deadline.Stop()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline.C:
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

// elapse lets fake time pass, in a bubble.
func elapse(d time.Duration) { <-time.After(d) }

// pipe serves h on connections in memory, so that it works in a bubble of fake time, and
// returns a base transport that dials them.
func pipe(t *testing.T, h http.HandlerFunc) *http.Transport {
	l := &pipeListener{conns: make(chan net.Conn), done: make(chan struct{})}
	s := &http.Server{Handler: h}
	go s.Serve(l)
	base := &http.Transport{DialContext: l.dial}
	t.Cleanup(func() {
		base.CloseIdleConnections()
		s.Close()
	})
	return base
}

type pipeListener struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func (l *pipeListener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case l.conns <- far:
		return near, nil
	case <-l.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error   { l.once.Do(func() { close(l.done) }); return nil }
func (l *pipeListener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }

// get sends a GET through rt and reads the response to its end.
func get(t *testing.T, rt http.RoundTripper, url string) (status int, body string, err error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	return finish(rt.RoundTrip(r))
}

// finish reads a response to its end.
func finish(resp *http.Response, err error) (int, string, error) {
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(b), err
}

// keyed gives the request an idempotency key.
func keyed(r *http.Request) *http.Request {
	r.Header.Set("Idempotency-Key", "order-8841")
	return r
}

var quick = transport.Retry{Attempts: 3, Base: time.Millisecond, Max: time.Millisecond}

// remote is a connection of which nothing but the other side's address is known.
type remote struct {
	net.Conn
	addr net.Addr
}

func (r remote) RemoteAddr() net.Addr { return r.addr }

func connTo(addr string) net.Conn {
	a, err := net.ResolveTCPAddr("tcp", addr)
	if err != nil {
		panic(err)
	}
	return remote{addr: a}
}
