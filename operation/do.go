package operation

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"redial/ledger"
)

// run is one operation that this process drives.
type run struct {
	id       ledger.ID
	sum      [32]byte      // the fingerprint
	withheld http.Header   // the credentials, which are not on record; nil: not known here
	ask      LookupFunc    // nil: by data, or not at all
	reason   ledger.Reason // of the next send
	actor    ledger.Actor  // who drives it
	asked    *ledger.Ask   // by which a person began it; nil: the service did
	oldKey   bool          // a person wants it sent although the server may have forgotten the key

	looksOnly bool // what a lookup would allow to be sent again is left to a person

	wake chan struct{} // ends the wait for a lookup; holds one
	done chan struct{}

	op  ledger.Operation // as it stands in the end; set before done is closed
	err error            // why it is not known how it stands; set before done is closed
}

func newRun(o *ledger.Intent, by ledger.ActorKind) *run {
	return &run{id: ledger.ID{Service: o.Service, Key: o.Key}, sum: o.Fingerprint, actor: ledger.Actor{Kind: by},
		wake: make(chan struct{}, 1), done: make(chan struct{})}
}

// Do does the operation, and returns its answer when it succeeded.
//
// The intent is written to the disk before its first byte is sent; if that fails, nothing
// is sent and the error is [ErrNotWritten]. A definite refusal is a [*FailedError]. When
// nobody knows whether it happened, the error is [ErrPending], and the operation is looked
// up, and settled, without the caller. When ctx ends first, the error is ErrPending and
// the context's, and the operation goes on under its own budget.
//
// An operation whose key the service has used before is not done again: with the same
// request its stored result is returned, or waited for; with another request the error
// is [ErrOtherRequest].
func (ops *Operations) Do(ctx context.Context, op Operation) (*Result, error) {
	if ctx.Err() != nil {
		return nil, cause(ctx)
	}
	service, err := ops.known(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotWritten, err)
	}
	in, withheld, err := op.intent(service)
	if err != nil {
		return nil, err
	}
	r := newRun(&in, ledger.Service)
	r.withheld, r.ask = withheld, op.LookupFunc
	return ops.do(ctx, in, r)
}

func (ops *Operations) do(ctx context.Context, in ledger.Intent, r *run) (*Result, error) {
	other, err := ops.enter(r)
	switch {
	case err != nil:
		return nil, err
	case other != nil && other.sum != r.sum:
		return nil, otherRequest(&in)
	case other != nil:
		return ops.await(ctx, other)
	}
	now := time.Now()
	first := ledger.Transition{To: ledger.OpSending, Code: ledger.CodeSent, At: now,
		Actor: ledger.Actor{Kind: ledger.Service}, Reason: "written down, then sent"}
	if r.asked != nil {
		first.Actor, first.Reason = ledger.Actor{Kind: ledger.Person, Name: r.asked.By}, askedFor("an undo", *r.asked)
	}
	// The caller may leave, but not in the middle of this: it must be known whether it is written.
	stored, err := ops.store.Create(context.WithoutCancel(ctx), in, first, ops.session())
	switch {
	case errors.Is(err, ledger.ErrExists):
		return ops.existing(ctx, &in, stored, r)
	case err != nil:
		err = fmt.Errorf("%w: %w", ErrNotWritten, err)
		ops.leave(r, stored, err)
		return nil, err
	}
	go ops.drive(context.WithoutCancel(ctx), stored, r)
	return ops.await(ctx, r)
}

// existing deals with an operation that was on record before. The run leaves the others
// what they are doing, except where nobody has sent anything yet.
func (ops *Operations) existing(ctx context.Context, in *ledger.Intent, o ledger.Operation, r *run) (*Result, error) {
	if o.Fingerprint != in.Fingerprint {
		ops.leave(r, o, otherRequest(in))
		return nil, r.err
	}
	if o.State == ledger.OpPrepared {
		t := ledger.Transition{To: ledger.OpSending, Code: ledger.CodeSent, At: time.Now(), Actor: r.actor, Reason: "taken up, then sent"}
		if next, err := ops.own(context.WithoutCancel(ctx), o, t); err == nil {
			go ops.drive(context.WithoutCancel(ctx), next, r)
			return ops.await(ctx, r)
		}
	}
	ops.leave(r, o, nil)
	return ops.watch(ctx, o)
}

// own makes this session the owner of an operation and makes a transition.
func (ops *Operations) own(ctx context.Context, o ledger.Operation, t ledger.Transition) (ledger.Operation, error) {
	o, err := ops.store.Claim(ctx, o.ID(), o.Seen(), ops.session(), t.Reason)
	if err != nil {
		return o, err
	}
	return ops.store.Move(ctx, o.ID(), o.Seen(), t)
}

// watch waits until an operation that others drive is settled, or needs a person.
func (ops *Operations) watch(ctx context.Context, o ledger.Operation) (*Result, error) {
	for {
		changed := ops.store.Changed()
		next, err := ops.store.Operation(ctx, o.ID())
		if err != nil {
			if ctx.Err() != nil {
				err = cause(ctx)
			}
			return outcome(&o, err)
		}
		if o = next; o.Settled() || o.State == ledger.OpPending || o.State == ledger.OpDisputed {
			ops.told(ctx, &o)
			return outcome(&o, nil)
		}
		if ops.o.OneShot {
			ops.takeUp(o)
		}
		select {
		case <-changed:
		case <-time.After(time.Second): // for a lease that becomes void without a change
		case <-ctx.Done():
			return outcome(&o, cause(ctx))
		case <-ops.life.Done():
			return outcome(&o, ErrClosed)
		}
	}
}

func otherRequest(in *ledger.Intent) error {
	return fmt.Errorf("operation %s of %s: %w; nothing was sent: a new intent needs a new key", in.Key, in.Service, ErrOtherRequest)
}

// enter makes r the run of its key, unless there is one.
func (ops *Operations) enter(r *run) (*run, error) {
	ops.mu.Lock()
	defer ops.mu.Unlock()
	if ops.closed {
		return nil, ErrClosed
	}
	if other := ops.runs[r.id]; other != nil {
		return other, nil
	}
	ops.runs[r.id] = r
	delete(ops.left, r.id)
	ops.work.Add(1) // until it leaves
	return nil, nil
}

// leave ends a run.
func (ops *Operations) leave(r *run, o ledger.Operation, err error) {
	ops.mu.Lock()
	delete(ops.runs, r.id)
	ops.mu.Unlock()
	r.op, r.err = o, err
	close(r.done)
	ops.work.Done()
}

// await waits for the end of a run, or of the caller's context.
func (ops *Operations) await(ctx context.Context, r *run) (*Result, error) {
	select {
	case <-r.done:
	case <-ctx.Done():
		return nil, &PendingError{Key: r.id.Key, State: ledger.OpSending, Cause: cause(ctx)}
	}
	if r.op.Key == "" {
		return nil, r.err
	}
	ops.told(ctx, &r.op)
	if r.err != nil && !r.op.Settled() {
		return nil, &PendingError{Key: r.id.Key, State: r.op.State, Last: r.op.LastError, Cause: r.err}
	}
	return outcome(&r.op, nil)
}

// cause returns the context's error together with its cause.
func cause(ctx context.Context) error {
	err, why := ctx.Err(), context.Cause(ctx)
	if why == err {
		return err
	}
	return fmt.Errorf("%w: %w", err, why)
}
