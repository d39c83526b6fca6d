package draw

import (
	"strings"

	"redial/tui/theme"
	"redial/tui/visible"
)

// Box is a pane with a border. Its title stands in the upper edge on the left, a note on
// the right of the same edge.
type Box struct {
	Title, Note string
	Line        theme.Style // of the border
	Name        theme.Style // of the title
	Side        theme.Style // of the note
	Heavy       bool        // of heavy lines, which show without colour
}

type edges struct{ topLeft, topRight, bottomLeft, bottomRight, across, down string }

func (b *Box) edges() edges {
	if b.Heavy {
		return edges{"┏", "┓", "┗", "┛", "━", "┃"}
	}
	return edges{"╭", "╮", "╰", "╯", "─", "│"}
}

// Draw returns the box with lines in it, w columns wide and h high. The lines are w-2
// columns wide; missing ones are blank, those that do not fit are left out.
func (b *Box) Draw(lines []string, w, h int) []string {
	if w < 2 || h < 2 {
		return Blank(w, h)
	}
	e := b.edges()
	out := make([]string, 0, h)
	out = append(out, b.top(e, w))
	left := NewLine(1)
	left.raw(b.Line, e.down, 1)
	side := left.String()
	for i := range h - 2 {
		inner := ""
		if i < len(lines) {
			inner = lines[i]
		} else {
			inner = spaces(w - 2)
		}
		out = append(out, side+inner+side)
	}
	bottom := NewLine(w)
	bottom.Put(b.Line, e.bottomLeft)
	bottom.Fill(b.Line, e.across, w-2)
	bottom.Put(b.Line, e.bottomRight)
	return append(out, bottom.String())
}

// top draws the upper edge. The note goes before the title gives way.
func (b *Box) top(e edges, w int) string {
	l := NewLine(w)
	room := w - 4 // corners and one line character beside each
	title := Width(b.Title)
	text := shorter(b.Note, room-title-6)
	note := Width(text)
	l.Put(b.Line, e.topLeft)
	if b.Title != "" && room > 4 {
		l.Space(1)
		s := min(title, room-2)
		l.Cell(b.Name, b.Title, s)
		l.Space(1)
	}
	tail := 1
	if note > 0 {
		tail += note + 3
	}
	l.Fill(b.Line, e.across, l.Left()-tail)
	if note > 0 {
		l.Space(1)
		l.Put(b.Side, text)
		l.Space(1)
		l.Fill(b.Line, e.across, 1)
	}
	l.Put(b.Line, e.topRight)
	return l.String()
}

// longNote is how many columns a note has of which a part is worth showing.
const longNote = 24

// shorter shortens a note to so many columns: of parts with " · " between them the last go first,
// a long one is cut, and any other goes.
func shorter(note string, room int) string {
	for Width(note) > room {
		cut := strings.LastIndex(note, " · ")
		if cut < 0 {
			break
		}
		note = note[:cut]
	}
	switch w := Width(note); {
	case w <= room:
		return note
	case w < longNote || room < longNote/2:
		return ""
	}
	text, _ := Ellipsis(visible.Text(note), room)
	return text
}

// Blank returns h lines of w blank columns.
func Blank(w, h int) []string {
	out := make([]string, max(h, 0))
	for i := range out {
		out[i] = spaces(max(w, 0))
	}
	return out
}

// Beside returns the lines of panes that stand side by side, as many as the first has.
func Beside(panes ...[]string) []string {
	out := make([]string, len(panes[0]))
	for i := range out {
		for _, p := range panes {
			if i < len(p) {
				out[i] += p[i]
			}
		}
	}
	return out
}
