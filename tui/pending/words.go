package pending

import (
	"cmp"
	"fmt"
	"time"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/theme"
)

// glyph returns the mark at the head of a row. The word beside it says the same.
func glyph(th *theme.Theme, st ledger.OperationState) (string, theme.Style) {
	switch st {
	case ledger.OpDisputed:
		return "‼", th.Bad
	case ledger.OpPending:
		return "▲", th.Doubt
	case ledger.OpSending:
		return "⇡", th.Accent
	case ledger.OpBackingOff, ledger.OpChecking:
		return "◌", th.Warn
	case ledger.OpSucceeded:
		return "✓", th.Good
	case ledger.OpFailed:
		return "✗", th.Dim
	}
	return "·", th.Dim
}

// known says in a few words what is known of an operation.
func known(o *ledger.Operation) string {
	switch {
	case o.State == ledger.OpPrepared:
		return "never sent"
	case o.State == ledger.OpDisputed:
		return contradiction(o)
	case o.Settled():
		return o.State.String() + " by " + judge(o)
	case o.State == ledger.OpSending:
		return "a send is under way"
	case o.Finding == ledger.FoundMatching:
		return "found: it happened"
	case o.Finding == ledger.FoundTwice:
		return "found more than once"
	case o.Finding == ledger.FoundOther:
		return "found with another payload"
	case o.Finding == ledger.FoundNothing && o.Absent():
		return "looked up, and not found"
	}
	return cmp.Or(o.LastError, "sent, no answer")
}

// contradiction says what stands against which word.
func contradiction(o *ledger.Operation) string {
	who := judge(o)
	switch o.Finding {
	case ledger.FoundMatching, ledger.FoundTwice, ledger.FoundOther:
		return "the word of " + who + "; a lookup: " + o.Finding.String()
	case ledger.FoundNothing:
		return "the word of " + who + "; a lookup: not found"
	}
	return "evidence against the word of " + who
}

// judge names who spoke the final word.
func judge(o *ledger.Operation) string {
	switch o.SettledBy.Kind {
	case ledger.Person:
		return o.SettledBy.Name
	case ledger.Reconciler:
		return "redial"
	}
	return o.Service
}

// keyLeft says for how long the operation may still be sent.
func keyLeft(o *ledger.Operation, now time.Time) string {
	switch {
	case o.Settled():
		return ""
	case o.FirstSent.IsZero():
		return "not sent"
	case !o.Policy.Honoured:
		return "no keys"
	case !now.Before(o.KeyExpires()):
		return "expired"
	case !o.KeyYoung(now):
		return "unknown"
	}
	return ledger.Age(o.KeyExpires().Sub(now))
}

// lookedUp says when it was looked up, or what comes next.
func lookedUp(o *ledger.Operation, now time.Time) string {
	if o.State.Open() && o.Due.After(now) && o.Due.Sub(now) < time.Minute {
		if o.State == ledger.OpBackingOff {
			return "again in " + draw.Ago(o.Due.Sub(now))
		}
		return "in " + draw.Ago(o.Due.Sub(now))
	}
	switch {
	case !o.LookedUp.IsZero():
		return ledger.Age(now.Sub(o.LookedUp)) + " ago"
	case !o.CanLookUp():
		return "no way"
	}
	return "never"
}

// event names a row in the life of an operation.
func event(t *ledger.Transition) string {
	switch t.Code {
	case ledger.CodeLookedUp:
		return "looked up"
	case ledger.CodeEvidence:
		return "evidence"
	case ledger.CodeNote:
		return "note"
	case ledger.CodeClaimed:
		return "claimed"
	}
	return t.To.String()
}

// actor names who made a transition.
func actor(t *ledger.Transition) string {
	if t.Actor.Kind == ledger.Service {
		return t.Service
	}
	return t.Actor.String()
}

// words says what happened and what it rests on.
func words(t *ledger.Transition) string {
	text := t.Reason
	switch t.Code {
	case ledger.CodeNote:
		text = `"` + text + `"`
	case ledger.CodeLookedUp:
		text = t.Finding.String()
	}
	if t.Evidence != "" && t.Evidence != t.Reason {
		if text != "" {
			text += " · "
		}
		text += t.Evidence
	}
	return text
}

// Became says on the event line that an operation has become pending or disputed.
func Became(o *ledger.Operation) string {
	if o.State == ledger.OpDisputed {
		return fmt.Sprintf("%s became disputed: %s", o.Key, contradiction(o))
	}
	return fmt.Sprintf("%s became pending: %s; it may have happened", o.Key, known(o))
}
