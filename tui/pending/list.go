package pending

import (
	"slices"

	"redial/ledger"
)

// list is the operations that are listed, and what of it is in sight.
//
// The selection belongs to an operation, not to a row: a key that acts never meets
// another one because the list has changed under it.
type list struct {
	ops    []ledger.Operation
	cursor int       // row of the selected one; -1 without any
	chosen ledger.ID // the selected one
	top    int
	height int
	marks  map[ledger.ID]bool
	kept   ledger.ID // the selected one, while it stays though it does not belong here any more
}

func newList() list { return list{cursor: -1, marks: map[ledger.ID]bool{}} }

// set replaces the operations. keep is the selected one as it is now, which stays in its
// row if it is not listed any more; nil lets it go.
func (l *list) set(ops []ledger.Operation, keep *ledger.Operation) {
	old := l.cursor
	l.ops, l.kept = ops, ledger.ID{}
	for id := range l.marks {
		if l.index(id) < 0 {
			delete(l.marks, id)
		}
	}
	switch i := l.index(l.chosen); {
	case i >= 0:
		l.top += i - old // it stays where it is on the screen
		l.cursor = i
	case old >= 0 && keep != nil && keep.ID() == l.chosen:
		l.cursor = min(old, len(l.ops))
		l.ops = slices.Insert(l.ops, l.cursor, *keep)
		l.kept = l.chosen
	default:
		l.cursor = max(old, 0)
	}
	l.settle()
}

// update takes a newer state of an operation that is listed.
func (l *list) update(o *ledger.Operation) {
	if i := l.index(o.ID()); i >= 0 {
		l.ops[i] = *o
	}
}

func (l *list) index(id ledger.ID) int {
	return slices.IndexFunc(l.ops, func(o ledger.Operation) bool { return o.ID() == id })
}

func (l *list) selected() *ledger.Operation {
	if l.cursor < 0 || l.cursor >= len(l.ops) {
		return nil
	}
	return &l.ops[l.cursor]
}

func (l *list) resize(rows int) {
	l.height = max(rows, 1)
	l.settle()
}

// settle brings cursor and top back into the list.
func (l *list) settle() {
	n := len(l.ops)
	if n == 0 {
		l.cursor, l.chosen, l.top = -1, ledger.ID{}, 0
		return
	}
	l.cursor = max(0, min(l.cursor, n-1))
	l.chosen = l.ops[l.cursor].ID()
	l.top = max(0, min(l.top, n-l.height))
	l.top = min(l.top, l.cursor)
	if l.cursor >= l.top+l.height {
		l.top = l.cursor - l.height + 1
	}
}

// move selects the operation n rows further down.
func (l *list) move(n int) {
	l.cursor += n
	l.settle()
	l.letGo()
}

// letGo drops what only stays while it is selected.
func (l *list) letGo() {
	if l.kept == (ledger.ID{}) || l.chosen == l.kept {
		return
	}
	if i := l.index(l.kept); i >= 0 {
		l.ops = slices.Delete(l.ops, i, i+1)
		if i < l.cursor {
			l.cursor--
		}
	}
	l.kept = ledger.ID{}
	l.settle()
}

// scroll moves what is in sight, and the selection only as far as it has to.
func (l *list) scroll(n int) {
	l.top = max(0, min(l.top+n, len(l.ops)-l.height))
	l.cursor = max(l.top, min(l.cursor, l.top+l.height-1))
	l.settle()
	l.letGo()
}

func (l *list) inSight() (from, to int) {
	return l.top, min(l.top+l.height, len(l.ops))
}

// mark marks the selected operation or takes its mark away, and goes on to the next.
func (l *list) mark() {
	if l.selected() == nil {
		return
	}
	if l.marks[l.chosen] {
		delete(l.marks, l.chosen)
	} else {
		l.marks[l.chosen] = true
	}
	l.move(1)
}

// marked returns the operations that are marked, else the selected one.
func (l *list) marked() (ops []ledger.Operation) {
	for i := range l.ops {
		if l.marks[l.ops[i].ID()] {
			ops = append(ops, l.ops[i])
		}
	}
	if o := l.selected(); len(ops) == 0 && o != nil {
		ops = append(ops, *o)
	}
	return ops
}
