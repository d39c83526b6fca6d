package hosts

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/key"

	"redial/tui/chart"
	"redial/tui/draw"
	"redial/tui/filter"
	"redial/tui/theme"
)

type rect struct{ y, h int }

func (r rect) has(y int) bool { return y >= r.y && y < r.y+r.h }

// area divides the screen: the hosts, and below them the routes of one if they are shown,
// else the selected one over time where there is room.
func (s *Screen) area() (hosts, below rect) {
	if s.routes.host == "" {
		upper := s.height
		if n := s.tall(); n > 0 {
			upper -= n*numTrends + trendFrame
		}
		return rect{0, upper}, rect{upper, s.height - upper}
	}
	upper := max(min(len(s.rows)+4, s.height/2), min(6, s.height))
	return rect{0, upper}, rect{upper, max(s.height-upper, 0)}
}

// frameRows is how many lines of a pane are not rows: the border, the head and, of the
// hosts, the line that tells what there was no room for.
const frameRows = 3

// arrange tells the lists how many rows they have.
func (s *Screen) arrange() {
	hosts, below := s.area()
	s.list.Resize(hosts.h - frameRows - 1)
	s.routes.list.Resize(below.h - frameRows)
	if s.focus == routesPane && s.routes.host == "" {
		s.focus = hostsPane
	}
}

// View returns the lines of the screen, each as wide as it is.
func (s *Screen) View() []string {
	hosts, below := s.area()
	if s.routes.host == "" {
		return append(s.hostsView(hosts), s.trendView(below)...)
	}
	return append(s.hostsView(hosts), s.routesView(below)...)
}

func (s *Screen) hostsView(r rect) []string {
	w := s.width - 2
	if w < 2 || r.h < 3 {
		return draw.Blank(s.width, r.h)
	}
	lay := lay(s.columns, w, s.longest())
	lines := []string{s.head(lay)}
	from, to := s.list.InSight()
	for i := from; i < to && i < len(s.rows); i++ {
		lines = append(lines, s.row(&s.rows[i], lay, i == s.list.Cursor()))
	}
	if len(s.rows) == 0 {
		lines = []string{s.say(w, "  "+s.nothing())}
	} else if room := r.h - 2; len(lines) < room || len(lines) == room && r.h > 4 {
		for len(lines) < room-1 {
			lines = append(lines, draw.NewLine(w).String())
		}
		lines = append(lines[:room-1], s.besides(lay))
	}
	return s.scene.Box("Hosts · "+s.rangeName(), s.note(), s.focus == hostsPane).Draw(lines, s.width, r.h)
}

// longest returns how many columns the longest host takes.
func (s *Screen) longest() int {
	n := 4
	for i := range s.rows {
		n = max(n, min(draw.Width(s.rows[i].host), s.width))
	}
	return n
}

// nothing says why the list is empty.
func (s *Screen) nothing() string {
	km := s.scene.Keys
	switch {
	case s.stopped:
		return "reading was given up before anything was found"
	case !s.arrived || !s.grid.whole():
		return "reading…"
	case len(s.grid.rows()) > 0:
		return "no host matches the filter: " + km.Back.Help().Key + " clears it"
	case !s.scene.Live && s.past != wholeSpan():
		return "no call ended in the " + s.rangeName() + ": " + km.Range.Help().Key + " shows another range"
	case s.scene.Live && s.span != wholeSpan():
		return "no call has ended in the " + s.rangeName() + ": " + km.Range.Help().Key + " looks further back"
	}
	return "no call has ended yet"
}

// note is what stands in the edge of the list.
func (s *Screen) note() string {
	switch {
	case s.slow():
		return fmt.Sprintf("reading… %d%%, %s gives up", s.grid.done(), s.scene.Keys.Back.Help().Key)
	case s.stopped:
		return fmt.Sprintf("only the first %d%% of it was read", s.grid.done())
	}
	var calls int64
	for i := range s.rows {
		calls += s.rows[i].sums.calls
	}
	text := draw.Plural(int64(len(s.rows)), "host") + " · " + draw.Plural(calls, "call") + " · " + s.order.words(s.columns)
	f := s.bar.Summary()
	if f == "" {
		return text
	}
	if _, whole := filter.ByHost(s.bar.InForce()); !whole {
		f += ", of which only host: counts here"
	}
	return f + " · " + text
}

func (s *Screen) say(w int, text string) string {
	l := draw.NewLine(w)
	l.Put(s.scene.Theme.Dim, text)
	return l.String()
}

// head is the line above the rows. In the name of each column the letter stands out that
// sorts by it.
func (s *Screen) head(lay layout) string {
	l := draw.NewLine(lay.width)
	l.Space(1)
	host := s.columns[hostColumn].name
	s.title(l, hostColumn)
	l.Space(lay.host - len(host))
	for _, i := range lay.shown {
		c := &s.columns[i]
		l.Space(1 + c.width - len(c.name))
		s.title(l, i)
	}
	if over := "OVER TIME"; lay.spark >= len(over) {
		l.Space(2)
		l.Put(s.scene.Theme.Dim, over)
	}
	return l.String()
}

// title puts the name of a column on the line.
func (s *Screen) title(l *draw.Line, i int) {
	th, c := s.scene.Theme, &s.columns[i]
	plain := th.Dim
	if i == s.order.by {
		plain = th.Accent
	}
	at := letter(c.name, c.sort)
	if at < 0 {
		l.Put(plain, c.name)
		return
	}
	l.Put(plain, c.name[:at])
	l.Put(th.Accent, c.name[at:at+1])
	l.Put(plain, c.name[at+1:])
}

