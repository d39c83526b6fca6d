package db

import (
	"context"
	"database/sql/driver"
	"strings"
)

// rowsAtOnce is how many rows one statement inserts where there are as many. More were
// not faster.
const rowsAtOnce = 40

// inserter collects rows for one table, so that many go in with one statement.
type inserter struct {
	c      *conn
	prefix string // INSERT … VALUES
	tuple  string // (?, …)
	args   []driver.NamedValue
	cols   int
	err    error // the first error of a statement
}

// newInserter returns an inserter for a statement up to VALUES, with so many columns.
func newInserter(c *conn, prefix string, cols int) *inserter {
	i := &inserter{c: c, prefix: prefix, cols: cols,
		tuple: "(?" + strings.Repeat(", ?", cols-1) + ")",
		args:  make([]driver.NamedValue, 0, rowsAtOnce*cols)}
	return i
}

// add adds a row.
func (i *inserter) add(values ...driver.Value) {
	for _, v := range values {
		i.args = append(i.args, driver.NamedValue{Ordinal: len(i.args) + 1, Value: v})
	}
	if len(i.args) == rowsAtOnce*i.cols {
		i.insert(i.args, rowsAtOnce)
		i.args = i.args[:0]
	}
}

// flush inserts what has been added since the last full statement, and returns the first
// error of all.
func (i *inserter) flush() error {
	for at := 0; at < len(i.args); at += i.cols {
		row := i.args[at : at+i.cols]
		for n := range row {
			row[n].Ordinal = n + 1
		}
		i.insert(row, 1)
	}
	i.args = i.args[:0]
	err := i.err
	i.err = nil
	return err
}

func (i *inserter) insert(args []driver.NamedValue, rows int) {
	if i.err != nil {
		return
	}
	s, err := i.c.stmt(i.prefix + " VALUES " + i.tuple + strings.Repeat(", "+i.tuple, rows-1))
	if err == nil {
		_, err = s.(driver.StmtExecContext).ExecContext(context.Background(), args)
	}
	i.err = err
}
