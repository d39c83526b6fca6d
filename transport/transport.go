package transport

import (
	"net/http"
	"sync"
	"sync/atomic"

	"redial/ledger"
)

// Transport is an [http.RoundTripper] that sends again what may be sent again, holds
// rate windows, and hands what it saw to a [Recorder].
//
// The zero value sends once through [http.DefaultTransport], records nothing and holds
// no window. A Transport is safe for concurrent use and must not be copied after its
// first use. Its fields are read at the first request; later changes have no effect.
type Transport struct {
	// Base sends each attempt. If nil, http.DefaultTransport does.
	Base http.RoundTripper

	// Recorder is told of every call. If nil, nothing is recorded.
	Recorder Recorder

	// Retry says whether, when and how often to send again. The zero value sends once.
	Retry Retry

	// Routes have a policy of their own for some of the requests. The first that fits counts;
	// where none does, Retry does. If nil, Retry is for all.
	Routes []Route

	// Budget bounds the retries that each host is sent. The zero value is the default
	// budget, which has no effect on a policy that sends once.
	Budget Budget

	// Windows are the rate windows to keep, in this transport alone: two transports with
	// the same window count apart. Every attempt takes one place in each window that it falls
	// into.
	Windows []Window

	// Auth puts credentials on requests, and answers a 401 or 407 with another leg of the
	// same call. If nil, nothing is added and such a response is returned.
	Auth Auth

	// Bandwidth are the limits for how fast bodies are sent and received, shared by all
	// calls of this transport. Two transports with the same limit count apart.
	Bandwidth []Bandwidth

	// NoPause is for a host whose answers to one call mean nothing to another, such as one that
	// limits each of many accounts apart. Else what a server says about its limits counts
	// for all calls to the same host and port, as soon as the transport may send again or has
	// Windows: after a 429, or a 503 with Retry-After, nobody sends there until the time that
	// the server named, or for a second if it named none; and RateLimit fields and their
	// older relatives narrow the windows that the request fell into. Who would have to wait
	// longer than Retry.MaxRetryAfter is refused with a [PausedError].
	NoPause bool

	mu     sync.Mutex
	engine atomic.Pointer[engine]
}

// RoundTrip sends the request, again where [Transport.Retry] and the replay gate allow it.
//
// It does not change req, closes its body and each body that GetBody gave exactly once,
// possibly after it returned, and gives back a response whose Request is req. Every wait
// ends when the request's context does; the error then wraps both the context's error and
// its cause, and names the last status. A refusal to send again that needs no wait returns
// the last response as it is, with a nil error; the reason is in the call's record.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	e := t.prepare()
	if e.passive && ledger.TraceOf(req.Context()) == nil {
		return once(t.base(), req)
	}
	return e.roundTrip(t.base(), req)
}

// CloseIdleConnections closes the idle connections of Base, if it can.
func (t *Transport) CloseIdleConnections() {
	if c, ok := t.base().(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// Validate returns the error that every RoundTrip would return because of the
// transport's own fields, or nil. It names the field and what it should be.
func (t *Transport) Validate() error { return t.prepare().err }

func (t *Transport) base() http.RoundTripper {
	if t.Base != nil {
		return t.Base
	}
	if http.DefaultTransport == http.RoundTripper(t) {
		return refusal{errOwnBase}
	}
	return http.DefaultTransport
}

// prepare returns what the fields amount to, worked out at its first call.
func (t *Transport) prepare() *engine {
	if e := t.engine.Load(); e != nil {
		return e
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if e := t.engine.Load(); e != nil {
		return e
	}
	e := newEngine(t)
	if e.recorder != nil {
		e.recorder.Watch(e)
	}
	t.engine.Store(e)
	return e
}
