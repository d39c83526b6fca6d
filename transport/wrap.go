package transport

import (
	"errors"
	"net/http"
	"reflect"
)

// Wrap returns a copy of client that sends through t, and t through what the client had as
// its Transport. The client given stays as it is. If it is nil, the copy is a new one over
// [http.DefaultTransport].
//
// If t.Base is nil, Wrap sets it. If it is set, it is kept, but then the client may not have
// another Transport: one of the two would be lost, and every request is answered with an
// error that says so. Wrap is called before t is used.
func Wrap(client *http.Client, t *Transport) *http.Client {
	wrapped := new(http.Client)
	if client != nil {
		*wrapped = *client
	}
	switch base := wrapped.Transport; {
	case base == http.RoundTripper(t):
	case t.Base == nil:
		t.Base, wrapped.Transport = base, t
	case base == nil || same(base, t.Base):
		wrapped.Transport = t
	default:
		wrapped.Transport = refusal{errTwoBases}
	}
	return wrapped
}

// WrapDefault sends through t what goes to [http.DefaultTransport], and so what
// [http.Get], [http.DefaultClient] and every client without a Transport of its own send. If
// t.Base is nil, it becomes what http.DefaultTransport was. It changes that variable of
// net/http, for the whole process, so it is called at the start of main, if at all; restore
// puts it back. Code that takes http.DefaultTransport for an *[http.Transport] panics or
// goes around t afterwards: [Wrap] the clients of such a process one by one.
func WrapDefault(t *Transport) (restore func()) {
	before := http.DefaultTransport
	if before != http.RoundTripper(t) {
		if t.Base == nil {
			t.Base = before
		}
		http.DefaultTransport = t
	}
	return func() { http.DefaultTransport = before }
}

var (
	errTwoBases = errors.New("redial: Base is set, and the client to wrap has a Transport of its own: leave one of the two nil")
	errOwnBase  = errors.New("redial: Base is nil, and http.DefaultTransport is this transport: set Base to what http.DefaultTransport was, as WrapDefault does")
)

// refusal is a base transport that cannot be: it answers every request with the error.
type refusal struct{ err error }

// RoundTrip closes the request's body and returns the error.
func (r refusal) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		req.Body.Close()
	}
	return nil, r.err
}

// same reports whether two transports are certainly the same one.
func same(a, b http.RoundTripper) bool {
	return reflect.TypeOf(a) == reflect.TypeOf(b) && reflect.ValueOf(a).Comparable() && a == b
}
