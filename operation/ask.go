package operation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"redial/ledger"
)

// serve does what a person asks for, and answers.
func (ops *Operations) serve(ask ledger.Ask) {
	state, answer := ledger.AskDone, ""
	o, err := ops.store.Operation(ops.life, ledger.ID{Service: ask.Service, Key: ask.Key})
	if err == nil {
		switch ask.Kind {
		case ledger.AskLookup:
			answer, err = ops.lookUpFor(o, ask)
		case ledger.AskReplay:
			answer, err = ops.replayFor(o, ask)
		case ledger.AskUndo:
			answer, err = ops.undoFor(o, ask)
		}
	}
	if err != nil {
		state, answer = ledger.AskRefused, err.Error()
	}
	// The person waits for it, also while operations are being closed.
	ctx, cancel := context.WithTimeout(context.Background(), ledger.AskPatience)
	defer cancel()
	if err := ops.store.AnswerAsk(ctx, ask.ID, ops.session(), state, answer); err != nil {
		return // the ask stays claimed, by a session whose beat tells the rest
	}
}

// lookUpFor looks an operation up because a person asked.
func (ops *Operations) lookUpFor(o ledger.Operation, ask ledger.Ask) (string, error) {
	orphan := o.State.UnderWay() && ops.free(&o)
	if !o.CanLookUp() && !orphan {
		return "", errNoLookup
	}
	r := newRun(&o.Intent, ledger.Reconciler)
	other, err := ops.enter(r)
	switch {
	case err != nil:
		return "", err
	case other != nil:
		select {
		case other.wake <- struct{}{}:
		default:
		}
		return "it is being driven; its next lookup is made now", nil
	}
	if orphan {
		return ops.takeOverFor(o, r, ask)
	}
	r.withheld = ops.credentials(&o)
	if o.State != ledger.OpPending {
		defer func() { ops.leave(r, o, nil) }()
		return ops.justLookUp(&o, r, ask)
	}
	t := ledger.Transition{To: ledger.OpChecking, Code: ledger.CodeLookupAsked, At: time.Now(), Due: time.Now(),
		Actor: ledger.Actor{Kind: ledger.Person, Name: ask.By}, Reason: askedFor("a lookup", ask)}
	next, err := ops.own(ops.life, o, t)
	if err != nil {
		ops.leave(r, o, nil)
		return "", ops.refusal(&next, err)
	}
	ops.drive(ops.life, next, r)
	return said(&r.op), nil
}

// justLookUp looks up an operation whose state is not to be moved by it, except into
// dispute.
func (ops *Operations) justLookUp(o *ledger.Operation, r *run, ask ledger.Ask) (string, error) {
	f, _ := ops.lookUp(ops.life, o, r)
	next, err := ops.add(*o, f, ledger.Actor{Kind: ledger.Person, Name: ask.By})
	if err != nil {
		return "", err
	}
	*o = next
	if contradicts(o, f) {
		t := ledger.Transition{To: ledger.OpDisputed, Code: ledger.CodeContradicted, At: time.Now(), Actor: r.actor,
			Reason: "a lookup contradicts the final word: " + f.Verdict.String(), Evidence: f.Text, Call: f.Call}
		if next, err = ops.store.Move(ops.life, o.ID(), ledger.Seen{Version: o.Version}, t); err == nil {
			*o = next
		}
	}
	return fmt.Sprintf("%s (%s); it is %s", f.Verdict, f.Text, o.State), nil
}

