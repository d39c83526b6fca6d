package timeline

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"redial/tui/chart"
)

// wheelRows is how many rows a notch of the wheel moves.
const wheelRows = 3

// click selects the row under the pointer, and opens it if it is selected; in the overview
// it goes to that time.
func (t *Screen) click(m tea.Mouse) tea.Cmd {
	switch {
	case m.Button != tea.MouseLeft:
		return nil
	case t.detail.Open():
		return t.detail.Click(m.Y)
	}
	t.rest()
	p := t.layout()
	if m.Y < p.over {
		return t.clickOverview(m.X, p)
	}
	i := m.Y - p.over - 2
	if p.ticks {
		i--
	}
	if i < 0 || i >= t.room() || m.Y >= p.over+p.calls-1 {
		return nil
	}
	i, ok := t.shown(i)
	if !ok || t.rows[i].call < 0 {
		return nil
	}
	if i == t.cursor {
		return t.open()
	}
	t.cursor = i
	t.pick()
	return t.list()
}

func (t *Screen) clickOverview(x int, p layout) tea.Cmd {
	w, left := t.width, gutter
	if p.boxed {
		w, left = w-2, left+1
	}
	all := t.bounds()
	axis := chart.Clock{From: all.from, To: all.to, Width: w - gutter - 1}
	col := x - left
	if col < 0 || col >= axis.Width {
		return nil
	}
	at := all.from.Add(all.width() * time.Duration(2*col+1) / time.Duration(2*axis.Width))
	t.follow = false
	t.point(at, 0)
	t.span = t.span.around(at, 0.5, all)
	return t.ask()
}

// wheel scrolls the rows.
func (t *Screen) wheel(m tea.Mouse) tea.Cmd {
	n := wheelRows
	if m.Button == tea.MouseWheelUp {
		n = -n
	} else if m.Button != tea.MouseWheelDown {
		return nil
	}
	if t.detail.Open() {
		t.detail.Scroll(n)
		return nil
	}
	t.rest()
	t.move(n)
	return t.list()
}
