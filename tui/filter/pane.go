package filter

import (
	"fmt"

	"redial/tui/draw"
	"redial/tui/scene"
)

const (
	widest = 78 // columns of the pane
	names  = 26 // columns of what is offered, with what marks it
)

// Pane returns the lines of what is offered, to be drawn above the line of the filter: at
// most so wide, and at most half of the height. It has none when nothing is offered.
func (b *Bar) Pane(s *scene.Scene, w, h int) []string {
	from, to := b.inSight(h)
	if from >= to {
		return nil
	}
	w = min(w, widest)
	lines := make([]string, 0, to-from)
	for i := from; i < to; i++ {
		lines = append(lines, b.row(s, i, w-2))
	}
	note := ""
	if n := len(b.offers.rows); n > to-from {
		note = fmt.Sprintf("%d–%d of %d", from+1, to, n)
	}
	return s.Box("Filters", note, true).Draw(lines, w, len(lines)+2)
}

// inSight returns the first row that is in sight, and the one behind the last. The rows in
// sight are those around the chosen one; without one they are the first.
func (b *Bar) inSight(h int) (from, to int) {
	n := len(b.offers.rows)
	room := max(min(h/2-2, 10, n), 0)
	from = max(0, min(b.offers.chosen-room/2, n-room))
	return from, from + room
}

func (b *Bar) row(s *scene.Scene, i, width int) string {
	row := &b.offers.rows[i]
	chosen := i == b.offers.chosen
	l := draw.NewRow(s.Theme, width, chosen)
	l.Space(1)
	st := s.Theme.Text
	if chosen {
		st = s.Theme.Accent
	}
	if room := width - 2 - draw.Width(row.note) - 3; draw.Width(row.name) > names-1 && room > names {
		l.Cell(st, row.name, room)
	} else {
		l.Cell(st, row.name, names)
	}
	l.Space(1)
	l.Cell(s.Theme.Dim, row.note, l.Left()-1)
	return l.String()
}

// Click takes the row on a line of the pane, as it is drawn at that height. It reports
// whether another filter holds than before.
func (b *Bar) Click(line, h int) (changed bool) {
	from, to := b.inSight(h)
	if i := from + line - 1; line >= 1 && i < to {
		return b.changes(func() { b.turn(i-b.offers.chosen, len(b.offers.rows)) })
	}
	return false
}
