package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"time"

	"modernc.org/sqlite"
)

// maxStatements is how many prepared statements a connection keeps. Filters make ever new
// ones, so that without a bound a dashboard would collect them for days.
const maxStatements = 64

// conn is one connection to SQLite with the statements prepared on it. It is used by one
// goroutine at a time. The driver is used directly: database/sql would cost a scan by
// reflection for each value of millions of rows.
type conn struct {
	driver driver.Conn
	tx     driver.Tx
	stmts  map[string]driver.Stmt
	args   []driver.NamedValue
	when   durability // of its commits
}

// durability says when a commit is on the disk.
type durability int

const (
	soon    durability = iota // before the log is moved into the file: a killed process loses nothing, a power cut the last moments
	durably                   // when it returns, with an fsync of the log
)

// synchronous sets when the commits of a connection that writes are on the disk. It is
// called between transactions.
func (c *conn) synchronous(when durability) error {
	if c.when == when {
		return nil
	}
	level := "NORMAL"
	if when == durably {
		level = "FULL"
	}
	if err := c.script("PRAGMA synchronous = " + level); err != nil {
		return err
	}
	c.when = when
	return nil
}

// connect opens a connection, which runs the pragmas in the DSN.
func connect(dsn string) (*conn, error) {
	d, err := new(sqlite.Driver).Open(dsn)
	if err != nil {
		return nil, err
	}
	return &conn{driver: d, stmts: map[string]driver.Stmt{}}, nil
}

func (c *conn) close() error {
	err := c.forget()
	return errors.Join(err, c.driver.Close())
}

// readOnly reports whether SQLite could open the file for reading only. It then takes
// transactions that write for ones that read.
func (c *conn) readOnly() (bool, error) {
	return c.driver.(interface{ IsReadOnly(string) (bool, error) }).IsReadOnly("main")
}

// forget closes all prepared statements.
func (c *conn) forget() error {
	var errs []error
	for text, s := range c.stmts {
		errs = append(errs, s.Close())
		delete(c.stmts, text)
	}
	return errors.Join(errs...)
}

// begin begins a transaction: an immediate one on a connection that writes. It waits for
// another writer up to the busy timeout, or until ctx ends.
func (c *conn) begin(ctx context.Context) error {
	tx, err := c.driver.(driver.ConnBeginTx).BeginTx(ctx, driver.TxOptions{})
	if err != nil {
		return err // with it the driver gives a pointer to nothing, which is not nil
	}
	c.tx = tx
	return nil
}

func (c *conn) commit() error {
	tx := c.tx
	c.tx = nil
	return tx.Commit()
}

// rollback ends the transaction, if there is one, without a trace. Its own error says
// nothing new: SQLite has rolled back by itself after the worse ones.
func (c *conn) rollback() {
	if c.tx != nil {
		_ = c.tx.Rollback()
		c.tx = nil
	}
}

