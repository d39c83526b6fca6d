package transport

import (
	"context"
	"crypto/tls"
	"net"
	"net/http/httptrace"
	"net/netip"
	"sync"
	"time"

	"redial/ledger"
)

// trace collects what net/http tells of one attempt. Its hooks run on other goroutines,
// may run concurrently, and may run after the attempt has ended; so they touch nothing but
// the trace, under its lock.
//
// Hooks are closures and there are ten of them, so a trace is used for many attempts. It
// may only be used again when it is certain that no hook of the last one is still to
// come; see [trace.quiet].
type trace struct {
	ctx   context.Context // the background context with the hooks; never changes
	hooks httptrace.ClientTrace

	mu sync.Mutex
	stamps

	// The last remote address in words, kept from one attempt to the next.
	addr     netip.AddrPort
	addrText string
}

// stamps are the facts of one attempt. Times count from the start of its call.
type stamps struct {
	start   time.Time       // of the call
	began   time.Duration   // of the attempt
	attempt *attemptContext // to be ended after too many sends

	gets, gots int  // how often a connection was asked for, and got
	reused     bool // the last one had been used before
	idle       bool // and came straight from the idle pool: nothing was dialled for it
	conn       net.Conn
	count      *countedConn // below conn; nil if it does not count
	written    int64        // bytes that had left on it when it was got
	remote     string
	got        time.Duration

	wrotes    int // how often the request was written
	refusals  int // how often net/http refused instead to write it, because it is invalid
	wrote     time.Duration
	firstByte time.Duration

	dnsStart, dnsDone time.Duration
	dials             []dial
	tlsStart          time.Duration
	tlsTook           time.Duration
	netHooks          bool // a name lookup, a dial or a handshake was seen
}

// dial is one connection that was tried, by its address.
type dial struct {
	addr        string
	start, done time.Duration // done is 0 while it goes on
	failed      bool
}

func newTrace() *trace {
	t := new(trace)
	t.hooks = httptrace.ClientTrace{
		GetConn:              t.getConn,
		GotConn:              t.gotConn,
		WroteRequest:         t.wroteRequest,
		GotFirstResponseByte: t.gotFirstResponseByte,
		DNSStart:             t.dnsStarted,
		DNSDone:              t.dnsEnded,
		ConnectStart:         t.connectStarted,
		ConnectDone:          t.connectEnded,
		TLSHandshakeStart:    t.tlsStarted,
		TLSHandshakeDone:     t.tlsEnded,
	}
	t.ctx = httptrace.WithClientTrace(context.Background(), &t.hooks)
	return t
}

// begin makes a trace that nobody else holds ready for an attempt that begins at a moment
// of a call that started at start.
func (t *trace) begin(ctx *attemptContext, start time.Time, at time.Duration) {
	t.attempt, t.start, t.began = ctx, start, max(at, 1)
}

// reset forgets the facts of a quiet attempt, with the lock held. That nothing was dialled
// for it is what quiet means.
func (t *trace) reset() {
	t.gets, t.gots, t.wrotes, t.refusals = 0, 0, 0, 0
	t.reused, t.idle = false, false
	t.got, t.wrote, t.firstByte = 0, 0, 0
	t.conn, t.attempt, t.count = nil, nil, nil
}

// quiet reports whether no hook of the attempt can still come, given how often the
// attempt's context was asked for the hooks and that it answers no more. net/http asks
// twice for a send over an idle HTTP/1 connection: when it begins, and before it writes.
// Whoever else holds the hooks, such as a dial under way, must have asked beyond that.
func (s *stamps) quiet(asked int32) bool {
	return asked <= 2 && s.gets == 1 && s.gots == 1 && s.idle && s.reused && s.wrotes == 1 &&
		s.firstByte > 0 && !s.netHooks
}

// since is the time since the call's start, never 0: 0 means "not seen".
func (s *stamps) since() time.Duration { return max(time.Since(s.start), 1) }

func (t *trace) getConn(string) {
	t.mu.Lock()
	t.gets++
	t.mu.Unlock()
}

