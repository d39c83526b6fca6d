package main

// lineArms describes the box-drawing characters U+2500 to U+257F that consist of straight
// arms from the middle of the cell: four digits for up, right, down and left, each 0 for no
// arm, 1 for a light and 2 for a heavy one. Those that are not of this kind have blanks.
const lineArms = "" +
	"0101020210102020                " + // U+2500
	"                0110021001200220" + // U+2508
	"00110012002100221100120021002200" + // U+2510
	"10011002200120021110121021101120" + // U+2518
	"21202210122022201011101220111021" + // U+2520
	"20212012102220220111011202110212" + // U+2528
	"01210122022102221101110212011202" + // U+2530
	"21012102220122021111111212111212" + // U+2538
	"21111121212121122211112212212212" + // U+2540
	"1222212222212222                " + // U+2548
	"                                " + // U+2550
	"                                " + // U+2558
	"                                " + // U+2560
	"                                " + // U+2568
	"                0001100001000010" + // U+2570
	"00022000020000200201102001022010" // U+2578

// drawLine draws a box-drawing character, so that it meets its neighbours at the cell's
// edges, and reports whether it knows the character. Double lines are left to the font.
func drawLine(p *pen, r rune) bool {
	switch {
	case r < 0x2500 || r > 0x257f:
		return false
	case r >= 0x256d && r <= 0x2570:
		drawArc(p, r)
		return true
	case r >= 0x2571 && r <= 0x2573:
		drawDiagonal(p, r)
		return true
	}
	if count, thickness, vertical := dashes(r); count > 0 {
		drawDashes(p, count, thickness, vertical)
		return true
	}
	i := int(r-0x2500) * 4
	arms := lineArms[i : i+4]
	if arms == "    " {
		return false
	}
	drawArms(p, arms)
	return true
}

// drawArms draws the arms that lineArms names. Each reaches over the middle as far as the
// thickest arm across it does, which makes corners full.
func drawArms(p *pen, arms string) {
	half := func(direction int) float32 {
		return float32([3]int{0, lightLine / 2, heavyLine / 2}[arms[direction]-'0'])
	}
	up, right, down, left := half(0), half(1), half(2), half(3)
	across, along := max(up, down), max(left, right)
	if up > 0 {
		p.rect(midX-up, 0, midX+up, midY+max(along, lightLine/2))
	}
	if down > 0 {
		p.rect(midX-down, midY-max(along, lightLine/2), midX+down, cellHeight)
	}
	if left > 0 {
		p.rect(0, midY-left, midX+max(across, lightLine/2), midY+left)
	}
	if right > 0 {
		p.rect(midX-max(across, lightLine/2), midY-right, cellWidth, midY+right)
	}
}

// drawArc draws a rounded corner: straight from one edge, a quarter of a circle around the
// middle, straight to the other edge.
func drawArc(p *pen, r rune) {
	const radius = midX - 1 // The last pixel before the edge is straight.
	const half = lightLine / 2
	// The corner is drawn as ╭ and mirrored.
	mx, my := float32(1), float32(1)
	if r == '╮' || r == '╯' {
		mx = -1
	}
	if r == '╰' || r == '╯' {
		my = -1
	}
	endX, endY := float32(cellWidth-midX), float32(cellHeight-midY)
	if mx < 0 {
		endX = midX
	}
	if my < 0 {
		endY = midY
	}
	x := func(v float32) float32 { return midX + mx*v }
	y := func(v float32) float32 { return midY + my*v }
	const outer, inner = radius + half, radius - half
	const outerHandle, innerHandle = radius - bezier*outer, radius - bezier*inner
	p.moveTo(x(-half), y(endY))
	p.lineTo(x(-half), y(radius))
	p.cubeTo(x(-half), y(outerHandle), x(outerHandle), y(-half), x(radius), y(-half))
	p.lineTo(x(endX), y(-half))
	p.lineTo(x(endX), y(half))
	p.lineTo(x(radius), y(half))
	p.cubeTo(x(innerHandle), y(half), x(half), y(innerHandle), x(half), y(radius))
	p.lineTo(x(half), y(endY))
	p.closePath()
}

// drawDiagonal draws ╱, ╲ or both.
func drawDiagonal(p *pen, r rune) {
	const half = lightLine * 0.55
	if r != '╲' {
		p.polygon(cellWidth-half, 0, cellWidth+half, 0, half, cellHeight, -half, cellHeight)
	}
	if r != '╱' {
		p.polygon(-half, 0, half, 0, cellWidth+half, cellHeight, cellWidth-half, cellHeight)
	}
}

// dashes describes a dashed line by the number of its dashes in one cell; 0 is none.
func dashes(r rune) (count int, thickness float32, vertical bool) {
	switch {
	case r >= 0x2504 && r <= 0x250b:
		count = 3 + int(r-0x2504)/4
	case r >= 0x254c && r <= 0x254f:
		count = 2
	default:
		return 0, 0, false
	}
	thickness = lightLine
	if r%2 == 1 {
		thickness = heavyLine
	}
	return count, thickness, r%4 >= 2
}

// drawDashes draws dashes with gaps that go on evenly in the next cell.
func drawDashes(p *pen, count int, thickness float32, vertical bool) {
	length := float32(cellWidth)
	if vertical {
		length = cellHeight
	}
	period := length / float32(count)
	gap := period * 0.4
	for i := range count {
		from := float32(i)*period + gap/2
		to := from + period - gap
		if vertical {
			p.rect(midX-thickness/2, from, midX+thickness/2, to)
		} else {
			p.rect(from, midY-thickness/2, to, midY+thickness/2)
		}
	}
}
