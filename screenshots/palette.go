package main

import (
	"image/color"
	"math"

	"github.com/charmbracelet/x/ansi"
)

// palette holds the colours of a terminal: what it shows where the program asks for none, and
// the sixteen that have a number instead of a value.
type palette struct {
	background, foreground color.RGBA
	edge                   color.RGBA // The line around the picture.
	basic                  [16]color.RGBA
}

// themePalette returns the terminal's colours of a theme.
func themePalette(theme string) palette {
	if theme == "light" {
		return palette{
			background: rgb(0xffffff), foreground: rgb(0x24292f), edge: rgb(0xd0d7de),
			basic: [16]color.RGBA{
				rgb(0x24292f), rgb(0xcf222e), rgb(0x116329), rgb(0x7d4e00),
				rgb(0x0969da), rgb(0x8250df), rgb(0x1b7c83), rgb(0x6e7781),
				rgb(0x57606a), rgb(0xa40e26), rgb(0x1a7f37), rgb(0x633c01),
				rgb(0x218bff), rgb(0xa475f9), rgb(0x3192aa), rgb(0x8c959f),
			},
		}
	}
	return palette{
		background: rgb(0x0f131a), foreground: rgb(0xd5dae3), edge: rgb(0x2b323d),
		basic: [16]color.RGBA{
			rgb(0x3b4352), rgb(0xf07178), rgb(0x8fcf7a), rgb(0xe6b450),
			rgb(0x6cb2f7), rgb(0xc792ea), rgb(0x5fd0c5), rgb(0xd5dae3),
			rgb(0x6b7486), rgb(0xff8b92), rgb(0xa9e094), rgb(0xffcb6b),
			rgb(0x8fc7ff), rgb(0xddb0ff), rgb(0x89e8de), rgb(0xffffff),
		},
	}
}

// rgb returns the opaque colour that is written 0xRRGGBB.
func rgb(hex uint32) color.RGBA {
	return color.RGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xff}
}

// resolve returns the value of a colour that a program asked for, or other where it asked for
// none.
func (p palette) resolve(c color.Color, other color.RGBA) color.RGBA {
	switch c := c.(type) {
	case nil:
		return other
	case ansi.BasicColor:
		return p.basic[c%16]
	case ansi.IndexedColor:
		if c < 16 {
			return p.basic[c]
		}
	}
	r, g, b, _ := c.RGBA()
	return color.RGBA{R: uint8(r >> 8), G: uint8(g >> 8), B: uint8(b >> 8), A: 0xff}
}

// mixer mixes two colours as light mixes, nearly: in values raised to a power, which keeps
// thin strokes as strong on a dark ground as on a light one.
type mixer struct {
	linear [256]uint16
	value  [4096]uint8
}

// newMixer computes the tables of a mixer.
func newMixer() *mixer {
	const power = 1.4
	m := new(mixer)
	for i := range m.linear {
		m.linear[i] = uint16(math.Round(math.Pow(float64(i)/255, power) * 4095))
	}
	for i := range m.value {
		m.value[i] = uint8(math.Round(math.Pow(float64(i)/4095, 1/power) * 255))
	}
	return m
}

// mix returns the colour between ground and ink, where alpha 0 is ground and 255 is ink.
func (m *mixer) mix(ground, ink color.RGBA, alpha uint8) color.RGBA {
	switch alpha {
	case 0:
		return ground
	case 255:
		return ink
	}
	return color.RGBA{
		R: m.channel(ground.R, ink.R, alpha),
		G: m.channel(ground.G, ink.G, alpha),
		B: m.channel(ground.B, ink.B, alpha),
		A: 0xff,
	}
}

func (m *mixer) channel(ground, ink, alpha uint8) uint8 {
	a := uint32(alpha)
	sum := uint32(m.linear[ground])*(255-a) + uint32(m.linear[ink])*a
	return m.value[(sum+127)/255]
}
