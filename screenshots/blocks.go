package main

import "image"

// drawBlock draws a block element, U+2580 to U+259F, except the shades, and reports whether
// it knows the character. Eighths are rounded to whole pixels, so that they are crisp.
func drawBlock(p *pen, r rune) bool {
	switch {
	case r < 0x2580 || r > 0x259f || (r >= 0x2591 && r <= 0x2593):
		return false
	case r == '▀':
		p.rect(0, 0, cellWidth, eighth(cellHeight, 4))
	case r <= '█':
		p.rect(0, cellHeight-eighth(cellHeight, int(r-0x2580)), cellWidth, cellHeight)
	case r <= '▏':
		p.rect(0, 0, eighth(cellWidth, 8-int(r-0x2588)), cellHeight)
	case r == '▐':
		p.rect(eighth(cellWidth, 4), 0, cellWidth, cellHeight)
	case r == '▔':
		p.rect(0, 0, cellWidth, eighth(cellHeight, 1))
	case r == '▕':
		p.rect(cellWidth-eighth(cellWidth, 1), 0, cellWidth, cellHeight)
	default:
		drawQuadrants(p, r)
	}
	return true
}

// eighth returns a number of eighths of a length, in whole pixels.
func eighth(length, n int) float32 {
	return float32((length*n + 4) / 8)
}

// drawQuadrants draws the characters U+2596 to U+259F, whose quarters have the bits 1 and 2
// (upper left and right) and 4 and 8 (lower left and right).
func drawQuadrants(p *pen, r rune) {
	quarters := [10]int{4, 8, 1, 1 | 4 | 8, 1 | 8, 1 | 2 | 4, 1 | 2 | 8, 2, 2 | 4, 2 | 4 | 8}[r-0x2596]
	for i := range 4 {
		if quarters&(1<<i) == 0 {
			continue
		}
		x0, x1 := float32(0), eighth(cellWidth, 4)
		if i%2 == 1 {
			x0, x1 = x1, cellWidth
		}
		y0, y1 := float32(0), eighth(cellHeight, 4)
		if i >= 2 {
			y0, y1 = y1, cellHeight
		}
		p.rect(x0, y0, x1, y1)
	}
}

// shadeMask returns the mask of ░, ▒ or ▓, an even tone, since a pattern of dots flickers
// when the picture is scaled. It returns nil for other characters.
func shadeMask(r rune) *image.Alpha {
	var tone uint8
	switch r {
	case '░':
		tone = 50
	case '▒':
		tone = 110
	case '▓':
		tone = 180
	default:
		return nil
	}
	m := image.NewAlpha(image.Rect(0, 0, cellWidth, cellHeight))
	for i := range m.Pix {
		m.Pix[i] = tone
	}
	return m
}

// drawBraille draws a braille pattern, U+2800 to U+28FF, whose dots lie on a grid that goes
// on evenly in the next cell, and reports whether it knows the character.
func drawBraille(p *pen, r rune) bool {
	if r < 0x2800 || r > 0x28ff {
		return false
	}
	const radius = 2.6
	// The first six bits go down the two columns, the last two are the lowest row.
	rows, columns := [8]int{0, 1, 2, 0, 1, 2, 3, 3}, [8]int{0, 0, 0, 1, 1, 1, 0, 1}
	for i := range 8 {
		if r&(1<<i) == 0 {
			continue
		}
		x := (float32(columns[i]) + 0.5) * cellWidth / 2
		y := (float32(rows[i]) + 0.5) * cellHeight / 4
		p.circle(x, y, radius)
	}
	return true
}
