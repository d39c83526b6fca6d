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
	lane := &t.lane
	lane.Theme, lane.Call, lane.Clock, lane.Now, lane.Until = th, c, axis, t.now(c), time.Time{}
	if t.playing.on {
		lane.Until = t.scene.Cursor.At
	}
	lane.Put(l, at)
	if !t.playing.on || c.Started.Add(c.Took).Before(t.scene.Cursor.At) {
		l.Space(1)
		t.result(l, c, cols.result)
	}
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
	twice := phrase.Twice(c)
	if width < 12 && twice != "" {
		l.Cell(th.Doubt, "▲ "+strings.TrimPrefix(twice, "SENT "), width)
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
			l.Cell(th.Doubt, "▲ "+twice, room)
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
	text := t.tally(r)
	if draw.Width(text) > cols.result {
		text, _, _ = strings.Cut(text, " ")
	}
	l.Put(th.Dim, text)
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
			calls[col] = max(calls[col], r.Calls)
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
