package hosts

import (
	"time"

	"redial/tui/chart"
	"redial/tui/draw"
)

// trendFrame is how many lines of the pane are not charts: the border and the axis.
const trendFrame = 3

// numTrends is how many charts there are; each has the same height.
const numTrends = 5

// mostTall is how high a chart gets.
const mostTall = 4

// leastHosts is how many lines the list of hosts keeps before the pane below it goes.
const leastHosts = 14

// tall returns how high each chart of the selected host is, 0 where there is no room below
// the list for any. The division stays as it is while hosts come and go.
func (s *Screen) tall() int {
	free := s.height - max(s.height*2/3, leastHosts)
	return max(min((free-trendFrame)/numTrends, mostTall), 0)
}

// trends returns what there is to tell of a host, slice by slice.
func (s *Screen) trends(host string) []chart.Trend {
	th, g := s.scene.Theme, &s.grid
	times := func(n int64) string { return draw.Took(time.Duration(n)) }
	all := []chart.Trend{
		{Name: "attempts", Style: th.Accent, Words: draw.Count}, {Name: "retried", Style: th.Warn, Words: draw.Count},
		{Name: "errors", Style: th.Bad, Words: draw.Count}, {Name: "p95", Style: th.Dim, Words: times}, {Name: "waited", Style: th.Window, Words: times},
	}
	for at := g.frame.from; at < g.frame.to; at += g.frame.size {
		var v [numTrends]int64
		if c := g.cells[at][host]; c != nil {
			v = [numTrends]int64{c.attempts, c.retried, c.failed, int64(c.latency.Quantile(0.95)), int64(c.wait())}
		}
		for i := range all {
			all[i].Values = append(all[i].Values, v[i])
		}
	}
	return all
}

// trendView draws the selected host over time, with the moment that all screens look at.
func (s *Screen) trendView(r rect) []string {
	tall := s.tall()
	if r.h < 3 || tall == 0 {
		return draw.Blank(s.width, r.h)
	}
	if s.list.Cursor() >= len(s.rows) {
		return s.scene.Box("Over time", "", false).Draw(nil, s.width, r.h)
	}
	th, w, f := s.scene.Theme, s.width-2, &s.grid.frame
	host := s.rows[s.list.Cursor()].host
	axis := chart.TrendAxis(time.Unix(f.from, 0), time.Unix(f.from+int64(f.slices())*f.size, 0), w, s.scene.Zone)
	lines := []string{chart.TrendHead(th, axis, w)}
	for _, t := range s.trends(host) {
		lines = append(lines, t.Lines(th, axis, s.scene.Cursor.At, tall, w)...)
	}
	note := draw.Long(time.Duration(f.size)*time.Second) + " a slice"
	if c := s.scene.Cursor.At; !c.IsZero() {
		note = "┃ cursor " + s.scene.Clock(c) + " · " + note
	}
	return s.scene.Box("Over time · "+host, note, false).Draw(lines, s.width, r.h)
}
