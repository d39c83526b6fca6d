// Package choice keeps which of some rows is selected and which of them are in sight.
package choice

import "slices"

// List is a list of rows by name. The selection belongs to a name, not to a row: it stays
// with its row when the order changes, and with its place when the row is gone. The zero
// value is empty.
type List struct {
	names  []string
	cursor int
	top    int
	height int
}

// Set replaces the rows.
func (l *List) Set(names []string) {
	if i := slices.Index(names, l.Chosen()); i >= 0 && len(l.names) > 0 {
		l.top += i - l.cursor
		l.cursor = i
	}
	l.names = names
	l.settle()
}

// Resize sets how many rows are in sight.
func (l *List) Resize(rows int) {
	l.height = rows
	l.settle()
}

// settle brings cursor and top back into the list.
func (l *List) settle() {
	l.height = max(l.height, 1)
	l.cursor = max(0, min(l.cursor, len(l.names)-1))
	l.top = max(0, min(l.top, len(l.names)-l.height))
	l.top = min(l.top, l.cursor)
	if l.cursor >= l.top+l.height {
		l.top = l.cursor - l.height + 1
	}
}

// Move selects the row n further down, or the last one.
func (l *List) Move(n int) {
	l.cursor += n
	l.settle()
}

// Len returns how many rows there are.
func (l *List) Len() int { return len(l.names) }

// Height returns how many rows there is room for.
func (l *List) Height() int { return max(l.height, 1) }

// Cursor returns the selected row; there is none if Len is 0.
func (l *List) Cursor() int { return l.cursor }

// Chosen returns the name of the selected row, "" without any.
func (l *List) Chosen() string {
	if l.cursor < len(l.names) {
		return l.names[l.cursor]
	}
	return ""
}

// InSight returns the first row that is in sight, and the one behind the last.
func (l *List) InSight() (from, to int) { return l.top, min(l.top+l.Height(), len(l.names)) }

// At returns the row on a line of those in sight.
func (l *List) At(line int) (row int, ok bool) {
	row = l.top + line
	return row, line >= 0 && line < l.Height() && row < len(l.names)
}
