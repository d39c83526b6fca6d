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

// repositoryStudio returns a studio as the program without flags uses it.
func repositoryStudio(t *testing.T) *studio {
	t.Helper()
	root, err := moduleRoot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s := &studio{root: root, db: filepath.Join(root, "screenshots", "demo.db"), copied: true}
	t.Cleanup(s.close)
	return s
}

func TestThePicturesAreWhatRedialShowsToday(t *testing.T) {
	s := repositoryStudio(t)
	for _, shot := range shots() {
		got, err := s.take(t.Context(), shot)
		if err != nil {
			t.Error(err)
			continue
		}
		want, err := os.ReadFile(shot.name)
		if err != nil {
			t.Errorf("%v; make the picture with: go run ./screenshots", err)
			continue
		}
		if differ := differingPixels(t, got, want); differ > 0 {
			t.Errorf("%s is not what redial shows today: %d pixels differ; look at it after: go run ./screenshots", shot.name, differ)
		}
	}
	for text := range s.font.missing {
		t.Errorf("the pictures have no glyph for %s (%U)", text, []rune(text))
	}
}

func TestAPictureIsTheSameBytesEachTime(t *testing.T) {
	s := repositoryStudio(t)
	first, err := s.take(t.Context(), shots()[0])
	if err != nil {
		t.Fatal(err)
	}
	s.font = nil
	second, err := s.take(t.Context(), shots()[0])
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, second) {
		t.Errorf("the second picture differs from the first in %d pixels", differingPixels(t, first, second))
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
func differingPixels(t *testing.T, a, b []byte) int {
	t.Helper()
	x, y := decode(t, a), decode(t, b)
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
