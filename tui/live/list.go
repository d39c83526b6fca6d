package live

import (
	"slices"
	"time"

	"redial/ledger"
)

// list is a stretch of the calls, in order of their start, and what of it is in sight.
//
// The selection belongs to a call, not to a row: when calls come in or go, it stays with
// its call, and moves to the nearest row only when that call is no longer listed.
type list struct {
	calls  []ledger.Call
	oldest bool // there are no calls before the first one
	newest bool // there are none behind the last one

	cursor int           // row of the selected call; -1 without calls
	chosen ledger.CallID // the selected call; 0 without calls
	at     time.Time     // when that call started
	home   ledger.CallID // the call to go back to when it is listed again; 0: none
	picked bool          // the user has chosen it
	top    int           // first row in sight
	height int           // rows in sight
	follow bool          // keep the newest in sight
}

// set replaces the calls.
func (l *list) set(calls []ledger.Call, oldest, newest bool) {
	shift := 0
	if l.top < len(l.calls) && !l.follow {
		shift = index(calls, l.calls[l.top].ID) - l.top
		if index(calls, l.calls[l.top].ID) < 0 {
			shift = 0
		}
	}
	l.calls, l.oldest, l.newest = calls, oldest, newest
	l.top += shift
	switch i, home := index(calls, l.chosen), index(calls, l.home); {
	case home >= 0:
		l.cursor = home
	case i >= 0:
		l.cursor = i
	case l.picked:
		l.cursor = l.nearest()
	}
	l.settle()
}

// nearest returns the row of the last call that began no later than the selected one,
// which is not listed any more.
func (l *list) nearest() int {
	for i := len(l.calls) - 1; i > 0; i-- {
		if !l.calls[i].Started.After(l.at) {
			return i
		}
	}
	return 0
}

// settle brings cursor and top back into the list.
func (l *list) settle() {
	n := len(l.calls)
	if n == 0 {
		l.cursor, l.chosen, l.top = -1, 0, 0
		return
	}
	l.top = max(0, min(l.top, n-l.height))
	if l.follow {
		l.top = max(0, n-l.height)
		l.pick()
	}
	l.choose(l.cursor)
	if !l.follow {
		l.reveal()
	}
}

// choose selects the call of a row, or of the nearest one that there is.
func (l *list) choose(row int) {
	l.cursor = max(0, min(row, len(l.calls)-1))
	l.chosen, l.at = l.calls[l.cursor].ID, l.calls[l.cursor].Started
}

// pick keeps a call selected that is in sight while the list follows: the one that is
// selected as long as it can be seen, else the newest one with something to tell.
func (l *list) pick() {
	if i := index(l.calls, l.chosen); i >= l.top && (l.picked || notable(&l.calls[i])) {
		l.cursor = i
		return
	}
	l.picked = false
	l.cursor = len(l.calls) - 1
	for i := len(l.calls) - 1; i >= l.top; i-- {
		if notable(&l.calls[i]) {
			l.cursor = i
			return
		}
	}
}

// notable reports whether there is more to a call than one attempt.
func notable(c *ledger.Call) bool {
	return c.Attempts > 1 || c.Waited > 0 || c.State == ledger.Waiting || c.Outcome == ledger.Unknown
}

// reveal moves what is in sight so that the cursor is.
func (l *list) reveal() {
	if l.cursor < l.top {
		l.top = l.cursor
	}
	if l.height > 0 && l.cursor >= l.top+l.height {
		l.top = l.cursor - l.height + 1
	}
}

// move selects the call n rows further down, and ends following. It returns how many
// rows are left to go because the calls there are not at hand.
func (l *list) move(n int) (left int) {
	if len(l.calls) == 0 {
		return 0
	}
	to := l.cursor + n
	l.selectRow(to)
	left = to - l.cursor
	if left < 0 && l.oldest || left > 0 && l.newest {
		return 0
	}
	return left
}

// selectRow selects the call of a row, and ends following.
func (l *list) selectRow(row int) {
	if len(l.calls) == 0 {
		return
	}
	l.follow, l.picked, l.home = false, true, 0
	l.choose(row)
	l.reveal()
}

// selectCall selects a call if it is listed, and reports whether it is.
func (l *list) selectCall(id ledger.CallID) bool {
	i := index(l.calls, id)
	if i < 0 {
		return false
	}
	l.selectRow(i)
	return true
}

// scroll moves what is in sight by n rows, and the cursor only as far as it must to
// stay in sight.
func (l *list) scroll(n int) {
	if len(l.calls) == 0 {
		return
	}
	l.follow, l.picked, l.home = false, true, 0
	l.top = max(0, min(l.top+n, len(l.calls)-l.height))
	last := l.top + max(l.height, 1) - 1
	l.choose(max(l.top, min(l.cursor, last)))
}

// resize sets how many rows are in sight.
func (l *list) resize(height int) {
	l.height = max(height, 0)
	l.settle()
}

// selected returns the call that is selected, nil without calls.
func (l *list) selected() *ledger.Call {
	if l.cursor < 0 || l.cursor >= len(l.calls) {
		return nil
	}
	return &l.calls[l.cursor]
}

// inSight returns the rows from the first in sight to the one behind the last.
func (l *list) inSight() (from, to int) {
	return l.top, min(l.top+l.height, len(l.calls))
}

// index returns the row of a call, -1 if it is not listed.
func index(calls []ledger.Call, id ledger.CallID) int {
	return slices.IndexFunc(calls, func(c ledger.Call) bool { return c.ID == id })
}

// merge puts running calls among those that have ended. A call that is in both has ended
// in between. Running calls outside of the stretch are left out, since what lies between
// is not known.
func merge(ended, running []ledger.Call, oldest, newest bool) []ledger.Call {
	known := make(map[ledger.CallID]bool, len(ended))
	for i := range ended {
		known[ended[i].ID] = true
	}
	out := make([]ledger.Call, 0, len(ended)+len(running))
	rest := ended
	for i := range running {
		r := &running[i]
		if known[r.ID] {
			continue
		}
		for len(rest) > 0 && before(&rest[0], r) {
			out = append(out, rest[0])
			rest = rest[1:]
		}
		if len(rest) == len(ended) && !oldest || len(rest) == 0 && !newest {
			continue
		}
		out = append(out, *r)
	}
	return append(out, rest...)
}

// before reports whether a began before b: by number within a session, by the clock
// between two.
func before(a, b *ledger.Call) bool {
	if a.ID.Session() == b.ID.Session() {
		return a.ID < b.ID
	}
	return a.Started.Before(b.Started)
}
