package draw

import "redial/tui/theme"

// Piece is a part of a line that can be left out when there is no room.
type Piece struct {
	Style theme.Style
	Text  string
	Rank  int // the higher, the sooner it goes; 0 stays
}

// Pieces returns a line of left and right pieces; the left ones stand two columns apart,
// the right ones one. Pieces go by rank until the rest fits.
func Pieces(width int, left, right []Piece) string {
	limit := fit(width, left, right)
	l := NewLine(width)
	l.Space(1)
	put(l, left, limit, 2)
	if tail := total(right, limit, 1); tail > 0 {
		l.Space(l.Left() - tail - 1)
		put(l, right, limit, 1)
	}
	return l.String()
}

// fit returns the rank from which on pieces are left out.
func fit(width int, left, right []Piece) int {
	limit := 0
	for _, pieces := range [][]Piece{left, right} {
		for _, p := range pieces {
			limit = max(limit, p.Rank+1)
		}
	}
	for limit > 1 && total(left, limit, 2)+total(right, limit, 1)+4 > width {
		limit--
	}
	return limit
}

func total(pieces []Piece, limit, gap int) int {
	n := 0
	for _, p := range pieces {
		if p.Rank < limit && p.Text != "" {
			n += Width(p.Text) + gap
		}
	}
	return max(n-gap, 0)
}

func put(l *Line, pieces []Piece, limit, gap int) {
	between := 0
	for _, p := range pieces {
		if p.Rank >= limit || p.Text == "" {
			continue
		}
		l.Space(between)
		l.Put(p.Style, p.Text)
		between = gap
	}
}
