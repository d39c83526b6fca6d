package recorder

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"redial/ledger"
)

const (
	tick       = 50 * time.Millisecond // a call waits no longer for company
	batchCalls = 4096                  // calls in one batch: more gain nothing
	batchBytes = 8 << 20               // weight at which a batch takes no further page
	beatEvery  = time.Second

	enrolEvery   = time.Second
	firstPause   = tick
	longestPause = time.Second
	writeTimeout = 30 * time.Second // for stores that honour their context
)

// writer moves calls from the queue to the store. Everything it does happens on the
// goroutine of run, except for close and nudge.
type writer struct {
	store   Store
	queue   *queue
	lives   *lives
	redact  *redactor
	finder  *finder // nil: duplicates are not looked for
	self    ledger.Session
	number  func() ledger.CallID // for calls that come without an id
	session atomic.Int64         // 0 until enrolled

	wake  chan struct{}      // holds one token: calls are waiting
	tried chan struct{}      // closed when enrolment was tried once
	stop  chan time.Duration // close sends how long ending the session may take
	done  chan struct{}      // closed when run returns

	ctx    context.Context // ends when there is no more time to write
	cancel context.CancelFunc

	backlog backlog
	found   []ledger.Duplicate // scratch: what goes with a batch
	gaps    []ledger.Gap       // not in the store yet
	beat    time.Time          // of the last batch that was written
	second  time.Time          // when gaps were written and pages trimmed last
	pause   time.Duration      // after the next failure; 0 while the store works
	lastErr error              // of the store, nil while it works
	closing bool               // close was called
	endFor  time.Duration      // what it sent
	result  error              // of close; set before done is closed
}

func newWriter(store Store, self ledger.Session, r *Recorder) *writer {
	ctx, cancel := context.WithCancel(context.Background())
	return &writer{
		store: store, queue: r.queue, lives: r.lives, self: self, number: r.NewID,
		wake: make(chan struct{}, 1), tried: make(chan struct{}),
		stop: make(chan time.Duration, 1), done: make(chan struct{}),
		ctx: ctx, cancel: cancel,
	}
}

// nudge wakes the writer before its next tick. It never waits.
func (w *writer) nudge() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// run is the writer's life.
func (w *writer) run() {
	defer close(w.done)
	w.enrolUntilStopped()
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for !w.closing {
		if w.step() {
			continue
		}
		select {
		case w.endFor = <-w.stop:
			w.closing = true
		case <-ticker.C:
		case <-w.wake:
		}
	}
	w.finish(w.endFor)
}

// enrolUntilStopped enrols the session, however often that takes.
func (w *writer) enrolUntilStopped() {
	err := w.enrol()
	close(w.tried)
	for err != nil && w.sleep(enrolEvery) {
		err = w.enrol()
	}
	if err == nil {
		w.recallSent()
	}
}

func (w *writer) enrol() error {
	ctx, cancel := context.WithTimeout(w.ctx, writeTimeout)
	defer cancel()
	err := guard(func() error {
		id, err := w.store.Enrol(ctx, w.self)
		if err == nil && id <= 0 {
			err = fmt.Errorf("the store gave the session the number %d", id)
		}
		if err == nil {
			w.session.Store(int64(id))
		}
		return err
	})
	if w.ctx.Err() == nil || err == nil {
		w.lastErr = err // else it only says that there was no time left
	}
	if err == nil {
		w.recall(ctx)
	}
	return err
}

// sleep waits for d, and reports false when it was cut short because the recorder closes
// or there is no more time to write.
func (w *writer) sleep(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case w.endFor = <-w.stop:
		w.closing = true
	case <-w.ctx.Done():
	}
	return false
}

// step writes one batch if there is something to write. It reports whether to go on at
// once: more than a batch is waiting, or a failed one is to be tried again.
func (w *writer) step() bool {
	now := time.Now()
	w.pull(now)
	w.backlog.unpark(now)
	if w.backlog.empty() {
		w.fill()
	}
	p := w.backlog.first()
	w.lives.settle(p.calls, w.backlog.more() || w.queue.backlog() > 0)
	if len(p.calls) == 0 && !w.due(now) {
		return false
	}
	if err := w.write(w.ctx, p.calls); err != nil {
		return w.failed(p, err)
	}
	w.pause, w.lastErr = 0, nil
	if len(p.calls) > 0 {
		w.queue.wrote(len(p.calls), p.weight)
		w.queue.giveBack(w.backlog.wrote())
	}
	return !w.backlog.empty() || w.queue.backlog() >= w.queue.wakeAt
}

// due reports whether a batch without calls is worth writing.
func (w *writer) due(now time.Time) bool {
	return now.Sub(w.beat) >= beatEvery || w.lastErr != nil || w.lives.changed()
}

// pull fetches what is under way, redacted like everything else.
func (w *writer) pull(now time.Time) {
	if guard(func() error { w.lives.pull(now); return nil }) != nil {
		w.lives.forget()
	}
	for i := range w.lives.running {
		w.stamp(&w.lives.running[i])
		w.clean(&w.lives.running[i])
	}
}

// fill takes calls from the queue, and makes them fit to be stored.
func (w *writer) fill() {
	pages := w.queue.take(nil, batchCalls)
	if len(pages) == 0 {
		return
	}
	p := w.backlog.fill(pages)
	taken := p.weight
	for i := range p.calls {
		c := &p.calls[i]
		before := weight(c)
		w.stamp(c)
		w.finder.see(c) // before secrets are gone in which two calls may differ
		w.clean(c)
		p.weight += weight(c) - before
	}
	w.queue.reweigh(p.weight - taken)
}

// stamp puts the session's number into the id of a call.
func (w *writer) stamp(c *ledger.Call) {
	n := c.ID.N()
	if n == 0 {
		n = w.number().N()
	}
	session := ledger.SessionID(w.session.Load())
	c.ID = ledger.NewCallID(session, n)
	if c.Previous != 0 && c.Previous.Session() == 0 { // it began before the session was enrolled
		c.Previous = ledger.NewCallID(session, c.Previous.N())
	}
}

// clean redacts a call. One that the redactor breaks on keeps nothing that could hold a
// secret: a fault there must not take the service down, nor let a secret through.
func (w *writer) clean(c *ledger.Call) {
	if err := guard(func() error { w.redact.call(c); return nil }); err != nil {
		strip(c)
	}
}

// write hands one batch to the store.
func (w *writer) write(ctx context.Context, calls []ledger.Call) error {
	now := time.Now()
	second := now.Sub(w.second) >= beatEvery
	w.noteMissed()
	batch := ledger.Batch{
		Session: ledger.SessionID(w.session.Load()), Beat: now,
		Counters: w.queue.totals(), Calls: calls,
		Running: w.lives.running, Windows: w.lives.windows,
		Duplicates: w.duplicates(calls),
	}
	batch.Counters.Written += int64(len(calls))
	if second || w.lastErr != nil || w.closing {
		batch.Gaps = w.gaps
	}
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	if err := guard(func() error { return w.store.Write(ctx, &batch) }); err != nil {
		return err
	}
	if batch.Gaps != nil {
		w.gaps = nil
	}
	if second {
		w.second = now
		w.queue.trim()
	}
	w.beat = now
	w.lives.wrote(calls)
	return nil
}

// guard runs f and turns a panic into an error: a store or a transport that panics must
// not take the service down.
func guard(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	return f()
}
