package main

import (
	"image"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
)

// testGrid returns a grid that shows these rows without any style.
func testGrid(rows ...string) grid {
	g := grid{rows: len(rows)}
	for _, row := range rows {
		g.cols = max(g.cols, len([]rune(row)))
	}
	for _, row := range rows {
		for _, r := range row + strings.Repeat(" ", g.cols-len([]rune(row))) {
			g.cells = append(g.cells, uv.Cell{Content: string(r), Width: 1})
		}
	}
	return g
}

// testFont returns the typeface of the pictures.
func testFont(t *testing.T) *typeface {
	t.Helper()
	font, err := loadTypeface()
	if err != nil {
		t.Fatal(err)
	}
	return font
}

// inked returns how much of a region in a picture without colours has the foreground's
// colour, from 0 to 1.
func inked(img *image.NRGBA, r image.Rectangle) float64 {
	ink := 0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if img.NRGBAAt(x, y).R >= 0xd0 {
				ink++
			}
		}
	}
	return float64(ink) / float64(r.Dx()*r.Dy())
}

// cellRect returns the pixels of a part of a picture, given in pixels from a cell's corner.
func cellRect(x, y int, part image.Rectangle) image.Rectangle {
	return part.Add(image.Pt(margin+x*cellWidth, margin+y*cellHeight))
}

func TestLinesJoinAcrossCells(t *testing.T) {
	horizontal := image.Rect(0, midY-1, cellWidth, midY+1)
	vertical := image.Rect(midX-1, 0, midX+1, cellHeight)
	img := drawPicture(testGrid("╭─┬─╮", "│ │ │", "├─┼━┫", "│ │ ┃", "╰─┴─╯"), "dark", testFont(t))
	for _, test := range []struct {
		name string
		at   image.Rectangle
	}{
		{"─ at the top", cellRect(1, 0, horizontal)},
		{"┬ across", cellRect(2, 0, horizontal)},
		{"│ at the left", cellRect(0, 1, vertical)},
		{"┼ across", cellRect(2, 2, horizontal)},
		{"┼ down", cellRect(2, 2, vertical)},
		{"━", cellRect(3, 2, horizontal)},
		{"┫ down", cellRect(4, 2, vertical)},
		{"╭ to the right", cellRect(0, 0, image.Rect(2*midX, midY-1, cellWidth, midY+1))},
		{"╭ down", cellRect(0, 0, image.Rect(midX-1, midY+midX, midX+1, cellHeight))},
		{"╮ to the left", cellRect(4, 0, image.Rect(0, midY-1, 1, midY+1))},
		{"╯ up", cellRect(4, 4, image.Rect(midX-1, 0, midX+1, midY-midX))},
		{"╰ to the right", cellRect(0, 4, image.Rect(2*midX, midY-1, cellWidth, midY+1))},
	} {
		if got := inked(img, test.at); got != 1 {
			t.Errorf("%s covers %.2f of its line, want all of it", test.name, got)
		}
	}
}

func TestBlocksFillTheirShareOfTheCell(t *testing.T) {
	cell := image.Rect(0, 0, cellWidth, cellHeight)
	for _, test := range []struct {
		r    rune
		want float64
	}{
		{'█', 1}, {'▁', 1. / 8}, {'▄', 1. / 2}, {'▇', 7. / 8}, {'▀', 1. / 2}, {'▌', 1. / 2},
		{'▐', 1. / 2}, {'▏', 1. / 8}, {'▉', 7. / 8}, {'▔', 1. / 8}, {'▕', 1. / 8}, {'▙', 3. / 4}, {'▚', 1. / 2},
		{'▖', 1. / 4}, {'▜', 3. / 4}, {' ', 0},
	} {
		img := drawPicture(testGrid(string(test.r)), "dark", testFont(t))
		if got := inked(img, cellRect(0, 0, cell)); got < test.want-0.04 || got > test.want+0.04 {
			t.Errorf("%c covers %.3f of its cell, want %.3f", test.r, got, test.want)
		}
	}
}

func TestBarsOfEighthsGrow(t *testing.T) {
	for _, bars := range []string{" ▁▂▃▄▅▆▇█", " ▏▎▍▌▋▊▉█", " ░▒▓█"} {
		font, last := testFont(t), -1
		for _, r := range bars {
			sum := 0
			if r != ' ' {
				mask := font.mask(glyph{text: string(r), columns: 1})
				for _, alpha := range mask.Pix {
					sum += int(alpha)
				}
			}
			if sum <= last {
				t.Errorf("%c in %s has not more ink than the one before", r, bars)
			}
			last = sum
		}
	}
}

func TestEachBrailleDotHasItsPlace(t *testing.T) {
	font := testFont(t)
	for i := range 8 {
		mask := font.mask(glyph{text: string(rune(0x2800 + 1<<i)), columns: 1})
		column := [8]int{0, 0, 0, 1, 1, 1, 0, 1}[i]
		row := [8]int{0, 1, 2, 0, 1, 2, 3, 3}[i]
		for c := range 2 {
			for r := range 4 {
				x, y := cellWidth/4+c*cellWidth/2, cellHeight/8+r*cellHeight/4
				dark := mask.AlphaAt(x, y).A > 128
				if want := c == column && r == row; dark != want {
					t.Errorf("dot %d: the place in column %d, row %d is inked: %v, want %v", i+1, c, r, dark, want)
				}
			}
		}
	}
}

func TestEveryCharacterOfTheScreensHasAGlyph(t *testing.T) {
	font := testFont(t)
	text := "●○◐◑◒◓■□▲△▶▸◆◇◌⇡⇣‼✓✗…·–—×²⁰¹³⁴←→↑↓≈▁█▌░▒▓┄╌┈─│╭╮╰╯┬┼╎┆⠁⣿é�"
	for r := rune(0x2500); r < 0x25a0; r++ {
		text += string(r)
	}
	for _, r := range text {
		for _, bold := range []bool{false, true} {
			mask := font.mask(glyph{text: string(r), columns: 1, bold: bold})
			ink := 0
			for _, alpha := range mask.Pix {
				ink += int(alpha)
			}
			if ink == 0 {
				t.Errorf("%c (%U) leaves its cell empty", r, r)
			}
		}
	}
	for text := range font.missing {
		t.Errorf("%s (%U) has no glyph", text, []rune(text))
	}
}

func TestACharacterWithoutAGlyphShowsItsNumber(t *testing.T) {
	font := testFont(t)
	one := font.mask(glyph{text: "日", columns: 2})
	two := font.mask(glyph{text: "本", columns: 2})
	if !font.missing["日"] || !font.missing["本"] {
		t.Errorf("missing are %v, want both characters", font.missing)
	}
	if string(one.Pix) == string(two.Pix) {
		t.Error("two characters that have no glyph look the same")
	}
}
