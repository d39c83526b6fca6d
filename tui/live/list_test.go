package live

import (
	"testing"
	"time"

	"redial/ledger"
)

// calls returns n calls, a second apart, that begin with number first.
func calls(first, n int) []ledger.Call {
	out := make([]ledger.Call, n)
	for i := range out {
		out[i] = ledger.Call{ID: ledger.NewCallID(1, int64(first+i)), Started: time.Unix(int64(first+i), 0), Outcome: ledger.Answered}
	}
	return out
}

func TestTheCursorIsAlwaysOnACallThatIsListed(t *testing.T) {
	type step func(*list)
	set := func(first, n int) step { return func(l *list) { l.set(calls(first, n), true, true) } }
	height := func(h int) step { return func(l *list) { l.resize(h) } }
	for _, c := range []struct {
		name  string
		steps []step
		want  int64 // number of the selected call; 0: none
	}{
		// charmbracelet/bubbles#782 and PR 1003: the cursor became -1 or stayed behind the end.
		{"rows shrink to three", []step{set(1, 9), func(l *list) { l.selectRow(5) }, set(1, 3)}, 3},
		{"rows shrink to none", []step{set(1, 9), func(l *list) { l.selectRow(5) }, set(1, 3), set(1, 0)}, 0},
		{"rows come back", []step{set(1, 9), func(l *list) { l.selectRow(5) }, set(1, 3), set(1, 0), set(1, 2)}, 2},
		// Evertras/bubble-table#76: a filter left the selection behind the last row.
		{"a filter leaves five", []step{set(1, 30), func(l *list) { l.selectRow(19) }, set(1, 5)}, 5},
		// charmbracelet/bubbles#20: a pane of one row sliced out of range.
		{"a pane of one row", []step{set(1, 9), height(5), height(1), func(l *list) { l.move(3) }}, 9},
		{"a pane of no rows", []step{set(1, 9), height(0), func(l *list) { l.move(-3) }, height(5)}, 6},
		{"moving far beyond the end", []step{set(1, 9), func(l *list) { l.move(1000) }}, 9},
		{"moving far before the beginning", []step{set(1, 9), func(l *list) { l.move(-1000) }}, 1},
		{"moving in an empty list", []step{set(1, 0), func(l *list) { l.move(1) }, func(l *list) { l.scroll(1) }, func(l *list) { l.selectRow(0) }}, 0},
		{"calls before it go", []step{set(1, 9), func(l *list) { l.selectRow(5) }, set(4, 6)}, 6},
		{"its own call goes", []step{set(1, 9), func(l *list) { l.selectRow(1) }, set(4, 6)}, 4},
		{"scrolling takes it along", []step{set(1, 30), height(5), func(l *list) { l.selectRow(0) }, func(l *list) { l.scroll(10) }}, 11},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := &list{cursor: -1, follow: true}
			l.resize(5)
			for _, s := range c.steps {
				s(l)
				check(t, l)
			}
			if got := l.chosen.N(); got != c.want {
				t.Errorf("call %d is selected, want %d", got, c.want)
			}
		})
	}
}

// check fails the test unless cursor and rows in sight are within the list.
func check(t *testing.T, l *list) {
	t.Helper()
	from, to := l.inSight()
	if from < 0 || to > len(l.calls) || from > to && l.height > 0 {
		t.Errorf("rows %d to %d of %d are in sight", from, to, len(l.calls))
	}
	c := l.selected()
	if (c == nil) != (len(l.calls) == 0) {
		t.Errorf("cursor %d in %d calls", l.cursor, len(l.calls))
	}
	if c != nil && c.ID != l.chosen {
		t.Errorf("row %d has call %v, but %v is selected", l.cursor, c.ID, l.chosen)
	}
	if c != nil && l.height > 0 && (l.cursor < from || l.cursor >= to) {
		t.Errorf("row %d is selected, but %d to %d are in sight", l.cursor, from, to)
	}
}

func TestFollowingKeepsTheNewestInSightAndTheSelectionWhileItIsSeen(t *testing.T) {
	l := &list{cursor: -1, follow: true}
	l.resize(5)
	l.set(calls(1, 9), true, true)
	if from, to := l.inSight(); from != 4 || to != 9 {
		t.Errorf("rows %d to %d are in sight, want 4 to 9", from, to)
	}
	cs := calls(1, 10)
	cs[9].Attempts = 3
	l.set(cs, true, true)
	if l.chosen.N() != 10 {
		t.Errorf("call %v is selected, not the one with something to tell", l.chosen)
	}
	more := append(cs, calls(11, 4)...)
	l.set(more, true, true)
	if l.chosen.N() != 10 {
		t.Errorf("call %v is selected though the one before can still be seen", l.chosen)
	}
	l.set(append(more, calls(15, 1)...), true, true)
	if l.chosen.N() != 15 {
		t.Errorf("call %v is selected, want the newest", l.chosen)
	}
}

func TestRunningCallsStandWhereTheyBegan(t *testing.T) {
	running := func(n int64) ledger.Call {
		return ledger.Call{ID: ledger.NewCallID(1, n), Started: time.Unix(n, 0), State: ledger.Sending}
	}
	ended := calls(10, 3) // 10, 11, 12
	gap := append(ended[:1:1], ended[2:]...)
	for _, c := range []struct {
		name           string
		ended, running []ledger.Call
		oldest, newest bool
		want           []int64
	}{
		{"between", gap, []ledger.Call{running(11)}, true, true, []int64{10, 11, 12}},
		{"before the first one there is", ended, []ledger.Call{running(3)}, true, true, []int64{3, 10, 11, 12}},
		{"before a stretch that goes on", ended, []ledger.Call{running(3)}, false, true, []int64{10, 11, 12}},
		{"behind the newest", ended, []ledger.Call{running(30)}, true, true, []int64{10, 11, 12, 30}},
		{"behind a stretch that goes on", ended, []ledger.Call{running(30)}, true, false, []int64{10, 11, 12}},
		{"one that has ended in between", ended, []ledger.Call{running(11)}, true, true, []int64{10, 11, 12}},
		{"alone", nil, []ledger.Call{running(1), running(2)}, true, true, []int64{1, 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := merge(c.ended, c.running, c.oldest, c.newest)
			if len(got) != len(c.want) {
				t.Fatalf("%d calls, want %d", len(got), len(c.want))
			}
			for i := range got {
				if got[i].ID.N() != c.want[i] {
					t.Errorf("call %d is %d, want %d", i, got[i].ID.N(), c.want[i])
				}
			}
		})
	}
}
