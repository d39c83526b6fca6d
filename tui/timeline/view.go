package timeline

import (
	"strconv"
	"strings"
	"time"

	"redial/ledger"
	"redial/tui/chart"
	"redial/tui/draw"
	"redial/tui/phrase"
	"redial/tui/theme"
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
		if i += t.top; i < len(t.rows) {
			lines = append(lines, t.row(i, cols, axis, at))
			continue
		}
		lines = append(lines, t.empty(i, cols, axis, at))
	}
	name := "Calls by host"
	if t.byOp {
		name = "Calls by operation"
	}
	return t.scene.Box(name, t.state(), true).Draw(lines, t.width, p.calls)
}

// empty is a line without a call; the first one says why there is none.
func (t *Screen) empty(i int, cols columns, axis chart.Clock, at int) string {
	l := draw.NewLine(t.width - 2)
	if i == 0 && len(t.rows) == 0 {
		text := "no call was under way here: - shows more, n goes to the next trouble"
		switch {
		case !t.arrivedOnce:
			text = "reading…"
		case t.bar.InForce().Root != nil:
			text = "no call here matches the filter: 0 shows all of it, esc clears the filter"
		}
		l.Space(3)
		l.Put(t.scene.Theme.Dim, text)
		return l.String()
	}
	l.Space(3 + cols.label + 1)
	lane := chart.Lane{Theme: t.scene.Theme, Clock: axis}
	lane.Put(l, at)
	return l.String()
}

func (t *Screen) row(i int, cols columns, axis chart.Clock, at int) string {
	r := t.rows[i]
	if r.call < 0 {
		return t.head(r, cols, axis, at)
	}
	th, c := t.scene.Theme, t.whole(r.call)
	l := draw.NewRow(th, t.width-2, i == t.cursor)
	glyph, st := phrase.Glyph(th, c)
	l.Put(st, glyph)
	l.Space(1)
	t.label(l, c, cols.label)
	l.Space(1)
	lane := chart.Lane{Theme: th, Call: c, Clock: axis, Now: t.now(c)}
	if t.playing.on {
		lane.Until = t.scene.Cursor.At
	}
	lane.Put(l, at)
	l.Space(1)
	t.result(l, c, cols.result)
	return l.String()
}

// now returns up to when a call that has no end is drawn.
func (t *Screen) now(c *ledger.Call) time.Time {
	for i := range t.scene.Sessions {
		if s := &t.scene.Sessions[i]; s.ID == c.ID.Session() && !t.scene.Live {
			return s.End(t.scene.Now)
		}
	}
	return t.scene.At()
}

// label names a call: what the head of its group does not say.
func (t *Screen) label(l *draw.Line, c *ledger.Call, width int) {
	th := t.scene.Theme
	const method, least = 4, 12
	l.Cell(th.Text, c.Method, method)
	l.Space(1)
	width -= method + 1
	path := c.Path
	if c.Query != "" {
		path += "?" + c.Query
	}
	if t.byOp {
		l.Name(th.Dim, c.Host+path, width)
		return
	}
	name := ""
	if c.Key != "" && width >= 2*least {
		name = c.Key
	}
	room := min(draw.Width(name), width-least-1)
	if name == "" {
		l.Name(th.Dim, path, width)
		return
	}
	l.Name(th.Dim, path, width-room-1)
	l.Space(1)
	l.Name(th.Text, name, room)
}

// result says how a call ended, in few columns.
func (t *Screen) result(l *draw.Line, c *ledger.Call, width int) {
	th := t.scene.Theme
	status, st := phrase.Status(th, c)
	twice := twice(c)
	if width < 12 && twice != "" {
		l.Cell(th.Doubt, "▲ "+strings.ToUpper(strings.TrimPrefix(twice, "sent ")), width)
		return
	}
	if c.Running() {
		d := phrase.Now(th, c, t.scene.At())
		l.Cell(d.Style, d.Words, width)
		return
	}
	l.Right(st, status, 3)
	l.Space(1)
	times := ""
	if c.Attempts != 1 {
		times = "×" + strconv.Itoa(c.Attempts)
	}
	l.Cell(th.Warn, times, 4)
	if room := width - 8; room > 0 {
		switch problem := phrase.Problem(c); {
		case twice != "":
			l.Cell(th.Doubt, "▲ "+strings.ToUpper(twice), room)
		case problem != "":
			l.Cell(st, problem, room)
		case c.WireSends > max(c.Attempts, 1):
			l.Cell(th.Doubt, draw.Plural(int64(c.WireSends), "wire send"), room)
		default:
			l.Right(th.Dim, draw.Took(c.Took), min(room, 6))
		}
	}
}

// head is the head of a group: its name, and how many calls it has; where not every call
// has a row, how many ended in each column.
func (t *Screen) head(r row, cols columns, axis chart.Clock, at int) string {
	th := t.scene.Theme
	l := draw.NewLine(t.width - 2)
	l.Space(1)
	name := r.group
	if name == "" {
		name = "without a key"
	}
	l.Name(th.Strong, name, cols.label+2)
	l.Space(1)
	strip := t.strip(r.group, axis)
	for i := range axis.Width {
		switch {
		case strip[i].text != "":
			l.Put(strip[i].style, strip[i].text)
		case i == at:
			l.Put(th.Accent, "│")
		default:
			l.Space(1)
		}
	}
	l.Space(1)
	l.Put(th.Dim, t.tally(r))
	return l.String()
}

// tally counts the calls of a group.
func (t *Screen) tally(r row) string {
	n, suffix := int64(r.calls), ""
	if t.partial && !t.byOp && t.bar.InForce().Root == nil {
		n = 0
		for i := range t.sums {
			if t.sums[i].Host == r.group {
				n += t.sums[i].Calls
			}
		}
	} else if t.partial {
		suffix = "+"
	}
	if n == 1 && suffix == "" {
		return "1 call"
	}
	return draw.Count(n) + suffix + " calls"
}

type piece struct {
	text  string
	style theme.Style
}

// strip returns how many calls ended at a host in each column, where not every call has a
// row. Columns in which some failed have the style of an error.
func (t *Screen) strip(host string, axis chart.Clock) []piece {
	out := make([]piece, axis.Width)
	if !t.partial || t.byOp {
		return out
	}
	calls, failed := make([]int64, axis.Width), make([]bool, axis.Width)
	for i := range t.sums {
		r := &t.sums[i]
		from := time.Unix(r.Second, 0)
		if r.Host != host {
			continue
		}
		first, n := axis.Span(from, from.Add(t.sumStep))
		for col := first; col < first+n; col++ {
			calls[col] += r.Calls
			failed[col] = failed[col] || r.Failed > 0
		}
	}
	for i, r := range []rune(chart.Spark(calls)) {
		if calls[i] == 0 {
			continue
		}
		out[i] = piece{string(r), t.scene.Theme.Dim}
		if failed[i] {
			out[i].style = t.scene.Theme.Bad
		}
	}
	return out
}
