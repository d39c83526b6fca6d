package operation

import (
	"errors"
	"fmt"
	"time"

	"redial/ledger"
)

// takeOverFor sees, because a person asked for a lookup, to an operation that is under way
// and that nobody drives any more. It looks up and never sends: what is not found, or cannot
// be looked up, becomes pending, and is for the person to decide.
func (ops *Operations) takeOverFor(o ledger.Operation, r *run, ask ledger.Ask) (string, error) {
	r.withheld, r.looksOnly = ops.credentials(&o), true
	next, err := ops.takeOver(o, ask)
	if err != nil {
		ops.leave(r, o, nil)
		return "", ops.refusal(&next, err)
	}
	ops.drive(ops.life, next, r)
	return said(&r.op), nil
}

// takeOver makes this session the owner of an operation that nobody drives, and brings it to
// where it is looked up, once a send that may still be going on must have ended.
func (ops *Operations) takeOver(o ledger.Operation, ask ledger.Ask) (ledger.Operation, error) {
	if o.State == ledger.OpBackingOff && o.Doubts == 0 {
		return o, fmt.Errorf("nothing was done: nothing that was sent of it can have happened, so there is nothing to look up; the next run of %s goes on with it, or ends it when its time is used up", o.Service)
	}
	if _, err := ops.known(ops.life); err != nil {
		return o, err
	}
	now, by := time.Now(), ledger.Actor{Kind: ledger.Person, Name: ask.By}
	o, err := ops.store.Claim(ops.life, o.ID(), o.Seen(), ops.session(), askedFor("a lookup", ask)+"; nobody drives it")
	if err != nil || o.State == ledger.OpChecking {
		return o, err
	}
	t := ledger.Transition{At: now, Actor: by, Code: ledger.CodeTakenOver, Reason: askedFor("a lookup", ask) + "; whoever sent it is gone, so nobody knows whether it arrived"}
	if o.State == ledger.OpSending {
		t.To, t.Due = ledger.OpChecking, o.LastSent.Add(o.Budget.WithDefaults().AttemptTimeout)
		return ops.store.Move(ops.life, o.ID(), o.Seen(), t)
	}
	t.To = ledger.OpPending
	if o, err = ops.store.Move(ops.life, o.ID(), o.Seen(), t); err != nil {
		return o, err
	}
	return ops.own(ops.life, o, ledger.Transition{To: ledger.OpChecking, Code: ledger.CodeLookupAsked, At: now, Due: now,
		Actor: by, Reason: askedFor("a lookup", ask)})
}

// errNoLookup says that nobody can ask the server.
var errNoLookup = errors.New("there is no way to ask the server: the operation has no lookup")
