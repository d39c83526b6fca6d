package recorder

import (
	"context"
	"time"

	"redial/ledger"
)

// recall asks the store what sessions before this one left of their windows, and hands it to
// the transports.
func (w *writer) recall(ctx context.Context) {
	h, ok := w.store.(Historian)
	if !ok {
		return
	}
	_ = guard(func() error {
		past, err := h.WindowsBefore(ctx, ledger.SessionID(w.session.Load()))
		if err == nil {
			w.lives.restore(past)
		}
		return err
	})
}

// recallSent asks the store what sessions before this one sent lately, so that the finder
// knows it when this one sends the same.
func (w *writer) recallSent() {
	h, ok := w.store.(Historian)
	if !ok || w.finder == nil {
		return
	}
	ctx, cancel := context.WithTimeout(w.ctx, writeTimeout)
	defer cancel()
	_ = guard(func() error {
		calls, err := h.SentBefore(ctx, ledger.SessionID(w.session.Load()), time.Now().Add(-w.finder.span))
		for i := range calls {
			w.finder.remember(&calls[i])
		}
		return err
	})
}

// duplicates returns what the finder said of these calls. The list is used again.
func (w *writer) duplicates(calls []ledger.Call) []ledger.Duplicate {
	w.found = w.found[:0]
	if w.finder == nil {
		return nil
	}
	for i := range calls {
		if calls[i].Duplicate.Kind != ledger.NoDuplicate {
			w.found = append(w.found, calls[i].Duplicate)
		}
	}
	return w.found
}
