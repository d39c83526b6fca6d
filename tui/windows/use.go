package windows

import (
	"fmt"
	"time"

	"redial/ledger"
	"redial/tui/chart"
	"redial/tui/draw"
)

// heatHeight returns how many lines at the top tell how much the selected window was used.
func (w *Screen) heatHeight() int {
	if w.width < heatFrom || w.height < heatRows {
		return 0
	}
	return heatLines
}

// heatView draws how much the selected window was used.
func (w *Screen) heatView(r rect) []string {
	if r.h < heatLines {
		return draw.Blank(r.w, r.h)
	}
	win := w.window()
	if win == nil {
		return w.scene.Box("Use", "", false).Draw(nil, r.w, r.h)
	}
	width := max(r.w-2, 0)
	seconds := w.heat.of(win)
	sums, each := slots(seconds, win.Per, width-2)
	s := usage{sums: sums, each: each, allowed: allows(win) * float64(each), wide: max((width-2)/max(len(sums), 1), 1), at: -1}
	if at := w.scene.Cursor.At; !at.IsZero() {
		s.at = s.slot(w.heat.to, at.Unix())
	}
	lines := []string{w.strip(&s, width), w.scaleLine(&s, width), w.note(r, " "+w.useWords(win, &s, seconds))}
	note := fmt.Sprintf("attempts at the host, %s a slot", draw.Long(time.Duration(each)*time.Second))
	return w.scene.Box("Use · "+win.Host, note, false).Draw(lines, r.w, r.h)
}

// usage is how much a window was used, slot by slot.
type usage struct {
	sums    []int64
	each    int     // seconds that a slot has
	allowed float64 // attempts that the window lets through in one; 0: no limit
	wide    int     // columns that a slot has
	at      int     // the slot that the cursor stands in; -1 for none
}

// slot returns the slot of a second, -1 if it is in none. The last one ends before to.
func (s *usage) slot(to, second int64) int {
	if second >= to {
		return -1
	}
	return max(len(s.sums)-1-int((to-1-second)/int64(s.each)), -1)
}

// useWords says when the window will be empty, or of a recording what was used where the
// cursor stands.
func (w *Screen) useWords(win *ledger.Window, s *usage, seconds []int64) string {
	switch {
	case w.scene.Live:
		return projection(win, w.scene.At(), rate(seconds))
	case s.at < 0:
		return "by when the calls ended"
	}
	text := fmt.Sprintf("▲ at %s: %s", w.scene.Clock(w.scene.Cursor.At), draw.Plural(s.sums[s.at], "attempt"))
	if s.allowed > 0 {
		text += fmt.Sprintf(" in %s, and the limit comes to %.3g", draw.Long(time.Duration(s.each)*time.Second), s.allowed)
	}
	return text
}

// strip draws columns for each slot: the darker, the more of what the window allows in it
// was used.
func (w *Screen) strip(s *usage, width int) string {
	th := w.scene.Theme
	l := draw.NewLine(width)
	l.Space(1)
	for _, n := range s.sums {
		switch share := float64(n) / max(s.allowed, 1e-9); {
		case n == 0:
			l.Fill(th.Faint, "·", s.wide)
		case s.allowed == 0:
			l.Fill(th.Window, chart.Shade(0.1), s.wide)
		case share >= 1:
			l.Fill(th.Warn, chart.Shade(1), s.wide)
		default:
			l.Fill(th.Window, chart.Shade(share), s.wide)
		}
	}
	return l.String()
}

// scaleLine is the line below the strip: how far back it goes, and what the shades mean, or
// where the cursor stands.
func (w *Screen) scaleLine(s *usage, width int) string {
	th := w.scene.Theme
	l := draw.NewLine(width)
	l.Space(1)
	begin, end := "-"+draw.Long(time.Duration(len(s.sums)*s.each)*time.Second), "now"
	if !w.scene.Live {
		end = "end"
	}
	if s.at >= 0 {
		l.Space(s.at*s.wide + (s.wide-1)/2)
		l.Put(th.Strong, "▲")
		return l.String()
	}
	l.Put(th.Dim, begin)
	gap := len(s.sums)*s.wide - draw.Width(begin) - draw.Width(end)
	if gap <= 0 {
		return l.String()
	}
	for _, legend := range []string{"░ some  ▒ a third  ▓ two thirds  █ all it allows", "░ some  █ all it allows", ""} {
		if side := gap - draw.Width(legend); side >= 4 || legend == "" {
			l.Space(side / 2)
			l.Put(th.Dim, legend)
			l.Space(side - side/2)
			break
		}
	}
	l.Put(th.Dim, end)
	return l.String()
}
