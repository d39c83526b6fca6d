package db

import (
	"cmp"
	"context"
	"strconv"
	"time"
)

const (
	// maxLog is how many pages of the write-ahead log may wait to be moved into the file
	// before the writer moves them. Larger is faster, as a page that is written often is
	// moved once; smaller bounds the log, and how long a commit can wait for the move.
	maxLog = 2000 // 8 MB

	// readerPatience is how long the writer waits for those who read to leave the log,
	// once it has grown to twice that. Our own leave within some ten milliseconds.
	readerPatience = 250 * time.Millisecond
)

// checkpointer keeps the log short.
type checkpointer struct {
	limit int64 // pages; 0: maxLog
	// stubborn is how long the log may become before readers are waited for again. It
	// grows when they did not leave: somebody then holds a transaction open, and to wait
	// for it with every batch would only slow recording down.
	stubborn int64
	waits    int // how often readers have been waited for
}

// after moves the log into the file if enough has gathered. It is called by the writer
// between two transactions, so that, unless a reader is in the log, all of it is moved
// and the next transaction uses the log anew from its beginning. Under readers that
// follow one another closely there is no such moment: they are then waited for. A failure
// is not worth more than the next try.
func (k *checkpointer) after(c *conn) {
	limit := cmp.Or(k.limit, maxLog)
	waiting, err := c.checkpoint("NOOP")
	switch {
	case err != nil || waiting < limit:
		return
	case waiting < max(2*limit, k.stubborn):
		_, _ = c.checkpoint("PASSIVE")
		return
	}
	k.waits++
	if left, err := c.checkpointPatiently(); err == nil && left == 0 {
		k.stubborn = 0
	} else {
		k.stubborn = 2 * waiting
	}
}

// checkpointPatiently runs a checkpoint after which the next transaction uses the log from
// its beginning. It waits for readers that are in the log, but not long.
func (c *conn) checkpointPatiently() (waiting int64, err error) {
	if err := c.setTimeout(readerPatience); err != nil {
		return 0, err
	}
	waiting, err = c.checkpoint("RESTART")
	return waiting, cmp.Or(err, c.setTimeout(busyTimeout))
}

func (c *conn) setTimeout(d time.Duration) error {
	return c.script("PRAGMA busy_timeout = " + strconv.FormatInt(d.Milliseconds(), 10))
}

// checkpoint runs a checkpoint of a mode, and returns how many pages still wait, at least
// one if readers were in its way.
func (c *conn) checkpoint(mode string) (waiting int64, err error) {
	_, err = c.one(context.Background(), `PRAGMA wal_checkpoint(`+mode+`)`, nil, func(r row) error {
		waiting = max(r.int(1)-r.int(2), r.int(0))
		return nil
	})
	return waiting, err
}
