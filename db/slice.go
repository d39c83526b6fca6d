package db

import (
	"context"

	"redial/ledger"
)

// maxSlice is how many calls are recorded before the writer looks whether an errand waits:
// some two milliseconds.
const maxSlice = 256

// slices writes a batch in one transaction, unless errands come in the meantime: then the
// calls that are done are committed, and the errands go next. What is in the file when a
// later slice fails is not written again when the batch comes again.
func (w *writer) slices(ctx context.Context, s *enrolled, b *ledger.Batch) error {
	rest := *b
	rest.Calls = s.missing(b.Calls)
	for done := false; !done; {
		n := 0
		err := w.attempt(ctx, soon, func() (err error) {
			n, err = w.cache.batch(s, &rest, w.errands.waiting)
			return err
		})
		if err != nil {
			return err
		}
		if done = n == len(rest.Calls); !done {
			s.remember(rest.Calls[:n])
			rest.Calls = rest.Calls[n:]
			w.serve()
		}
	}
	s.forget(b.Calls)
	w.sweep.after(w.c)
	return nil
}

// missing returns the calls that are not in the file from an attempt that failed later.
func (e *enrolled) missing(calls []ledger.Call) []ledger.Call {
	if len(e.early) == 0 {
		return calls
	}
	var list []ledger.Call
	for i := range calls {
		if !e.early[calls[i].ID] {
			list = append(list, calls[i])
		}
	}
	return list
}

// remember notes calls that are in the file before the rest of their batch is.
func (e *enrolled) remember(calls []ledger.Call) {
	if e.early == nil {
		e.early = map[ledger.CallID]bool{}
	}
	for i := range calls {
		e.early[calls[i].ID] = true
	}
}

// forget drops the notes of calls whose batch is in the file.
func (e *enrolled) forget(calls []ledger.Call) {
	if len(e.early) == 0 {
		return
	}
	for i := range calls {
		delete(e.early, calls[i].ID)
	}
}

// slice writes what goes with the first calls of a batch, whose rest follows.
func (k *cache) slice(s *enrolled, calls []ledger.Call) error {
	rows, err := k.of(s)
	if err != nil {
		return err
	}
	for i := range calls {
		row := s.row(calls[i].ID)
		if _, runs := rows.calls[row]; !runs {
			continue
		}
		if _, err := k.c.exec(`DELETE FROM live WHERE call = ?`, row); err != nil {
			return err
		}
		delete(rows.calls, row)
	}
	_, err = k.c.exec(`UPDATE session SET calls = calls + ? WHERE id = ?`, int64(len(calls)), s.id)
	return err
}
