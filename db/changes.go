package db

import (
	"context"
	"sync"
	"time"
)

// watchEvery is how often the file is asked whether another process has written to it.
const watchEvery = 50 * time.Millisecond

// changes tells of what has been written of operations and asks. Other processes are only
// watched while somebody waits.
type changes struct {
	state func(context.Context) (ledgerState, error) // reads it from the file

	mu       sync.Mutex
	told     chan struct{} // closed with the next change; nil: nobody waits
	watching bool          // a goroutine runs watch
	quit     chan struct{} // closed by close
	watched  sync.WaitGroup
	closed   bool
	last     ledgerState // as the watcher saw it; belongs to the watcher
}

// ledgerState is something that differs whenever anything of operations or asks has been
// written: each transition has a position, and an ask only ever goes from open to claimed
// to what comes after that.
type ledgerState struct{ generation, transitions, asks, open, claimed int64 }

func newChanges(state func(context.Context) (ledgerState, error)) *changes {
	return &changes{state: state, quit: make(chan struct{})}
}

// Changed returns a channel that is closed when something of operations or asks has been
// written, by this process or another; what was written after Changed was called is never
// missed. It may also be closed without any reason. A call after that returns a new one.
// Other processes are looked after while a channel is open, and until [DB.Close].
func (d *DB) Changed() <-chan struct{} { return d.changes.wait() }

func (c *changes) wait() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.told == nil {
		c.told = make(chan struct{})
	}
	if !c.watching && !c.closed {
		c.watching = true
		c.watched.Add(1)
		go c.watch()
	}
	return c.told
}

// tell closes the channel that somebody waits for.
func (c *changes) tell() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.told != nil {
		close(c.told)
		c.told = nil
	}
}

// idle reports whether nobody waits, and ends the watch if so.
func (c *changes) idle() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.watching = c.told != nil
	return !c.watching
}

// watch looks after other processes as long as somebody waits. What has changed since it
// last looked counts too, as it may have been written after the wait began.
func (c *changes) watch() {
	defer c.watched.Done()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for !c.idle() {
		if now, err := c.state(ctx); err == nil && now != c.last {
			c.last = now
			c.tell()
			continue
		}
		select {
		case <-tick.C:
		case <-c.quit:
			return
		}
	}
}

// close ends the watch.
func (c *changes) close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	close(c.quit)
	c.watched.Wait()
}

// ledgerState reads what the watch compares. As long as nobody has written to the file, it
// costs no more than to ask for that.
func (d *DB) ledgerState() func(context.Context) (ledgerState, error) {
	var s ledgerState
	version := int64(-1)
	return func(ctx context.Context) (ledgerState, error) {
		now, err := d.reads.version(ctx)
		if err != nil || now == version {
			return s, err
		}
		read := ledgerState{generation: now >> 32}
		err = d.readOperations(ctx, func(v *view) error {
			_, err := v.one(ctx, `SELECT (SELECT seq FROM sqlite_sequence WHERE name = 'transition'), (SELECT seq FROM sqlite_sequence WHERE name = 'ask'),
				(SELECT count(*) FROM ask WHERE state = 'open' AND (state = 'open' OR state = 'claimed')),
				(SELECT count(*) FROM ask WHERE state = 'claimed' AND (state = 'open' OR state = 'claimed'))`, nil, func(r row) error {
				read.transitions, read.asks, read.open, read.claimed = r.int(0), r.int(1), r.int(2), r.int(3)
				return nil
			})
			return err
		}, nil)
		if err == nil {
			s, version = read, now
		}
		return s, err
	}
}
