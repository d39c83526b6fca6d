package pending

import (
	"redial/ledger"
	"redial/tui/draw"
)

// columns says how wide each column of the list is; 0 leaves it out.
type columns struct{ width, service, name, key, left, known, looked int }

const (
	stateWidth = 11
	ageWidth   = 7
)

// layColumns divides the width of a row.
func layColumns(width int, services bool) columns {
	c := columns{width: width, name: 14, key: 14, left: 9, looked: 12}
	switch {
	case width < 70:
		c.name, c.left, c.looked, c.key = 0, 0, 0, 12
	case width < 90:
		c.left, c.looked, c.name = 0, 12, 0
	case width >= 150:
		c.name, c.key = 26, 26
	}
	if services && width >= 120 {
		c.service = 14
	}
	used := 4 + stateWidth + ageWidth + 2
	for _, n := range []int{c.service, c.name, c.key, c.left, c.looked} {
		if n > 0 {
			used += n + 1
		}
	}
	c.known = max(width-used-1, 4)
	return c
}

func (s *Screen) head(c columns) string {
	th := s.scene.Theme
	l := draw.NewLine(c.width)
	l.Space(4)
	l.Cell(th.Dim, "STATE", stateWidth)
	l.Right(th.Dim, "AGE", ageWidth)
	l.Space(2)
	for _, col := range []struct {
		name  string
		width int
	}{{"SERVICE", c.service}, {"OPERATION", c.name}, {"KEY", c.key}, {"KEY LEFT", c.left}, {"WHAT IS KNOWN", c.known}} {
		if col.width > 0 {
			l.Cell(th.Dim, col.name, col.width)
			l.Space(1)
		}
	}
	l.Right(th.Dim, "LOOKED UP", c.looked)
	return l.String()
}

func (s *Screen) listRow(o *ledger.Operation, c columns, chosen bool) string {
	th, now := s.scene.Theme, s.scene.Now
	l := draw.NewRow(th, c.width, chosen)
	if s.list.marks[o.ID()] {
		l.Put(th.Accent, "•")
	} else {
		l.Space(1)
	}
	mark, st := glyph(th, o.State)
	l.Put(st, mark)
	l.Space(1)
	l.Cell(st, o.State.String(), stateWidth)
	l.Right(th.Text, ledger.Age(now.Sub(o.Created)), ageWidth)
	l.Space(2)
	if c.service > 0 {
		l.Cell(th.Dim, o.Service, c.service)
		l.Space(1)
	}
	if c.name > 0 {
		l.Cell(th.Text, o.Name, c.name)
		l.Space(1)
	}
	l.Cell(th.Strong, o.Key, c.key)
	l.Space(1)
	if c.left > 0 {
		l.Cell(th.Dim, keyLeft(o, now), c.left)
		l.Space(1)
	}
	what := known(o)
	if o.State == ledger.OpSending && s.orphaned(o) {
		what = "sent, and nobody sees to it"
	}
	l.Cell(th.Text, what, c.known)
	l.Space(1)
	if c.looked > 0 {
		text, st := lookedUp(o, now), th.Dim
		if d, busy := s.doing[o.ID()]; busy {
			doing, _ := d.kind.names()
			text, st = doing+"…", th.Accent
		}
		l.Right(st, text, c.looked)
	}
	return l.String()
}
