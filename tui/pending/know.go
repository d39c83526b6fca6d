package pending

import (
	"fmt"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/theme"
)

// freshly is for how long a lookup tells enough to act on.
const freshly = 5 * time.Minute

// knowledge says what is known of the selected operation, and what would be the next
// sensible step.
func (s *Screen) knowledge(w int, dense bool) []string {
	o := &s.life.op
	p := &page{theme: s.scene.Theme, width: w, dense: dense}
	text, st := headline(s.scene.Theme, o)
	if o.State == ledger.OpSending && s.orphaned(o) {
		text, st = "It MAY have been executed, and nobody sees to it.", s.scene.Theme.Doubt
	}
	p.say(st, text, 2)
	steps := s.steps(o)
	if dense { // the step first, since the facts may not be in sight
		p.say(p.theme.Accent, "Next: "+steps[0], 2)
	}
	p.blank()
	s.facts(p, o)
	p.blank()
	if !dense {
		p.say(p.theme.Accent, "Next: "+steps[0], 3)
	}
	for _, step := range steps[1:] {
		p.say(p.theme.Text, step, 3)
	}
	if o.State.Open() {
		p.blank()
		p.say(p.theme.Dim, s.whoever(o), 2)
	}
	return p.lines
}

func headline(th *theme.Theme, o *ledger.Operation) (string, theme.Style) {
	switch {
	case o.State == ledger.OpDisputed:
		return "Evidence CONTRADICTS the final word.", th.Bad
	case o.State == ledger.OpSucceeded:
		return "It happened: the word of " + judge(o) + ".", th.Good
	case o.State == ledger.OpFailed:
		return "It did not happen, or was undone: the word of " + judge(o) + ".", th.Text
	case o.State == ledger.OpPrepared:
		return "It was NEVER sent.", th.Text
	case o.Finding == ledger.FoundMatching:
		return "It HAPPENED: a lookup found it.", th.Good
	case o.State == ledger.OpSending:
		return "A send is under way.", th.Accent
	case o.Doubts == 0:
		return "Nothing that was sent had an effect so far.", th.Text
	}
	return "It MAY have been executed.", th.Doubt
}

// facts are what the headline rests on.
func (s *Screen) facts(p *page, o *ledger.Operation) {
	now := s.scene.Now
	if o.Settled() {
		p.point("·", p.theme.Dim, draw.Plural(int64(o.Sends), "send")+", "+draw.Plural(int64(o.Lookups), "lookup"), 1)
		if o.Disputed {
			p.point("‼", p.theme.Bad, "it was disputed before", 1)
		}
		return
	}
	if o.Doubts > 1 {
		p.point("!", p.theme.Warn, fmt.Sprintf("%d sends, and nobody knows of %d what they did", o.Sends, o.Doubts), 2)
	}
	if o.LastError != "" {
		p.point("!", p.theme.Warn, o.LastError, 3)
	}
	if o.CanLookUp() || !o.LookedUp.IsZero() {
		mark, st, text := lookupFact(p.theme, o, now)
		p.point(mark, st, text, 3)
	} else {
		p.point("✗", p.theme.Bad, "there is no way to ask the server", 2)
	}
	switch left := keyLeft(o, now); {
	case o.FirstSent.IsZero():
	case !o.Policy.Honoured:
		p.point("✗", p.theme.Bad, "the API is not declared to honour keys", 2)
	case left == "expired" || left == "unknown":
		p.point("✗", p.theme.Bad, "the API may have forgotten the key", 2)
	default:
		p.point("✓", p.theme.Good, "the API honours the key for another "+left, 2)
	}
	if o.Disputed && o.State != ledger.OpDisputed {
		p.point("‼", p.theme.Bad, "it was disputed before", 1)
	}
}

// lookupFact says what lookups have brought.
func lookupFact(th *theme.Theme, o *ledger.Operation, now time.Time) (string, theme.Style, string) {
	ago := ledger.Age(now.Sub(o.LookedUp)) + " ago"
	switch o.Finding {
	case ledger.FoundMatching:
		return "✓", th.Good, "found " + ago
	case ledger.FoundTwice:
		return "‼", th.Bad, "found more than once " + ago
	case ledger.FoundOther:
		return "‼", th.Bad, "found with another payload " + ago + ": somebody else used the key"
	case ledger.FoundNothing:
		if o.NotFound == 0 {
			text := "not found " + ago + ": too early to count"
			if o.Lookup != nil {
				text += fmt.Sprintf(" (this API may lag up to %s)", ledger.Age(o.Lookup.WithDefaults().Settle))
			}
			return "?", th.Warn, text
		}
		return "?", th.Warn, fmt.Sprintf("not found %s, %d of %d times that count", ago, min(o.NotFound, o.LookupTimes()), o.LookupTimes())
	case ledger.LookupFailed:
		text := "the last lookup failed " + ago
		if o.Failing > 1 {
			text += fmt.Sprintf(", and %d before it", o.Failing-1)
		}
		return "✗", th.Bad, text
	}
	return "?", th.Warn, "never looked up"
}