// replayFor sends an operation once more because a person asked, if the checklist allows it.
func (ops *Operations) replayFor(o ledger.Operation, ask ledger.Ask) (string, error) {
	if o.State != ledger.OpPending || ask.Version != o.Version {
		return "", fmt.Errorf("nothing was done: %s", ops.moved(ops.life, &o))
	}
	r := newRun(&o.Intent, ledger.Service)
	if other, err := ops.enter(r); err != nil {
		return "", err
	} else if other != nil {
		return "", fmt.Errorf("nothing was done: it is %s", ops.driving(&o))
	}
	r.withheld, r.reason = ops.credentials(&o), ledger.Replay
	r.oldKey = slices.Contains(ask.Despite, ledger.CheckKeyAge)
	sender := ledger.Sender{Missing: missing(&o.Intent, r.withheld), Has: "from " + o.Service}
	if failing := ledger.Failing(o.Checklist(sender, time.Now()), ask.Despite); len(failing) > 0 {
		ops.leave(r, o, nil)
		return "", fmt.Errorf("not sent: it does not hold that %s (%s)", failing[0].Text, failing[0].Facts)
	}
	t := ledger.Transition{To: ledger.OpSending, Code: ledger.CodeReplayed, At: time.Now(),
		Actor: ledger.Actor{Kind: ledger.Person, Name: ask.By}, Reason: askedFor("a replay", ask)}
	next, err := ops.own(ops.life, o, t)
	if err != nil {
		ops.leave(r, o, nil)
		return "", ops.refusal(&next, err)
	}
	ops.drive(ops.life, next, r)
	return said(&r.op), nil
}

// askedFor says what a person asked for, and why.
func askedFor(what string, ask ledger.Ask) string {
	reason := "asked for " + what
	if ask.Reason != "" {
		reason += ": " + ask.Reason
	}
	for _, name := range ask.Despite {
		reason += ", despite " + name
	}
	return reason
}

// refusal returns the error for a person who has been slower than somebody else, or else err.
// o is the operation as it stands.
func (ops *Operations) refusal(o *ledger.Operation, err error) error {
	if errors.Is(err, ledger.ErrMoved) {
		return fmt.Errorf("nothing was done: %s", ops.moved(ops.life, o))
	}
	return err
}

// moved says who made the last move of an operation, or took it over, and when.
func (ops *Operations) moved(ctx context.Context, o *ledger.Operation) string {
	who, did, at := "somebody else", "made it "+o.State.String(), o.Moved
	rows, err := ops.store.Transitions(ctx, o.ID())
	for _, t := range slices.Backward(rows) {
		if err != nil || t.From != t.To && t.To != o.State {
			break // it has moved again meanwhile
		}
		if t.From != t.To || t.Code == ledger.CodeClaimed {
			who, at = "the "+t.Actor.String(), t.At
			if t.Actor.Kind == ledger.Person {
				who = t.Actor.Name
			}
			if t.From == t.To {
				did = "took it up, as it is " + o.State.String() + ","
			}
			break
		}
	}
	said := fmt.Sprintf("%s %s at %s", who, did, clock(at))
	if o.Owner != 0 {
		said += "; it is " + Driving(ctx, ops.store, o, clock(o.Moved))
	}
	return said
}

// driving says of an operation that this process drives who drives it.
func (ops *Operations) driving(o *ledger.Operation) string {
	if now, err := ops.store.Operation(ops.life, o.ID()); err == nil {
		o = &now
	}
	if o.Owner != 0 {
		return Driving(ops.life, ops.store, o, clock(o.Moved))
	}
	s, err := ops.store.Session(ops.life, ops.session())
	if err != nil {
		return "being driven at this moment"
	}
	return "being driven at this moment by " + s.Names()
}

// Driving says of an operation that has an owner who that is, and since when it is in its
// state: "sending since 12:04:36, driven by checkout, pid 4242, session 3". from is where
// sessions are read; of one that it does not know only the number is told. since is the
// operation's Moved as it is to be shown.
func Driving(ctx context.Context, from interface {
	Session(context.Context, ledger.SessionID) (ledger.Session, error)
}, o *ledger.Operation, since string) string {
	name := "session " + o.Owner.String()
	if s, err := from.Session(ctx, o.Owner); err == nil {
		if name = s.Names(); !s.Live(time.Now()) {
			name += ", which is gone (a lookup takes it over, and so does the next run of " + o.Service + ")"
		}
	}
	return fmt.Sprintf("%s since %s, driven by %s", o.State, since, name)
}

// clock returns a time of day as it is told to people.
func clock(at time.Time) string { return at.Local().Format(time.TimeOnly) }

// said tells a person how an operation stands.
func said(o *ledger.Operation) string {
	if o.LastError == "" || o.State == ledger.OpSucceeded {
		return "it is " + o.State.String()
	}
	return fmt.Sprintf("it is %s: %s", o.State, o.LastError)
}