func (t *trace) gotConn(info httptrace.GotConnInfo) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.gots++; t.gots > maxSends && t.attempt != nil {
		t.attempt.sentAgain(t.gots)
	}
	t.reused, t.idle, t.conn, t.remote = info.Reused, info.WasIdle, info.Conn, ""
	t.got, t.wrote, t.firstByte = t.began, 0, 0
	if !info.WasIdle || t.gots > 1 { // else there was nothing to wait for
		t.got = t.since()
	}
	if info.Conn != nil {
		t.remote = t.inWords(info.Conn.RemoteAddr())
	}
	if t.count = counted(info.Conn); t.count != nil {
		t.written = t.count.written()
	}
}

// inWords returns an address as text, without allocating it again and again.
func (t *trace) inWords(a net.Addr) string {
	tcp, ok := a.(*net.TCPAddr)
	switch {
	case a == nil:
		return ""
	case !ok:
		return a.String()
	case tcp.AddrPort() != t.addr:
		t.addr, t.addrText = tcp.AddrPort(), tcp.String()
	}
	return t.addrText
}

func (t *trace) wroteRequest(info httptrace.WroteRequestInfo) {
	t.mu.Lock()
	t.wrotes++
	if info.Err != nil && refusedByHTTP1(info.Err) {
		t.refusals++
	}
	t.wrote = t.since()
	t.mu.Unlock()
}

func (t *trace) gotFirstResponseByte() {
	t.mu.Lock()
	t.firstByte = t.since()
	t.mu.Unlock()
}

func (t *trace) dnsStarted(httptrace.DNSStartInfo) {
	t.mu.Lock()
	t.netHooks = true
	t.dnsStart = t.since()
	t.mu.Unlock()
}

func (t *trace) dnsEnded(httptrace.DNSDoneInfo) {
	t.mu.Lock()
	t.netHooks = true
	t.dnsDone = t.since()
	t.mu.Unlock()
}

func (t *trace) connectStarted(_, addr string) {
	t.mu.Lock()
	t.netHooks = true
	t.dials = append(t.dials, dial{addr: addr, start: t.since()})
	t.mu.Unlock()
}

func (t *trace) connectEnded(_, addr string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.netHooks = true
	for i := range t.dials {
		if d := &t.dials[i]; d.addr == addr && d.done == 0 {
			d.done, d.failed = t.since(), err != nil
			return
		}
	}
}

func (t *trace) tlsStarted() {
	t.mu.Lock()
	t.netHooks = true
	t.tlsStart = t.since()
	t.mu.Unlock()
}

func (t *trace) tlsEnded(tls.ConnectionState, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.netHooks = true
	// A proxy reached over TLS makes a second handshake; both are time spent on TLS.
	t.tlsTook += max(t.since()-t.tlsStart, 1)
	t.tlsStart = 0
}

// phases divides the attempt's time into p. head is when the response's head arrived, 0 if none
// did; end is when the attempt ended, or now. A phase that never ended lasted until then:
// that is where the time went.
func (s *stamps) phases(p *ledger.Phases, head, end time.Duration) {
	*p = ledger.Phases{}
	if s.gots == 0 || !s.reused {
		p.DNS = span(s.dnsStart, s.dnsDone, end)
		p.Connect = s.connect(end)
		p.TLS = s.tlsTook
		if s.tlsStart > 0 {
			p.TLS += span(s.tlsStart, 0, end)
		}
	}
	first := s.firstByte
	if first == 0 {
		first = head
	}
	if s.gots > 0 {
		p.Send = span(s.got, earlier(s.wrote, first), end)
		if s.wrote > 0 && (first == 0 || s.wrote <= first) {
			p.Wait = span(s.wrote, first, end)
		}
	}
	if first > 0 {
		p.Receive = span(first, 0, end)
	}
}

// connect returns how long the dial took that the connection came from, or the last one
// if there is none.
func (s *stamps) connect(end time.Duration) time.Duration {
	for _, d := range s.dials {
		if s.gots > 0 && d.addr == s.remote && d.done > 0 && !d.failed {
			return span(d.start, d.done, end)
		}
	}
	if s.gots > 0 || len(s.dials) == 0 {
		return 0
	}
	last := s.dials[len(s.dials)-1]
	return span(last.start, last.done, end)
}

// span returns the time from one moment to another, or to end if the second was not seen:
// 0 if the first was not, else at least a nanosecond.
func span(from, to, end time.Duration) time.Duration {
	if from == 0 {
		return 0
	}
	if to == 0 {
		to = end
	}
	return max(to-from, 1)
}

// earlier returns the earlier of two moments, where 0 is none.
func earlier(a, b time.Duration) time.Duration {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}
