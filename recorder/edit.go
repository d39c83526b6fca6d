package recorder

import "strings"

// edit builds a changed copy of a string, and costs nothing if there is no change.
type edit struct {
	src     string
	changes []change // in order, and apart from each other
	done    int      // where the last one ends

	search int // bytes of src that were searched for ends of elements
	noUser int // up to here src has no @ that could end userinfo
}

// change is with in place of src[from:to].
type change struct {
	from, to int
	with     string
}

// replace puts with in place of src[from:to], which must be behind all that was replaced.
func (e *edit) replace(from, to int, with string) {
	if from < e.done || to < from {
		panic("recorder: a change that overlaps another")
	}
	e.changes = append(e.changes, change{from, to, with})
	e.done = to
}

// result returns the string as it is now.
func (e *edit) result() string {
	if len(e.changes) == 0 {
		return e.src
	}
	var out strings.Builder
	out.Grow(len(e.src))
	at := 0
	for _, c := range e.changes {
		out.WriteString(e.src[at:c.from])
		out.WriteString(c.with)
		at = c.to
	}
	out.WriteString(e.src[at:])
	return out.String()
}

// maxSearch is how often a text may be searched for the ends of its elements, in lengths of
// it. It bounds the time that a text takes which was made to cost much.
const maxSearch = 64

// index returns where the next sep from i on begins, -1 if there is none. It reports false
// if too much was searched to know.
func (e *edit) index(i int, sep string) (at int, ok bool) {
	if e.search > maxSearch*len(e.src) {
		return -1, false
	}
	if at = strings.Index(e.src[i:], sep); at < 0 {
		e.search += len(e.src) - i
		return -1, true
	}
	e.search += at
	return i + at, true
}
