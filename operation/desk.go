package operation

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"redial/ledger"
)

// DeskStore is what a [Desk] needs of a store besides what [Operations] do.
type DeskStore interface {
	Store
	// Ask writes an ask down and returns its number.
	Ask(context.Context, ledger.Ask) (int64, error)
	// Asked returns an ask as it stands, with its Gone.
	Asked(ctx context.Context, id int64) (ledger.Ask, error)
	// Withdraw takes an ask back if nobody has claimed it, and returns it as it stands then.
	Withdraw(ctx context.Context, id int64) (ledger.Ask, error)
	// Reading returns whether the service of an operation has been told of the last final
	// word that a person spoke on it.
	Reading(context.Context, ledger.ID) (ledger.Reading, error)
}

// Desk is where a person sees to operations of any service: looks them up, replays,
// undoes and settles them. It asks the live service first, and acts from this process
// where none answers.
type Desk struct {
	ops   *Operations
	store DeskStore
	by    string
}

// NewDesk returns a desk for the person of that name. What is sent from this process goes
// through client and belongs to the session of the options.
func NewDesk(client *http.Client, store DeskStore, o Options, by string) *Desk {
	o.OneShot = true
	return &Desk{ops: New(client, store, o), store: store, by: by}
}

// Close ends what this process does for operations. What is not settled stays on record.
func (d *Desk) Close() error { return d.ops.Close() }

// ErrNobody is [ledger.ErrNobody]: nobody has claimed what was asked for.
var ErrNobody = ledger.ErrNobody

// lookAgain is how often it is looked whether the session that has claimed an ask is still
// live. When it dies, nothing is written that would tell.
const lookAgain = time.Second

// Ask asks a live session of the service, and returns its answer in words. The error is
// [ErrNobody] if none claims it in time; then it can be done from here. When the session
// that has claimed it is gone, nobody knows what it did, and the error says so.
func (d *Desk) Ask(ctx context.Context, a ledger.Ask) (string, error) {
	a.By, a.At = d.by, time.Now()
	id, err := d.store.Ask(ctx, a)
	if err != nil {
		return "", err
	}
	patience, again := time.NewTimer(ledger.AskPatience), time.NewTicker(lookAgain)
	defer patience.Stop()
	defer again.Stop()
	for {
		changed := d.store.Changed()
		a, err := d.store.Asked(ctx, id)
		switch {
		case err != nil:
			return "", err
		case a.State == ledger.AskDone:
			return a.Answer, nil
		case a.State == ledger.AskRefused:
			return "", errors.New(a.Answer)
		case a.State == ledger.AskWithdrawn:
			return "", ErrNobody
		case a.State == ledger.AskClaimed && a.Gone:
			return "", fmt.Errorf("session %s of %s took it up and is gone, so nobody knows what it did: it is looked up when the service starts again", a.Taken, a.Service)
		}
		select {
		case <-changed:
		case <-again.C:
		case <-patience.C:
			if _, err := d.store.Withdraw(ctx, id); err != nil {
				return "", err
			}
		case <-ctx.Done():
			_, _ = d.store.Withdraw(context.WithoutCancel(ctx), id) // a session that takes it up all the same answers nobody
			return "", cause(ctx)
		}
	}
}

// Here does from this process what is asked for, after the same checklist. When ctx ends
// first, what was begun goes on until the desk is closed.
func (d *Desk) Here(ctx context.Context, a ledger.Ask) (string, error) {
	a.By, a.At = d.by, time.Now()
	o, err := d.store.Operation(ctx, ledger.ID{Service: a.Service, Key: a.Key})
	if err != nil {
		return "", err
	}
	type said struct {
		answer string
		err    error
	}
	done := make(chan said, 1)
	go func() {
		answer, err := d.act(o, a)
		done <- said{answer, err}
	}()
	select {
	case s := <-done:
		return s.answer, s.err
	case <-ctx.Done():
		return "", cause(ctx)
	}
}

