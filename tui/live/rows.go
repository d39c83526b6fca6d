package live

import (
	"slices"
	"strconv"
	"strings"

	"redial/ledger"
	"redial/tui/chart"
	"redial/tui/draw"
	"redial/tui/phrase"
	"redial/tui/scene"
	"redial/tui/theme"
)

// columns says how wide each column of the list is; 0 leaves it out.
type columns struct {
	width, service, clock, method, host, path, note, bar int
}

const (
	statusWidth = 3
	timesWidth  = 3
	tookWidth   = 6

	leastPath = 8 // columns of its path that a row has rather than the tenths of the second
)

// widths are the longest texts of the calls that have been listed so far. They only grow,
// so that columns do not go to and fro while calls come and go.
type widths struct{ method, host, path int }

// grow takes calls into account.
func (w *widths) grow(calls []ledger.Call) {
	for i := range calls {
		c := &calls[i]
		w.method = max(w.method, draw.Width(c.Method))
		w.host = max(w.host, draw.Width(c.Host))
		n := draw.Width(c.Path)
		if c.Query != "" {
			n += 1 + draw.Width(c.Query)
		}
		w.path = max(w.path, n)
	}
}

// layColumns divides the width of a row. Host and path have what the longest of them needs
// if there is room; the note has what is left. What there is no room for goes in the order
// of how little it is missed: the note, the tenths of the second, the service.
func layColumns(width int, need widths, s *scene.Scene) columns {
	services, wide := len(s.Sessions) > 1, s.Wide
	if s.Calls != nil {
		services = slices.Contains(s.Calls, "service")
	}
	c := columns{width: width, clock: 10, method: min(max(need.method, 4), 7), note: 12, bar: tookWidth - 1}
	switch {
	case width < 70:
		c.clock, c.method, c.note, c.bar = 8, min(c.method, 5), 0, 0
	case wide && width >= 100:
		c.note, c.bar = 40, tookWidth
	case width >= 120:
		c.note, c.bar = 28, tookWidth
	case width >= 90:
		c.note, c.bar = 18, tookWidth
	}
	if s.Calls != nil && !slices.Contains(s.Calls, "note") {
		c.note, c.bar = 0, 0
	}
	used := 3 + c.clock + 1 + c.method + 1 + 1 + statusWidth + 1 + timesWidth + tookWidth + 1
	if c.note > 0 {
		used += c.note + 1
	} else {
		used++ // what a running call does takes a column more
	}
	if services && width >= 90 {
		c.service = 12
		used += c.service + 1
	}
	flex := max(width-used, 2)
	need.host, need.path = max(need.host, 4), max(need.path, 4)
	if c.clock > 8 && flex < need.host+min(need.path, leastPath) {
		c.clock -= 2
		flex += 2
	}
	c.host = min(need.host, max(flex-min(need.path, leastPath), flex*3/5, 1))
	c.path = max(min(need.path, flex-c.host), 1)
	if c.note > 0 {
		c.note += max(flex-c.host-c.path, 0)
	}
	return c
}

// rowCache keeps the rows of calls that have ended, which do not change any more.
type rowCache struct {
	cols columns
	rev  int
	rows map[rowKey]string
}

// rowKey is what the row of an ended call depends on: that it was sent twice can come out
// later.
type rowKey struct {
	call   ledger.CallID
	twice  ledger.DuplicateKind
	marked bool
}

// mostRows is how many rows are kept.
const mostRows = 2000

// row returns the row of a call.
func (l *Screen) row(c *ledger.Call, cols columns, chosen bool) string {
	marked := c.ID == l.detail.Marked()
	if chosen || c.Running() {
		return drawRow(l.scene, c, cols, look{chosen, marked})
	}
	k := &l.rows
	if k.rows == nil || k.cols != cols || k.rev != l.scene.Rev || len(k.rows) > mostRows {
		*k = rowCache{cols, l.scene.Rev, make(map[rowKey]string, 2*l.list.height)}
	}
	key := rowKey{c.ID, c.Duplicate.Kind, marked}
	s, ok := k.rows[key]
	if !ok {
		s = drawRow(l.scene, c, cols, look{marked: marked})
		k.rows[key] = s
	}
	return s
}

// look is what the user has done to a row.
type look struct{ chosen, marked bool }

func drawRow(s *scene.Scene, c *ledger.Call, cols columns, is look) string {
	th := s.Theme
	l := draw.NewRow(th, cols.width, is.chosen)
	glyph, st := phrase.Glyph(th, c)
	l.Put(st, glyph)
	if is.marked {
		l.Put(th.Accent, "•")
	} else {
		l.Space(1)
	}
	l.Cell(th.Dim, s.Clock(c.Started)[:cols.clock], cols.clock+1)
	if cols.service > 0 {
		l.Cell(th.Dim, s.Env(c.ID.Session(), s.Zone).Service, cols.service)
		l.Space(1)
	}
	l.Cell(th.Text, c.Method, cols.method)
	l.Space(1)
	l.Name(th.Text, c.Host, cols.host)
	l.Space(1)
	path := c.Path
	if c.Query != "" {
		path += "?" + c.Query
	}
	l.Cell(th.Dim, path, cols.path)
	l.Space(1)
	if c.Running() {
		drawRunning(s, c, cols, l)
	} else {
		drawEnded(s, c, cols, l)
	}
	return l.String()
}

func drawEnded(s *scene.Scene, c *ledger.Call, cols columns, l *draw.Line) {
	th := s.Theme
	status, st := phrase.Status(th, c)
	l.Right(st, status, statusWidth)
	l.Space(1)
	if p := phrase.Twice(c); p != "" && cols.note == 0 {
		l.Cell(th.Doubt, strings.ToLower(p), timesWidth+tookWidth+1)
		return
	}
	problem := phrase.ProblemStyle(th, c)
	if p := phrase.Problem(c); p != "" && cols.note == 0 {
		l.Cell(problem, p, timesWidth+tookWidth)
		return
	}
	l.Cell(th.Warn, times(c.Attempts), timesWidth)
	took := ""
	if c.State == ledger.Ended {
		took = draw.Took(c.Took)
	}
	l.Right(th.Text, took, tookWidth)
	l.Space(1)
	room := min(cols.note, l.Left())
	for _, part := range []struct {
		text  string
		style theme.Style
	}{{phrase.Twice(c), th.Doubt}, {phrase.Problem(c), problem}, {c.Key, th.Dim}, {phrase.Waits(c), th.Dim}} {
		w := draw.Width(part.text)
		if w == 0 || room < cols.note && w > room {
			continue
		}
		l.Cell(part.style, part.text, min(w, room))
		l.Space(2)
		room -= w + 2
	}
}

// drawRunning shows in place of the result what the call does, and for how long.
func drawRunning(s *scene.Scene, c *ledger.Call, cols columns, l *draw.Line) {
	th := s.Theme
	d := phrase.Now(th, c, s.At())
	if cols.note > 0 {
		l.Space(statusWidth + 1)
		l.Cell(th.Warn, times(c.Attempts), timesWidth)
	}
	if d.Planned > 0 {
		chart.Countdown(l, th, d.Style, d.Passed, d.Planned, cols.bar)
	} else {
		l.Space(cols.bar)
	}
	if cols.bar > 0 {
		l.Space(1)
	}
	l.Cell(d.Style, d.Words, l.Left())
}

// times returns how many attempts there were if there was more than one.
func times(n int) string {
	switch {
	case n < 2:
		return ""
	case n > 99:
		return "×++"
	}
	return "×" + strconv.Itoa(n)
}
