package chart

import (
	"strings"
	"time"

	"redial/tui/draw"
	"redial/tui/theme"
)

// Clock is an axis of the time of day.
type Clock struct {
	From, To time.Time
	Width    int
	Zone     *time.Location // nil is UTC
}

// Scale maps the time since From onto columns.
func (c Clock) Scale() Scale { return Scale{To: c.To.Sub(c.From), Width: c.Width} }

// Column returns the column of a moment, and whether it lies on the axis.
func (c Clock) Column(t time.Time) (int, bool) {
	if t.Before(c.From) || !t.Before(c.To) || c.Width <= 0 {
		return 0, false
	}
	return min(c.Scale().Column(t.Sub(c.From)), c.Width-1), true
}

// Span returns the first column of a stretch of time and how many it has on the axis: none
// if it lies beside it, otherwise one at least.
func (c Clock) Span(from, to time.Time) (first, n int) {
	if to.Before(c.From) || !from.Before(c.To) || c.Width <= 0 || to.Equal(c.From) && from.Before(c.From) {
		return 0, 0
	}
	if from.Before(c.From) {
		from = c.From
	}
	if to.After(c.To) {
		to = c.To
	}
	return c.Scale().Span(from.Sub(c.From), to.Sub(c.From))
}

// Mark is a point of the axis that has a label.
type Mark struct {
	Column int
	Label  string
}

// Marks returns the points of the axis that are told, as many as stand apart. The first
// one is told whole, later ones as far as they differ.
func (c Clock) Marks() []Mark {
	if !c.To.After(c.From) || c.Width <= 0 {
		return nil
	}
	zone := c.Zone
	if zone == nil {
		zone = time.UTC
	}
	step := c.step()
	_, offset := c.From.In(zone).Zone()
	shift := time.Duration(offset) * time.Second
	t := c.From.Add(shift).Truncate(step).Add(-shift)
	if t.Before(c.From) {
		t = t.Add(step)
	}
	var marks []Mark
	before, end := "", 0
	for ; t.Before(c.To); t = t.Add(step) {
		col, _ := c.Column(t)
		whole := label(t.In(zone), step)
		short := whole
		if cut := strings.LastIndexAny(whole, ":."); step < time.Minute && cut > 0 && before != "" && strings.HasPrefix(before, whole[:cut]) {
			short = whole[cut:]
		}
		if w := draw.Width(short); col >= end && col+w <= c.Width {
			marks = append(marks, Mark{col, short})
			before, end = whole, col+w+1
		}
	}
	return marks
}

// Axis puts the labels of the marks on the line.
func (c Clock) Axis(l *draw.Line, st theme.Style) {
	at := 0
	for _, m := range c.Marks() {
		l.Space(m.Column - at)
		l.Put(st, m.Label)
		at = m.Column + draw.Width(m.Label)
	}
	l.Space(c.Width - at)
}

// Rule puts a line on the line, with a tick at each mark.
func (c Clock) Rule(l *draw.Line, st theme.Style) {
	at := 0
	for _, m := range c.Marks() {
		l.Fill(st, "─", m.Column-at)
		l.Put(st, "┬")
		at = m.Column + 1
	}
	l.Fill(st, "─", c.Width-at)
}

// apart is how many columns two marks are apart at least.
const apart = 10

// step returns the distance of two marks: one that clocks are read by.
func (c Clock) step() time.Duration {
	least := c.To.Sub(c.From) * apart / time.Duration(max(c.Width, 1))
	for unit := time.Microsecond; unit < time.Second; unit *= 10 {
		for _, m := range []time.Duration{1, 2, 5} {
			if m*unit >= least {
				return m * unit
			}
		}
	}
	for _, unit := range []time.Duration{time.Second, time.Minute} {
		for _, m := range []time.Duration{1, 2, 5, 10, 15, 30} {
			if m*unit >= least {
				return m * unit
			}
		}
	}
	for _, m := range []time.Duration{1, 2, 3, 6, 12, 24} {
		if m*time.Hour >= least {
			return m * time.Hour
		}
	}
	const day = 24 * time.Hour
	return (least + day - 1) / day * day
}

// label tells a moment as exactly as the distance of two marks asks.
func label(t time.Time, step time.Duration) string {
	switch {
	case step >= 24*time.Hour:
		return t.Format("Jan 2")
	case step >= time.Minute:
		return t.Format("15:04")
	case step >= time.Second:
		return t.Format("15:04:05")
	case step >= 100*time.Millisecond:
		return t.Format("15:04:05.0")
	case step >= time.Millisecond:
		return t.Format("15:04:05.000")
	}
	return t.Format("15:04:05.000000")
}
