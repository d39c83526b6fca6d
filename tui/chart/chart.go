// Package chart draws what numbers look like: bars, sparklines, and the timeline of a
// call. Everything is made of block characters, so that it shows without colour.
package chart

import (
	"fmt"
	"strings"
	"time"

	"redial/tui/draw"
	"redial/tui/theme"
)

// Bar puts a bar of w columns on the line, full to part of all.
func Bar(l *draw.Line, th *theme.Theme, st theme.Style, part, all float64, w int) {
	n := 0
	if all > 0 {
		n = int(part/all*float64(w) + 0.5)
	}
	n = max(0, min(n, w))
	if part > 0 && n == 0 {
		n = 1
	}
	l.Fill(st, Block, n)
	l.Fill(th.Faint, "▁", w-n)
}

// Block is what bars are made of: not as high as the line, so that bars on lines below each
// other stay apart.
const Block = "▆"

// Countdown puts the bar of a wait on the line: what has passed is heavy.
func Countdown(l *draw.Line, th *theme.Theme, st theme.Style, passed, planned time.Duration, w int) {
	n := w
	if planned > 0 && passed < planned {
		n = max(0, int(float64(passed)/float64(planned)*float64(w)))
	}
	l.Fill(st, "━", n)
	l.Fill(th.Faint, "─", w-n)
}

// Spark returns one character for each value, as high as the value is in relation to the
// highest one. Nothing is a low line, so that a gap is seen; the highest is not as high as the
// line, so that those of lines below each other stay apart.
func Spark(values []int64) string {
	steps := []rune("▁▂▃▄▅▆▇")
	var top int64
	for _, v := range values {
		top = max(top, v)
	}
	var b strings.Builder
	for _, v := range values {
		i := 0
		if top > 0 && v > 0 {
			i = max(1, int(v*int64(len(steps)-1)/top))
		}
		b.WriteRune(steps[i])
	}
	return b.String()
}

// Columns draws values on so many lines, the uppermost first, as [Spark] does on one. Where a
// line has nothing of a value, it has a blank.
func Columns(values []int64, lines int) []string {
	steps := []rune(" ▁▂▃▄▅▆▇█")
	high := int64(len(steps) - 1)
	top := int64(1)
	for _, v := range values {
		top = max(top, v)
	}
	out := make([]string, lines)
	for i := range out {
		under := high * int64(lines-1-i) // what the lines below take
		var b strings.Builder
		for _, v := range values {
			n := int64(0)
			if v > 0 {
				n = max(2, v*(int64(lines)*high-1)/top)
			}
			if under == 0 {
				n = max(n, 1)
			}
			b.WriteRune(steps[max(0, min(n-under, high))])
		}
		out[i] = b.String()
	}
	return out
}

// Shade returns one character that is the darker the nearer part is to 1; a little is seen.
func Shade(part float64) string {
	switch {
	case part <= 0:
		return " "
	case part < 1.0/3:
		return "░"
	case part < 2.0/3:
		return "▒"
	case part < 1:
		return "▓"
	}
	return "█"
}

// Scale maps time onto columns.
type Scale struct {
	From, To time.Duration
	Width    int
}

// Column returns the column in which d lies, from 0 to Width.
func (s Scale) Column(d time.Duration) int {
	if s.To <= s.From || s.Width <= 0 {
		return 0
	}
	c := int(float64(d-s.From) / float64(s.To-s.From) * float64(s.Width))
	return max(0, min(c, s.Width))
}

// Span returns the first column of a stretch and how many it has: one at least, since
// what took place is seen.
func (s Scale) Span(from, to time.Duration) (first, n int) {
	first = min(s.Column(from), max(s.Width-1, 0))
	return first, min(max(s.Column(to)-first, 1), s.Width-first)
}

// Axis puts the marks of the scale on the line, as many as stand apart.
func (s Scale) Axis(l *draw.Line, st theme.Style) {
	step := s.step()
	at := 0
	for d := s.From; d <= s.To; d += step {
		label := mark(d, step)
		c := s.Column(d)
		if c < at || c+draw.Width(label) > s.Width {
			continue
		}
		l.Space(c - at)
		l.Put(st, label)
		at = c + draw.Width(label)
		if at < s.Width {
			l.Space(1)
			at++
		}
	}
	l.Space(s.Width - at)
}

// step returns the distance of two marks: 1, 2 or 5 times a power of ten, and so that
// a mark has some ten columns.
func (s Scale) step() time.Duration {
	marks := max(s.Width/10, 1)
	least := max((s.To-s.From)/time.Duration(marks), time.Microsecond)
	for unit := time.Microsecond; ; unit *= 10 {
		for _, m := range []time.Duration{1, 2, 5} {
			if m*unit >= least {
				return m * unit
			}
		}
	}
}

// mark puts a point of an axis into words, as exact as the distance of two marks asks.
func mark(d, step time.Duration) string {
	switch {
	case d == 0:
		return "0"
	case d < time.Second:
		return draw.Took(d)
	case step < 100*time.Millisecond:
		return fmt.Sprintf("%.2fs", d.Seconds())
	case step < time.Second:
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	return draw.Long(d)
}
