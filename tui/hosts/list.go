package hosts

import "slices"

// list is what of some rows is selected and in sight. The selection belongs to a name, not
// to a row: it stays with its row when the order changes.
type list struct {
	names  []string
	cursor int
	chosen string
	top    int
	height int
}

// set replaces the rows.
func (l *list) set(names []string) {
	if i := slices.Index(names, l.chosen); i >= 0 && len(l.names) > 0 {
		l.cursor = i
	}
	l.names = names
	l.settle()
}

// resize sets how many rows are in sight.
func (l *list) resize(rows int) {
	l.height = max(rows, 1)
	l.settle()
}

// settle brings cursor and top back into the list.
func (l *list) settle() {
	l.cursor = max(0, min(l.cursor, len(l.names)-1))
	l.chosen = ""
	if len(l.names) > 0 {
		l.chosen = l.names[l.cursor]
	}
	l.height = max(l.height, 1)
	l.top = max(0, min(l.top, len(l.names)-l.height))
	l.top = min(l.top, l.cursor)
	if l.cursor >= l.top+l.height {
		l.top = l.cursor - l.height + 1
	}
}

// move selects the row n further down.
func (l *list) move(n int) {
	l.cursor += n
	l.settle()
}

func (l *list) inSight() (from, to int) { return l.top, min(l.top+l.height, len(l.names)) }