func (d *Desk) act(o ledger.Operation, a ledger.Ask) (string, error) {
	switch a.Kind {
	case ledger.AskReplay:
		return d.ops.replayFor(o, a)
	case ledger.AskUndo:
		return d.ops.undoFor(o, a)
	}
	return d.ops.lookUpFor(o, a)
}

// Checklist returns what has to hold before the operation is replayed: by a live session
// of its service if there is one, else from here.
func (d *Desk) Checklist(ctx context.Context, o *ledger.Operation, live []ledger.Session) []ledger.Check {
	now := time.Now()
	s := ledger.Sender{Has: "no credentials are needed"}
	for i := range live {
		if live[i].Service == o.Service && live[i].Live(now) {
			s.Has = "from " + live[i].Service
			if live[i].ID == o.Owner {
				s.Busy, s.Holder = true, live[i].Names()
			}
		}
	}
	if s.Has == "no credentials are needed" && len(o.Withheld) > 0 {
		s.Has = "from the environment"
		s.Missing = missing(&o.Intent, d.ops.credentials(o))
	}
	return o.Checklist(s, now)
}

// Settle records the final word of the person on an operation as they saw it. Afterwards
// redial looks once more; what contradicts them makes it disputed.
func (d *Desk) Settle(ctx context.Context, o *ledger.Operation, happened bool, reason, evidence string) (ledger.Operation, error) {
	t := d.row(ledger.CodeDenied, reason)
	t.To, t.Evidence, t.Due = ledger.OpFailed, evidence, t.At
	if happened {
		t.To, t.Code = ledger.OpSucceeded, ledger.CodeConfirmed
	}
	if !o.CanLookUp() {
		t.Due = time.Time{}
	}
	return d.move(ctx, o, t)
}

// Cancel ends a plan that was never sent.
func (d *Desk) Cancel(ctx context.Context, o *ledger.Operation, reason string) (ledger.Operation, error) {
	t := d.row(ledger.CodeCancelled, reason)
	t.To = ledger.OpFailed
	return d.move(ctx, o, t)
}

// Reopen takes back the final word that a person spoke. That the service had been told of
// it, or had not, is the evidence of the step.
func (d *Desk) Reopen(ctx context.Context, o *ledger.Operation, reason string) (ledger.Operation, error) {
	read, err := d.store.Reading(ctx, o.ID())
	if err != nil {
		return ledger.Operation{}, err
	}
	t := d.row(ledger.CodeReopened, reason)
	t.To, t.Due = ledger.OpPending, rest(o, t.At)
	t.Evidence = read.Words(o.Service, read.At.UTC().Format(time.DateTime+" UTC"))
	return d.move(ctx, o, t)
}

// Note adds what the person says to the life of an operation.
func (d *Desk) Note(ctx context.Context, id ledger.ID, text string) (ledger.Operation, error) {
	if text == "" {
		return ledger.Operation{}, errors.New("the note is empty: nothing was written")
	}
	return d.store.Add(ctx, id, d.row(ledger.CodeNote, text))
}

func (d *Desk) row(code ledger.Code, reason string) ledger.Transition {
	return ledger.Transition{Code: code, At: time.Now(), Actor: ledger.Actor{Kind: ledger.Person, Name: d.by}, Reason: reason}
}

// move makes a step if the operation still stands as the person saw it, and tells who was
// faster if it does not.
func (d *Desk) move(ctx context.Context, o *ledger.Operation, t ledger.Transition) (ledger.Operation, error) {
	now, err := d.store.Move(ctx, o.ID(), ledger.Seen{Version: o.Version}, t)
	var refused *ledger.MoveError
	switch {
	case errors.Is(err, ledger.ErrMoved):
		return now, fmt.Errorf("nothing was changed: %s", d.ops.moved(ctx, &now))
	case errors.As(err, &refused) && now.Owner != 0:
		return now, fmt.Errorf("nothing was changed: it is %s", Driving(ctx, d.store, &now, clock(now.Moved)))
	}
	return now, err
}
