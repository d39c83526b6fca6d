package db

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// errand is a write to the ledger of operations that waits for its turn. Somebody holds a
// request back until it is on the disk, so it goes before what is recorded, and all that
// wait are done in one transaction with one fsync.
type errand struct {
	ctx context.Context
	// run reads and writes within the transaction. It either returns a refusal, and has
	// written nothing, or nil. Its error fails the transaction, for everybody in it.
	run    func(context.Context) (refusal, err error)
	begun  atomic.Bool // taken by the writer, or given up by the one who waits: by whoever is first
	result chan outcome
}

// outcome is what became of an errand: it was refused, or nothing of it was written because
// of err, or neither.
type outcome struct{ refusal, err error }

// errands are those that wait.
type errands struct {
	mu     sync.Mutex
	list   []*errand
	closed bool
	ready  chan struct{} // holds one token when there may be some
}

func newErrands() *errands { return &errands{ready: make(chan struct{}, 1)} }

// add adds an errand, and reports whether anybody will see to it.
func (q *errands) add(e *errand) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	q.list = append(q.list, e)
	select {
	case q.ready <- struct{}{}:
	default:
	}
	return true
}

// take returns those that wait and that nobody has given up.
func (q *errands) take() []*errand {
	q.mu.Lock()
	list := q.list
	q.list = nil
	q.mu.Unlock()
	kept := list[:0]
	for _, e := range list {
		if e.begun.CompareAndSwap(false, true) {
			kept = append(kept, e)
		}
	}
	return kept
}

// waiting reports whether there are any.
func (q *errands) waiting() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.list) > 0
}

// close makes add refuse, and returns those that nobody will see to.
func (q *errands) close() []*errand {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	return q.take()
}

// errand has run called by the writer's goroutine, in a transaction that is on the disk
// when it returns nil. It gives up waiting when ctx ends; once run has begun, it waits for
// the end, so that nobody has to guess whether it was done.
func (w *writer) errand(ctx context.Context, run func(context.Context) (refusal, err error)) (refusal, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	e := &errand{ctx: ctx, run: run, result: make(chan outcome, 1)}
	if !w.errands.add(e) {
		return nil, ErrClosed
	}
	select {
	case o := <-e.result:
		return o.refusal, o.err
	case <-ctx.Done():
		if e.begun.CompareAndSwap(false, true) {
			return nil, ctx.Err()
		}
		o := <-e.result
		return o.refusal, o.err
	}
}

// serve does all errands that wait, in one transaction. The log is moved into the file
// only when none has come in the meantime, or when it has grown long.
func (w *writer) serve() {
	if !w.errands.waiting() {
		return
	}
	runtime.Gosched() // those whose errands were done just now may have others
	group := w.errands.take()
	if len(group) == 0 {
		return
	}
	outcomes, err := w.runAll(group)
	if err = whenUnsure(refuse(w.path, err)); err == nil {
		w.changed()
	}
	for i, e := range group {
		if err != nil {
			outcomes[i] = outcome{err: err}
		}
		e.result <- outcomes[i]
	}
	if w.served++; err == nil && (!w.errands.waiting() || w.served%64 == 0) {
		w.sweep.after(w.c)
	}
}

// runAll runs errands in one transaction. It returns what became of each of them, or the
// error for which nothing of all of them was written.
func (w *writer) runAll(group []*errand) (outcomes []outcome, err error) {
	ctx, cancel := whileAny(group)
	defer cancel()
	outcomes = make([]outcome, len(group))
	err = w.attempt(ctx, durably, func() error {
		for i, e := range group {
			if outcomes[i].err = e.ctx.Err(); outcomes[i].err != nil {
				continue
			}
			// What is cheap to finish is not broken off: ctx has been asked.
			if outcomes[i].refusal, err = e.run(context.WithoutCancel(e.ctx)); err != nil {
				return err
			}
		}
		return w.cache.ledgerDone()
	})
	return outcomes, err
}

// whileAny returns a context that ends when the last of the errands' contexts has ended.
func whileAny(group []*errand) (context.Context, context.CancelFunc) {
	if len(group) == 1 {
		return group[0].ctx, func() {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	var left atomic.Int64
	left.Store(int64(len(group)))
	stops := make([]func() bool, 0, len(group))
	for _, e := range group {
		if e.ctx.Done() == nil {
			continue // it never ends
		}
		stops = append(stops, context.AfterFunc(e.ctx, func() {
			if left.Add(-1) == 0 {
				cancel()
			}
		}))
	}
	return ctx, func() {
		for _, stop := range stops {
			stop()
		}
		cancel()
	}
}
