package pending

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"redial/tui/draw"
	"redial/tui/scene"
)

const (
	sideFrom  = 100 // columns from which what is known stands beside the life
	stackFrom = 26  // rows from which it stands below it
)

type rect struct{ x, y, w, h int }

func (r rect) has(x, y int) bool { return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h }

// area says where each pane stands. Without room for both, life and know are the same
// place, and the focus says which of them is there.
type area struct {
	list, life, know rect
	both             bool
}

func (s *Screen) area() area {
	w, h := s.width, s.height
	upper := max(min(len(s.list.ops)+4, h*9/20), min(6, h))
	a := area{list: rect{0, 0, w, upper}, both: true}
	below := rect{0, upper, w, h - upper}
	switch {
	case w >= sideFrom:
		know := max(34, min(w/3, 60))
		a.life = rect{0, upper, w - know, below.h}
		a.know = rect{w - know, upper, know, below.h}
	case h >= stackFrom:
		half := below.h / 2
		a.life = rect{0, upper, w, half}
		a.know = rect{0, upper + half, w, below.h - half}
	default:
		a.life, a.know, a.both = below, below, false
	}
	return a
}

// View returns the lines of the screen, each as wide as it is.
func (s *Screen) View() []string {
	lines, _ := s.draw()
	return lines
}

// Cursor returns where the cursor stands on the screen, nil for nowhere.
func (s *Screen) Cursor() *tea.Cursor {
	if s.question == nil {
		return nil
	}
	_, cursor := s.draw()
	return cursor
}

func (s *Screen) draw() ([]string, *tea.Cursor) {
	a := s.area()
	lines := s.listView(a.list)
	switch {
	case s.width >= sideFrom:
		lines = append(lines, draw.Beside(s.lifeView(a.life), s.knowView(a.know))...)
	case a.both:
		lines = append(append(lines, s.lifeView(a.life)...), s.knowView(a.know)...)
	case s.focus == lifePane:
		lines = append(lines, s.lifeView(a.life)...)
	default:
		lines = append(lines, s.knowView(a.know)...)
	}
	if s.question == nil {
		return lines, nil
	}
	return s.question.View(lines, s.width, s.height)
}

// Prompt returns the line in which the filter is written; ok is false while it is not.
func (s *Screen) Prompt(width int) (line string, cursor *tea.Cursor, rest string, ok bool) {
	if !s.bar.Editing() {
		return "", nil, "", false
	}
	line, x, rest := s.bar.View(s.scene.Theme, width)
	cursor = tea.NewCursor(min(x, max(width-1, 0)), 0)
	cursor.Shape = tea.CursorBar
	return line, cursor, rest, true
}

func (s *Screen) knowView(r rect) []string {
	title := "What we know"
	o := s.list.selected()
	if o != nil && !s.area().both {
		title = o.Key + " · what we know"
	}
	w := r.w - 4
	if o == nil || w < 10 || r.h < 3 {
		return s.scene.Box(title, "", false).Draw(nil, r.w, r.h)
	}
	lines := s.knowledge(w, false)
	if len(lines) > r.h-2 {
		lines = s.knowledge(w, true)
	}
	for i := range lines {
		lines[i] = " " + lines[i] + " "
	}
	return s.scene.Box(title, "", false).Draw(lines, r.w, r.h)
}

func (s *Screen) listView(r rect) []string {
	w := r.w - 2
	if w < 2 || r.h < 3 {
		return draw.Blank(r.w, r.h)
	}
	cols := layColumns(w, s.services())
	lines := []string{s.head(cols)}
	from, to := s.list.inSight()
	for i := from; i < to; i++ {
		lines = append(lines, s.listRow(&s.list.ops[i], cols, i == s.list.cursor))
	}
	if len(s.list.ops) == 0 {
		l := draw.NewLine(w)
		l.Put(s.scene.Theme.Dim, "  "+s.nothing())
		lines = []string{l.String()}
	}
	return s.scene.Box(pick(s.all(), "Operations", "Operations that are not settled"), s.state(), s.focus == listPane).Draw(lines, r.w, r.h)
}

// all reports whether those that are settled are listed too: because the user wants it, or
// because the filter asks for them.
func (s *Screen) all() bool { return s.settled || s.bar.InForce().NamesSettled() }

// nothing says why the list is empty.
func (s *Screen) nothing() string {
	switch {
	case !s.arrivedOnce || !s.asking.IsZero():
		return "reading…"
	case s.stopped:
		return "reading was given up before an operation was found: " + s.scene.Keys.Filter.Help().Key + " asks for others"
	case s.bar.InForce().Root != nil:
		return "no operation matches the filter: " + s.scene.Keys.Back.Help().Key + " clears it, " + s.scene.Keys.Toggle.Help().Key + " switches it off"
	case s.all():
		return "there are no operations in the file"
	}
	return "every operation in the file is settled: nothing waits for you"
}

// state is what stands in the edge of the list.
func (s *Screen) state() string {
	text := fmt.Sprint(len(s.list.ops))
	if s.full {
		text = fmt.Sprintf("the first %d", len(s.list.ops))
	}
	if s.total > int64(len(s.list.ops)) {
		text += " of " + draw.Count(s.total)
	}
	text += " · by urgency"
	if n := len(s.list.marks); n > 0 {
		text = fmt.Sprintf("%d marked · %s", n, text)
	}
	switch {
	case s.slow():
		text = s.scene.Reading(&s.reads)
	case s.stopped:
		text = scene.GivenUp(&s.reads) + ", " + text
	}
	if f := s.bar.Summary(); f != "" {
		text = f + " · " + text
	}
	return text
}

// services reports whether operations of several services are listed.
func (s *Screen) services() bool {
	for i := range s.list.ops {
		if s.list.ops[i].Service != s.list.ops[0].Service {
			return true
		}
	}
	return false
}

// click gives the pane under the pointer the focus, and selects the row. It confirms
// nothing in a dialog.
func (s *Screen) click(m tea.Mouse) tea.Cmd {
	if s.question != nil || m.Button != tea.MouseLeft {
		return nil
	}
	a := s.area()
	switch {
	case a.list.has(m.X, m.Y):
		s.focus = listPane
		row := s.list.top + m.Y - a.list.y - 2
		if m.Y < a.list.y+2 || m.Y >= a.list.y+a.list.h-1 || row >= len(s.list.ops) {
			return nil
		}
		s.list.move(row - s.list.cursor)
		return s.follow()
	case a.life.has(m.X, m.Y) && (a.both || s.focus == lifePane):
		s.focus = lifePane
	}
	return nil
}

// wheel scrolls the pane under the pointer.
func (s *Screen) wheel(m tea.Mouse) tea.Cmd {
	n := 1
	if m.Button == tea.MouseWheelUp {
		n = -1
	} else if m.Button != tea.MouseWheelDown {
		return nil
	}
	switch a := s.area(); {
	case s.question != nil:
		s.question.Scroll(n)
	case a.list.has(m.X, m.Y):
		s.list.scroll(n)
		return tea.Batch(s.follow(), s.more())
	case a.life.has(m.X, m.Y) && (a.both || s.focus == lifePane):
		s.goTransition(n)
	}
	return nil
}
