package operation

import (
	"context"
	"errors"
	"fmt"
	"time"

	"redial/ledger"
)

// drive takes an operation that this session owns from step to step, until it is settled,
// needs a person, or belongs to somebody else.
func (ops *Operations) drive(values context.Context, o ledger.Operation, r *run) {
	var err error
	for err == nil {
		var next ledger.Operation
		switch o.State {
		case ledger.OpSending:
			next, err = ops.sendOnce(values, o, r)
		case ledger.OpBackingOff:
			next, err = ops.backOff(o, r)
		case ledger.OpChecking:
			next, err = ops.checkOnce(values, o, r)
		default:
			ops.compensated(values, &o)
			ops.leave(r, o, nil)
			return
		}
		if next.Key != "" {
			o = next
		}
	}
	if errors.Is(err, ledger.ErrMoved) {
		err = nil // somebody else drives it, or has settled it: what the store has, stands
	}
	if err != nil {
		ops.abandon(r.id)
	}
	ops.leave(r, o, err)
}

// turn waits for a turn to send or to look up, of which it reports false if the operations
// are closed first. Callers of Do need none: they are as many as the service lets them be.
// What is taken up afterwards can be thousands at once, and must not fall upon a server that
// has just come back.
func (ops *Operations) turn(r *run) bool {
	if r.actor.Kind == ledger.Service {
		return true
	}
	select {
	case ops.turns <- struct{}{}:
		return true
	case <-ops.life.Done():
		return false
	}
}

// pass ends a turn.
func (ops *Operations) pass(r *run) {
	if r.actor.Kind != ledger.Service {
		<-ops.turns
	}
}

// sendOnce sends, and writes down what came of it.
func (ops *Operations) sendOnce(values context.Context, o ledger.Operation, r *run) (ledger.Operation, error) {
	if !ops.turn(r) {
		return o, ErrClosed
	}
	s := ops.send(values, &o, r)
	ops.pass(r)
	t := judge(&o, s, time.Now())
	t.Actor = r.actor
	next, err := ops.record(o, t)
	switch {
	case errors.Is(err, ledger.ErrMoved):
		return ops.late(next, s, t)
	case err == nil && t.Code == ledger.CodeOtherPayload:
		stop := because(ledger.Transition{To: ledger.OpPending, At: time.Now(), Actor: r.actor, Due: rest(&next, time.Now())}, t.Code, t.Reason)
		return ops.record(next, stop)
	}
	return next, err
}

// record makes a transition, and tries again while the store fails: what is known must
// not be lost because a disk was full for a moment. It gives up when operations are closed.
func (ops *Operations) record(o ledger.Operation, t ledger.Transition) (ledger.Operation, error) {
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		next, err := ops.store.Move(context.Background(), o.ID(), o.Seen(), t)
		var refused *ledger.MoveError
		if err == nil || errors.Is(err, ledger.ErrMoved) || errors.Is(err, ledger.ErrNoOperation) || errors.As(err, &refused) {
			return next, err
		}
		if !ops.sleep(pause, nil) {
			return o, fmt.Errorf("write down what became of operation %s: %w", o.Key, err)
		}
	}
}

// backOff waits for the time of the next send, and writes its step down.
func (ops *Operations) backOff(o ledger.Operation, r *run) (ledger.Operation, error) {
	if !ops.sleep(time.Until(o.Due), nil) {
		return o, ErrClosed
	}
	t := afterWait(&o, missing(&o.Intent, r.withheld), time.Now())
	t.Actor = r.actor
	if t.To == ledger.OpSending && r.reason == ledger.First {
		r.reason = ledger.Retry
	}
	return ops.record(o, t)
}

// checkOnce waits for the time of the next lookup, makes it, and writes down what it
// brought and what follows.
func (ops *Operations) checkOnce(values context.Context, o ledger.Operation, r *run) (ledger.Operation, error) {
	if !o.CanLookUp() {
		t := because(ledger.Transition{To: ledger.OpPending, At: time.Now(), Actor: r.actor}, ledger.CodeNoLookup,
			"there is no way to ask; before that: "+orNothing(o.LastError))
		return ops.record(o, t)
	}
	if !ops.sleep(time.Until(o.Due), r.wake) {
		return o, ErrClosed
	}
	if !ops.turn(r) {
		return o, ErrClosed
	}
	f, result := ops.lookUp(values, &o, r)
	ops.pass(r)
	if ops.life.Err() != nil {
		return o, ErrClosed
	}
	o, err := ops.add(o, f, r.actor)
	if err != nil || o.State != ledger.OpChecking {
		return o, err
	}
	t, moves := afterLookup(&o, f, missing(&o.Intent, r.withheld), time.Now())
	if !moves {
		return o, nil
	}
	t.Actor = r.actor
	if t.To == ledger.OpSucceeded {
		t.Result = result
	}
	switch {
	case t.To != ledger.OpSending:
	case r.looksOnly:
		t = because(ledger.Transition{To: ledger.OpPending, At: t.At, Call: f.Call, Finding: f.Verdict, Due: rest(&o, t.At), Actor: r.actor},
			ledger.CodeNotFound, t.Reason+"; a person decides")
	default:
		r.reason = ledger.Resubmit
	}
	return ops.record(o, t)
}

// add writes down what a lookup brought, and when the next one is due.
func (ops *Operations) add(o ledger.Operation, f ledger.Finding, by ledger.Actor) (ledger.Operation, error) {
	now := time.Now()
	t := ledger.Transition{Code: ledger.CodeLookedUp, At: now, Actor: by, Finding: f.Verdict, Asked: f.Asked,
		Reason: "looked up: " + f.Verdict.String(), Evidence: f.Text, Call: f.Call}
	if o.State == ledger.OpChecking {
		t.Due = nextLookup(&o, now)
	}
	if f.Verdict == ledger.LookupFailed {
		t.Error = "the lookup failed: " + f.Text
	}
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		next, err := ops.store.Add(context.Background(), o.ID(), t)
		if err == nil || errors.Is(err, ledger.ErrNoOperation) || !ops.sleep(pause, nil) {
			return next, err
		}
	}
}

// sleep waits, until it is woken or the operations are closed, of which it returns false.
func (ops *Operations) sleep(d time.Duration, wake <-chan struct{}) bool {
	if d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-wake:
		case <-ops.life.Done():
		}
	}
	return ops.life.Err() == nil
}

// late writes down what became of a send whose operation has moved on meanwhile: as
// evidence, and as a dispute if it contradicts a final word.
func (ops *Operations) late(o ledger.Operation, s *sent, judged ledger.Transition) (ledger.Operation, error) {
	t := ledger.Transition{Code: ledger.CodeEvidence, At: time.Now(), Actor: ledger.Actor{Kind: ledger.Service},
		Reason: "an answer came late: " + judged.Reason, Evidence: s.facts(), Call: s.call}
	next, err := ops.store.Add(context.Background(), o.ID(), t)
	if err != nil {
		return o, err
	}
	happened := judged.To == ledger.OpSucceeded
	refused := judged.Code == ledger.CodeRefused
	if next.State == ledger.OpFailed && happened || next.State == ledger.OpSucceeded && refused && next.SettledBy.Kind == ledger.Person {
		t.To, t.Code = ledger.OpDisputed, ledger.CodeContradicted
		if disputed, err := ops.store.Move(context.Background(), next.ID(), ledger.Seen{Version: next.Version}, t); err == nil {
			next = disputed
		}
	}
	return next, ledger.ErrMoved
}