// stmt returns the prepared statement of the text.
func (c *conn) stmt(text string) (driver.Stmt, error) {
	if s, ok := c.stmts[text]; ok {
		return s, nil
	}
	s, err := c.driver.Prepare(text)
	if err != nil {
		return nil, err
	}
	if len(c.stmts) >= maxStatements && c.tx == nil {
		if err := c.forget(); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	c.stmts[text] = s
	return s, nil
}

// named fills the connection's argument list, which the next statement uses.
func (c *conn) named(args []driver.Value) []driver.NamedValue {
	c.args = c.args[:0]
	for i, v := range args {
		c.args = append(c.args, driver.NamedValue{Ordinal: i + 1, Value: v})
	}
	return c.args
}

// exec runs a statement that gives no rows.
func (c *conn) exec(text string, args ...driver.Value) (driver.Result, error) {
	s, err := c.stmt(text)
	if err != nil {
		return nil, err
	}
	return s.(driver.StmtExecContext).ExecContext(context.Background(), c.named(args))
}

// script runs statements that are separated by semicolons, without keeping them.
func (c *conn) script(text string) error {
	_, err := c.driver.(driver.ExecerContext).ExecContext(context.Background(), text, nil)
	return err
}

// query calls each with every row of a statement. The row is only valid during the call,
// in which other statements may be run. When ctx ends, query returns its error.
func (c *conn) query(ctx context.Context, text string, args []driver.Value, each func(row) error) error {
	s, err := c.stmt(text)
	if err != nil {
		return err
	}
	rows, err := s.(driver.StmtQueryContext).QueryContext(ctx, c.named(args))
	if err != nil {
		return err
	}
	r := make(row, len(rows.Columns()))
	for err == nil {
		if err = rows.Next(r); err == nil {
			err = each(r)
		}
		if err == nil {
			err = ctx.Err()
		}
	}
	if err == io.EOF {
		return rows.Close()
	}
	return errors.Join(err, rows.Close())
}

// one calls each with the first row of a statement and reports whether there was one.
func (c *conn) one(ctx context.Context, text string, args []driver.Value, each func(row) error) (bool, error) {
	found := false
	err := c.query(ctx, text, args, func(r row) error {
		if found {
			return nil
		}
		found = true
		return each(r)
	})
	return found, err
}

// number returns the integer that a statement gives, 0 if it gives no row.
func (c *conn) number(ctx context.Context, text string, args ...driver.Value) (n int64, err error) {
	_, err = c.one(ctx, text, args, func(r row) error {
		n = r.int(0)
		return nil
	})
	return n, err
}

// numbers returns the integers that a statement gives, one in each row.
func (c *conn) numbers(ctx context.Context, text string, args ...driver.Value) (ns []int64, err error) {
	err = c.query(ctx, text, args, func(r row) error {
		ns = append(ns, r.int(0))
		return nil
	})
	return ns, err
}

// row is one row of a result. Its methods take a value of an unexpected type, which only
// a file from elsewhere can have, for absent.
type row []driver.Value

func (r row) int(i int) int64 {
	n, _ := r[i].(int64)
	return n
}

func (r row) duration(i int) time.Duration { return time.Duration(r.int(i)) }

// bytes returns a blob, nil for NULL.
func (r row) bytes(i int) []byte {
	switch v := r[i].(type) {
	case []byte:
		return v
	case string:
		return []byte(v)
	}
	return nil
}

// limited returns the SQL for a column with blobs, from which one of more than so many
// bytes is not read: a file from elsewhere can have some that no memory holds.
func limited(column string, most int) string {
	return fmt.Sprintf("iif(length(%s) > %d, 0, %s)", column, most, column)
}

// tooLong reports whether the value of a column that limited stands for was not read.
func (r row) tooLong(i int) bool {
	_, instead := r[i].(int64)
	return instead
}

// text returns text however it is stored, "" for NULL.
func (r row) text(i int) string {
	switch v := r[i].(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	return ""
}

// time returns the time, zero for NULL.
func (r row) time(i int) time.Time {
	if n, ok := r[i].(int64); ok {
		return time.Unix(0, n).UTC()
	}
	return time.Time{}
}

// timeValue returns what stands for t in the file: NULL for the zero time, and for one
// that does not fit, which no clock of this century gives.
func timeValue(t time.Time) driver.Value {
	if t.IsZero() || t.Year() < 1700 || t.Year() > 2250 {
		return nil
	}
	return t.UnixNano()
}

// textValue returns what stands for text in the file: TEXT, NULL when it is empty, and a
// BLOB when it holds anything but printable ASCII. So SQLite, whose idea of upper and
// lower case ends with ASCII, compares only what it can.
func textValue(s string) driver.Value {
	if s == "" {
		return nil
	}
	return textNotNull(s)
}

// textNotNull is textValue for a column that may not be NULL.
func textNotNull(s string) driver.Value {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return []byte(s)
		}
	}
	return s
}
