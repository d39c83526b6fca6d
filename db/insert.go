package db

import (
	"context"
	"database/sql/driver"
	"strings"
)

// sizes returns how many rows one statement inserts: as many as there are, of these. A
// row costs half as much in a statement with many as alone.
func sizes() [3]int { return [...]int{100, 10, 1} }

// inserter collects rows for one table, so that many go in with one statement.
type inserter struct {
	c     *conn
	cols  int
	args  []driver.NamedValue
	texts [3]string // of the statements, by size
	err   error     // the first error of a statement
}

// newInserter returns an inserter for a statement up to VALUES, with so many columns.
func newInserter(c *conn, prefix string, cols int) *inserter {
	i := &inserter{c: c, cols: cols}
	tuple := "(?" + strings.Repeat(", ?", cols-1) + ")"
	for n, size := range sizes() {
		i.texts[n] = prefix + " VALUES " + tuple + strings.Repeat(", "+tuple, size-1)
	}
	return i
}

// add adds a row.
func (i *inserter) add(values ...driver.Value) {
	for _, v := range values {
		i.args = append(i.args, driver.NamedValue{Ordinal: len(i.args) + 1, Value: v})
	}
	if most := sizes()[0] * i.cols; len(i.args) == most {
		i.insert(i.texts[0], i.args)
		i.args = i.args[:0]
	}
}

// flush inserts what has been added since the last full statement, and returns the first
// error of all.
func (i *inserter) flush() error {
	left := i.args
	for n, size := range sizes() {
		for size *= i.cols; len(left) >= size; left = left[size:] {
			for at := range size {
				left[at].Ordinal = at + 1
			}
			i.insert(i.texts[n], left[:size])
		}
	}
	i.args = i.args[:0]
	err := i.err
	i.err = nil
	return err
}

func (i *inserter) insert(text string, args []driver.NamedValue) {
	if i.err != nil {
		return
	}
	s, err := i.c.stmt(text)
	if err == nil {
		_, err = s.(driver.StmtExecContext).ExecContext(context.Background(), args)
	}
	i.err = err
}
