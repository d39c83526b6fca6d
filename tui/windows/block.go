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

// BlockHeight is how many lines [Block] returns.
func BlockHeight(s *scene.Scene) int {
	if s.Live {
		return 5
	}
	return 4
}

// Block returns the lines of one window: host and limit, what is used, when it opens
// unless it is on a recording, who waits, and a blank one.
func Block(s *scene.Scene, w *ledger.Window, width int, chosen bool) []string {
	named := limitBeside(w, width)
	lines := []string{head(s, w, width, chosen, named), use(s, w, width, !named)}
	if s.Live {
		lines = append(lines, opens(s, w, width))
	}
	return append(lines, queue(s, w, width), draw.NewLine(width).String())
}

// Widths are what rows of windows need, so that they stand below each other.
type Widths struct{ Host, Limit int }

// Measure returns the widths for these windows.
func Measure(ws []ledger.Window) Widths {
	var m Widths
	for i := range ws {
		m.Host = max(m.Host, draw.Width(ws[i].Host))
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
	l.Name(th.Strong, w.Host, min(m.Host, max(l.Left()-m.Limit-label-state-waiting-3, 12)))
	l.Space(1)
	l.Right(th.Dim, Limit(w), m.Limit)
	l.Space(1)
	st, text := th.Window, fmt.Sprintf("%d/%d", Used(w, s.At()), w.Limit)
	if w.Full(s.At()) {
		st, text = th.Warn, text+" FULL"
	}
	if l.Left()-label-state-waiting-1 >= rowBar {
		chart.Bar(l, th, st, float64(Used(w, s.At())), float64(w.Limit), rowBar)
		l.Space(1)
	}
	l.Cell(st, text, label)
	when := ""
	if s.Live {
		when = "open"
		if left := w.Opens.Sub(s.At()); left > 0 {
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

// Used returns how many requests the window has granted at that moment: none when it has
// opened again since its state was written.
func Used(w *ledger.Window, at time.Time) int {
	if !at.Before(w.Opens) {
		return 0
	}
	return w.Used
}

// Limit puts what a window allows into words: 3 per 4.5s.
func Limit(w *ledger.Window) string {
	return fmt.Sprintf("%d per %s", w.Limit, draw.Period(w.Per))
}

// Full returns the hosts whose window is full, for the edge of a pane.
func Full(s *scene.Scene, ws []ledger.Window) string {
	var full []string
	for i := range ws {
		if ws[i].Full(s.At()) {
			host, _, _ := strings.Cut(ws[i].Host, ".")
			full = append(full, host+" full")
		}
	}
	if len(full) > 2 {
		return fmt.Sprintf("%d full", len(full))
	}
	return strings.Join(full, ", ")
}

// Moves reports whether a window looks different a moment later.
func Moves(s *scene.Scene, ws []ledger.Window) bool {
	for i := range ws {
		if s.Live && (ws[i].Waiting > 0 || s.Now.Before(ws[i].Opens)) {
			return true
		}
	}
	return false
}

// limitBeside reports whether there is room for the limit beside the host.
func limitBeside(w *ledger.Window, width int) bool {
	return 1+draw.Width(w.Host)+1+draw.Width(Limit(w)) <= width
}

func head(s *scene.Scene, w *ledger.Window, width int, chosen, limit bool) string {
	l := draw.NewRow(s.Theme, width, chosen)
	if !limit {
		l.Name(s.Theme.Strong, w.Host, l.Left()-1)
		return l.String()
	}
	words := Limit(w)
	l.Cell(s.Theme.Strong, w.Host, max(l.Left()-draw.Width(words)-2, draw.Width(w.Host)))
	l.Space(1)
	l.Put(s.Theme.Dim, words)
	return l.String()
}

// use draws how much of a window is used: a bar, the numbers, with the period if that
// stands nowhere else, and a word.
func use(s *scene.Scene, w *ledger.Window, width int, period bool) string {
	const numbers, word = 6, 5
	l := draw.NewLine(width)
	used := Used(w, s.At())
	st, full := s.Theme.Window, ""
	if w.Full(s.At()) {
		st, full = s.Theme.Warn, "FULL"
	}
	label, room := fmt.Sprintf("%d/%d", used, w.Limit), numbers
	if period {
		label += " per " + draw.Period(w.Per)
		room += 9
	}
	room = max(room, draw.Width(label)+1)
	l.Space(1)
	chart.Bar(l, s.Theme, st, float64(used), float64(w.Limit), max(width-room-word-3, leastBar))
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
	left := w.Opens.Sub(s.At())
	if left <= 0 || w.Used == 0 && !w.Full(s.At()) {
		l.Put(s.Theme.Dim, "open")
		return l.String()
	}
	word := "renews"
	if w.Full(s.At()) {
		word = "opens"
	}
	const label = 16 // "renews in 12.3s"
	l.Cell(s.Theme.Dim, word+" "+draw.With("in", left), label)
	chart.Countdown(l, s.Theme, s.Theme.Dim, w.Per-left, w.Per, max(l.Left()-1, 0))
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
