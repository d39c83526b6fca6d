package db

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"redial/ledger"
)

// Create writes an intent with its first transition, to prepared or to sending. The
// session that sends it owns it, with fence 1; a prepared one has no owner. When Create
// returns nil, all of it is on the disk, with a full fsync; when it returns another error
// than [ledger.ErrExists], nothing is, unless the disk failed as it was committed: then it may
// be found there later, and the error says so. If the service has an operation with that key, it
// writes nothing, and returns that one whole and ErrExists.
func (d *DB) Create(ctx context.Context, in ledger.Intent, t ledger.Transition, owner ledger.SessionID) (o ledger.Operation, err error) {
	if d.writer == nil {
		return o, d.errReading()
	}
	o = ledger.Operation{Intent: in, Owner: owner, Fence: 1}
	d.settle(&t)
	if err := o.Apply(&t); err != nil {
		return ledger.Operation{}, err
	}
	intent, err := intentValues(&o)
	if err == nil {
		err = cmp.Or(ledger.CheckKey(in.Key), headerFits("request", in.Header), fits(&t))
	}
	if err == nil && len(in.Body) > maxBody {
		err = fmt.Errorf("the body has %d bytes, and at most %d can be kept", len(in.Body), maxBody)
	}
	if err != nil {
		return ledger.Operation{}, fmt.Errorf("create operation %s of %s: %w", in.Key, in.Service, err)
	}
	w := d.writer
	refusal, err := w.errand(ctx, func(ctx context.Context) (refusal, err error) {
		if o.Owner != 0 {
			o.Owner = w.number(owner)
		}
		t.Call = w.call(t.Call)
		added, err := w.cache.addOperation(&o, intent, &t)
		if err != nil || added {
			return nil, err
		}
		there, _, err := w.c.operation(ctx, o.ID())
		o = there.Operation
		return ledger.ErrExists, err
	})
	if err != nil {
		return ledger.Operation{}, err
	}
	return o, refusal
}

// settle gives a transition its time if it has none, and rounds its times to what the file
// can hold.
func (d *DB) settle(t *ledger.Transition) {
	if t.At.IsZero() {
		t.At = d.now()
	}
	for _, at := range [...]*time.Time{&t.At, &t.Due, &t.Asked} {
		if !at.IsZero() {
			*at = at.Round(0).UTC()
		}
	}
}

// Move makes a transition through [ledger.Operation.Apply] if the operation still stands
// where the caller saw it, and returns it whole, as it is now. If it has moved on, or has
// another owner than the one that the caller saw, nothing is written, and the error is
// [ledger.ErrMoved]. The error wraps [ledger.ErrNoOperation] if it is not in the file,
// which may have taken the place of the one that had it, and is a [*ledger.MoveError] if
// there is no such step.
func (d *DB) Move(ctx context.Context, id ledger.ID, seen ledger.Seen, t ledger.Transition) (ledger.Operation, error) {
	return d.change(ctx, id, t, func(o *ledger.Operation, _ *ledger.Transition) error {
		return stillAt(o, seen)
	})
}

// stillAt returns ErrMoved if an operation does not stand where it was seen.
func stillAt(o *ledger.Operation, seen ledger.Seen) error {
	if o.Version != seen.Version || seen.Fence != 0 && o.Fence != seen.Fence {
		return ledger.ErrMoved
	}
	return nil
}

// Claim makes a session the owner of an operation and raises the fence, on the same
// condition as Move. It sends nothing and moves nothing. reason goes into the transition
// that says so.
func (d *DB) Claim(ctx context.Context, id ledger.ID, seen ledger.Seen, owner ledger.SessionID, reason string) (ledger.Operation, error) {
	t := ledger.Transition{Code: ledger.CodeClaimed, Actor: ledger.Actor{Kind: ledger.Reconciler}, Reason: reason}
	return d.change(ctx, id, t, func(o *ledger.Operation, t *ledger.Transition) error {
		if err := stillAt(o, seen); err != nil {
			return err
		}
		o.Owner = d.writer.number(owner)
		o.Fence++
		t.Evidence = fmt.Sprintf("session %d, fence %d", o.Owner, o.Fence)
		return nil
	})
}

// Add appends a transition that moves nothing: a lookup, evidence or a note. It is
// accepted from anybody, whoever owns the operation and wherever it stands.
func (d *DB) Add(ctx context.Context, id ledger.ID, t ledger.Transition) (ledger.Operation, error) {
	switch t.Code {
	case ledger.CodeLookedUp, ledger.CodeEvidence, ledger.CodeNote:
	default:
		return ledger.Operation{}, fmt.Errorf("add to operation %s of %s: %s is a move, and needs to be seen where it stands", id.Key, id.Service, t.Code)
	}
	return d.change(ctx, id, t, func(*ledger.Operation, *ledger.Transition) error { return nil })
}

// change makes a transition of an operation if allow has nothing against it. What allow
// does to the operation is only kept if the transition is made.
func (d *DB) change(ctx context.Context, id ledger.ID, t ledger.Transition, allow func(*ledger.Operation, *ledger.Transition) error) (o ledger.Operation, err error) {
	if d.writer == nil {
		return o, d.errReading()
	}
	if err := fits(&t); err != nil {
		return o, fmt.Errorf("change operation %s of %s: %w", id.Key, id.Service, err)
	}
	d.settle(&t)
	w := d.writer
	refusal, err := w.errand(ctx, func(ctx context.Context) (refusal, err error) {
		now, found, err := w.c.operation(ctx, id)
		if err != nil || !found {
			return orNone(nil, id), err
		}
		o = now.Operation
		if err := allow(&now.Operation, &t); err != nil {
			return err, nil
		}
		if err := now.Apply(&t); err != nil {
			return err, nil
		}
		t.Call = w.call(t.Call)
		if err := w.cache.saveOperation(&now, &t); err != nil {
			return nil, err
		}
		o = now.Operation
		return nil, nil
	})
	if err != nil {
		return ledger.Operation{}, err
	}
	return o, refusal
}

// orNone returns err, or the error for an operation that is not in the file.
func orNone(err error, id ledger.ID) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("operation %s of %s: %w", id.Key, id.Service, ledger.ErrNoOperation)
}

// number returns the number that a session has in the file that is at the path now.
func (w *writer) number(id ledger.SessionID) ledger.SessionID {
	if s := w.sessions[id]; s != nil {
		return ledger.SessionID(s.id)
	}
	return id
}

// call returns the id that a call has in the file that is at the path now.
func (w *writer) call(id ledger.CallID) ledger.CallID {
	if id == 0 {
		return 0
	}
	return ledger.NewCallID(w.number(id.Session()), id.N())
}