// letter returns where in a name the letter of its key stands, -1 for nowhere.
func letter(name string, b *key.Binding) int {
	if b == nil {
		return -1
	}
	return strings.Index(name, b.Help().Key)
}

func (s *Screen) row(r *row, lay layout, chosen bool) string {
	th := s.scene.Theme
	l := draw.NewRow(th, lay.width, chosen)
	l.Name(th.Strong, r.host, lay.host)
	for _, i := range lay.shown {
		text, st := s.columns[i].cell(th, r)
		l.Space(1)
		l.Right(st, text, s.columns[i].width)
	}
	if lay.spark > 0 {
		l.Space(2)
		l.Put(th.Accent, chart.Spark(resample(r.times, min(lay.spark, l.Left()))))
	}
	return l.String()
}

// resample adds values up into at most so many columns, each of equally many values.
func resample(values []int64, columns int) []int64 {
	if columns < 1 || len(values) <= columns {
		return values
	}
	each := (len(values) + columns - 1) / columns
	out := make([]int64, (len(values)+each-1)/each)
	skew := len(out)*each - len(values) // the newest values make a whole column
	for i, v := range values {
		out[(i+skew)/each] += v
	}
	return out
}

// besides tells of the selected host what there was no room for in its row.
func (s *Screen) besides(lay layout) string {
	th := s.scene.Theme
	l := draw.NewLine(lay.width)
	if len(s.rows) == 0 || len(lay.hidden) == 0 {
		return l.String()
	}
	r := &s.rows[s.list.Cursor()]
	l.Space(1)
	for _, i := range lay.hidden {
		text, st := s.columns[i].cell(th, r)
		name := strings.ToLower(s.columns[i].name)
		if text == "-" || len(name)+1+draw.Width(text) > l.Left()-1 {
			continue
		}
		l.Put(th.Dim, name+" ")
		l.Put(st, text)
		l.Space(2)
	}
	return l.String()
}

// routeWidths are those of the columns of a route; 0 leaves one out.
type routeWidths struct{ method, path, calls, retried, errors, p50, p95, waited int }

func layRoutes(width int) routeWidths {
	w := routeWidths{method: 7, calls: 7, retried: 8, errors: 7, p50: 7, p95: 7, waited: 8}
	if width < 80 {
		w.p50, w.waited = 0, 0
	}
	w.path = max(width-1-w.method-w.calls-w.retried-w.errors-w.p50-w.p95-w.waited-1, 8)
	return w
}

func (s *Screen) routesView(r rect) []string {
	if r.h < 3 || s.width < 4 {
		return draw.Blank(s.width, r.h)
	}
	w, rt := s.width-2, &s.routes
	cols := layRoutes(w)
	lines := []string{s.routeHead(w, cols)}
	from, to := rt.list.InSight()
	for i := from; i < to && i < len(rt.rows); i++ {
		lines = append(lines, s.routeRow(&rt.rows[i], w, cols, i == rt.list.Cursor() && s.focus == routesPane))
	}
	switch {
	case !rt.read:
		lines = []string{s.say(w, "  "+s.scene.Reading(&s.calls))}
	case len(rt.rows) == 0:
		lines = []string{s.say(w, "  no call in this range that is still in the file")}
	}
	note := draw.Plural(int64(rt.seen), "call")
	if rt.more {
		note = "of the newest " + note
	}
	return s.scene.Box("Routes · "+rt.host, note, s.focus == routesPane).Draw(lines, s.width, r.h)
}

func (s *Screen) routeHead(w int, c routeWidths) string {
	th := s.scene.Theme
	l := draw.NewLine(w)
	l.Space(1)
	l.Cell(th.Dim, "METHOD", c.method)
	l.Cell(th.Dim, "ROUTE", c.path)
	for _, col := range []struct {
		name  string
		width int
	}{{"CALLS", c.calls}, {"RETRIED", c.retried}, {"ERRORS", c.errors}, {"P50", c.p50}, {"P95", c.p95}, {"WAITED", c.waited}} {
		l.Right(th.Dim, col.name, col.width)
	}
	return l.String()
}

func (s *Screen) routeRow(r *route, w int, c routeWidths, chosen bool) string {
	th := s.scene.Theme
	l := draw.NewRow(th, w, chosen)
	l.Cell(th.Text, r.method, c.method-1)
	l.Space(1)
	l.Name(th.Strong, r.path, c.path)
	l.Right(th.Text, draw.Count(r.calls), c.calls)
	some := func(n int64, st theme.Style, width int) {
		if n == 0 {
			l.Right(th.Dim, "-", width)
		} else {
			l.Right(st, draw.Percent(n, r.calls), width)
		}
	}
	some(r.retried, th.Warn, c.retried)
	some(r.failed, th.Bad, c.errors)
	if c.p50 > 0 {
		l.Right(th.Text, draw.Took(r.quantile(0.5)), c.p50)
	}
	l.Right(th.Text, draw.Took(r.quantile(0.95)), c.p95)
	if c.waited > 0 {
		if r.waited == 0 {
			l.Right(th.Dim, "-", c.waited)
		} else {
			l.Right(th.Text, draw.Took(r.waited), c.waited)
		}
	}
	return l.String()
}
