// Package phrase puts calls into the glyphs and the few words that rows have room for.
// Sentences come from the vocabulary itself: see [ledger.Explain] and [ledger.Rule].
package phrase

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/theme"
)

// Glyph returns the mark at the head of a call's row. A word in the row says the same.
func Glyph(th *theme.Theme, c *ledger.Call) (string, theme.Style) {
	switch {
	case c.State == ledger.Waiting:
		return "◌", th.Warn
	case c.State == ledger.Sending:
		return "⇡", th.Accent
	case c.State == ledger.Receiving:
		return "⇣", th.Good
	case c.State == ledger.CutOff:
		return "╳", th.Doubt
	case c.Outcome == ledger.Unknown:
		return "▲", th.Doubt
	case c.Outcome == ledger.NotSent:
		return "–", th.Bad
	case c.Status >= 400 && !c.NotThere:
		return "✗", th.Bad
	case c.Duplicate.Kind != ledger.NoDuplicate:
		return "²", th.Doubt
	}
	return " ", th.Good
}

// Status returns the status of a call: a number, ? when nobody knows whether it
// arrived, - when it was not sent, nothing while no response has arrived.
func Status(th *theme.Theme, c *ledger.Call) (string, theme.Style) {
	switch {
	case c.NotThere:
		return strconv.Itoa(c.Status), th.Text
	case c.Status >= 400:
		return strconv.Itoa(c.Status), th.Bad
	case c.Status != 0 && c.Outcome == ledger.Unknown:
		return strconv.Itoa(c.Status), th.Doubt
	case c.Status != 0:
		return strconv.Itoa(c.Status), th.Good
	case c.Outcome == ledger.Unknown:
		return "?", th.Doubt
	case c.Outcome == ledger.NotSent:
		return "-", th.Bad
	}
	return "", th.Text
}

// Attempt returns outcome or status of one attempt in the same way.
func Attempt(th *theme.Theme, a *ledger.Attempt) (string, theme.Style) {
	c := ledger.Call{Status: a.Status, Outcome: a.Outcome}
	if a.Outcome == ledger.NoOutcome && a.Status == 0 {
		return "…", th.Accent // under way, or cut off
	}
	return Status(th, &c)
}

// Outcome returns the outcome of an attempt in words.
func Outcome(o ledger.Outcome) string {
	switch o {
	case ledger.Answered:
		return "answered"
	case ledger.NotSent:
		return "not sent"
	case ledger.Unknown:
		return "unknown"
	}
	return "running"
}

// Problem returns in a word or two what went wrong with a call, "" when nothing did.
func Problem(c *ledger.Call) string {
	switch {
	case c.State == ledger.CutOff:
		return "cut off"
	case c.Running():
		return ""
	case c.Outcome == ledger.Answered && c.Status < 400 && c.Error != "":
		return "broke off"
	case c.Outcome == ledger.Unknown:
		return "no answer"
	case c.Outcome == ledger.NotSent:
		return "not sent"
	case c.Attempts > 1 && (c.Status >= 500 || c.Status == 429 || c.Status == 408):
		return "gave up"
	}
	return ""
}

// ProblemStyle returns the style of [Problem]. An answer that broke off has a good status, and
// is not good all the same.
func ProblemStyle(th *theme.Theme, c *ledger.Call) theme.Style {
	if _, st := Status(th, c); c.Outcome != ledger.Answered || c.Status >= 400 || c.Error == "" {
		return st
	}
	return th.Warn
}

// Waits returns the kinds of wait that a call had and how long they were: "window 4.1s".
func Waits(c *ledger.Call) string {
	if c.Waited <= 0 {
		return ""
	}
	name := "waited"
	for k := range ledger.WaitKind(ledger.NumWaitKinds) {
		if c.WaitedFor == 1<<k {
			name = short(k)
		}
	}
	if c.Waited >= 95*time.Millisecond && c.Waited < time.Minute {
		return fmt.Sprintf("%s %.1fs", name, c.Waited.Seconds())
	}
	return name + " " + draw.Took(c.Waited)
}

// Kind returns the name of a kind of wait as screens show it.
func Kind(k ledger.WaitKind) string {
	switch k {
	case ledger.WindowWait:
		return "window"
	case ledger.BackoffWait:
		return "backoff"
	case ledger.RetryAfterWait:
		return "Retry-After"
	}
	return k.String()
}

// KindStyle returns the colour of a kind of wait.
func KindStyle(th *theme.Theme, k ledger.WaitKind) theme.Style {
	switch k {
	case ledger.WindowWait:
		return th.Window
	case ledger.BackoffWait:
		return th.Backoff
	case ledger.BandwidthWait:
		return th.Bandwidth
	}
	return th.RetryAfter
}

