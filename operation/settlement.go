package operation

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"redial/ledger"
)

// Settlement is a final word on an operation, or that one was taken back.
type Settlement struct {
	Position int64 // in the file; what [Operations.Settlements] goes on after
	Key      string
	State    ledger.OperationState // succeeded, failed or disputed; pending: the final word was taken back
	By       string                // who said so: service, reconciler, or a person's name
	Reason   string
}

// Wait waits until an operation of the service is settled and returns its result as
// [Operations.Do] would, or the context's error with ErrPending. It sends nothing.
func (ops *Operations) Wait(ctx context.Context, key string) (*Result, error) {
	service, err := ops.known(ctx)
	if err != nil {
		return nil, err
	}
	ops.listens(ctx, service)
	for {
		changed := ops.store.Changed()
		o, err := ops.store.Operation(ctx, ledger.ID{Service: service, Key: key})
		switch {
		case err != nil:
			return nil, fmt.Errorf("wait for operation %s: %w", key, err)
		case o.Settled():
			ops.told(ctx, &o)
			return outcome(&o, nil)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return outcome(&o, cause(ctx))
		case <-ops.life.Done():
			return outcome(&o, ErrClosed)
		}
	}
}

// listens notes, once, that the service wants to know of settlements. Like all that is noted
// of readings, it must not keep the service from its settlements: an error only means that
// nobody is told of it.
func (ops *Operations) listens(ctx context.Context, service string) {
	if !ops.heard.Load() && ops.store.MarkRead(ctx, service, 0, 0) == nil {
		ops.heard.Store(true)
	}
}

// told notes that a caller is about to learn of the final word of a person.
func (ops *Operations) told(ctx context.Context, o *ledger.Operation) {
	if !o.Settled() || o.SettledBy.Kind != ledger.Person {
		return
	}
	rows, err := ops.store.Transitions(ctx, o.ID())
	for _, t := range slices.Backward(rows) {
		if err == nil && t.From != t.To {
			_ = ops.store.MarkRead(ctx, o.Service, t.N-1, t.N) // see listens
			return
		}
	}
}

// Settlements returns the settlements of the service after a position, 0 for all, oldest
// first, and waits for more until the context ends. A service that keeps the position of
// the last one that it has dealt with misses none over a restart. The loop ends with an
// error when the store fails or the context ends.
//
// What a person has settled counts as read by the service from when it is handed over here,
// or when the service asks for what comes after it. Whoever takes the word back is told so.
func (ops *Operations) Settlements(ctx context.Context, after int64) iter.Seq2[Settlement, error] {
	return func(yield func(Settlement, error) bool) {
		service, err := ops.known(ctx)
		read := reader{ops: ops, service: service, owed: true}
		for err == nil {
			read.mark(ctx, after, false)
			changed := ops.store.Changed()
			var batch []ledger.Transition
			batch, err = ops.store.Settlements(ctx, service, after, 256)
			for _, t := range batch {
				after = t.N
				read.mark(ctx, after, t.Actor.Kind == ledger.Person)
				if !yield(Settlement{t.N, t.Key, t.To, t.Actor.String(), t.Reason}, nil) {
					return
				}
			}
			if err == nil && len(batch) == 0 {
				select {
				case <-changed:
				case <-ctx.Done():
					err = cause(ctx)
				case <-ops.life.Done():
					err = ErrClosed
				}
			}
		}
		yield(Settlement{}, err)
	}
}

// reader notes how far a service has read its settlements.
type reader struct {
	ops     *Operations
	service string
	noted   int64 // up to which position that is noted
	owed    bool  // it was not noted yet that the service reads at all, or it failed
}

// mark notes that the service has read up to a position if that is news: a person has
// settled what stands there, or something is owed.
func (r *reader) mark(ctx context.Context, upTo int64, person bool) {
	if !person && !r.owed {
		return
	}
	err := r.ops.store.MarkRead(ctx, r.service, r.noted, upTo)
	if r.owed = err != nil; err == nil { // see listens
		r.noted = upTo
	}
}
