package ledger

import "slices"

// move is a row of the transition table.
type move struct {
	from, to OperationState
	codes    []Code
	only     []guard // all have to hold
}

// guard returns what keeps an operation from a move, "" for nothing.
type guard func(*Operation, *Transition) string

// moves is the one table of how the state of an operation may change. What is not in it
// cannot happen.
func moves() []move {
	later := []Code{CodeNoAnswer, CodeServerError, CodeRedirected, CodePromised, CodeUnreadable, CodeUndeclared,
		CodeOtherPayload, CodeRefusedLate, CodeAnsweredLate, CodeUnanswerable, CodeTakenOver}
	stuck := []Code{CodeNotFound, CodeLookupFailed, CodeNoLookup, CodeNotHonoured, CodeKeyTooOld, CodeBudgetSpent,
		CodeFoundTwice, CodeFoundOther, CodeOtherPayload, CodeNoCredentials}
	return []move{
		{OpNone, OpPrepared, []Code{CodePlanned}, nil},
		{OpNone, OpSending, []Code{CodeSent}, nil},
		{OpPrepared, OpSending, []Code{CodeSent, CodeReplayed}, nil},
		{OpPrepared, OpFailed, []Code{CodeCancelled}, nil},
		{OpSending, OpSucceeded, []Code{CodeAnswered}, []guard{soleOrHonoured}},
		{OpSending, OpFailed, []Code{CodeRefused}, []guard{noDoubt}},
		{OpSending, OpBackingOff, []Code{CodeNotSent, CodeThrottled}, []guard{hadNoEffect, noDoubtOrHonoured}},
		{OpSending, OpBackingOff, []Code{CodeInFlight}, []guard{honoured}},
		{OpSending, OpChecking, later, nil},
		{OpBackingOff, OpSending, []Code{CodeWaitOver}, []guard{released, young, noDoubtOrHonoured, within}},
		{OpBackingOff, OpPending, append(stuck[:len(stuck):len(stuck)], CodeTakenOver), []guard{doubt}},
		{OpBackingOff, OpFailed, []Code{CodeBudgetSpent, CodeKeyTooOld, CodeNoCredentials}, []guard{noDoubt}},
		{OpChecking, OpSucceeded, []Code{CodeFound}, []guard{found}},
		{OpChecking, OpSending, []Code{CodeResubmitted}, []guard{released, absent, honoured, young, within}},
		{OpChecking, OpPending, stuck, nil},
		{OpPending, OpChecking, []Code{CodeLookupDue}, nil},
		{OpPending, OpChecking, []Code{CodeLookupAsked}, []guard{person}},
		{OpPending, OpSending, []Code{CodeReplayed}, []guard{person}},
		{OpPending, OpSucceeded, []Code{CodeFound}, []guard{found}},
		{OpPending, OpSucceeded, []Code{CodeConfirmed}, []guard{person, reason}},
		{OpPending, OpFailed, []Code{CodeDenied}, []guard{person, reason}},
		{OpPending, OpFailed, []Code{CodeCompensated}, []guard{nothingThere}},
		{OpSucceeded, OpFailed, []Code{CodeCompensated}, []guard{nothingThere}},
		{OpSucceeded, OpDisputed, []Code{CodeContradicted}, nil},
		{OpFailed, OpDisputed, []Code{CodeContradicted}, nil},
		{OpDisputed, OpSucceeded, []Code{CodeConfirmed}, []guard{person, reason}},
		{OpDisputed, OpFailed, []Code{CodeDenied}, []guard{person, reason}},
		{OpSucceeded, OpPending, []Code{CodeReopened}, []guard{person, reason, byPerson}},
		{OpFailed, OpPending, []Code{CodeReopened}, []guard{person, reason, byPerson}},
	}
}

// still are the codes of rows that move nothing.
func still() []Code { return []Code{CodeLookedUp, CodeEvidence, CodeNote, CodeClaimed} }

// forbids returns what keeps o from t, "" for nothing.
func forbids(o *Operation, t *Transition) string {
	if t.From == t.To && slices.Contains(still(), t.Code) {
		return ""
	}
	why := "there is no such step"
	for _, m := range moves() {
		if m.from != t.From || m.to != t.To || !slices.Contains(m.codes, t.Code) {
			continue
		}
		if why = m.forbids(o, t); why == "" {
			return ""
		}
	}
	return why
}

func (m *move) forbids(o *Operation, t *Transition) string {
	for _, g := range m.only {
		if why := g(o, t); why != "" {
			return why
		}
	}
	return ""
}

// unless returns why if ok does not hold.
func unless(ok bool, why string) string {
	if ok {
		return ""
	}
	return why
}

// doubts returns how many sends stay in doubt once t has been made.
func doubts(o *Operation, t *Transition) int {
	if t.From == OpSending && t.NoEffect {
		return o.Doubts - 1
	}
	return o.Doubts
}

func noDoubt(o *Operation, t *Transition) string {
	return unless(doubts(o, t) == 0, "a send may still have an effect")
}

func doubt(o *Operation, t *Transition) string {
	return unless(doubts(o, t) > 0, "no send can have had an effect, so it has failed")
}

func hadNoEffect(_ *Operation, t *Transition) string {
	return unless(t.NoEffect, "the send may have had an effect")
}

func honoured(o *Operation, _ *Transition) string {
	return unless(o.Policy.Honoured, "the server is not declared to honour keys")
}

func noDoubtOrHonoured(o *Operation, t *Transition) string {
	return unless(doubts(o, t) == 0 || o.Policy.Honoured, "an earlier send may still have an effect, and the server is not declared to honour keys")
}

// soleOrHonoured holds where a 2xx speaks for every send: there is no other in doubt, or
// the server does the work once however often it is sent.
func soleOrHonoured(o *Operation, _ *Transition) string {
	return unless(o.Doubts <= 1 || o.Policy.Honoured, "an earlier send may have had an effect too, and the server is not declared to honour keys")
}

func released(o *Operation, _ *Transition) string {
	return unless(!o.Held, "it was pending, so only a person may send it again")
}

func young(o *Operation, t *Transition) string {
	return unless(o.KeyYoung(t.At), "the server may have forgotten the key")
}

func within(o *Operation, t *Transition) string {
	b := o.Budget.WithDefaults()
	return unless(o.Sends < b.Sends && t.At.Before(o.FirstSent.Add(b.For)), "the budget is spent")
}

func absent(o *Operation, _ *Transition) string {
	return unless(o.Absent(), "it was not looked up often enough")
}

func found(o *Operation, t *Transition) string {
	return unless(t.Finding == FoundMatching, "no lookup found it")
}

func nothingThere(o *Operation, t *Transition) string {
	return unless(t.Finding == FoundNothing, "no lookup says that nothing is there")
}

func person(_ *Operation, t *Transition) string {
	return unless(t.Actor.Kind == Person && t.Actor.Name != "", "only a person may do that")
}

func reason(_ *Operation, t *Transition) string {
	return unless(t.Reason != "", "a reason is missing")
}

func byPerson(o *Operation, _ *Transition) string {
	return unless(o.SettledBy.Kind == Person, "it was not settled by a person")
}
