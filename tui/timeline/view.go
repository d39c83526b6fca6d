package timeline

import (
	"slices"
	"time"

	"redial/ledger"
	"redial/tui/chart"
	"redial/tui/draw"
)

// layout says where each part of the screen stands.
type layout struct {
	over   int  // lines of the overview
	boxed  bool // the overview has a border and both its lines
	calls  int  // lines of the pane with the calls
	ticks  bool // the axis has a line with ticks
	legend bool
}

const (
	boxedFrom = 16 // rows from which the overview has a border
	about     = 1  // the line about the selected call
)

func (t *Screen) layout() layout {
	p := layout{over: 2}
	if t.height >= boxedFrom {
		p = layout{over: 5, boxed: true, ticks: t.height >= 24, legend: true}
	}
	p.calls = t.height - p.over - about
	if p.legend {
		p.calls--
	}
	return p
}

// room returns how many rows of the list are in sight.
func (t *Screen) room() int {
	p := t.layout()
	n := p.calls - 3
	if p.ticks {
		n--
	}
	return max(n, 1)
}

// columns says how wide the parts of a row are.
type columns struct{ label, bars, result int }

func (t *Screen) columns() columns {
	w := max(t.width-2, 0)
	c := columns{label: 20, result: 8}
	switch {
	case w >= 160:
		c = columns{label: 48, result: 20}
	case w >= 96:
		c = columns{label: 30, result: 20}
	case w >= 76:
		c.label = 24
	}
	if t.scene.Wide {
		c.label = min(2*c.label, max(w/2-c.result, c.label))
	}
	c.bars = max(w-3-c.label-1-1-c.result, 1)
	return c
}

// axis returns the axis of what is in sight.
func (t *Screen) axis() chart.Clock {
	return chart.Clock{From: t.span.from, To: t.span.to, Width: t.columns().bars, Zone: t.scene.Zone}
}

// View returns the lines of the screen, each as wide as it is.
func (t *Screen) View() []string {
	if t.detail.Open() {
		return t.detail.View()
	}
	t.slide()
	p := t.layout()
	lines := t.overviewLines(p)
	lines = append(lines, t.callLines(p)...)
	if p.legend {
		lines = append(lines, t.legend())
	}
	return append(lines, t.aboutLine())
}

func (t *Screen) callLines(p layout) []string {
	if p.calls < 2 || t.width < 4 {
		return draw.Blank(t.width, p.calls)
	}
	th, w, cols, axis := t.scene.Theme, t.width-2, t.columns(), t.axis()
	at := -1
	if col, ok := axis.Column(t.scene.Cursor.At); ok {
		at = col
	}
	head := draw.NewLine(w)
	head.Space(3 + cols.label + 1)
	axis.Axis(head, th.Dim)
	lines := []string{head.String()}
	if p.ticks {
		rule := draw.NewLine(w)
		rule.Space(3 + cols.label + 1)
		axis.Rule(rule, th.Faint)
		lines = append(lines, rule.String())
	}
	for i := range t.room() {
		if row, ok := t.shown(i); ok {
			lines = append(lines, t.row(row, cols, axis, at))
		} else {
			lines = append(lines, t.empty(i, cols, axis, at))
		}
	}
	name := "Calls by host"
	if t.byOp {
		name = "Calls by operation"
	}
	return t.scene.Box(name, t.state(), true).Draw(lines, t.width, p.calls)
}

// anyCall reports whether the sessions that are shown have made a call.
func (t *Screen) anyCall() bool {
	return slices.ContainsFunc(t.scene.Sessions, func(s ledger.Session) bool { return s.Calls+s.Running > 0 })
}

// empty is a line without a call; the first one says why there is none.
func (t *Screen) empty(i int, cols columns, axis chart.Clock, at int) string {
	l := draw.NewLine(t.width - 2)
	if i == 0 && len(t.rows) == 0 {
		km := t.scene.Keys
		text := "no call was under way here: " + km.ZoomOut.Help().Key + " shows more, " + km.Trouble.Help().Key + " goes to the next trouble"
		switch {
		case !t.arrivedOnce || !t.asked.IsZero():
			text = "reading…"
		case t.stopped:
			text = "reading was given up before a call was found: " + t.scene.Keys.Filter.Help().Key + " asks for others"
		case t.bar.InForce().Root != nil && t.span == t.bounds():
			text = "no call matches the filter: " + km.Back.Help().Key + " clears it, " + km.Toggle.Help().Key + " switches it off"
		case t.bar.InForce().Root != nil:
			text = "no call here matches the filter: " + km.Fit.Help().Key + " shows all of it, " + km.Back.Help().Key + " clears the filter"
		case !t.scene.Live && !t.anyCall():
			text = "no call was recorded"
		}
		l.Space(3)
		l.Put(t.scene.Theme.Dim, text)
		return l.String()
	}
	l.Space(3 + cols.label + 1)
	lane := &t.lane
	lane.Theme, lane.Call, lane.Clock, lane.Until = t.scene.Theme, nil, axis, time.Time{}
	lane.Put(l, at)
	return l.String()
}
