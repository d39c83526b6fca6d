// Package windows shows the rate windows: how much of each is used, when it opens, and
// who waits for it.
package windows

import (
	"fmt"
	"strings"
	"time"

	"redial/ledger"
	"redial/tui/chart"
	"redial/tui/draw"
	"redial/tui/scene"
)

// Block returns the lines of one window: host and limit, what it is for besides, what is
// used, when it opens unless it is on a recording, who waits, what the server said, and a
// blank one. Those that would say nothing are left out.
func Block(s *scene.Scene, w *ledger.Window, width int, chosen bool) []string {
	named := limitBeside(s, w, width)
	lines := []string{head(s, w, width, chosen, named)}
	if about := About(w); about != "" {
		lines = append(lines, said(s, about, width))
	}
	if w.Limit > 0 || declares(w, s.At()) {
		lines = append(lines, use(s, w, width, !named))
	}
	if s.Live && (w.Limit > 0 || paused(w, s.At())) {
		lines = append(lines, opens(s, w, width))
	}
	if w.Limit > 0 || w.Waiting > 0 {
		lines = append(lines, queue(s, w, width))
	}
	if text := Declared(s, w, width-1); text != "" {
		lines = append(lines, said(s, text, width))
	}
	return append(lines, draw.NewLine(width).String())
}

// BlockHeight is how many lines [Block] returns.
func BlockHeight(s *scene.Scene, w *ledger.Window) int { return len(Block(s, w, 40, false)) }

// said is a line with what there is to know besides.
func said(s *scene.Scene, text string, width int) string {
	l := draw.NewLine(width)
	l.Space(1)
	l.Cell(s.Theme.Dim, text, width-1)
	return l.String()
}

// Widths are what rows of windows need, so that they stand below each other.
type Widths struct{ Host, Limit int }

// Measure returns the widths for these windows.
func Measure(ws []ledger.Window) Widths {
	var m Widths
	for i := range ws {
		name := draw.Width(ws[i].Host)
		if about := About(&ws[i]); about != "" {
			name += 1 + draw.Width(about)
		}
		m.Host = max(m.Host, name)
		m.Limit = max(m.Limit, draw.Width(Limit(&ws[i])))
	}
	return m
}

// Row returns one window on one line, for where there is no room for a block.
func Row(s *scene.Scene, w *ledger.Window, m Widths, width int, chosen bool) string {
	th := s.Theme
	l := draw.NewRow(th, width, chosen)
	const label, state, waiting = 10, 6, 12
	m.Limit = min(m.Limit, 14)
	name := w.Host
	if about := About(w); about != "" {
		name += " " + about
	}
	l.Name(th.Strong, name, min(m.Host, max(l.Left()-m.Limit-label-state-waiting-3, 12)))
	l.Space(1)
	l.Right(th.Dim, Limit(w), m.Limit)
	l.Space(1)
	used, limit := Used(w, s.At()), w.Limit
	st, text := th.Window, fmt.Sprintf("%d/%d", used, limit)
	if limit == 0 {
		text = ""
	}
	if word := word(w, s.At()); word != "" {
		st, text = th.Warn, strings.TrimSpace(text+" "+word)
		if len(text) >= label {
			text = word
		}
	}
	if l.Left()-label-state-waiting-1 >= rowBar {
		chart.Bar(l, th, st, float64(used), float64(limit), rowBar)
		l.Space(1)
	}
	l.Cell(st, text, label)
	when := ""
	if s.Live {
		when = "open"
		if left := until(w, s.At()).Sub(s.At()); left > 0 {
			when = draw.Ago(left)
		}
	}
	l.Cell(th.Dim, when, state)
	if w.Waiting > 0 {
		l.Put(th.Warn, fmt.Sprintf("◌ %d", w.Waiting))
		l.Put(th.Text, " "+draw.With("for", s.At().Sub(w.Since)))
	}
	return l.String()
}

// The widths of bars. They are fixed, so that bars below each other can be compared.
const (
	rowBar   = 8
	leastBar = 4
)

