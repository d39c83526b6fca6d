package main

import (
	"image"
	"image/color"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

func TestCellsHaveTheColoursThatWereAskedFor(t *testing.T) {
	dark := themePalette("dark")
	red, blue := color.RGBA{R: 200, A: 255}, color.RGBA{B: 200, A: 255}
	half := newMixer().mix(dark.background, dark.foreground, 128)
	for _, test := range []struct {
		name        string
		style       uv.Style
		ink, ground color.RGBA
	}{
		{"none", uv.Style{}, dark.foreground, dark.background},
		{"true colour", uv.Style{Fg: red, Bg: blue}, red, blue},
		{"one of sixteen", uv.Style{Fg: ansi.Red, Bg: ansi.BrightBlue}, dark.basic[1], dark.basic[12]},
		{"one of sixteen by its number of 256", uv.Style{Fg: ansi.IndexedColor(1)}, dark.basic[1], dark.background},
		{"one of 256", uv.Style{Fg: ansi.IndexedColor(208)}, rgb(0xff8700), dark.background},
		{"reverse", uv.Style{Fg: red, Bg: blue, Attrs: uv.AttrReverse}, blue, red},
		{"reverse of none", uv.Style{Attrs: uv.AttrReverse}, dark.background, dark.foreground},
		{"faint", uv.Style{Attrs: uv.AttrFaint}, half, dark.background},
	} {
		g := testGrid("█ ")
		g.cells[0].Style, g.cells[1].Style = test.style, test.style
		img := drawPicture(g, "dark", testFont(t))
		if got := color.RGBA(img.NRGBAAt(margin+midX, margin+midY)); got != test.ink {
			t.Errorf("%s: ink is %v, want %v", test.name, got, test.ink)
		}
		if got := color.RGBA(img.NRGBAAt(margin+cellWidth+midX, margin+midY)); got != test.ground {
			t.Errorf("%s: ground is %v, want %v", test.name, got, test.ground)
		}
	}
}

func TestAttributesChangeTheLook(t *testing.T) {
	plain := drawPicture(testGrid("a"), "dark", testFont(t))
	for name, style := range map[string]uv.Style{
		"bold":      {Attrs: uv.AttrBold},
		"italic":    {Attrs: uv.AttrItalic},
		"strike":    {Attrs: uv.AttrStrikethrough},
		"underline": {Underline: uv.UnderlineSingle},
		"double":    {Underline: uv.UnderlineDouble},
		"concealed": {Attrs: uv.AttrConceal},
	} {
		g := testGrid("a")
		g.cells[0].Style = style
		if img := drawPicture(g, "dark", testFont(t)); string(img.Pix) == string(plain.Pix) {
			t.Errorf("%s looks like plain text", name)
		}
	}
}

func TestAWideCharacterTakesTwoCellsAndMovesNothing(t *testing.T) {
	g := testGrid("xx█")
	g.cells[0] = uv.Cell{Content: "日", Width: 2, Style: uv.Style{Bg: color.RGBA{R: 90, A: 255}}}
	g.cells[1] = uv.Cell{}
	img := drawPicture(g, "dark", testFont(t))
	for x := range 2 {
		if got := img.NRGBAAt(margin+x*cellWidth, margin).R; got != 90 {
			t.Errorf("the ground of cell %d is not the wide character's", x)
		}
	}
	if got := inked(img, cellRect(2, 0, image.Rect(0, 0, cellWidth, cellHeight))); got != 1 {
		t.Errorf("the cell behind a wide character shows %.2f of its own", got)
	}
}

func TestTheCursorIsShownWhereItIs(t *testing.T) {
	g := testGrid("  ")
	g.cursor, g.showCursor = image.Pt(1, 0), true
	img := drawPicture(g, "dark", testFont(t))
	cell := image.Rect(0, 0, cellWidth, cellHeight)
	if inked(img, cellRect(0, 0, cell)) != 0 || inked(img, cellRect(1, 0, cell)) != 1 {
		t.Error("the cursor is not the block in the second cell")
	}
}

func TestTheCornersAreRoundAndClear(t *testing.T) {
	img := drawPicture(testGrid("x"), "dark", testFont(t))
	size := img.Rect.Size()
	for _, p := range []image.Point{{0, 0}, {size.X - 1, 0}, {0, size.Y - 1}, {size.X - 1, size.Y - 1}} {
		if a := img.NRGBAAt(p.X, p.Y).A; a != 0 {
			t.Errorf("the corner at %v covers what is behind it", p)
		}
	}
	if got := img.NRGBAAt(0, size.Y/2); color.RGBA(got) != themePalette("dark").edge {
		t.Errorf("the edge is %v", got)
	}
}

func TestMixingGoesFromTheGroundToTheInk(t *testing.T) {
	m := newMixer()
	ground, ink := rgb(0x102030), rgb(0xf0e0d0)
	if m.mix(ground, ink, 0) != ground || m.mix(ground, ink, 255) != ink {
		t.Error("the ends of a mix are not the colours themselves")
	}
	for alpha := 1; alpha < 256; alpha++ {
		if m.mix(ground, ink, uint8(alpha)).R < m.mix(ground, ink, uint8(alpha-1)).R {
			t.Fatalf("alpha %d is darker than the one before", alpha)
		}
	}
}
