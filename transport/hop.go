package transport

import (
	"net/http"
	"slices"
	"sync"
	"weak"

	"redial/ledger"
)

// maxHops is how many redirects are remembered that nobody has followed yet.
const maxHops = 1024

// hops remembers which calls the last redirects came from. http.Client gives the request
// that follows a redirect the response that caused it. That has no other place to carry
// the number of its call through whatever stands between the two: its body may be wrapped,
// and there may be none.
type hops struct {
	mu   sync.Mutex
	list []hop // the latest is the last; at most maxHops
}

// hop is a redirect. It keeps neither the response nor the request alive.
type hop struct {
	resp weak.Pointer[http.Response]
	req  weak.Pointer[http.Request]
	id   ledger.CallID
}

// redirects reports whether a client may follow the response.
func redirects(resp *http.Response) bool {
	switch resp.StatusCode {
	case 301, 302, 303, 307, 308:
		return len(resp.Header["Location"]) > 0
	}
	return false
}

// note remembers that a redirect is the answer to a call.
func (h *hops) note(resp *http.Response, id ledger.CallID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.list) == maxHops {
		h.list = slices.Delete(h.list, 0, 1)
	}
	h.list = append(h.list, hop{weak.Make(resp), weak.Make(resp.Request), id})
}

// find returns the call that a redirect was the answer to, 0 if it is not known, and forgets
// it. Somebody may have put a copy of the response in its place, but then the request is
// still the one that was answered.
func (h *hops) find(resp *http.Response) ledger.CallID {
	w, r := weak.Make(resp), weak.Make(resp.Request)
	h.mu.Lock()
	defer h.mu.Unlock()
	at := slices.IndexFunc(h.list, func(one hop) bool { return one.resp == w })
	for i := len(h.list) - 1; at < 0 && i >= 0 && resp.Request != nil; i-- {
		if h.list[i].req == r {
			at = i
		}
	}
	if at < 0 {
		return 0
	}
	id := h.list[at].id
	h.list = slices.Delete(h.list, at, at+1)
	return id
}
