package main

import (
	"embed"
	"fmt"
	"image"
	"unicode"
	"unicode/utf8"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

//go:embed font/*.ttf
var fontFiles embed.FS

// typeface turns the text of a cell into a mask, and keeps each mask that it made. It is not
// safe for concurrent use.
type typeface struct {
	regular, bold *sfnt.Font
	buffer        sfnt.Buffer
	masks         map[glyph]*image.Alpha
	missing       map[string]bool // Texts that neither geometry nor the font could draw.
}

// glyph is what decides the look of a cell, its colours aside.
type glyph struct {
	text         string
	columns      int
	bold, italic bool
}

// loadTypeface reads the fonts that lie in this folder.
func loadTypeface() (*typeface, error) {
	f := &typeface{masks: map[glyph]*image.Alpha{}, missing: map[string]bool{}}
	for name, font := range map[string]**sfnt.Font{"Regular": &f.regular, "Bold": &f.bold} {
		data, err := fontFiles.ReadFile("font/JetBrainsMono-" + name + ".ttf")
		if err != nil {
			return nil, fmt.Errorf("read font: %w", err)
		}
		if *font, err = sfnt.Parse(data); err != nil {
			return nil, fmt.Errorf("read font %s: %w", name, err)
		}
	}
	return f, nil
}

// mask returns the coverage of each pixel, from the upper left corner of the cell; the mask
// may reach out of the cell.
func (f *typeface) mask(g glyph) *image.Alpha {
	m := f.masks[g]
	if m == nil {
		m = f.draw(g)
		f.masks[g] = m
	}
	return m
}

// draw makes a mask: by geometry where the character must meet its neighbours, else from the
// font's outlines, else a box with the character's number in it.
func (f *typeface) draw(g glyph) *image.Alpha {
	first, size := utf8.DecodeRuneInString(g.text)
	if m := shadeMask(first); m != nil && size == len(g.text) {
		return m
	}
	p := newPen(g.columns)
	if size == len(g.text) && drawGeometry(p, first) {
		return p.mask()
	}
	if !f.drawText(p, g) {
		f.missing[g.text] = true
		p = newPen(g.columns)
		f.drawNumber(p, first, g.columns)
	}
	return p.mask()
}

// drawGeometry draws the characters that are shapes rather than letters.
func drawGeometry(p *pen, r rune) bool {
	return drawLine(p, r) || drawBlock(p, r) || drawBraille(p, r) || drawSymbol(p, r)
}

// drawText draws the characters of a cell over each other, as accents are, and reports false
// if the font lacks one of them.
func (f *typeface) drawText(p *pen, g glyph) bool {
	face := f.regular
	if g.bold {
		face = f.bold
	}
	at := placement{x: float32(g.columns-1) * cellWidth / 2, scale: 1}
	if g.italic {
		at.slant = 0.2
	}
	if g.text == "‼" { // The font has only half of it.
		left, right := at, at
		left.x -= cellWidth * 0.2
		right.x += cellWidth * 0.2
		return f.outline(p, face, '!', left) && f.outline(p, face, '!', right)
	}
	if g.text == "ⁿ" { // The font has only digits of this kind, as high as this.
		at.scale = 0.62
		at.x += cellWidth * (1 - at.scale) / 2
		at.y -= 9
		return f.outline(p, face, 'n', at)
	}
	for _, r := range g.text {
		if !joins(r) && !f.outline(p, face, r, at) {
			return false
		}
	}
	return true
}

// joins reports whether a character has no look of its own: a joiner or a variation selector.
func joins(r rune) bool {
	return r == '\u200d' || unicode.Is(unicode.Variation_Selector, r)
}

// placement says where and how an outline is drawn.
type placement struct {
	x, y  float32 // Pixels right and down of the usual place.
	scale float32
	slant float32 // Pixels to the right for each pixel above the baseline.
}

// outline draws a character's outline, and reports false if the font has none for it.
func (f *typeface) outline(p *pen, face *sfnt.Font, r rune, at placement) bool {
	index, err := face.GlyphIndex(&f.buffer, r)
	if err != nil || index == 0 {
		return false
	}
	segments, err := face.LoadGlyph(&f.buffer, index, fixed.I(em), nil)
	if err != nil {
		return false
	}
	point := func(v fixed.Point26_6) (x, y float32) {
		y = float32(v.Y) / 64 * at.scale
		x = float32(v.X)/64*at.scale - y*at.slant
		return x + at.x, y + at.y + baseline
	}
	for _, s := range segments {
		ax, ay := point(s.Args[0])
		bx, by := point(s.Args[1])
		cx, cy := point(s.Args[2])
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			p.moveTo(ax, ay)
		case sfnt.SegmentOpLineTo:
			p.lineTo(ax, ay)
		case sfnt.SegmentOpQuadTo:
			p.quadTo(ax, ay, bx, by)
		case sfnt.SegmentOpCubeTo:
			p.cubeTo(ax, ay, bx, by, cx, cy)
		}
	}
	return true
}

// drawNumber draws the number of a character that the font lacks in a box, as many browsers
// do, so that the reader sees that something stands here, and what.
func (f *typeface) drawNumber(p *pen, r rune, columns int) {
	digits := fmt.Sprintf("%04X", r)
	half := (len(digits) + 1) / 2
	left, right := float32(1), float32(columns*cellWidth-1)
	p.rect(left, 4, right, cellHeight-5)
	// The hole in the box, against the clock.
	p.polygon(left+1, 5, left+1, cellHeight-6, right-1, cellHeight-6, right-1, 5)
	for i, digit := range digits {
		column, row := i%half, i/half
		pitch := (right - left - 2) / float32(half)
		scale := min(pitch/cellWidth*1.1, 0.5)
		at := placement{
			x:     left + 1 + (float32(column)+0.5)*pitch - scale*cellWidth/2,
			y:     float32(row)*10 - 10,
			scale: scale,
		}
		f.outline(p, f.regular, digit, at)
	}
}
