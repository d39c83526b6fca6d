package draw

import "redial/tui/theme"

// Piece is a part of a line that can be left out when there is no room.
type Piece struct {
	Style theme.Style
	Text  string
	Rank  int // the higher, the sooner it goes; 0 stays
}

// gap is how far pieces stand apart.
const gap = 2

// Pieces returns a line of left and right pieces, which stand two columns apart. Pieces go
// by rank until the rest fits.
func Pieces(width int, left, right []Piece) string {
	limit := fit(width, left, right)
	l := NewLine(width)
	l.Space(1)
	put(l, left, limit)
	if tail := total(right, limit); tail > 0 {
		l.Space(l.Left() - tail - 1)
		put(l, right, limit)
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
	for limit > 1 && total(left, limit)+total(right, limit)+4 > width {
		limit--
	}
	return limit
}

func total(pieces []Piece, limit int) int {
	n := 0
	for _, p := range pieces {
		if p.Rank < limit && p.Text != "" {
			n += Width(p.Text) + gap
		}
	}
	return max(n-gap, 0)
}

func put(l *Line, pieces []Piece, limit int) {
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
