package main

// drawSymbol draws symbols that JetBrains Mono lacks, and those that must match them, and
// reports whether it knows the character.
func drawSymbol(p *pen, r rune) bool {
	const x, y, radius = cellWidth / 2.0, midY + 1, 6
	switch r {
	case '●':
		p.circle(x, y, radius)
	case '○':
		p.ring(x, y, radius, 1.8)
	case '◐', '◑', '◒', '◓':
		p.ring(x, y, radius, 1.8)
		drawHalfDisc(p, r, x, y, radius)
	case '⇡', '⇣':
		drawDashedArrow(p, r == '⇣')
	default:
		return false
	}
	return true
}

// drawHalfDisc fills the dark half of ◐, ◑, ◒ or ◓.
func drawHalfDisc(p *pen, r rune, x, y, radius float32) {
	// The half is drawn as that of ◐, between up and down on the left, and turned.
	turn := func(dx, dy float32) (float32, float32) {
		switch r {
		case '◑':
			return x - dx, y - dy
		case '◒':
			return x + dy, y - dx
		case '◓':
			return x - dy, y + dx
		}
		return x + dx, y + dy
	}
	k := bezier * radius
	curve := func(ax, ay, bx, by, cx, cy float32) {
		ax, ay = turn(ax, ay)
		bx, by = turn(bx, by)
		cx, cy = turn(cx, cy)
		p.cubeTo(ax, ay, bx, by, cx, cy)
	}
	sx, sy := turn(0, radius)
	p.moveTo(sx, sy)
	curve(-k, radius, -radius, k, -radius, 0)
	curve(-radius, -k, -k, -radius, 0, -radius)
	p.closePath()
}

// drawDashedArrow draws ⇡, or ⇣ if it points down: the font's arrow with a broken shaft.
func drawDashedArrow(p *pen, down bool) {
	const x, top, bottom = cellWidth / 2.0, 6, 26
	y := func(v float32) float32 {
		if down {
			return top + bottom - v
		}
		return v
	}
	box := func(x0, y0, x1, y1 float32) { p.rect(x0, min(y(y0), y(y1)), x1, max(y(y0), y(y1))) }
	const reach, half = 5.5, 1.1
	head := []float32{x, top, x + reach, top + 7, x + reach - 1.8, top + 8, x, top + 3, x - reach + 1.8, top + 8, x - reach, top + 7}
	if down {
		for i := 1; i < len(head); i += 2 {
			head[i] = y(head[i])
		}
	}
	p.polygon(head...)
	box(x-half, top+6, x+half, top+10)
	box(x-half, top+12, x+half, top+15)
	box(x-half, top+17, x+half, top+20)
}
