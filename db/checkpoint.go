package db

import "context"

// maxLog is how many pages of the write-ahead log may wait to be moved into the file
// before the writer moves them. Larger is faster, as a page that is written often is
// moved once; smaller bounds the log, and how long a commit can wait for the move.
const maxLog = 4000 // 16 MB

// checkpointer keeps the log short.
type checkpointer struct{}

// after moves the log into the file if enough has gathered. It is called by the writer
// between two transactions, so that, unless a reader is in the log, all of it is moved
// and the next transaction uses the log anew from its beginning. A failure is not worth
// more than the next try.
func (checkpointer) after(c *conn) {
	if waiting, err := c.checkpoint("NOOP"); err == nil && waiting >= maxLog {
		_, _ = c.checkpoint("PASSIVE")
	}
}

// checkpoint runs a checkpoint of a mode, and returns how many pages still wait.
func (c *conn) checkpoint(mode string) (waiting int64, err error) {
	_, err = c.one(context.Background(), `PRAGMA wal_checkpoint(`+mode+`)`, nil, func(r row) error {
		waiting = r.int(1) - r.int(2)
		return nil
	})
	return waiting, err
}
