package windows

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/scene"
)

// Used returns how many requests the window has granted at that moment: none when a fixed
// one has opened again since its state was written, one less when others let one go.
func Used(w *ledger.Window, at time.Time) int {
	switch {
	case at.Before(w.Opens):
		return w.Used
	case w.Kind == ledger.FixedWindow:
		return 0
	case w.Opens.IsZero():
		return w.Used
	}
	return max(w.Used-1, 0)
}

// Limit puts what a window allows into words: 3 per 4.5s. A host without a window of ours
// allows what its server says.
func Limit(w *ledger.Window) string {
	switch {
	case w.Limit > 0:
		return fmt.Sprintf("%d per %s", w.Limit, draw.Period(w.Per))
	case w.Declared.Limit > 0 && w.Declared.Per > 0:
		return fmt.Sprintf("%d per %s", w.Declared.Limit, draw.Period(w.Declared.Per))
	}
	return ""
}

// About says what tells a window from a fixed one for a whole host: what it is for, and how
// it counts. "" is nothing.
func About(w *ledger.Window) string {
	switch kind := w.Kind; {
	case w.Limit == 0 && w.Name == "":
		return ""
	case kind == ledger.FixedWindow:
		return w.Name
	case w.Name == "":
		return kindWords(kind)
	default:
		return w.Name + " · " + kindWords(kind)
	}
}

func kindWords(k ledger.WindowKind) string {
	if k == ledger.GCRAWindow {
		return "steady (GCRA)"
	}
	return k.String()
}

// Declared puts into words what the server said last of its own limit, as long as that
// counts. What there is no room for in so many columns is left out.
func Declared(s *scene.Scene, w *ledger.Window, width int) string {
	d := &w.Declared
	if !declares(w, s.At()) {
		return ""
	}
	text, per, resets := fmt.Sprintf("server: %d left", d.Remaining), "", ""
	if d.Limit > 0 {
		text = fmt.Sprintf("server: %d of %d left", d.Remaining, d.Limit)
	}
	if d.Per > 0 {
		per = " per " + draw.Period(d.Per)
	}
	if left := d.Resets.Sub(s.At()); s.Live && left > 0 {
		resets = ", " + draw.Ago(left)
	}
	for _, more := range []string{per + resets, resets, per} {
		if draw.Width(text+more) <= width {
			return text + more
		}
	}
	return text
}

// declares reports whether what the server said of its limit still counts.
func declares(w *ledger.Window, at time.Time) bool {
	return !w.Declared.At.IsZero() && (w.Declared.Resets.IsZero() || at.Before(w.Declared.Resets))
}

// paused reports whether the server has asked everybody to wait, and did not only say that
// nothing is left in the window.
func paused(w *ledger.Window, at time.Time) bool {
	return at.Before(w.Paused) && (w.Limit == 0 || !w.Paused.Equal(w.Declared.Resets))
}

// word says in capitals that a window lets nobody through, "" when it does.
func word(w *ledger.Window, at time.Time) string {
	switch {
	case paused(w, at):
		return "PAUSED"
	case w.Full(at):
		return "FULL"
	}
	return ""
}

// until returns when somebody is let through again.
func until(w *ledger.Window, at time.Time) time.Time {
	if at.Before(w.Paused) && w.Paused.After(w.Opens) {
		return w.Paused
	}
	return w.Opens
}

// Full returns the hosts whose window is full, or that the server has paused, for the edge of a pane.
func Full(s *scene.Scene, ws []ledger.Window) string {
	var full []string
	for i := range ws {
		if ws[i].Full(s.At()) {
			host, _, _ := strings.Cut(ws[i].Host, ".")
			if text := host + " " + strings.ToLower(word(&ws[i], s.At())); !slices.Contains(full, text) {
				full = append(full, text)
			}
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
		w := &ws[i]
		if s.Live && (w.Waiting > 0 || s.Now.Before(w.Opens) || paused(w, s.Now) || s.Now.Before(w.Declared.Resets)) {
			return true
		}
	}
	return false
}
