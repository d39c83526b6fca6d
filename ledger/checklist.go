package ledger

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Check is a line of the checklist that stands before a replay.
type Check struct {
	Name  string // by which it is overridden, such as "key-age"; "" for a hard one, which cannot be
	Text  string // what has to hold
	OK    bool
	Facts string // behind the verdict, in words
}

// The names of the soft checks.
const (
	CheckHonoured = "honoured"
	CheckKeyAge   = "key-age"
	CheckLookedUp = "looked-up"
)

// lookupFresh is how old a lookup may be before it no longer counts for a replay.
const lookupFresh = 5 * time.Minute

// Sender is what is known of the one that would send a replay.
type Sender struct {
	Busy    bool     // a live session is sending the operation now
	Holder  string   // which one that is, in words; "" if that is not known
	Missing []string // names of credentials that were withheld and that the sender does not have
	Has     string   // where the credentials come from, in words
}

// Checklist returns what has to hold before the operation is sent once more, in the order
// in which it is shown.
func (o *Operation) Checklist(s Sender, now time.Time) []Check {
	return []Check{
		{CheckHonoured, "the API honours keys", o.Policy.Honoured, o.honouredFacts()},
		{"", "the bytes are the same", o.Sum() == o.Fingerprint, o.bytesFacts()},
		{CheckKeyAge, "the key is young enough", o.KeyYoung(now), o.ageFacts(now)},
		{"", "nobody else is sending it", !s.Busy, o.leaseFacts(s)},
		{"", "the credentials are there", len(s.Missing) == 0, credentialFacts(s)},
		{CheckLookedUp, "looked up, and not found", o.lookedUpLately(now), o.lookupFacts(now)},
	}
}

// Failing returns the checks that do not hold and are not among those overridden.
func Failing(checks []Check, despite []string) (failing []Check) {
	for _, c := range checks {
		if !c.OK && (c.Name == "" || !slices.Contains(despite, c.Name)) {
			failing = append(failing, c)
		}
	}
	return failing
}

// KeyTail returns the last six characters of the key, which a person types to override a
// soft check.
func (i *Intent) KeyTail() string { return i.Key[max(len(i.Key)-6, 0):] }

func pick(ok bool, yes, no string) string {
	if ok {
		return yes
	}
	return no
}

func (o *Operation) honouredFacts() string {
	if !o.Policy.Honoured {
		return "not declared: this may do it a second time"
	}
	return fmt.Sprintf("declared: %s, header %s", Age(o.Policy.Remembered()), o.Policy.KeyHeader())
}

func (o *Operation) bytesFacts() string {
	return pick(o.Sum() == o.Fingerprint, "fingerprint matches", "what is stored is not what was sent")
}

func (o *Operation) leaseFacts(s Sender) string {
	switch {
	case !s.Busy:
		return "no lease"
	case s.Holder == "":
		return "a live session holds it"
	}
	return s.Holder + ", holds it"
}

func (o *Operation) ageFacts(now time.Time) string {
	switch {
	case o.FirstSent.IsZero():
		return "never sent"
	case o.Ageless:
		return "the clock was set back in its life, so its age is unknown"
	case now.Add(clockSlack).Before(o.Updated):
		return "the clock stands before the last transition, so its age is unknown"
	}
	return fmt.Sprintf("%s of %s", Age(now.Sub(o.FirstSent)), Age(o.Policy.Remembered()))
}

func credentialFacts(s Sender) string {
	if len(s.Missing) > 0 {
		return fmt.Sprintf("missing: %s", strings.Join(s.Missing, ", "))
	}
	return s.Has
}

func (o *Operation) lookedUpLately(now time.Time) bool {
	return o.Finding == FoundNothing && o.Absent() && now.Sub(o.LookedUp) <= lookupFresh
}

func (o *Operation) lookupFacts(now time.Time) string {
	switch {
	case !o.CanLookUp():
		return "there is no way to ask"
	case o.LookedUp.IsZero():
		return "never looked up"
	}
	ago := Age(now.Sub(o.LookedUp)) + " ago"
	switch o.Finding {
	case FoundNothing:
		if !o.Absent() {
			return fmt.Sprintf("not found %s, %d of %d times", ago, o.NotFound, o.lookup().Times)
		}
		return "not found " + ago
	case FoundMatching:
		return "found " + ago + ": it happened, settle it instead"
	case FoundTwice:
		return "found twice " + ago
	case FoundOther:
		return "found with another payload " + ago
	}
	return "the last lookup failed " + ago
}

// Age returns a length of time in the two units that tell the most: "41s", "4m", "6h 12m",
// "2d 03h".
func Age(d time.Duration) string {
	d = max(d, 0)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d/time.Second))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d/time.Minute))
	case d < 24*time.Hour:
		return hours(d)
	}
	return fmt.Sprintf("%dd %02dh", int(d/(24*time.Hour)), int(d/time.Hour)%24)
}

func hours(d time.Duration) string {
	h, m := int(d/time.Hour), int(d/time.Minute)%60
	if m == 0 {
		return fmt.Sprintf("%dh", h)
	}
	return fmt.Sprintf("%dh %02dm", h, m)
}
