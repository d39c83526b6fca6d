package main

import (
	"image"
	"image/color"

	uv "github.com/charmbracelet/ultraviolet"
)

const (
	margin = 24 // The ground around the cells, in pixels.
	corner = 14 // The radius of the picture's corners.
)

// picture is a picture while it is drawn.
type picture struct {
	grid    grid
	colours palette
	font    *typeface
	mixer   *mixer
	image   *image.NRGBA
}

// drawPicture draws what a terminal shows, on a ground with round corners and nothing behind
// them, so that it lies well on a light page and on a dark one.
func drawPicture(g grid, theme string, font *typeface) *image.NRGBA {
	bounds := image.Rect(0, 0, g.cols*cellWidth+2*margin, g.rows*cellHeight+2*margin)
	p := &picture{grid: g, colours: themePalette(theme), font: font, mixer: newMixer(), image: image.NewNRGBA(bounds)}
	p.fill(bounds, p.colours.background)
	for y := range g.rows {
		for x := range g.cols {
			_, ground := p.inks(x, y)
			p.fill(p.cellBounds(x, y, 1), ground)
		}
	}
	for y := range g.rows {
		for x := range g.cols {
			p.drawCell(x, y)
		}
	}
	p.drawFrame()
	return p.image
}

// cellBounds returns the pixels of a cell and of those to its right that belong to it.
func (p *picture) cellBounds(x, y, columns int) image.Rectangle {
	corner := image.Pt(margin+x*cellWidth, margin+y*cellHeight)
	return image.Rectangle{Min: corner, Max: corner.Add(image.Pt(columns*cellWidth, cellHeight))}
}

// fill fills a rectangle.
func (p *picture) fill(r image.Rectangle, c color.RGBA) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			p.image.SetNRGBA(x, y, color.NRGBA(c))
		}
	}
}

// inks returns the colours of a cell after its attributes and the cursor.
func (p *picture) inks(x, y int) (ink, ground color.RGBA) {
	cell := p.grid.at(x, y)
	for cell.Width == 0 && x > 0 {
		x--
		cell = p.grid.at(x, y)
	}
	ink = p.colours.resolve(cell.Style.Fg, p.colours.foreground)
	ground = p.colours.resolve(cell.Style.Bg, p.colours.background)
	if cell.Style.Attrs&uv.AttrReverse != 0 {
		ink, ground = ground, ink
	}
	if p.grid.showCursor && p.grid.cursor == image.Pt(x, y) {
		ink, ground = p.colours.background, p.colours.foreground
	}
	if cell.Style.Attrs&uv.AttrFaint != 0 {
		ink = p.mixer.mix(ground, ink, 128)
	}
	return ink, ground
}

// drawCell draws the glyph of a cell and the lines under and through it.
func (p *picture) drawCell(x, y int) {
	cell := p.grid.at(x, y)
	if cell.Width == 0 || cell.Style.Attrs&uv.AttrConceal != 0 {
		return
	}
	ink, _ := p.inks(x, y)
	bounds := p.cellBounds(x, y, cell.Width)
	if cell.Content != " " && cell.Content != "" {
		p.stamp(bounds.Min, ink, p.font.mask(glyph{
			text:    cell.Content,
			columns: cell.Width,
			bold:    cell.Style.Attrs&uv.AttrBold != 0,
			italic:  cell.Style.Attrs&uv.AttrItalic != 0,
		}))
	}
	if cell.Style.Attrs&uv.AttrStrikethrough != 0 {
		p.fill(image.Rect(bounds.Min.X, bounds.Min.Y+midY, bounds.Max.X, bounds.Min.Y+midY+lightLine), ink)
	}
	if cell.Style.Underline != uv.UnderlineNone {
		p.underline(bounds, cell.Style.Underline, p.colours.resolve(cell.Style.UnderlineColor, ink))
	}
}

// stamp inks the pixels that a mask covers, with the mask's origin at a point.
func (p *picture) stamp(at image.Point, ink color.RGBA, mask *image.Alpha) {
	for y := mask.Rect.Min.Y; y < mask.Rect.Max.Y; y++ {
		for x := mask.Rect.Min.X; x < mask.Rect.Max.X; x++ {
			if alpha := mask.AlphaAt(x, y).A; alpha > 0 {
				ground := color.RGBA(p.image.NRGBAAt(at.X+x, at.Y+y))
				p.image.SetNRGBA(at.X+x, at.Y+y, color.NRGBA(p.mixer.mix(ground, ink, alpha)))
			}
		}
	}
}

// underline draws the line under a cell. A curly line is drawn as a dotted one.
func (p *picture) underline(bounds image.Rectangle, kind uv.Underline, ink color.RGBA) {
	y := bounds.Min.Y + baseline + 3
	length, period := 1, 1
	switch kind {
	case uv.UnderlineDouble:
		p.fill(image.Rect(bounds.Min.X, y+3, bounds.Max.X, y+4), ink)
		p.fill(image.Rect(bounds.Min.X, y, bounds.Max.X, y+1), ink)
		return
	case uv.UnderlineDotted, uv.UnderlineCurly:
		length, period = 2, 5
	case uv.UnderlineDashed:
		length, period = 3, 5
	}
	for x := bounds.Min.X; x < bounds.Max.X; x++ {
		if (x-margin)%period < length {
			p.fill(image.Rect(x, y, x+1, y+lightLine), ink)
		}
	}
}

// drawFrame draws the edge and takes away what lies outside of the round corners.
func (p *picture) drawFrame() {
	size := p.image.Rect.Size()
	for y := range size.Y {
		for x := range size.X {
			inside := insideRounded(x, y, size, 0)
			if inner := insideRounded(x, y, size, 2); inner < 255 {
				ground := color.RGBA(p.image.NRGBAAt(x, y))
				edge := color.NRGBA(p.mixer.mix(p.colours.edge, ground, inner))
				edge.A = inside
				p.image.SetNRGBA(x, y, edge)
			}
		}
	}
}

// insideRounded returns how much of a pixel, of 255, lies in the rounded rectangle that is
// inset from the picture's edge. It counts sixteen points of the pixel.
func insideRounded(x, y int, size image.Point, inset int) uint8 {
	// Mirrored into the upper left corner, a point is inside beyond the corner's centre.
	mx, my := min(x, size.X-1-x), min(y, size.Y-1-y)
	switch {
	case mx >= corner && my >= inset, my >= corner && mx >= inset:
		return 255
	case mx < inset || my < inset:
		return 0
	}
	radius := corner - inset
	points := 0
	for i := range 16 {
		// In eighths of a pixel, from the corner's centre.
		dx := 8*(corner-mx) - 1 - 2*(i%4)
		dy := 8*(corner-my) - 1 - 2*(i/4)
		if dx*dx+dy*dy <= 64*radius*radius {
			points++
		}
	}
	return uint8(points * 255 / 16)
}
