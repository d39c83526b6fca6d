package timeline

import (
	"redial/ledger"
	"redial/tui/chart"
	"redial/tui/draw"
	"redial/tui/phrase"
	"redial/tui/scene"
	"redial/tui/theme"
)

// gutter is the room of the names at the left of the overview.
const gutter = 7

// overviewLines draws the whole session: errors, time spent waiting, and what of it is in
// sight.
func (t *Screen) overviewLines(p layout) []string {
	th, all := t.scene.Theme, t.bounds()
	w := t.width
	if p.boxed {
		w -= 2
	}
	if w < gutter+3 {
		return draw.Blank(t.width, p.over)
	}
	axis := chart.Clock{From: all.from, To: all.to, Width: w - gutter - 1, Zone: t.scene.Zone}
	failed, waited := t.over.columns(axis)
	first, n := axis.Span(t.span.from, t.span.to)
	lines := []string{t.spark("err", failed, th.Bad, w)}
	if p.boxed {
		lines = append(lines, t.spark("wait", waited, th.Warn, w))
	}
	lines = append(lines, t.mark(axis, first, n))
	if !p.boxed {
		return lines
	}
	name := "Session"
	if len(t.scene.Sessions) > 1 {
		name = draw.Plural(int64(len(t.scene.Sessions)), "session")
	}
	return t.scene.Box(name, length(all.width()), false).Draw(lines, t.width, p.over)
}

// spark is a line of the overview.
func (t *Screen) spark(name string, values []int64, st theme.Style, width int) string {
	l := draw.NewLine(width)
	l.Cell(t.scene.Theme.Dim, " "+name, gutter)
	for i, r := range []rune(chart.Spark(values)) {
		if values[i] > 0 {
			l.Put(st, string(r))
		} else {
			l.Put(t.scene.Theme.Faint, string(r))
		}
	}
	return l.String()
}

// state is what stands in the edge of the list: the filter, how many calls there are, and
// what goes on.
func (t *Screen) state() string {
	text := draw.Plural(int64(len(t.calls)), "call")
	if t.partial {
		text = draw.Count(int64(len(t.calls))) + " of those with trouble, " + t.scene.Keys.ZoomIn.Help().Key + " shows more"
	}
	switch {
	case t.slow():
		text = t.scene.Reading(&t.reads)
	case t.finds.Busy():
		text = t.scene.Reading(&t.finds)
	case t.stopped:
		text = scene.GivenUp(&t.reads) + ", " + text
	case t.playing.on:
		text += " · plays at " + t.pace()
	case t.follows():
		text += " · following"
	case t.scene.Live:
		text += " · " + t.scene.Keys.Follow.Help().Key + " follows"
	}
	if f := t.bar.Summary(); f != "" {
		return f + " · " + text
	}
	return text
}

// legend says what the bars are made of, as far as there is room.
func (t *Screen) legend() string {
	th := t.scene.Theme
	return draw.Pieces(t.width, []draw.Piece{
		{Style: th.Good, Text: chart.Block + " sent, answered", Rank: 1}, {Style: th.Good, Text: chart.Body + " body", Rank: 2}, {Style: th.Bad, Text: "✗ error", Rank: 3},
		{Style: th.Doubt, Text: "▒? unknown", Rank: 1}, {Style: th.Backoff, Text: "┄ backoff", Rank: 1},
		{Style: th.RetryAfter, Text: "╌ Retry-After", Rank: 1}, {Style: th.Window, Text: "░ window", Rank: 1},
		{Style: phrase.KindStyle(th, ledger.BandwidthWait), Text: "≈ bandwidth", Rank: 4}, {Style: th.Text, Text: "▌ look up", Rank: 5},
		{Style: th.Doubt, Text: "2 wire sends", Rank: 6}, {Style: th.Bad, Text: "– not sent", Rank: 7},
	}, nil)
}