// Stroke returns the character that a kind of wait is drawn with.
func Stroke(k ledger.WaitKind) string {
	switch k {
	case ledger.WindowWait:
		return "░"
	case ledger.BackoffWait:
		return "┄"
	case ledger.BandwidthWait:
		return "≈"
	}
	return "╌"
}

// Doing is what a running call does at one moment.
type Doing struct {
	Words           string        // "window 1.2s", "sending 0.6s"
	Passed, Planned time.Duration // of the wait; Planned is 0 when it does not wait
	Style           theme.Style
}

// Now returns what a running call does at that moment.
func Now(th *theme.Theme, c *ledger.Call, at time.Time) Doing {
	if c.State == ledger.Waiting && len(c.Waits) > 0 {
		w := &c.Waits[len(c.Waits)-1]
		passed := max(at.Sub(c.Started.Add(w.Start)), 0)
		left := max(w.Planned-passed, 0)
		return Doing{draw.Behind(short(w.Kind), left), passed, max(w.Planned, 1), KindStyle(th, w.Kind)}
	}
	since := c.Since
	if since.IsZero() {
		since = c.Started
	}
	d := Doing{Words: draw.Behind(c.State.String(), at.Sub(since)), Style: th.Accent}
	if c.State == ledger.Receiving {
		d.Style = th.Good
	}
	if held := heldBack(c); held > 0 {
		d.Words, d.Style = draw.Behind(Stroke(ledger.BandwidthWait)+" held", held), th.Bandwidth
	}
	return d
}

// heldBack returns for how long a bandwidth limit has held back the attempt that is under
// way, in both directions.
func heldBack(c *ledger.Call) (held time.Duration) {
	for i := range c.Waits {
		if w := &c.Waits[i]; w.Kind == ledger.BandwidthWait && w.Before == len(c.AttemptList) {
			held += w.Took
		}
	}
	return held
}

// short names a wait by what it waits for, where a row has few columns.
func short(k ledger.WaitKind) string {
	if k == ledger.RetryAfterWait {
		return "asked"
	}
	return Kind(k)
}

// Result says in a sentence how a call with a problem ended, "" when it had none.
func Result(c *ledger.Call) string {
	name := c.Method + " " + c.Host + c.Path
	switch Problem(c) {
	case "cut off":
		return name + " was cut off: its process is gone."
	case "broke off":
		return name + ": the answer broke off while it was read."
	case "no answer":
		return name + ": no answer came; it may have happened."
	case "not sent":
		return name + " was not sent."
	case "gave up":
		return name + " gave up after " + draw.Plural(int64(c.Attempts), "attempt") + ": " + strconv.Itoa(c.Status) + "."
	}
	return ""
}

// Ended says how a call that has ended did end: status, what went wrong, and the outcome
// where that does not say it already.
func Ended(c *ledger.Call) string {
	var parts []string
	if c.Status != 0 {
		parts = append(parts, strconv.Itoa(c.Status))
	}
	problem := Problem(c)
	if problem != "" {
		parts = append(parts, problem)
	}
	if outcome := Outcome(c.Outcome); c.Outcome != ledger.NoOutcome && outcome != problem {
		parts = append(parts, outcome)
	}
	return strings.Join(parts, " · ")
}

// Policy returns the parts of a policy as they stand on record, in the notation of every
// other number on the screen.
func Policy(words string) []string {
	if words == "" {
		return []string{"sends once"}
	}
	parts := strings.Split(strings.ReplaceAll(words, "^n", "ⁿ"), ", ")
	for i, part := range parts {
		fields := strings.Split(part, " ")
		for j, f := range fields {
			if d, err := time.ParseDuration(f); err == nil {
				fields[j] = draw.Period(d)
			}
		}
		parts[i] = strings.Join(fields, " ")
	}
	return parts
}

// Legend tells what the glyphs and strokes mean.
func Legend() [][2]string {
	return [][2]string{
		{"▌", "the selected row"},
		{"◌", "waits"},
		{"⇡ ⇣", "sends, receives"},
		{"▲ ?", "nobody knows whether it arrived"},
		{"✗", "answered with an error"},
		{"– -", "was not sent"},
		{"²", "was sent twice, without a key or with two"},
		{"╳", "cut off: its process is gone"},
		{"×3", "three attempts"},
		{"━━──", "a countdown: over, left"},
		{"▆▆▁▁", "a window: used, free"},
		{"▆ ▂", "in a timeline: an attempt, its body"},
		{"▒ ▌", "unknown attempts, lookups"},
		{"2▆", "two wire sends in one attempt"},
		{"░ ┄ ╌", "waits: window, backoff, Retry-After"},
		{"≈", "held back by a bandwidth limit"},
		{"·", "the part of a wait still to come"},
		{"▁▃▆", "attempts in the last minute"},
		{"● ◐ ■", "live, silent, recorded"},
	}
}
