package chart

import (
	"strconv"
	"time"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/phrase"
	"redial/tui/theme"
)

// Timeline draws the attempts and waits of one call on one axis, each with the rule
// behind it.
type Timeline struct {
	Theme  *theme.Theme
	Call   *ledger.Call
	At     time.Time // the moment that is shown, for a call that runs
	Width  int
	Chosen int // number of the attempt that is marked; 0: none
}

// Row is a line of a timeline.
type Row struct {
	Text    string
	Attempt int // number of the attempt, or of the one that the wait came before
}

// narrow is the width below which the column with the status goes.
const narrow = 76

// gutter returns how many columns stand before the axis.
func (t *Timeline) gutter() int {
	if t.Width < narrow {
		return 22
	}
	return 27
}

// Scale returns the axis: from the call's start until its end, or until the wait that
// goes on is to end.
func (t *Timeline) Scale() Scale {
	return Scale{To: max(t.end(), time.Millisecond), Width: max(t.Width-t.gutter()-1, 1)}
}

func (t *Timeline) end() time.Duration {
	c := t.Call
	if c.Took > 0 {
		return c.Took
	}
	end := time.Duration(0)
	for i := range c.AttemptList {
		a := &c.AttemptList[i]
		end = max(end, a.Start+a.Took)
	}
	for i := range c.Waits {
		w := &c.Waits[i]
		end = max(end, w.Start+max(w.Took, 0))
		if c.State == ledger.Waiting && w.Took == 0 {
			end = max(end, w.Start+w.Planned)
		}
	}
	if t.open() {
		end = max(end, t.At.Sub(c.Started))
	}
	return end
}

// open reports whether the last thing that the call did has no end: it goes on, or was
// cut off at the moment that is shown.
func (t *Timeline) open() bool { return t.Call.Running() || t.Call.State == ledger.CutOff }

// Axis returns the line with the marks of time.
func (t *Timeline) Axis() string {
	l := draw.NewLine(t.Width)
	l.Space(t.gutter())
	t.Scale().Axis(l, t.Theme.Dim)
	return l.String()
}

// Rows returns a line for each attempt and each wait, in the order in which they began.
func (t *Timeline) Rows() []Row {
	rows := make([]Row, 0, len(t.Call.AttemptList)+len(t.Call.Waits))
	for e := range phrase.Story(t.Call) {
		if e.Attempt != nil {
			rows = append(rows, Row{t.attempt(e.Attempt), e.Attempt.N})
		} else {
			rows = append(rows, Row{t.wait(e.Wait), e.Wait.Before})
		}
	}
	return rows
}

func (t *Timeline) attempt(a *ledger.Attempt) string {
	th := t.Theme
	chosen := a.N == t.Chosen
	l := draw.NewRow(th, t.Width, chosen)
	status, st := phrase.Attempt(th, a)
	l.Put(th.Text, strconv.Itoa(a.N)+" ")
	took := a.Took
	if took == 0 && t.open() {
		took = max(t.At.Sub(t.Call.Started)-a.Start, 0)
	}
	if t.Width < narrow {
		l.Cell(st, status, 11-width(a.N))
	} else {
		l.Cell(th.Text, a.Reason.String(), 12-width(a.N))
		l.Cell(st, status, 4)
	}
	l.Right(th.Text, draw.Took(took), 7)
	l.Space(2)
	first, n := t.Scale().Span(a.Start, a.Start+took)
	l.Space(first)
	l.Fill(st, Block, n)
	if a.Outcome == ledger.Unknown {
		l.Put(th.Doubt, "?")
	}
	return l.String()
}

func width(n int) int { return len(strconv.Itoa(n)) }

func (t *Timeline) wait(w *ledger.Wait) string {
	th := t.Theme
	l := draw.NewLine(t.Width)
	st := phrase.KindStyle(th, w.Kind)
	on := w.Took == 0 && t.Call.State == ledger.Waiting
	l.Space(3)
	if t.Width < narrow {
		l.Cell(st, phrase.Kind(w.Kind), 10)
	} else {
		l.Cell(st, phrase.Kind(w.Kind), 15)
	}
	passed := w.Took
	if w.Took == 0 && t.open() && w.Kind != ledger.BandwidthWait {
		passed = max(t.At.Sub(t.Call.Started)-w.Start, 0)
	}
	if on {
		l.Right(st, draw.Ago(w.Planned-passed), 7)
	} else {
		l.Right(th.Dim, draw.Took(passed), 7)
	}
	l.Space(2)
	planned := passed
	if on {
		planned = max(passed, w.Planned)
	}
	t.bar(l, w, st, passed, planned)
	return l.String()
}

// bar draws a wait and its rule: behind it, before it, or on it, wherever there is room.
func (t *Timeline) bar(l *draw.Line, w *ledger.Wait, st theme.Style, passed, planned time.Duration) {
	s := t.Scale()
	first, n := s.Span(w.Start, w.Start+planned)
	rule := w.Rule.Words(w.Kind)
	need := draw.Width(rule) + 2
	done := n
	if planned > passed {
		_, done = s.Span(w.Start, w.Start+passed)
	}
	char := phrase.Stroke(w.Kind)
	stroke := func(from, to int) {
		l.Fill(st, char, min(to, done)-min(from, done))
		l.Fill(t.Theme.Faint, "·", max(to, done)-max(from, done))
	}
	switch {
	case first+n+need <= s.Width:
		l.Space(first)
		stroke(0, n)
		l.Space(2)
		l.Put(t.Theme.Dim, rule)
	case first >= need:
		l.Space(first - need)
		l.Put(t.Theme.Dim, rule)
		l.Space(2)
		stroke(0, n)
	case n >= need+2:
		at := (n - need) / 2
		l.Space(first)
		stroke(0, at)
		l.Space(1)
		l.Put(t.Theme.Dim, rule)
		l.Space(1)
		stroke(at+need, n)
	default:
		l.Space(first)
		stroke(0, n)
	}
}
