package palette

import (
	"fmt"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"redial/tui/draw"
	"redial/tui/theme"
)

const (
	widest = 78 // columns
	tall   = 20 // lines
	keyed  = 10 // columns of the keys
)

// View returns the lines of a screen with the palette over them, and the cursor in it, nil
// where there is no room.
func (p *Palette) View(base []string, w, h int) ([]string, *tea.Cursor) {
	width, height := min(widest, w-2), min(tall, h)
	if width < 20 || height < 5 {
		return base, nil
	}
	inner := width - 2
	p.list.Resize(height - 3)
	line := draw.NewLine(inner)
	line.Space(1)
	line.Put(p.scene.Theme.Accent, ": ")
	x := 3 + p.entry.Draw(line, p.scene.Theme.Text)
	lines := []string{line.String()}
	from, to := p.list.InSight()
	for i := from; i < to; i++ {
		lines = append(lines, p.row(i, inner))
	}
	if len(p.found) == 0 {
		none := draw.NewLine(inner)
		none.Space(3)
		none.Put(p.scene.Theme.Dim, "nothing here has these letters")
		lines = append(lines, none.String())
	}
	note := fmt.Sprintf("%d of %d", len(p.found), len(p.all))
	box := p.scene.Box("Commands", note, true).Draw(lines, width, height)
	left, top := (w-width)/2, max((h-height)/3, 0)
	cursor := tea.NewCursor(left+1+min(x, inner-1), top+1)
	cursor.Shape = tea.CursorBar
	return draw.Over(base, box, left, top, w), cursor
}

func (p *Palette) row(i, width int) string {
	hit, th := &p.found[i], p.scene.Theme
	c := &p.all[hit.command]
	chosen := i == p.list.Cursor()
	l := draw.NewRow(th, width, chosen)
	l.Space(1)
	st := th.Text
	if chosen {
		st = th.Accent
	}
	of := min(draw.Width(c.Of), max(width-keyed-24, 0))
	room := max(l.Left()-keyed-of-2, 0)
	p.name(l, st, c.Does, hit.at, room)
	l.Right(th.Dim, c.Of, of)
	l.Space(1)
	l.Right(th.Accent, c.Key, keyed-1)
	return l.String()
}

// name draws what a command does, with the letters that were looked for marked.
func (p *Palette) name(l *draw.Line, st theme.Style, does string, at []int, room int) {
	if draw.Width(does) > room {
		l.Cell(st, does, room)
		return
	}
	room -= draw.Width(does)
	from := 0
	for _, i := range at {
		_, size := utf8.DecodeRuneInString(does[i:])
		l.Put(st, does[from:i])
		l.Put(p.scene.Theme.Strong, does[i:i+size])
		from = i + size
	}
	l.Put(st, does[from:])
	l.Space(room)
}
