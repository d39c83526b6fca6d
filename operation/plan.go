package operation

import (
	"fmt"
	"time"

	"redial/ledger"
)

// afterWait returns what follows when the backoff is over: the next send, if the key and
// the budget still allow it.
func afterWait(o *ledger.Operation, missing []string, now time.Time) ledger.Transition {
	t := ledger.Transition{To: ledger.OpSending, Code: ledger.CodeWaitOver, At: now, Reason: "the wait is over"}
	code, reason := unsendable(o, missing, now)
	if code == ledger.NoCode {
		return t
	}
	t = because(t, code, reason)
	t.To = ledger.OpFailed
	if o.Doubts > 0 {
		t.To, t.Due = ledger.OpPending, rest(o, now)
	}
	return t
}

// unsendable returns why an operation must not be sent again by itself, NoCode if it may.
func unsendable(o *ledger.Operation, missing []string, now time.Time) (ledger.Code, string) {
	b := o.Budget.WithDefaults()
	switch {
	case o.Held:
		return ledger.CodeNotFound, "only a person may send it again"
	case len(missing) > 0:
		return ledger.CodeNoCredentials, fmt.Sprintf("it cannot be sent again here: %s was withheld from the record and is not known to this process", missing[0])
	case !o.KeyYoung(now):
		return ledger.CodeKeyTooOld, "it must not be sent again: the server may have forgotten the key"
	case o.Sends >= b.Sends:
		return ledger.CodeBudgetSpent, fmt.Sprintf("%d sends are used up; the last one: %s", o.Sends, orNothing(o.LastError))
	case !now.Before(o.FirstSent.Add(b.For)):
		return ledger.CodeBudgetSpent, fmt.Sprintf("the time for it is used up; the last send: %s", orNothing(o.LastError))
	}
	return ledger.NoCode, ""
}

func orNothing(s string) string {
	if s == "" {
		return "nothing went wrong"
	}
	return s
}

// maxFailing is how many lookups in a row may bring nothing usable before a person is
// needed.
const maxFailing = 3

// afterLookup returns what follows from a lookup that has been taken into the operation.
// It reports false if the operation stays where it is and is looked up again at its Due.
func afterLookup(o *ledger.Operation, f ledger.Finding, missing []string, now time.Time) (ledger.Transition, bool) {
	t := ledger.Transition{To: ledger.OpPending, At: now, Call: f.Call, Finding: f.Verdict, Due: rest(o, now)}
	switch f.Verdict {
	case ledger.FoundMatching:
		t.To, t.Code, t.Due = ledger.OpSucceeded, ledger.CodeFound, time.Time{}
		t.Reason, t.Evidence = "a lookup found it", f.Text
		return t, true
	case ledger.FoundTwice:
		return because(t, ledger.CodeFoundTwice, "a lookup found it more than once: "+f.Text), true
	case ledger.FoundOther:
		return because(t, ledger.CodeFoundOther, "a lookup found another payload: "+f.Text), true
	case ledger.FoundNothing:
		return afterNothing(o, t, missing)
	}
	if o.Failing < maxFailing && !o.Held {
		return t, false
	}
	return because(t, ledger.CodeLookupFailed, "the lookup failed: "+f.Text), true
}

// afterNothing is afterLookup for one that found nothing.
func afterNothing(o *ledger.Operation, t ledger.Transition, missing []string) (ledger.Transition, bool) {
	code, reason := unsendable(o, missing, t.At)
	switch {
	case !o.Absent() && !o.Held:
		return t, false
	case !o.Policy.Honoured:
		return because(t, ledger.CodeNotHonoured, "not found, and the server is not declared to honour keys"), true
	case code != ledger.NoCode:
		return because(t, code, "not found: "+reason), true
	}
	t.To, t.Code, t.Due = ledger.OpSending, ledger.CodeResubmitted, time.Time{}
	t.Reason = fmt.Sprintf("looked up %d times and not found, and the key is honoured", o.NotFound)
	return t, true
}

// firstLookup returns how long after a send whose effect is unknown it is looked up first.
func firstLookup(o *ledger.Operation) time.Duration {
	if !o.CanLookUp() {
		return 0
	}
	return min(settle(o)/4, time.Second)
}

// nextLookup returns when an operation that stays in checking is looked up again: at the
// latest when "not found" begins to count, so that the answer does not take longer than
// it must.
func nextLookup(o *ledger.Operation, now time.Time) time.Time {
	pause := max(settle(o)/4, 10*time.Millisecond)
	for range min(o.Failing, 5) {
		pause *= 2
	}
	next := now.Add(pause)
	if counts := o.LastSent.Add(settle(o)); now.Before(counts) && next.After(counts) {
		return counts
	}
	return next
}

func settle(o *ledger.Operation) time.Duration {
	if o.Lookup == nil {
		return ledger.DefaultSettle
	}
	return o.Lookup.WithDefaults().Settle
}

// rest returns until when a pending operation rests before it is looked up again: a pause
// that doubles, from a few seconds to an hour. Zero if there is no way to ask.
func rest(o *ledger.Operation, now time.Time) time.Time {
	if !o.CanLookUp() {
		return time.Time{}
	}
	d := 5 * time.Second
	for range min(o.Lookups, 12) {
		d *= 2
	}
	return now.Add(min(d, time.Hour))
}