// limitBeside reports whether there is room for the limit beside the host.
func limitBeside(s *scene.Scene, w *ledger.Window, width int) bool {
	return 1+draw.Width(w.Host)+1+draw.Width(beside(s, w)) <= width
}

// beside returns what stands beside the host: the limit, or that the server has paused a
// host that has none.
func beside(s *scene.Scene, w *ledger.Window) string {
	if w.Limit == 0 && paused(w, s.At()) {
		return "PAUSED"
	}
	return Limit(w)
}

func head(s *scene.Scene, w *ledger.Window, width int, chosen, limit bool) string {
	l := draw.NewRow(s.Theme, width, chosen)
	words, st := beside(s, w), s.Theme.Dim
	if w.Limit == 0 && paused(w, s.At()) {
		st = s.Theme.Warn
	}
	if !limit || words == "" {
		l.Name(s.Theme.Strong, w.Host, l.Left()-1)
		return l.String()
	}
	l.Cell(s.Theme.Strong, w.Host, max(l.Left()-draw.Width(words)-2, draw.Width(w.Host)))
	l.Space(1)
	l.Put(st, words)
	return l.String()
}

// use draws how much of a window is used: a bar, the numbers, with the period if that
// stands nowhere else, and a word. Of a host without a window of ours it is what the server
// says.
func use(s *scene.Scene, w *ledger.Window, width int, period bool) string {
	const numbers = 6
	l := draw.NewLine(width)
	used, limit := Used(w, s.At()), w.Limit
	if limit == 0 {
		used, limit = max(w.Declared.Limit-w.Declared.Remaining, 0), w.Declared.Limit
	}
	st, full := s.Theme.Window, word(w, s.At())
	if full != "" {
		st = s.Theme.Warn
	}
	label, room := fmt.Sprintf("%d/%d", used, limit), numbers
	if period && w.Limit > 0 {
		label += " per " + draw.Period(w.Per)
		room += 9
	}
	room = max(room, draw.Width(label)+1)
	l.Space(1)
	chart.Bar(l, s.Theme, st, float64(used), float64(limit), max(width-room-max(draw.Width(full), 4)-4, leastBar))
	l.Space(1)
	l.Cell(s.Theme.Text, label, room)
	l.Put(s.Theme.Warn, full)
	return l.String()
}

// opens says when a full window opens, or when what is used of another one no longer
// counts.
func opens(s *scene.Scene, w *ledger.Window, width int) string {
	l := draw.NewLine(width)
	l.Space(1)
	left := until(w, s.At()).Sub(s.At())
	if paused(w, s.At()) {
		l.Put(s.Theme.Warn, "server asked, opens "+draw.With("in", left))
		return l.String()
	}
	if left <= 0 || Used(w, s.At()) == 0 && !w.Full(s.At()) {
		l.Put(s.Theme.Dim, "open")
		return l.String()
	}
	words, whole := "renews", w.Per
	switch {
	case w.Full(s.At()):
		words = "opens"
	case w.Kind != ledger.FixedWindow:
		words = "1 more"
	}
	if w.Kind == ledger.GCRAWindow {
		whole = w.Per / time.Duration(max(w.Limit, 1))
	}
	const label = 16 // "renews in 12.3s"
	l.Cell(s.Theme.Dim, words+" "+draw.With("in", left), label)
	chart.Countdown(l, s.Theme, s.Theme.Dim, whole-left, whole, max(l.Left()-1, 0))
	return l.String()
}

func queue(s *scene.Scene, w *ledger.Window, width int) string {
	l := draw.NewLine(width)
	l.Space(1)
	switch {
	case w.Waiting == 0 && s.Live:
		l.Put(s.Theme.Dim, "nobody waits")
		return l.String()
	case w.Waiting == 0:
		l.Put(s.Theme.Dim, "nobody waited at the end")
		return l.String()
	}
	l.Put(s.Theme.Warn, fmt.Sprintf("◌ %d waiting", w.Waiting))
	if first := s.At().Sub(w.Since); !w.Since.IsZero() && first > 0 {
		l.Put(s.Theme.Text, ", first "+draw.With("for", first))
	}
	return l.String()
}
