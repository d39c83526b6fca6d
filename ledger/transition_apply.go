package ledger

import "fmt"

// MoveError says why an operation was not moved.
type MoveError struct {
	ID       ID
	From, To OperationState
	Why      string
}

// Error names the operation, the move, and what is in its way.
func (e *MoveError) Error() string {
	return fmt.Sprintf("operation %s of %s cannot go from %s to %s: %s", e.ID.Key, e.ID.Service, named(e.From), named(e.To), e.Why)
}

// named returns the name of a state, and for none what that means.
func named(s OperationState) string {
	if s == OpNone {
		return "nothing"
	}
	return s.String()
}

// Apply makes a transition: it checks it against the table, and brings the operation up to
// date. It is the only way to change an operation's state. After an error, which is a
// [*MoveError], the operation is as it was.
//
// From is taken from the operation. A row without a move only counts the lookup it brings
// and moves Updated.
func (o *Operation) Apply(t *Transition) error {
	t.Service, t.Key, t.From = o.Service, o.Key, o.State
	if t.Code == CodeLookedUp || t.Code == CodeEvidence || t.Code == CodeNote || t.Code == CodeClaimed {
		t.To = t.From
	}
	if why := forbids(o, t); why != "" {
		return &MoveError{ID: o.ID(), From: t.From, To: t.To, Why: why}
	}
	if t.Code == CodeClaimed {
		o.claimed(t)
	}
	o.note(t)
	if t.From != t.To {
		o.Doubts = doubts(o, t)
		o.State, o.Due, o.Moved = t.To, t.Due, t.At
		o.Version++
		if !t.To.UnderWay() {
			o.Owner = 0
		}
		o.entered(t)
	} else if t.Code == CodeLookedUp || !t.Due.IsZero() {
		o.Due = t.Due
	}
	return nil
}

// note takes in what a transition brings, whether or not it moves anything.
func (o *Operation) note(t *Transition) {
	if o.Created.IsZero() {
		o.Created = t.At
	}
	if t.At.After(o.Updated) {
		o.Updated = t.At
	}
	if t.Error != "" {
		o.LastError = t.Error
	}
	if t.Code == CodeLookedUp {
		o.lookedUp(t)
	}
}

// claimed notices that whoever takes an operation over has a clock that stands before its
// last transition. Soon it will not any more, but by how much it was set back nobody knows.
func (o *Operation) claimed(t *Transition) {
	if !o.FirstSent.IsZero() && t.At.Add(clockSlack).Before(o.Updated) {
		o.Ageless = true
	}
}

func (o *Operation) lookedUp(t *Transition) {
	o.Lookups++
	o.LookedUp, o.Finding = t.At, t.Finding
	if o.Failing++; t.Finding != LookupFailed {
		o.Failing = 0
	}
	switch {
	case t.Finding == LookupFailed: // says nothing, so what earlier ones said stands
	case t.Finding != FoundNothing:
		o.NotFound = 0
	case o.Counts(t.Asked):
		o.NotFound++
	}
}

// entered does what goes with a new state.
func (o *Operation) entered(t *Transition) {
	switch t.To {
	case OpSending:
		if o.FirstSent.IsZero() {
			o.FirstSent = t.At
		}
		o.LastSent = t.At
		o.Sends++
		o.Doubts++
		o.NotFound, o.Failing = 0, 0
		o.Held = o.Held && t.Code != CodeReplayed
	case OpSucceeded, OpFailed:
		o.SettledBy, o.Doubts = t.Actor, 0
		if t.Result != nil {
			o.Result = t.Result
		}
	case OpDisputed:
		o.Disputed = true
	case OpPending:
		o.Held = true
		if t.Code == CodeReopened {
			o.SettledBy = Actor{}
			o.Doubts = max(o.Sends, 1)
		}
	}
}
