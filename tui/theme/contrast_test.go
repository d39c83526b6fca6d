package theme

import (
	"image/color"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
)

// xterm returns what xterm makes of the 16 colours. Others make them darker or paler; none
// that is read makes blue of yellow.
func xterm() [16]color.RGBA {
	return [16]color.RGBA{
		{0, 0, 0, 255}, {205, 0, 0, 255}, {0, 205, 0, 255}, {205, 205, 0, 255}, {0, 0, 238, 255}, {205, 0, 205, 255}, {0, 205, 205, 255}, {229, 229, 229, 255},
		{127, 127, 127, 255}, {255, 0, 0, 255}, {0, 255, 0, 255}, {255, 255, 0, 255}, {92, 92, 255, 255}, {255, 0, 255, 255}, {0, 255, 255, 255}, {255, 255, 255, 255},
	}
}

// drawn returns the colours of text and ground that a sequence asks for.
func drawn(sequence string, text, ground color.RGBA) (color.RGBA, color.RGBA) {
	codes := strings.Split(strings.TrimSuffix(strings.TrimPrefix(sequence, "\x1b["), "m"), ";")
	for i := 0; i < len(codes); i++ {
		switch n, _ := strconv.Atoi(codes[i]); {
		case n == 7:
			text, ground = ground, text
		case 30 <= n && n <= 37:
			text = xterm()[n-30]
		case 90 <= n && n <= 97:
			text = xterm()[n-90+8]
		case 40 <= n && n <= 47:
			ground = xterm()[n-40]
		case 100 <= n && n <= 107:
			ground = xterm()[n-100+8]
		case (n == 38 || n == 48) && len(codes) > i+4:
			var c [3]uint8
			for j := range c {
				v, _ := strconv.Atoi(codes[i+2+j])
				c[j] = uint8(v)
			}
			if rgb := (color.RGBA{c[0], c[1], c[2], 255}); n == 38 {
				text = rgb
			} else {
				ground = rgb
			}
			i += 4
		}
	}
	return text, ground
}

// contrast is that of the Web Content Accessibility Guidelines 2.2, from 1 to 21.
func contrast(a, b color.RGBA) float64 {
	light := func(c color.RGBA) float64 {
		part := func(v uint8) float64 {
			s := float64(v) / 255
			if s <= 0.04045 {
				return s / 12.92
			}
			return math.Pow((s+0.055)/1.055, 2.4)
		}
		return 0.2126*part(c.R) + 0.7152*part(c.G) + 0.0722*part(c.B)
	}
	x, y := light(a), light(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// styles returns those of a theme by their names.
func styles(th *Theme) map[string]Style {
	out := map[string]Style{}
	v := reflect.ValueOf(*th)
	for i := range v.NumField() {
		if s, ok := v.Field(i).Interface().(Style); ok {
			out[v.Type().Field(i).Name] = s
		}
	}
	return out
}

func TestEveryStyleCanBeReadOnItsGroundInEveryTheme(t *testing.T) {
	black, white := color.RGBA{0, 0, 0, 255}, color.RGBA{255, 255, 255, 255}
	for _, c := range []struct {
		name         string
		profile      colorprofile.Profile
		text, ground color.RGBA
		least        float64 // of what is read
	}{
		{"dark", colorprofile.TrueColor, white, color.RGBA{0x10, 0x12, 0x18, 255}, 4.5},
		{"light", colorprofile.TrueColor, black, white, 4.5},
		{"dark", colorprofile.ANSI, xterm()[7], black, 3},
		{"light", colorprofile.ANSI, black, white, 3},
	} {
		for name, s := range styles(New(c.name, c.profile)) {
			for _, selected := range []bool{false, true} {
				least := c.least
				if name == "Faint" && !selected { // lines and the empty part of bars, which are not read
					least = 1.5
				}
				text, ground := drawn(s.On(selected), c.text, c.ground)
				if got := contrast(text, ground); got < least {
					t.Errorf("%s on %v: %s (selected %v) has a contrast of %.1f, want %.1f: %q", c.name, c.profile, name, selected, got, least, s.On(selected))
				}
			}
		}
	}
}
