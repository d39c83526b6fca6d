package timeline

import (
	"cmp"
	"slices"

	"redial/ledger"
)

// row is a line of the list: the head of a group, or one of its calls.
type row struct {
	group string // host, or idempotency key
	call  int    // index of the call, -1 for the head of the group
	calls int    // calls of the group, for its head
}

// arrange puts calls, which are in order of their start, into rows: by host, or by the
// operation that they belong to, those that belong to none last.
func arrange(calls []ledger.Call, hosts []string, byOperation bool) []row {
	members := map[string][]int{}
	var names []string
	for _, h := range hosts {
		members[h] = nil
		names = append(names, h)
	}
	for i := range calls {
		name := calls[i].Host
		if byOperation {
			name = calls[i].Key
		}
		if _, known := members[name]; !known {
			names = append(names, name)
		}
		members[name] = append(members[name], i)
	}
	slices.SortStableFunc(names, func(a, b string) int {
		if byOperation {
			return last(a == "", b == "")
		}
		return cmp.Compare(a, b)
	})
	names = slices.Compact(names)
	rows := make([]row, 0, len(calls)+len(names))
	for _, name := range names {
		rows = append(rows, row{name, -1, len(members[name])})
		for _, i := range members[name] {
			rows = append(rows, row{name, i, 0})
		}
	}
	return rows
}

// last orders what is to come last.
func last(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// find returns the row of a call, -1 if it has none.
func (t *Screen) find(id ledger.CallID) int {
	return slices.IndexFunc(t.rows, func(r row) bool { return r.call >= 0 && t.calls[r.call].ID == id })
}

// settle brings selection and rows in sight to rows that exist. A call that has no row any
// more gives way to the last one that began at the cursor or before.
func (t *Screen) settle() {
	at := t.find(t.chosen)
	if at < 0 {
		at = t.nearest()
	}
	t.cursor, t.chosen = at, 0
	if at >= 0 {
		t.chosen = t.calls[t.rows[at].call].ID
	}
	t.reveal()
}

// nearest returns the row of the last call that began at the cursor or before, else of the
// first one; -1 without calls.
func (t *Screen) nearest() int {
	best := -1
	for i := range t.rows {
		if t.rows[i].call < 0 {
			continue
		}
		c := &t.calls[t.rows[i].call]
		if c.Started.After(t.at()) {
			continue
		}
		if best < 0 || c.Started.After(t.calls[t.rows[best].call].Started) {
			best = i
		}
	}
	if best < 0 {
		best = slices.IndexFunc(t.rows, func(r row) bool { return r.call == 0 })
	}
	return best
}

// reveal moves what is in sight so that the selected row is. The row above it is too, since
// the first line in sight is the head of a group whatever row is there.
func (t *Screen) reveal() {
	room := t.room()
	t.top = max(0, min(t.top, len(t.rows)-room))
	if t.cursor < 0 {
		return
	}
	t.top = min(t.top, t.cursor-1)
	if t.cursor >= t.top+room {
		t.top = t.cursor - room + 1
	}
}

// shown returns what stands on line i of the rows in sight: on the first one the head of the
// group that goes on there.
func (t *Screen) shown(i int) (int, bool) {
	at := t.top + i
	if at >= len(t.rows) {
		return 0, false
	}
	for i == 0 && at > 0 && t.rows[at].call >= 0 {
		at--
	}
	return at, true
}

// move selects the call n rows of calls further down.
func (t *Screen) move(n int) {
	step := 1
	if n < 0 {
		step, n = -1, -n
	}
	for i := t.cursor + step; n > 0 && i >= 0 && i < len(t.rows); i += step {
		if t.rows[i].call >= 0 {
			t.cursor = i
			n--
		}
	}
	t.pick()
}

// pick makes the call of the selected row the one that is looked at.
func (t *Screen) pick() {
	c := t.selected()
	if c == nil {
		return
	}
	t.follow = false
	t.point(c.Started, c.ID)
	t.reveal()
}

// selected returns the selected call, nil without any.
func (t *Screen) selected() *ledger.Call {
	if t.cursor < 0 || t.cursor >= len(t.rows) || t.rows[t.cursor].call < 0 {
		return nil
	}
	return t.whole(t.rows[t.cursor].call)
}

// whole returns a call with its lists if they are at hand.
func (t *Screen) whole(i int) *ledger.Call {
	c := &t.calls[i]
	if listed, ok := t.lists[c.ID]; ok && !c.Running() && c.State != ledger.CutOff {
		listed.Duplicate = c.Duplicate
		return listed
	}
	return c
}
