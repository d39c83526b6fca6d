package live

import (
	"strconv"

	"redial/ledger"
	"redial/tui/chart"
	"redial/tui/draw"
	"redial/tui/phrase"
	"redial/tui/scene"
)

// columns says how wide each column of the list is; 0 leaves it out.
type columns struct {
	width, service, clock, method, host, path, note int
}

const (
	statusWidth = 3
	timesWidth  = 3
	tookWidth   = 6
)

// layColumns divides the width of a row. What there is no room for goes in the order of
// how little it is missed: the note, the tenths of the second, the service.
func layColumns(width int, services, wide bool) columns {
	c := columns{width: width, clock: 10, method: 5, note: 12}
	switch {
	case width < 70:
		c.clock, c.note = 8, 0
	case wide && width >= 100:
		c.note, c.method = 40, 7
	case width >= 120:
		c.note, c.method = 28, 7
	case width >= 90:
		c.note, c.method = 18, 6
	}
	if services && width >= 90 {
		c.service = 12
	}
	used := 3 + c.clock + 1 + c.method + 1 + 1 + statusWidth + 1 + timesWidth + tookWidth + 1
	if c.note > 0 {
		used += c.note + 1
	}
	if c.service > 0 {
		used += c.service + 1
	}
	flex := max(width-used, 2)
	c.host = min(flex*3/5, 30)
	if wide {
		c.host = min(flex/2, 48)
	}
	c.path = flex - c.host - 1
	return c
}

// rowCache keeps the rows of calls that have ended, which do not change any more.
type rowCache struct {
	cols columns
	rev  int
	rows map[ledger.CallID]string
}

// mostRows is how many rows are kept.
const mostRows = 2000

// row returns the row of a call.
func (l *Screen) row(c *ledger.Call, cols columns, chosen bool) string {
	if chosen || c.Running() {
		return drawRow(l.scene, c, cols, chosen)
	}
	k := &l.rows
	if k.rows == nil || k.cols != cols || k.rev != l.scene.Rev || len(k.rows) > mostRows {
		*k = rowCache{cols, l.scene.Rev, make(map[ledger.CallID]string, 2*l.list.height)}
	}
	s, ok := k.rows[c.ID]
	if !ok {
		s = drawRow(l.scene, c, cols, false)
		k.rows[c.ID] = s
	}
	return s
}

func drawRow(s *scene.Scene, c *ledger.Call, cols columns, chosen bool) string {
	th := s.Theme
	l := draw.NewRow(th, cols.width, chosen)
	glyph, st := phrase.Glyph(th, c)
	l.Put(st, glyph)
	l.Space(1)
	l.Cell(th.Dim, s.Clock(c.Started)[:cols.clock], cols.clock+1)
	if cols.service > 0 {
		l.Cell(th.Dim, s.Env(c.ID.Session(), s.Zone).Service, cols.service)
		l.Space(1)
	}
	l.Cell(th.Text, c.Method, cols.method)
	l.Space(1)
	l.Cell(th.Text, c.Host, cols.host)
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
	if p := phrase.Problem(c); p != "" && cols.note == 0 {
		l.Cell(st, p, timesWidth+tookWidth)
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
		text string
		bad  bool
	}{{phrase.Problem(c), true}, {c.Key, false}, {phrase.Waits(c), false}} {
		w := draw.Width(part.text)
		if w == 0 || room < cols.note && w > room {
			continue
		}
		if part.bad {
			l.Cell(st, part.text, min(w, room))
		} else {
			l.Cell(th.Dim, part.text, min(w, room))
		}
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
		l.Space(1)
	}
	words := draw.Width(d.Words)
	if bar := min(l.Left()-words-2, 6); d.Planned > 0 && bar > 1 {
		chart.Countdown(l, th, d.Style, d.Passed, d.Planned, bar)
		l.Space(1)
	}
	l.Cell(d.Style, d.Words, l.Left()-1)
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