// does puts a key before what it does, where there are such keys.
func (s *Screen) does(b key.Binding, what string) string {
	if s.actions == nil {
		return what
	}
	return b.Help().Key + " " + what
}

// steps are what would be sensible next; the first one first.
func (s *Screen) steps(o *ledger.Operation) []string {
	km := s.scene.Keys
	if s.orphaned(o) {
		return []string{s.does(km.LookUp, "take it over from here, and look it up;"), "or start " + o.Service + ": its next run does that."}
	}
	switch o.State {
	case ledger.OpPrepared:
		return []string{s.does(km.Settle, "cancel the plan, if nobody wants it any more.")}
	case ledger.OpSending, ledger.OpBackingOff, ledger.OpChecking:
		return []string{"nothing; " + o.Service + " sees to it."}
	case ledger.OpDisputed:
		first := "ask the vendor."
		if o.CanLookUp() {
			first = s.does(km.LookUp, "look up, and ask the vendor.")
		}
		return []string{first, "Then " + s.does(km.Settle, "settle it; the mark stays.")}
	case ledger.OpPending:
		return s.pendingSteps(o)
	}
	if o.SettledBy.Kind == ledger.Person {
		return []string{"nothing. " + s.does(km.Settle, "take the word back, with a reason.")}
	}
	return []string{"nothing."}
}

func (s *Screen) pendingSteps(o *ledger.Operation) []string {
	km, now := s.scene.Keys, s.scene.Now
	resend := o.Policy.Honoured && o.KeyYoung(now)
	fresh := !o.LookedUp.IsZero() && now.Sub(o.LookedUp) <= freshly
	again := s.does(km.Replay, "replay, same key, same bytes.")
	word := s.does(km.Settle, "settle")
	switch {
	case o.Finding == ledger.FoundMatching:
		return []string{word + " as succeeded."}
	case o.Finding == ledger.FoundTwice || o.Finding == ledger.FoundOther:
		return []string{"ask the vendor which one is yours.", "Then " + word + " it."}
	case !o.CanLookUp() && resend:
		return []string{again, "Or ask the vendor, and " + word + " it."}
	case !o.CanLookUp():
		return []string{"ask the vendor.", "Then " + word + " it."}
	case o.Finding == ledger.FoundNothing && o.Absent() && fresh && resend:
		return []string{again}
	case o.Finding == ledger.FoundNothing && o.Absent() && fresh:
		return []string{"ask the vendor: the key protects from nothing now.", "Then " + word + " it."}
	}
	next := "look up."
	if !o.LookedUp.IsZero() {
		next = "look up again."
	}
	missing := "Not found → ask the vendor, then " + word + "."
	if resend {
		missing = "Not found → " + s.does(km.Replay, "replay, same key.")
	}
	return []string{s.does(km.LookUp, next), "Found → " + word + " as succeeded.", missing}
}

// orphaned reports whether nobody sees to an operation that is under way: neither whoever
// drove it is live, nor another session of its service, which would take it up.
func (s *Screen) orphaned(o *ledger.Operation) bool {
	_, busy := s.doing[o.ID()]
	if busy || !o.State.UnderWay() {
		return false
	}
	return !slices.ContainsFunc(s.scene.Sessions, func(c ledger.Session) bool {
		return (c.ID == o.Owner || c.Service == o.Service) && c.Live(s.scene.Now)
	})
}

// whoever says who could send for it.
func (s *Screen) whoever(o *ledger.Operation) string {
	for i := range s.scene.Sessions {
		if c := &s.scene.Sessions[i]; c.Service == o.Service && c.Live(s.scene.Now) {
			return o.Service + " is live: it does what is asked for."
		}
	}
	if s.actions == nil {
		return "No session of " + o.Service + " is live."
	}
	return "No session of " + o.Service + " is live: it would be done from here."
}
