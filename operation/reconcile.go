package operation

import (
	"context"
	"errors"
	"time"

	"redial/ledger"
)

const (
	sweepEach = time.Second
	sweepMost = 4096                  // operations looked at in a sweep
	maxTurns  = 16                    // lookups and sends at a time
	asksEach  = 50 * time.Millisecond // at most: changes come in crowds
)

// reconcile sees to the operations of the service that nobody drives: what earlier runs
// left behind, what is pending and due to be looked up, what was settled by hand and is to
// be looked up once more, and what a person asks for.
func (ops *Operations) reconcile() {
	sweep := time.NewTicker(sweepEach)
	defer sweep.Stop()
	ops.sweep()
	for ops.life.Err() == nil {
		changed := ops.store.Changed()
		ops.serveAsks()
		select {
		case <-changed:
			ops.sleep(asksEach, nil)
		case <-sweep.C:
			ops.sweep()
		case <-ops.life.Done():
		}
	}
}

// serveAsks claims what people ask for.
func (ops *Operations) serveAsks() {
	service, err := ops.name(ops.life)
	for err == nil {
		var ask *ledger.Ask
		ask, err = ops.store.ClaimAsk(ops.life, service, ops.session())
		if err != nil || ask == nil {
			return
		}
		ops.work.Go(func() { ops.serve(*ask) })
	}
}

// sweep takes up what is due.
func (ops *Operations) sweep() {
	service, err := ops.name(ops.life)
	if err != nil {
		return
	}
	due, err := ops.store.Due(ops.life, service, time.Now(), sweepMost)
	if err != nil {
		return // the next sweep comes in a second
	}
	for _, o := range due {
		ops.takeUp(o)
	}
}

// takeUp makes this process drive an operation that nobody else does. A takeover never
// sends: what was under way is looked up, and not before the send that may still be going
// on must have ended.
func (ops *Operations) takeUp(o ledger.Operation) {
	r := newRun(&o.Intent, ledger.Reconciler)
	if o.State.UnderWay() && !ops.free(&o) {
		return
	}
	if other, err := ops.enter(r); err != nil || other != nil {
		return
	}
	go func() {
		o, err := ops.store.Operation(ops.life, o.ID()) // lists leave the bytes out
		if err == nil {
			o, err = ops.adopt(o, r)
		}
		if err != nil {
			if !errors.Is(err, errNotDue) && !errors.Is(err, ledger.ErrMoved) {
				ops.abandon(r.id)
			}
			ops.leave(r, o, nil)
			return
		}
		ops.drive(context.Background(), o, r)
	}()
}

// free reports whether nobody drives an operation: its owner is gone, or it is this session's
// own and a run had to leave it.
func (ops *Operations) free(o *ledger.Operation) bool {
	if o.Owner != ops.session() {
		return ops.leases.void(ops.life, ops.store, o.Owner)
	}
	ops.mu.Lock()
	defer ops.mu.Unlock()
	return ops.left[o.ID()]
}

// abandon notes that a run of this session had to leave its operation unfinished.
func (ops *Operations) abandon(id ledger.ID) {
	ops.mu.Lock()
	defer ops.mu.Unlock()
	ops.left[id] = true
}

// adopt makes this session the owner of an operation, and brings it to where it goes on.
func (ops *Operations) adopt(o ledger.Operation, r *run) (ledger.Operation, error) {
	if o.Settled() || o.State == ledger.OpDisputed {
		return ops.verify(o, r)
	}
	if o.State == ledger.OpPending && (o.Due.IsZero() || time.Now().Before(o.Due)) {
		return o, errNotDue
	}
	o, err := ops.store.Claim(ops.life, o.ID(), o.Seen(), ops.session(), "nobody drives it, so this session does")
	if err != nil {
		return o, err
	}
	r.withheld = ops.credentials(&o)
	t := ledger.Transition{To: ledger.OpChecking, At: time.Now(), Actor: r.actor}
	switch o.State {
	case ledger.OpPending:
		t.Code, t.Due, t.Reason = ledger.CodeLookupDue, t.At, "a lookup is due"
	case ledger.OpSending:
		t = because(t, ledger.CodeTakenOver, "whoever sent it is gone, so nobody knows whether it arrived")
		t.Due = o.LastSent.Add(o.Budget.WithDefaults().AttemptTimeout)
	default:
		return o, nil
	}
	return ops.store.Move(ops.life, o.ID(), o.Seen(), t)
}

var errNotDue = errors.New("nothing is due")

// verify looks an operation up once more after a person has settled it. What contradicts
// the person makes it disputed.
func (ops *Operations) verify(o ledger.Operation, r *run) (ledger.Operation, error) {
	if o.Due.IsZero() || !o.CanLookUp() {
		return o, errNotDue
	}
	r.withheld = ops.credentials(&o)
	f, _ := ops.lookUp(ops.life, &o, r)
	if ops.life.Err() != nil {
		return o, ErrClosed
	}
	o, err := ops.add(o, f, r.actor)
	if err != nil || !contradicts(&o, f) {
		return o, errors.Join(err, errNotDue)
	}
	t := ledger.Transition{To: ledger.OpDisputed, Code: ledger.CodeContradicted, At: time.Now(), Actor: r.actor,
		Reason: "a lookup contradicts the final word: " + f.Verdict.String(), Evidence: f.Text, Call: f.Call}
	return ops.store.Move(ops.life, o.ID(), ledger.Seen{Version: o.Version}, t)
}

// contradicts reports whether a finding speaks against a final word.
func contradicts(o *ledger.Operation, f ledger.Finding) bool {
	switch o.State {
	case ledger.OpSucceeded:
		return f.Verdict == ledger.FoundTwice || f.Verdict == ledger.FoundOther || f.Verdict == ledger.FoundNothing && o.Counts(f.Asked)
	case ledger.OpFailed:
		return f.Verdict == ledger.FoundMatching || f.Verdict == ledger.FoundTwice
	}
	return false
}

// credentials returns the withheld headers as the service's options give them, nil if
// there are none to be had.
func (ops *Operations) credentials(o *ledger.Operation) map[string][]string {
	if len(o.Withheld) == 0 || ops.o.Credentials == nil {
		return nil
	}
	h := make(map[string][]string)
	if err := ops.o.Credentials(ops.life, o.Intent, h); err != nil {
		return nil
	}
	return h
}
