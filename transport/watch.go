package transport

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"

	"redial/ledger"
)

// Watch returns a context under which calls can be read, with their attempts and waits, by
// whoever made them. It works however a call ends, with a response or an error, with a
// body or none, and whatever stands between the caller and the transport, since a context
// is what everybody passes on. Who only has the response asks [CallOf]. An error is left as
// it is: wrapped, it would no longer be what net/http and others look for.
//
// The zero [Transport], which does nothing, is not seen. Of nested ones it is the outermost
// that is, since the others serve its attempts. A Watch within a Watch leaves the outer one
// in force.
func Watch(ctx context.Context) (context.Context, *Watched) {
	w := new(Watched)
	w.outer, w.inner = layerOf(ctx)
	return context.WithValue(ctx, layer{}, w), w
}

// maxWatched is how many calls a Watched keeps: more than an http.Client makes for one
// request, but bounded for a context that serves for long.
const maxWatched = 100

// Watched has the calls that were made under a context of [Watch]: one for each RoundTrip,
// and so several where redirects were followed. It is safe for concurrent use.
type Watched struct {
	outer *Watched // of the Watch around this one; nil without one
	inner bool     // a redial transport sends through those that are watched

	mu    sync.Mutex
	calls []*sighting
}

// Calls returns the last 100 calls, in the order in which they began. The last attempt of a
// call whose response's body is still open has not ended; [ledger.Call.Running] reports
// that. Headers and bodies are not among what is returned; the ID is 0 without a [Recorder].
func (w *Watched) Calls() []ledger.Call {
	w.mu.Lock()
	seen := slices.Clone(w.calls)
	w.mu.Unlock()
	calls := make([]ledger.Call, len(seen))
	for i, s := range seen {
		calls[i] = s.look()
	}
	return calls
}

// Last returns the latest of [Watched.Calls]. It reports false if there is none.
func (w *Watched) Last() (ledger.Call, bool) {
	w.mu.Lock()
	n := len(w.calls)
	if n == 0 {
		w.mu.Unlock()
		return ledger.Call{}, false
	}
	s := w.calls[n-1]
	w.mu.Unlock()
	return s.look(), true
}

// CallOf returns the call that resp is the answer to, as in [Watched.Calls]. It reports
// false if the request's context does not come from [Watch].
func CallOf(resp *http.Response) (ledger.Call, bool) {
	if resp == nil || resp.Request == nil {
		return ledger.Call{}, false
	}
	w, _ := layerOf(resp.Request.Context())
	if w == nil {
		return ledger.Call{}, false
	}
	w.mu.Lock()
	seen := slices.Clone(w.calls)
	w.mu.Unlock()
	for i := len(seen) - 1; i >= 0; i-- {
		if seen[i].resp.Load() == resp {
			return seen[i].look(), true
		}
	}
	for i := len(seen) - 1; i >= 0; i-- { // It may be a copy.
		if seen[i].req == resp.Request {
			return seen[i].look(), true
		}
	}
	return ledger.Call{}, false
}

// sighting is a call that is watched.
type sighting struct {
	seen
	req   *http.Request
	resp  atomic.Pointer[http.Response] // nil until there is one for the caller
	final atomic.Pointer[ledger.Call]   // nil until the call has ended
}

// sight has the call seen under the context that it was made with.
func (w *Watched) sight(c *call) *sighting {
	s := &sighting{seen: seen{c, c.use}, req: c.req}
	for ; w != nil; w = w.outer {
		w.mu.Lock()
		if len(w.calls) == maxWatched {
			w.calls = slices.Delete(w.calls, 0, 1)
		}
		w.calls = append(w.calls, s)
		w.mu.Unlock()
	}
	return s
}

// look returns the call as it is now, in memory of its own.
func (s *sighting) look() ledger.Call {
	if running := s.appendTo(nil); s.final.Load() == nil && len(running) > 0 {
		return running[0]
	}
	return withoutMessages(s.final.Load())
}

// end keeps the call as it has ended.
func (s *sighting) end(c *ledger.Call) {
	kept := withoutMessages(c)
	s.final.Store(&kept)
}
