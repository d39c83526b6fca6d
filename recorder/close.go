package recorder

import (
	"context"
	"errors"
	"fmt"
	"time"

	"redial/ledger"
)

// errNoTime is why nothing was written if the store never said why.
var errNoTime = errors.New("there was no time left")

// close ends the writer within timeout: seven tenths of it are for writing what waits, two
// are for ending the session.
func (w *writer) close(timeout time.Duration) error {
	w.queue.shut()
	flush := time.AfterFunc(timeout/10*7, w.cancel)
	defer flush.Stop()
	bound := time.NewTimer(timeout)
	defer bound.Stop()
	w.stop <- timeout / 10 * 2
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
	w.leaveWindows()
	err := w.abandon()
	w.queue.seal()
	w.result = errors.Join(err, w.end(endFor))
	w.lives.unwatch()
}

// leaveWindows writes how the windows stand at the end, for the session that comes next. If
// that fails they stand there as they did a moment ago.
func (w *writer) leaveWindows() {
	if w.session.Load() == 0 || w.ctx.Err() != nil || w.lastErr != nil {
		return
	}
	w.pull(time.Now())
	w.lives.settle(nil, false)
	if w.lives.changed() {
		_ = w.write(w.ctx, nil)
	}
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
	reason := w.why()
	w.giveUp(parts, "the recorder was closed before the store took them: "+reason.Error())
	return fmt.Errorf("close recorder: %d calls were not written: %w", left, reason)
}

// why returns what keeps the store from working.
func (w *writer) why() error {
	if w.lastErr == nil {
		return errNoTime
	}
	return w.lastErr
}

// end brings the last gaps and the end of the session to the store. It tries so until bound
// is over: a store that took no calls may have room for these, or have it a moment later.
// In the second half it does without the gaps, as they can no longer follow the end.
func (w *writer) end(bound time.Duration) error {
	session := ledger.SessionID(w.session.Load())
	if session == 0 {
		return fmt.Errorf("close recorder: the session was never enrolled: %w", w.why())
	}
	ctx, cancel := context.WithTimeout(context.Background(), bound)
	defer cancel()
	half := time.Now().Add(bound / 2)
	var gaps, err error
	for {
		if w.noteMissed(); len(w.gaps) > 0 {
			gaps = sooner(ctx, gaps, w.write(ctx, nil))
		}
		if len(w.gaps) == 0 || time.Now().After(half) {
			err = sooner(ctx, err, guard(func() error { return w.store.End(ctx, session, time.Now(), w.queue.totals()) }))
			if err == nil {
				return named("write gaps", gaps)
			}
		}
		if !pauseIn(ctx) {
			return errors.Join(named("write gaps", gaps), named("end session", err))
		}
	}
}

// sooner returns now, or what was the matter before if now only says that ctx has ended.
func sooner(ctx context.Context, before, now error) error {
	if now != nil && before != nil && ctx.Err() != nil {
		return before
	}
	return now
}

// named says what of closing failed, if it did.
func named(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("close recorder: %s: %w", what, err)
}

// pauseIn waits a moment, and reports false if ctx ends before.
func pauseIn(ctx context.Context) bool {
	timer := time.NewTimer(firstPause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
