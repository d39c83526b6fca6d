// Package draw builds the lines of a screen: exactly as wide as asked, in runs of
// style, and safe.
//
// Everything that is put on a line is made visible first, so that no byte that came
// from the network can act on the terminal, whoever wrote it there and however. A line
// counts the columns as it grows; what does not fit is cut where a character ends.
package draw

import (
	"strings"
	"unicode/utf8"

	"redial/tui/theme"
	"redial/tui/visible"
)

// reset ends a style.
const reset = "\x1b[m"

// Line is one line of the screen while it is built. Begin it with [NewLine] or [NewRow].
type Line struct {
	buf      strings.Builder
	width    int         // columns there are
	used     int         // columns that are written
	selected bool        // it has the ground of the selected row all along
	blank    theme.Style // of blank columns
}

// NewLine begins a line of so many columns.
func NewLine(width int) *Line {
	l := &Line{width: max(width, 0)}
	l.buf.Grow(2*l.width + 32)
	return l
}

// NewRow begins a line that a mark at its head shows to be selected or not.
func NewRow(th *theme.Theme, width int, selected bool) *Line {
	l := NewLine(width)
	l.selected, l.blank = selected, th.Blank
	if selected {
		l.Put(th.Accent, "▌")
	} else {
		l.Space(1)
	}
	return l
}

// Left returns how many columns are still free.
func (l *Line) Left() int { return l.width - l.used }

// Put adds text, cut at the end of the line.
func (l *Line) Put(st theme.Style, text string) {
	s, w := Cut(visible.Text(head(text, l.Left())), l.Left())
	l.raw(st, s, w)
}

// Cell adds text in a column of so many columns: cut with an ellipsis when it is longer,
// padded when it is shorter.
func (l *Line) Cell(st theme.Style, text string, width int) {
	s, w := Ellipsis(visible.Text(head(text, width)), min(width, l.Left()))
	l.raw(st, s, w)
	l.Space(width - w)
}

// Name adds text like Cell, with both its ends when it is longer than the column.
func (l *Line) Name(st theme.Style, text string, width int) {
	if most := 2 * (max(width, 0) + 2) * bytesPerColumn; len(text) > most {
		text = head(text, width) + strings.ToValidUTF8(text[len(text)-most/2:], "")
	}
	s, w := Middle(visible.Text(text), min(width, l.Left()))
	l.raw(st, s, w)
	l.Space(width - w)
}

// Right adds text like Cell, at the right of its column.
func (l *Line) Right(st theme.Style, text string, width int) {
	s, w := Ellipsis(visible.Text(head(text, width)), min(width, l.Left()))
	l.Space(min(width, l.Left()) - w)
	l.raw(st, s, w)
}

// head returns the part of a text that can be in sight in so many columns, and a little
// more so that it is seen to go on: a path of a megabyte costs no more than another.
func head(text string, room int) string { return first(text, (max(room, 0)+2)*bytesPerColumn) }

// first returns at most so many bytes of a text, which end where a character does.
func first(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for i := most; i > most-utf8.UTFMax; i-- {
		if utf8.RuneStart(text[i]) {
			return text[:i]
		}
	}
	return text[:most]
}

// bytesPerColumn is more than a character has with all marks that stay on it.
const bytesPerColumn = 32

// Fill adds a character of one column n times, as often as there is room.
func (l *Line) Fill(st theme.Style, char string, n int) {
	if n = min(n, l.Left()); n > 0 {
		l.raw(st, strings.Repeat(char, n), n)
	}
}

// Space adds blank columns, as many as there is room for.
func (l *Line) Space(n int) {
	if n = min(n, l.Left()); n > 0 {
		l.raw(l.blank, spaces(n), n)
	}
}

// String pads the line to its width and returns it.
func (l *Line) String() string {
	l.Space(l.Left())
	return l.buf.String()
}

func (l *Line) raw(st theme.Style, s string, w int) {
	if s == "" {
		return
	}
	on := st.On(l.selected)
	l.used += w
	if on == "" {
		l.buf.WriteString(s)
		return
	}
	l.buf.WriteString(on)
	l.buf.WriteString(s)
	l.buf.WriteString(reset)
}

// blanks is cut to make blank columns without an allocation.
const blanks = "                                                                                                                                "

func spaces(n int) string {
	if n <= len(blanks) {
		return blanks[:n]
	}
	return strings.Repeat(" ", n)
}
