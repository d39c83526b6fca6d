// Package theme holds every visual choice of the dashboard in one value that is
// passed in: colours, weights and the look of the selected row.
//
// Meaning never rests on colour alone. A glyph and a word go with it, so that the
// theme [None] loses nothing but comfort.
package theme

import (
	"image/color"
	"slices"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// Style is how a run of text looks. The zero Style is the terminal's own.
type Style struct {
	on       string // the sequence that begins it; "" for none
	selected string // the same on the selected row
}

// On returns the sequence that begins the style, "" when there is none.
func (s Style) On(selected bool) string {
	if selected {
		return s.selected
	}
	return s.on
}

// Theme is a set of styles by meaning. It is not changed after it was made.
type Theme struct {
	Name string // dark, light or none

	Blank  Style // nothing: it only has the ground of the selected row
	Text   Style // what is read
	Strong Style // titles, and what must be seen first
	Dim    Style // what stands back: times, labels
	Faint  Style // lines, the empty part of bars
	Accent Style // what has the focus, keys, the tab that is open
	Good   Style // answered
	Warn   Style // sent again, silent, waiting
	Bad    Style // errors
	Doubt  Style // an outcome that is unknown

	Window     Style // waiting for a rate window
	Backoff    Style // waiting before the next attempt
	RetryAfter Style // waiting because the server asked
	Bandwidth  Style // held back by a bandwidth limit

	DNS, Connect, TLS, Send, Wait, Receive Style // phases of an attempt

	Alert Style // on a ground of its own: what is missing, what could not be read
	Wrong Style // the part of an expression that is not understood
}

// names returns the themes in the order in which they are gone through.
func names() []string { return []string{"dark", "light", "none"} }

// Next returns the name of the theme after this one.
func Next(name string) string {
	all := names()
	return all[(slices.Index(all, name)+1)%len(all)]
}

// Known reports whether there is a theme of that name.
func Known(name string) bool { return slices.Contains(names(), name) }

// New returns the theme of that name as a terminal with that profile can show it. With
// 16 colours it uses those and not what is nearest to others; with none it is [None].
func New(name string, profile colorprofile.Profile) *Theme {
	switch {
	case name == "none" || profile != colorprofile.Unknown && profile <= colorprofile.ASCII:
		return None()
	case profile == colorprofile.ANSI && name == "light":
		return build(name, light16())
	case profile == colorprofile.ANSI:
		return build(name, dark16())
	case name == "light":
		return build(name, light())
	}
	return build("dark", dark())
}

// None returns the theme without colours: weights and reverse video only.
func None() *Theme {
	plain, bold := mono(), mono(ansi.AttrBold)
	reverse, under := mono(ansi.AttrReverse), mono(ansi.AttrUnderline)
	return &Theme{
		Name: "none", Blank: plain,
		Text: plain, Strong: bold, Dim: plain, Faint: plain, Accent: bold,
		Good: plain, Warn: plain, Bad: bold, Doubt: bold,
		Window: plain, Backoff: plain, RetryAfter: plain, Bandwidth: plain,
		DNS: plain, Connect: plain, TLS: plain, Send: plain, Wait: plain, Receive: plain,
		Alert: reverse, Wrong: under,
	}
}

// mono returns a style without colour; the selected row is in reverse video.
func mono(attrs ...ansi.Attr) Style {
	s := Style{selected: ansi.NewStyle(append(attrs, ansi.AttrReverse)...).String()}
	if len(attrs) > 0 {
		s.on = ansi.NewStyle(attrs...).String()
	}
	return s
}

// palette names a colour for each meaning; nil is the terminal's own.
type palette struct {
	text, strong, dim, faint, accent, good, warn, bad, doubt color.Color
	window, backoff, retryAfter, bandwidth                   color.Color
	send, wait, receive, alertText, ground                   color.Color // ground is that of the selected row
	dimSelected                                              color.Color // dim and faint on ground
	reverse                                                  bool        // the selected row is in reverse video, without colours
}

func build(name string, p palette) *Theme {
	fg := func(c color.Color) Style { return style(p, c, false) }
	bold := func(c color.Color) Style { return style(p, c, true) }
	back := Style{on: sgr(p.dim, nil, false), selected: p.onSelected(p.dimSelected, false)}
	faint := Style{on: sgr(p.faint, nil, false), selected: p.onSelected(p.dimSelected, false)}
	return &Theme{
		Name: name, Blank: Style{selected: p.onSelected(nil, false)},
		Text: fg(p.text), Strong: bold(p.strong), Dim: back, Faint: faint, Accent: bold(p.accent),
		Good: fg(p.good), Warn: fg(p.warn), Bad: bold(p.bad), Doubt: bold(p.doubt),
		Window: fg(p.window), Backoff: fg(p.backoff), RetryAfter: fg(p.retryAfter), Bandwidth: fg(p.bandwidth),
		DNS: fg(p.doubt), Connect: fg(p.window), TLS: fg(p.accent),
		Send: fg(p.send), Wait: fg(p.wait), Receive: fg(p.receive),
		Alert: ground(p.alertText, p.bad), Wrong: wrong(p.bad),
	}
}

func style(p palette, c color.Color, bold bool) Style {
	return Style{on: sgr(c, nil, bold), selected: p.onSelected(c, bold)}
}

// onSelected returns the sequence that begins a style on the selected row.
func (p *palette) onSelected(c color.Color, bold bool) string {
	switch {
	case p.reverse && bold:
		return mono(ansi.AttrBold).selected
	case p.reverse:
		return mono().selected
	}
	return sgr(c, p.ground, bold)
}

func ground(text, back color.Color) Style {
	s := sgr(text, back, true)
	return Style{on: s, selected: s}
}

func wrong(c color.Color) Style {
	s := ansi.NewStyle(ansi.AttrBold, ansi.AttrUnderline).ForegroundColor(c).String()
	return Style{on: s, selected: s}
}

// sgr returns the sequence that begins a style, "" when there is nothing to begin.
func sgr(text, back color.Color, bold bool) string {
	var s ansi.Style
	if bold {
		s = s.Bold()
	}
	if text != nil {
		s = s.ForegroundColor(text)
	}
	if back != nil {
		s = s.BackgroundColor(back)
	}
	if len(s) == 0 {
		return ""
	}
	return s.String()
}

func rgb(hex string) color.Color { return lipgloss.Color(hex) }
