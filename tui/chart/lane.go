package chart

import (
	"slices"
	"strconv"
	"time"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/phrase"
	"redial/tui/theme"
)

// Lane draws one call on an axis that it shares with others: attempts, waits by kind, the
// time in which the answer's body was read, and how often a request was on the wire. One
// lane can draw one call after another, which saves its room.
type Lane struct {
	Theme *theme.Theme
	Call  *ledger.Call // its lists may be missing
	Clock Clock
	Now   time.Time // up to when a call that runs is drawn
	Until time.Time // what is later is faint; zero: nothing is

	cells []cell
}

// Body is what the time is drawn with in which the answer's body was read.
const Body = "▂"

// cell is one column. What tells more covers what tells less.
type cell struct {
	text  string
	style theme.Style
	rank  int
}

// The ranks of what is drawn.
const (
	planned = iota + 1
	waited
	body
	sent
	slowed
	doubted
	marked
)

// Put draws the lane, and a line through it in the column of the cursor, -1 for none.
func (n *Lane) Put(l *draw.Line, cursor int) {
	n.cells = slices.Grow(n.cells[:0], max(n.Clock.Width, 0))[:max(n.Clock.Width, 0)]
	clear(n.cells)
	if n.Call != nil {
		n.paint()
	}
	later := len(n.cells)
	if !n.Until.IsZero() {
		if col, ok := n.Clock.Column(n.Until); ok {
			later = col + 1
		} else if n.Until.Before(n.Clock.From) {
			later = 0
		}
	}
	for i := range n.cells {
		switch c := &n.cells[i]; {
		case c.text == "" && i == cursor:
			*c = cell{"│", n.Theme.Accent, marked}
		case c.text != "" && i >= later:
			*c = cell{"·", n.Theme.Faint, planned}
		}
	}
	put(l, n.cells)
}

// put draws cells, those that look the same in one run.
func put(l *draw.Line, cells []cell) {
	for i := 0; i < len(cells); {
		j := i
		for j < len(cells) && cells[j].text == cells[i].text && cells[j].style == cells[i].style {
			j++
		}
		if cells[i].text == "" {
			l.Space(j - i)
		} else {
			l.Fill(cells[i].style, cells[i].text, j-i)
		}
		i = j
	}
}

func (n *Lane) paint() {
	c := n.Call
	if len(c.AttemptList) == 0 && len(c.Waits) == 0 {
		n.outline()
		return
	}
	for i := range c.Waits {
		n.wait(&c.Waits[i])
	}
	for i := range c.AttemptList {
		n.attempt(&c.AttemptList[i])
	}
	if c.State == ledger.CutOff {
		n.last(n.Now, "╳", n.Theme.Doubt)
	}
}

// outline draws a call of which only the summary is known. It is enough for one that was
// sent once and at once.
func (n *Lane) outline() {
	c := n.Call
	end := c.Started.Add(c.Took)
	if c.Attempts > 1 || c.Waited > 0 {
		n.fill(c.Started, end, "─", n.Theme.Faint, planned)
		return
	}
	a := ledger.Attempt{N: 1, Took: c.Took, Status: c.Status, Outcome: c.Outcome, WireSends: c.WireSends}
	if c.NotThere {
		a.Reason = ledger.LookUp
	}
	n.attempt(&a)
}

func (n *Lane) wait(w *ledger.Wait) {
	from := n.Call.Started.Add(w.Start)
	st := phrase.KindStyle(n.Theme, w.Kind)
	rank := waited
	to := from.Add(w.Took)
	if w.Kind == ledger.BandwidthWait {
		rank = slowed
	} else if w.Took == 0 && (n.Call.State == ledger.Waiting || n.Call.State == ledger.CutOff) {
		to = n.Now
		if n.Call.State == ledger.Waiting {
			n.fill(to, from.Add(w.Planned), "·", n.Theme.Faint, planned)
		}
	}
	n.fill(from, to, phrase.Stroke(w.Kind), st, rank)
}

func (n *Lane) attempt(a *ledger.Attempt) {
	from := n.Call.Started.Add(a.Start)
	to := from.Add(a.Took)
	_, st := phrase.Attempt(n.Theme, a)
	if n.Call.NotThere {
		st = n.Theme.Text
	}
	switch {
	case a.Took == 0 && (n.Call.Running() || n.Call.State == ledger.CutOff):
		n.fill(from, n.Now, Block, n.Theme.Accent, sent)
		if n.Call.Running() {
			n.last(n.Now, "⇡", n.Theme.Accent)
		}
	case a.Outcome == ledger.Unknown:
		n.fill(from, to, "▒", n.Theme.Doubt, doubted)
		n.last(to, "?", n.Theme.Doubt)
	case a.Outcome == ledger.NotSent:
		n.fill(from, to, "–", n.Theme.Bad, doubted)
	case a.Reason == ledger.LookUp:
		n.fill(from, to, "▌", st, sent)
	default:
		head := to.Add(-a.Phases.Receive)
		if a.Phases.Receive > 0 {
			n.fill(head, to, Body, st, body)
		}
		n.fill(from, head, Block, st, sent)
		if a.Status >= 400 && a.Reason != ledger.LookUp {
			n.last(head, "✗", n.Theme.Bad)
		}
	}
	if a.WireSends > 1 {
		n.first(from, to, strconv.Itoa(min(a.WireSends, 9)), n.Theme.Doubt)
	}
}

// fill draws a stretch of time.
func (n *Lane) fill(from, to time.Time, text string, st theme.Style, rank int) {
	if to.Before(from) {
		return
	}
	first, w := n.Clock.Span(from, to)
	for i := first; i < first+w; i++ {
		if n.cells[i].rank <= rank {
			n.cells[i] = cell{text, st, rank}
		}
	}
}

// last marks the column in which something ended.
func (n *Lane) last(at time.Time, text string, st theme.Style) {
	if col, ok := n.Clock.Column(at.Add(-1)); ok {
		n.cells[col] = cell{text, st, marked}
	}
}

// first marks the column in which something began.
func (n *Lane) first(from, to time.Time, text string, st theme.Style) {
	if from.Before(n.Clock.From) {
		return
	}
	if col, w := n.Clock.Span(from, to); w > 0 {
		n.cells[col] = cell{text, st, marked}
	}
}
