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
	// stubborn is how many pages may wait before readers are waited for again. It grows
	// when they did not leave: somebody then holds a transaction open, and to wait for it
	// with every batch would only slow recording down.
	stubborn int64
	// next is when readers of a log that has become long are waited for again, for the same
	// reason. The pause until then grows too.
	next  time.Time
	pause time.Duration
	waits int // how often readers have been waited for

	helper *conn         // moves the log while the writer goes on; nil: none
	moving chan struct{} // closed when the helper has moved it; nil: it is idle
}

const (
	// longLog is how many times maxLog the log may become, whether its pages wait or not.
	// Readers and other writers can keep it from being used anew although hardly any page
	// waits, and then it grows for as long as they do.
	longLog = 4 // 32 MB, to which SQLite also cuts it

	// minPause and maxPause are how long readers of a long log that did not leave are let be.
	minPause, maxPause = time.Second, 4 * time.Second
)

// after moves the log into the file if enough has gathered. It is called by the writer
// between two transactions. Most of it is moved by the helper, as that takes longer than an
// errand should have to wait. What the writer has added meanwhile is little, and is moved
// at once when the helper is done, so that, unless a reader is in the log, the next
// transaction uses it anew from its beginning. Under readers that follow one another
// closely there is no such moment: they are then waited for. A failure is not worth more
// than the next try.
func (k *checkpointer) after(c *conn) {
	limit := cmp.Or(k.limit, maxLog)
	moved := false
	if k.moving != nil {
		select {
		case <-k.moving:
			k.moving, moved = nil, true
		default:
			return
		}
	}
	waiting, length, err := c.checkpoint("NOOP")
	switch {
	case err != nil:
	case length >= longLog*limit && !time.Now().Before(k.next):
		k.shorten(c)
	case waiting >= max(2*limit, k.stubborn):
		if k.patiently(c) {
			k.stubborn = 0
		} else {
			k.stubborn = 2 * waiting
		}
	case moved || waiting >= limit && k.helper == nil:
		_, _, _ = c.checkpoint("PASSIVE")
	case waiting >= limit:
		k.moving = make(chan struct{})
		go func(helper *conn, moved chan<- struct{}) {
			defer close(moved)
			_, _, _ = helper.checkpoint("PASSIVE")
		}(k.helper, k.moving)
	}
}

// rest waits until the helper moves nothing.
func (k *checkpointer) rest() {
	if k.moving != nil {
		<-k.moving
		k.moving = nil
	}
}

// dismiss closes the helper's connection.
func (k *checkpointer) dismiss() error {
	k.rest()
	if k.helper == nil {
		return nil
	}
	err := k.helper.close()
	k.helper = nil
	return err
}

// shorten waits for readers because the log is long. If they do not leave, it sets when to
// do so again.
func (k *checkpointer) shorten(c *conn) {
	if k.patiently(c) {
		k.pause = 0
		return
	}
	k.pause = min(max(2*k.pause, minPause), maxPause)
	k.next = time.Now().Add(k.pause)
}

// patiently runs a checkpoint after which the next transaction uses the log from its
// beginning, and reports whether that will be so. It waits for readers that are in the
// log, but not long.
func (k *checkpointer) patiently(c *conn) bool {
	k.waits++
	if c.setTimeout(readerPatience) != nil {
		return false
	}
	waiting, _, err := c.checkpoint("RESTART")
	return cmp.Or(err, c.setTimeout(busyTimeout)) == nil && waiting == 0
}

func (c *conn) setTimeout(d time.Duration) error {
	return c.script("PRAGMA busy_timeout = " + strconv.FormatInt(d.Milliseconds(), 10))
}

// checkpoint runs a checkpoint of a mode. It returns how many pages still wait, at least
// one if readers were in its way, and how many the log has, those moved already included.
func (c *conn) checkpoint(mode string) (waiting, length int64, err error) {
	_, err = c.one(context.Background(), `PRAGMA wal_checkpoint(`+mode+`)`, nil, func(r row) error {
		length = r.int(1)
		waiting = max(length-r.int(2), r.int(0))
		return nil
	})
	return waiting, length, err
}
