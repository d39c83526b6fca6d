package chart

import (
	"time"

	"redial/tui/draw"
	"redial/tui/theme"
)

// Trend is what happened over time, slice by slice: a name, a chart of so many lines, and
// what its highest column stands for.
type Trend struct {
	Name   string
	Style  theme.Style
	Values []int64
	Words  func(int64) string
}

const (
	trendName = 11 // columns of the name
	trendMost = 15 // and of what the highest column stands for
)

// TrendAxis returns the axis of trends of that width, from one moment to another.
func TrendAxis(from, to time.Time, width int, zone *time.Location) Clock {
	return Clock{From: from, To: to, Width: max(width-trendName-trendMost-1, 1), Zone: zone}
}

// TrendHead is the line above trends.
func TrendHead(th *theme.Theme, axis Clock, width int) string {
	l := draw.NewLine(width)
	l.Space(trendName)
	axis.Axis(l, th.Dim)
	return l.String()
}

// Lines draws the trend on an axis that [TrendAxis] returned, with a line through it at a
// moment, unless that is zero or beside the axis.
func (t *Trend) Lines(th *theme.Theme, axis Clock, at time.Time, tall, width int) []string {
	column, marked := axis.Column(at)
	values := spread(t.Values, axis.Width)
	most := int64(0)
	for _, v := range values {
		most = max(most, v)
	}
	lines := make([]string, tall)
	for i, cells := range Columns(values, tall) {
		l := draw.NewLine(width)
		name, text := "", ""
		if i == tall-1 {
			name = t.Name
		}
		if i == 0 && most > 0 {
			text = "up to " + t.Words(most)
		} else if i == tall-1 && most == 0 {
			text = "none"
		}
		l.Cell(th.Dim, " "+name, trendName)
		for x, c := range []rune(cells) {
			switch {
			case marked && x == column:
				l.Put(th.Strong, "┃")
			case values[x] > 0:
				l.Put(t.Style, string(c))
			default:
				l.Put(th.Faint, string(c))
			}
		}
		l.Space(1)
		l.Put(th.Dim, text)
		lines[i] = l.String()
	}
	return lines
}

// spread gives every value as many columns as fill the width. Of more values than columns
// each column has the highest.
func spread(values []int64, width int) []int64 {
	out := make([]int64, width)
	for i := range out {
		if len(values) == 0 {
			break
		}
		from := i * len(values) / width
		for _, v := range values[from:max((i+1)*len(values)/width, from+1)] {
			out[i] = max(out[i], v)
		}
	}
	return out
}
