package recorder

import (
	"context"
	"errors"
	"fmt"
	"time"

	"redial/ledger"
)

// close ends the writer within timeout: eight tenths of it are for writing what waits,
// one is for ending the session.
func (w *writer) close(timeout time.Duration) error {
	w.queue.shut()
	flush := time.AfterFunc(timeout/10*8, w.cancel)
	defer flush.Stop()
	bound := time.NewTimer(timeout)
	defer bound.Stop()
	w.stop <- timeout / 10
	select {
	case <-w.done:
		return w.result
	case <-bound.C:
		left := w.queue.seal()
		return fmt.Errorf("close recorder: the store did not answer within %v, and %d calls were not written", timeout, left)
	}
}

// finish writes what waits, and ends the session. Its bound is the end of w.ctx, and then
// endFor for the session.
func (w *writer) finish(endFor time.Duration) {
	for w.session.Load() == 0 && w.enrol() != nil && w.rest() {
	}
	for w.session.Load() != 0 && w.ctx.Err() == nil && w.unwritten() {
		if !w.step() && len(w.backlog.parked) > 0 {
			w.rest()
		}
	}
	err := w.abandon()
	w.queue.seal()
	w.result = errors.Join(err, w.end(endFor))
	w.lives.unwatch()
}

// unwritten reports whether calls are left.
func (w *writer) unwritten() bool {
	return !w.backlog.empty() || len(w.backlog.parked) > 0 || w.queue.backlog() > 0
}

// abandon gives up the calls that are left. The error says how many and why.
func (w *writer) abandon() error {
	parts := w.backlog.rest()
	for pages := w.queue.take(nil, batchCalls); len(pages) > 0; pages = w.queue.take(nil, batchCalls) {
		for _, p := range pages {
			parts = append(parts, part{calls: p.calls, weight: p.bytes})
		}
	}
	left := 0
	for _, p := range parts {
		left += len(p.calls)
	}
	if left == 0 {
		return nil
	}
	reason := w.lastErr
	if reason == nil {
		reason = errors.New("there was no time left")
	}
	w.giveUp(parts, "the recorder was closed before the store took them: "+reason.Error())
	return fmt.Errorf("close recorder: %d calls were not written: %w", left, reason)
}

// end brings the last gaps and the end of the session to the store.
func (w *writer) end(bound time.Duration) error {
	session := ledger.SessionID(w.session.Load())
	if session == 0 {
		return fmt.Errorf("close recorder: the session was never enrolled: %w", w.lastErr)
	}
	ctx, cancel := context.WithTimeout(context.Background(), bound)
	defer cancel()
	var gaps error
	if w.noteMissed(); len(w.gaps) > 0 {
		if gaps = w.write(ctx, nil); gaps != nil {
			gaps = fmt.Errorf("close recorder: write gaps: %w", gaps)
		}
	}
	err := guard(func() error { return w.store.End(ctx, session, time.Now(), w.queue.totals()) })
	if err != nil {
		err = fmt.Errorf("close recorder: end session: %w", err)
	}
	return errors.Join(gaps, err)
}
