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
const BlockHeight = 5

// Block returns the lines of one window: host and limit, what is used, when it opens,
// who waits, and a blank one.
func Block(s *scene.Scene, w *ledger.Window, width int, chosen bool) []string {
	return []string{head(s, w, width, chosen), use(s, w, width), opens(s, w, width), queue(s, w, width), draw.NewLine(width).String()}
}

// Row returns one window on one line, for where there is no room for a block.
func Row(s *scene.Scene, w *ledger.Window, width int, chosen bool) string {
	th := s.Theme
	l := draw.NewRow(th, width, chosen)
	tail := 31
	l.Cell(th.Strong, w.Host, min(max(l.Left()-tail-22, 12), 30))
	l.Space(1)
	l.Right(th.Dim, Limit(w), 12)
	l.Space(1)
	st, label := th.Window, fmt.Sprintf("%d/%d", Used(w, s.At()), w.Limit)
	if w.Full(s.At()) {
		st, label = th.Warn, label+" FULL"
	}
	if bar := l.Left() - tail - 1; bar >= 4 {
		chart.Bar(l, th, st, float64(Used(w, s.At())), float64(w.Limit), bar)
		l.Space(1)
	}
	l.Cell(st, label, 10)
	if left := w.Opens.Sub(s.At()); left > 0 && s.Live {
		l.Cell(th.Dim, draw.Ago(left), 6)
	} else {
		l.Cell(th.Dim, map[bool]string{true: "open"}[s.Live], 6)
	}
	if w.Waiting > 0 {
		l.Put(th.Warn, fmt.Sprintf("◌ %d", w.Waiting))
		l.Put(th.Text, " for "+draw.Ago(s.At().Sub(w.Since)))
	}
	return l.String()
}

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
	return fmt.Sprintf("%d per %s", w.Limit, Period(w.Per))
}

// Period puts the length of a window into words.
func Period(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
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

func head(s *scene.Scene, w *ledger.Window, width int, chosen bool) string {
	l := draw.NewRow(s.Theme, width, chosen)
	limit := Limit(w)
	l.Cell(s.Theme.Strong, w.Host, max(l.Left()-draw.Width(limit)-2, 4))
	l.Space(1)
	l.Put(s.Theme.Dim, limit)
	return l.String()
}

func use(s *scene.Scene, w *ledger.Window, width int) string {
	l := draw.NewLine(width)
	used := Used(w, s.At())
	st, word := s.Theme.Window, ""
	if w.Full(s.At()) {
		st, word = s.Theme.Warn, "FULL"
	}
	label := fmt.Sprintf("%d/%d", used, w.Limit)
	l.Space(1)
	chart.Bar(l, s.Theme, st, float64(used), float64(w.Limit), max(width-draw.Width(label)-9, 4))
	l.Space(1)
	l.Put(s.Theme.Text, label)
	l.Space(2)
	l.Put(s.Theme.Warn, word)
	return l.String()
}

func opens(s *scene.Scene, w *ledger.Window, width int) string {
	l := draw.NewLine(width)
	l.Space(1)
	left := w.Opens.Sub(s.At())
	switch {
	case !s.Live:
		l.Put(s.Theme.Dim, "as it was at the end")
		return l.String()
	case left <= 0:
		l.Put(s.Theme.Dim, "open")
		return l.String()
	}
	l.Cell(s.Theme.Dim, "opens in "+draw.Ago(left), 15)
	l.Space(1)
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
		return l.String()
	}
	l.Put(s.Theme.Warn, fmt.Sprintf("◌ %d waiting", w.Waiting))
	if !w.Since.IsZero() {
		l.Put(s.Theme.Text, ", first for "+draw.Ago(s.At().Sub(w.Since)))
	}
	return l.String()
}
