package main

import (
	"image"

	"golang.org/x/image/vector"
)

// The measures of a cell in pixels. JetBrains Mono is 0.6 em wide and 1.32 em high, so an em
// of 25 pixels gives whole numbers, and glyphs fall on whole pixels.
const (
	em         = 25
	cellWidth  = 15
	cellHeight = 33
	baseline   = 25
	bleed      = 6 // How far a slanted or accented glyph may reach out of its cell.

	lightLine = 2 // The thickness of ─.
	heavyLine = 4 // The thickness of ━.
	midX      = 7 // The axis of vertical lines, a boundary between pixels.
	midY      = 16
)

// bezier is how far the handles of a cubic curve lie from its ends, in radii, when four
// curves make a circle.
const bezier = 0.5523

// pen draws filled shapes into the mask of one cell. Coordinates are pixels from the upper
// left corner of the cell. All shapes are drawn clockwise, and holes counter-clockwise.
type pen struct {
	bounds image.Rectangle
	raster *vector.Rasterizer
}

// newPen returns a pen for a cell that is a number of columns wide.
func newPen(columns int) *pen {
	bounds := image.Rect(-bleed, -bleed, columns*cellWidth+bleed, cellHeight+bleed)
	return &pen{bounds: bounds, raster: vector.NewRasterizer(bounds.Dx(), bounds.Dy())}
}

// mask returns what was drawn, as the coverage of each pixel in sixteen steps: more are not
// seen, and make the file half as big again.
func (p *pen) mask() *image.Alpha {
	m := image.NewAlpha(image.Rect(0, 0, p.bounds.Dx(), p.bounds.Dy()))
	p.raster.Draw(m, m.Rect, image.Opaque, image.Point{})
	for i, alpha := range m.Pix {
		m.Pix[i] = uint8((int(alpha) + 8) / 17 * 17)
	}
	m.Rect = p.bounds
	return m
}

func (p *pen) moveTo(x, y float32) { p.raster.MoveTo(x+bleed, y+bleed) }
func (p *pen) lineTo(x, y float32) { p.raster.LineTo(x+bleed, y+bleed) }

func (p *pen) quadTo(ax, ay, x, y float32) {
	p.raster.QuadTo(ax+bleed, ay+bleed, x+bleed, y+bleed)
}

func (p *pen) cubeTo(ax, ay, bx, by, x, y float32) {
	p.raster.CubeTo(ax+bleed, ay+bleed, bx+bleed, by+bleed, x+bleed, y+bleed)
}

func (p *pen) closePath() { p.raster.ClosePath() }

// polygon fills the shape between points, given as x, y, x, y and so on.
func (p *pen) polygon(points ...float32) {
	p.moveTo(points[0], points[1])
	for i := 2; i < len(points); i += 2 {
		p.lineTo(points[i], points[i+1])
	}
	p.closePath()
}

// rect fills a rectangle.
func (p *pen) rect(x0, y0, x1, y1 float32) {
	p.polygon(x0, y0, x1, y0, x1, y1, x0, y1)
}

// circle fills a circle; with a negative radius it is a hole.
func (p *pen) circle(x, y, radius float32) {
	rx, ry := radius, radius
	if radius < 0 {
		ry = -radius
	}
	kx, ky := bezier*rx, bezier*ry
	p.moveTo(x+rx, y)
	p.cubeTo(x+rx, y+ky, x+kx, y+ry, x, y+ry)
	p.cubeTo(x-kx, y+ry, x-rx, y+ky, x-rx, y)
	p.cubeTo(x-rx, y-ky, x-kx, y-ry, x, y-ry)
	p.cubeTo(x+kx, y-ry, x+rx, y-ky, x+rx, y)
	p.closePath()
}

// ring fills the space between two circles.
func (p *pen) ring(x, y, radius, thickness float32) {
	p.circle(x, y, radius)
	p.circle(x, y, thickness-radius)
}
