package main

import (
	"bytes"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestPictures builds redial once for all that is to be known of its pictures.
func TestPictures(t *testing.T) {
	root, err := moduleRoot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s := &studio{root: root, db: filepath.Join(root, "screenshots", "demo.db"), copied: true}
	defer s.close()
	for _, shot := range shots() {
		t.Run(shot.name+" is what redial shows today", func(t *testing.T) { checkPicture(t, s, shot) })
	}
	t.Run("a picture is the same bytes each time", func(t *testing.T) {
		var data [2][]byte
		for i := range data {
			s.font = nil // Nothing is kept from the first time.
			if data[i], err = s.take(t.Context(), shot{cols: 110, rows: 16, theme: "dark", steps: shots()[0].steps[:1]}); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(data[0], data[1]) {
			t.Error("the second picture differs from the first")
		}
	})
}

// checkPicture compares a committed picture with one that is taken now.
func checkPicture(t *testing.T, s *studio, shot shot) {
	got, err := s.draw(t.Context(), shot)
	if err != nil {
		t.Fatal(err)
	}
	for text := range s.font.missing {
		t.Errorf("there is no glyph for %s (%U)", text, []rune(text))
	}
	data, err := os.ReadFile(shot.name)
	if err != nil {
		t.Fatalf("%v; make the picture with: go run ./screenshots", err)
	}
	if differ := differingPixels(got, decode(t, data)); differ > 0 {
		t.Errorf("it is not: %d pixels differ; make it anew with: go run ./screenshots", differ)
	}
}

func TestTheRecordingIsSmallAndWhole(t *testing.T) {
	info, err := os.Stat("demo.db")
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > 2<<20 {
		t.Errorf("demo.db has %d bytes, which is more than a repository should carry", info.Size())
	}
	beside, err := filepath.Glob("demo.db-*")
	if err != nil || len(beside) > 0 {
		t.Errorf("beside demo.db lies %v (error %v), so it is not the whole recording", beside, err)
	}
}

func TestPicturesHaveNamesOfTheirOwn(t *testing.T) {
	var names []string
	for _, shot := range shots() {
		if filepath.Ext(shot.name) != ".png" || slices.Contains(names, shot.name) || shot.live {
			t.Errorf("%+v cannot be a picture that is committed", shot)
		}
		names = append(names, shot.name)
	}
}

// differingPixels returns how many pixels of two pictures are not alike. The bytes of a
// picture depend on the version of Go that packed them, and how a processor rounds may move
// a pixel at the edge of a glyph by one step, so neither counts.
func differingPixels(x, y *image.NRGBA) int {
	if x.Rect != y.Rect {
		return x.Rect.Dx() * x.Rect.Dy()
	}
	differ := 0
	for i := 0; i < len(x.Pix); i += 4 {
		for c := range 4 {
			if d := int(x.Pix[i+c]) - int(y.Pix[i+c]); d < -24 || d > 24 {
				differ++
				break
			}
		}
	}
	return differ
}

func decode(t *testing.T, data []byte) *image.NRGBA {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	out := image.NewNRGBA(img.Bounds())
	draw.Draw(out, out.Rect, img, out.Rect.Min, draw.Src)
	return out
}
