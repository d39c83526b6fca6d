package live

import (
	"time"

	"redial/ledger"
)

// rush tells whether calls come faster than anyone can read them. It judges over half a
// second, since calls come in batches, and lasts until they come half as fast.
type rush struct {
	on     bool
	newest ledger.CallID // the newest call that was counted
	since  time.Time     // when counting began
	calls  int           // that came since then
}

const (
	rushPages = 10 // a rush replaces what is in sight so often in a second
	rushSpan  = 500 * time.Millisecond
)

// measure counts the calls that came since the last reading.
func (r *rush) measure(ended []ledger.Call, rows int, now time.Time) {
	for i := len(ended) - 1; i >= 0 && ended[i].ID > r.newest; i-- {
		r.calls++
	}
	if len(ended) > 0 {
		r.newest = max(r.newest, ended[len(ended)-1].ID)
	}
	passed := now.Sub(r.since)
	if passed < rushSpan {
		return
	}
	least := float64(rushPages*rows) * passed.Seconds()
	if r.on {
		least /= 2
	}
	known := !r.since.IsZero() && passed < 4*rushSpan
	r.on = known && float64(r.calls) >= least && r.calls > 0
	r.since, r.calls = now, 0
}

// Rushes reports whether the calls in sight are replaced faster than they can be read.
func (l *Screen) Rushes() bool { return l.rush.on && l.list.follow && !l.detail.Open() }
