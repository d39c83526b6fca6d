package timeline

import (
	"strings"
	"time"

	"redial/tui/chart"
	"redial/tui/draw"
)

// mark is the line that shows what of the whole is in sight: a bracket below it with the
// times at which it begins and ends, in it where there is room, else beside it, and the ends
// of the whole where they are not in the way.
func (t *Screen) mark(axis chart.Clock, first, n int) string {
	l := draw.NewLine(gutter + axis.Width + 1)
	l.Space(gutter)
	text := t.inSight()
	switch w := draw.Width(text); {
	case n >= w+4:
		t.markAround(l, text, first, n)
	case first+n+1+w <= axis.Width:
		t.markBefore(l, text, axis, first, n)
	default:
		t.markBehind(l, text, axis, first, n)
	}
	return l.String()
}

// inSight says from when to when what is in sight lasts, and how long that is.
func (t *Screen) inSight() string {
	clock := "15:04:05"
	if t.span.width() < 10*time.Second {
		clock = "15:04:05.000"
	}
	from, to := t.span.from.In(t.scene.Zone), t.span.to.In(t.scene.Zone)
	return from.Format(clock) + "–" + to.Format(clock) + " " + length(t.span.width())
}

// markAround puts the text into the bracket.
func (t *Screen) markAround(l *draw.Line, text string, first, n int) {
	th := t.scene.Theme
	pad := n - draw.Width(text) - 4
	l.Space(first)
	l.Put(th.Accent, "└"+strings.Repeat("─", pad/2))
	l.Space(1)
	l.Put(th.Text, text)
	l.Space(1)
	l.Put(th.Accent, strings.Repeat("─", pad-pad/2)+"┘")
}

// markBefore puts the bracket before the text.
func (t *Screen) markBefore(l *draw.Line, text string, axis chart.Clock, first, n int) {
	th := t.scene.Theme
	t.begin(l, axis, first)
	l.Put(th.Accent, bracket(n))
	l.Space(1)
	l.Put(th.Text, text)
	end := axis.To.In(t.scene.Zone).Format("15:04")
	if left := axis.Width - first - n - 1 - draw.Width(text); left > len(end)+1 {
		l.Space(left - len(end))
		l.Put(th.Dim, end)
	}
}

// markBehind puts the bracket behind the text.
func (t *Screen) markBehind(l *draw.Line, text string, axis chart.Clock, first, n int) {
	th := t.scene.Theme
	t.begin(l, axis, first-draw.Width(text)-1)
	l.Put(th.Text, text)
	l.Space(1)
	l.Put(th.Accent, bracket(n))
}

// begin fills the line up to a column, with the time at which the whole begins where it
// stands apart.
func (t *Screen) begin(l *draw.Line, axis chart.Clock, column int) {
	text := axis.From.In(t.scene.Zone).Format("15:04")
	if column > len(text) {
		l.Put(t.scene.Theme.Dim, text)
		column -= len(text)
	}
	l.Space(max(column, 0))
}

// bracket marks so many columns.
func bracket(n int) string {
	if n < 2 {
		return "▲"
	}
	return "└" + strings.Repeat("─", n-2) + "┘"
}
