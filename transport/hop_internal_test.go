package transport

import (
	"net/http"
	"testing"

	"redial/ledger"
)

// Redirects that nobody follows are forgotten again, the oldest first.
func TestUnfollowedHopsAreForgotten(t *testing.T) {
	var h hops
	var kept []*http.Response
	for i := range 3 * maxHops {
		kept = append(kept, &http.Response{Request: new(http.Request)})
		h.note(kept[i], ledger.CallID(i+1))
	}
	if len(h.list) != maxHops {
		t.Errorf("%d are remembered", len(h.list))
	}
	for i, want := range map[int]ledger.CallID{0: 0, 2*maxHops - 1: 0, 2 * maxHops: 2*maxHops + 1, 3*maxHops - 1: 3 * maxHops} {
		if id := h.find(kept[i]); id != want {
			t.Errorf("redirect %d is that of call %d, want %d", i, id, want)
		}
	}
	if id := h.find(&http.Response{}); id != 0 || len(h.list) != maxHops-2 {
		t.Errorf("found %d, %d are left", id, len(h.list))
	}
}
