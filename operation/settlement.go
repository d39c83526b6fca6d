package operation

import (
	"context"
	"fmt"
	"iter"

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
	service, err := ops.name(ctx)
	if err != nil {
		return nil, err
	}
	for {
		changed := ops.store.Changed()
		o, err := ops.store.Operation(ctx, ledger.ID{Service: service, Key: key})
		switch {
		case err != nil:
			return nil, fmt.Errorf("wait for operation %s: %w", key, err)
		case o.Settled():
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

// Settlements returns the settlements of the service after a position, 0 for all, oldest
// first, and waits for more until the context ends. A service that keeps the position of
// the last one that it has dealt with misses none over a restart. The loop ends with an
// error when the store fails or the context ends.
func (ops *Operations) Settlements(ctx context.Context, after int64) iter.Seq2[Settlement, error] {
	return func(yield func(Settlement, error) bool) {
		service, err := ops.name(ctx)
		for err == nil {
			changed := ops.store.Changed()
			var batch []ledger.Transition
			batch, err = ops.store.Settlements(ctx, service, after, 256)
			for _, t := range batch {
				after = t.N
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
