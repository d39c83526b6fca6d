package live

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/chart"
	"redial/tui/draw"
	"redial/tui/phrase"
	"redial/tui/scene"
	"redial/tui/windows"
)

// View returns the lines of the screen, each as wide as it is.
func (l *Screen) View() []string {
	if l.detail.Open() {
		return l.detail.View()
	}
	a := l.area()
	lines := l.callsView(a.calls)
	if a.side.w > 0 {
		lines = draw.Beside(lines, l.windowsView(a.side))
	}
	if a.below.h > 0 {
		lines = append(lines, l.timelineView(a.below)...)
	}
	return lines
}

// Prompt returns the line in which the filter is written, its cursor, and what there was
// no room for; ok is false while it is not edited.
func (l *Screen) Prompt(width int) (line string, cursor *tea.Cursor, rest string, ok bool) {
	if !l.bar.Editing() {
		return "", nil, "", false
	}
	line, x, rest := l.bar.View(l.scene.Theme, width)
	cursor = tea.NewCursor(min(x, max(width-1, 0)), 0)
	cursor.Shape = tea.CursorBar
	return line, cursor, rest, true
}

func (l *Screen) callsView(r rect) []string {
	w := r.w - 2
	if w < 2 || r.h < 3 {
		return draw.Blank(r.w, r.h)
	}
	cols := layColumns(w, l.widths, l.scene)
	from, to := l.list.inSight()
	lines := make([]string, 0, r.h)
	for i := from; i < to; i++ {
		lines = append(lines, l.row(&l.list.calls[i], cols, i == l.list.cursor))
	}
	if len(lines) == 0 {
		lines = append(lines, l.nothing(w))
	}
	return l.scene.Box("Calls", l.state(), l.focus == callsPane).Draw(lines, r.w, r.h)
}

// nothing says why the list is empty.
func (l *Screen) nothing(w int) string {
	line := draw.NewLine(w)
	text := "no calls yet: they appear here as they are made"
	switch {
	case !l.arrivedOnce || !l.asking.IsZero():
		text = "reading…"
	case l.stopped:
		text = "reading was given up before a call was found: " + l.scene.Keys.Filter.Help().Key + " asks for others"
	case l.bar.InForce().Root != nil:
		text = "no call matches the filter: " + l.scene.Keys.Back.Help().Key + " clears it, " + l.scene.Keys.Toggle.Help().Key + " switches it off"
	case !l.scene.Live:
		text = "no call was recorded"
	}
	line.Space(2)
	line.Put(l.scene.Theme.Dim, text)
	return line.String()
}

// state is what stands in the edge of the list: the filter, and where the list is.
func (l *Screen) state() string {
	where := ""
	switch {
	case l.slow():
		where = l.scene.Reading(&l.pages)
	case l.finds.Busy():
		where = l.scene.Reading(&l.finds)
	case l.stopped:
		where = scene.GivenUp(&l.pages) + ", " + l.count()
	case l.scene.Live && l.list.follow:
		where = "following"
	case l.scene.Live && l.fresh == 0:
		where = "paused"
	case l.scene.Live && l.fresh >= manyNew:
		where = fmt.Sprintf("paused, %d+ new", manyNew)
	case l.scene.Live:
		where = fmt.Sprintf("paused, %d new", l.fresh)
	default:
		where = l.count()
	}
	if f := l.bar.Summary(); f != "" {
		return f + " · " + where
	}
	return where
}

// count says how many calls there are, and how many of them the filter lets pass as far
// as they have been read.
func (l *Screen) count() string {
	var n int64
	for i := range l.scene.Sessions {
		n += l.scene.Sessions[i].Calls + l.scene.Sessions[i].Running
	}
	all := draw.Plural(n, "call")
	switch listed := draw.Count(int64(len(l.list.calls))); {
	case l.bar.InForce().Root == nil:
		return all
	case l.list.oldest && l.list.newest:
		return listed + " of " + all
	default:
		return listed + "+ of " + all
	}
}

func (l *Screen) windowsView(r rect) []string {
	var lines []string
	for i := l.firstWindow; i < len(l.windows) && len(lines) < r.h; i++ {
		lines = append(lines, windows.Block(l.scene, &l.windows[i], r.w-2, false)...)
	}
	if len(l.windows) == 0 {
		line := draw.NewLine(r.w - 2)
		line.Put(l.scene.Theme.Dim, " no rate window has been used")
		lines = append(lines, line.String())
	}
	note := windows.Full(l.scene, l.windows)
	if !l.scene.Live {
		note = "at the end"
	}
	if l.windowsLines() > r.h-2+1 { // the last line is blank
		note = fmt.Sprintf("%d of %d", l.firstWindow+1, len(l.windows))
	}
	return l.scene.Box("Windows", note, l.focus == windowsPane).Draw(lines, r.w, r.h)
}

// windowsLines returns how many lines all windows take.
func (l *Screen) windowsLines() (n int) {
	for i := range l.windows {
		n += windows.BlockHeight(l.scene, &l.windows[i])
	}
	return n
}

func (l *Screen) timelineView(r rect) []string {
	c := &l.whole
	w := r.w - 2
	if l.list.selected() == nil || c.ID == 0 || w < 30 {
		return l.scene.Box("Timeline", "", l.focus == timelinePane).Draw(nil, r.w, r.h)
	}
	t := &chart.Timeline{Theme: l.scene.Theme, Call: c, At: l.scene.At(), Width: w, Chosen: l.chosen}
	rows, said := t.Rows(), l.sentence(w)
	room := r.h - 2
	var lines []string
	if len(rows) > 0 && room >= min(len(rows), 3)+len(said)+1 {
		lines = append(lines, t.Axis())
		room--
	}
	for i := l.firstShown(rows, room-len(said)); i < len(rows) && room > len(said); i++ {
		lines = append(lines, rows[i].Text)
		room--
	}
	if room > len(said) && len(rows) > 0 {
		lines = append(lines, draw.NewLine(w).String())
	}
	lines = append(lines, said...)
	return l.scene.Box(title(c), spent(c), l.focus == timelinePane).Draw(append(lines, l.facts(w)...), r.w, r.h)
}

// facts are what there is to know besides, if there is room for it.
func (l *Screen) facts(w int) []string {
	c := &l.whole
	texts := []string{"", c.URL(), "call " + c.ID.String() + ", started " + l.scene.Clock(c.Started)}
	if c.Policy != "" {
		texts[2] += ", policy: " + strings.Join(phrase.Policy(c.Policy), ", ")
	}
	lines := make([]string, len(texts))
	for i, text := range texts {
		line := draw.NewLine(w)
		line.Space(1)
		line.Cell(l.scene.Theme.Dim, text, w-2)
		lines[i] = line.String()
	}
	return lines
}

// firstShown returns the first row of the timeline in sight, so that the attempt that is
// marked is.
func (l *Screen) firstShown(rows []chart.Row, room int) int {
	first := max(0, min(l.firstRow, len(rows)-room))
	for i := range rows {
		if l.chosen > 0 && rows[i].Attempt == l.chosen && i >= first+room {
			first = i - room + 1
		}
	}
	for i := len(rows) - 1; i >= 0; i-- {
		if l.chosen > 0 && rows[i].Attempt == l.chosen && i < first {
			first = i
		}
	}
	return first
}

// sentence says why the call was sent again, or why not, in at most two lines.
func (l *Screen) sentence(w int) []string {
	text := ledger.Explain(&l.whole, attempt(&l.whole, l.explained()))
	switch unread := l.whole.Attempts > len(l.whole.AttemptList); {
	case unread && l.Rushes():
		text = "Calls come faster than anyone can read. Move, and the list stands still."
	case unread:
		return nil
	}
	if l.whole.Error != "" && l.chosen == 0 {
		text += " It returned: " + l.whole.Error
	}
	var lines []string
	for _, part := range draw.Wrap(text, w-2, 2) {
		line := draw.NewLine(w)
		line.Space(1)
		line.Put(l.scene.Theme.Text, part)
		lines = append(lines, line.String())
	}
	return lines
}

func (l *Screen) explained() int {
	if l.chosen > 0 {
		return l.chosen
	}
	return explained(&l.whole)
}

// explained returns the number of the attempt whose decision tells most: the last one,
// or the one before when the last simply was the answer.
func explained(c *ledger.Call) int {
	n := len(c.AttemptList)
	if n > 1 && (c.AttemptList[n-1].Decision == ledger.Done || c.AttemptList[n-1].Decision == ledger.Undecided) {
		return c.AttemptList[n-2].N
	}
	return n
}

// attempt returns an attempt by its number, nil if there is none.
func attempt(c *ledger.Call, n int) *ledger.Attempt {
	for i := range c.AttemptList {
		if c.AttemptList[i].N == n {
			return &c.AttemptList[i]
		}
	}
	return nil
}

// title names a call in the edge of a pane.
func title(c *ledger.Call) string {
	s := c.Method + " " + c.Path
	if c.Key != "" {
		s += " · " + c.Key
	}
	for _, p := range []string{phrase.Problem(c), phrase.Twice(c)} {
		if p != "" {
			s += " · " + p
		}
	}
	return s
}

// spent says how the time of a call was spent.
func spent(c *ledger.Call) string {
	s := draw.Plural(int64(c.Attempts), "attempt")
	if c.Attempts == 0 {
		s = "nothing sent"
	}
	took := c.Took
	if took > 0 {
		s += " · " + draw.Took(max(took-c.Waited, 0)) + " sending"
	}
	if c.Waited > 0 {
		s += " · " + draw.Took(c.Waited) + " waiting"
	}
	return s
}

func result(s *scene.Scene, c *ledger.Call) string {
	text := phrase.Result(c)
	if text == "" {
		return ""
	}
	return s.Clock(c.Started) + " " + text
}

// clickAttempt marks the attempt on a line of the timeline.
func (l *Screen) clickAttempt(line int) {
	a := l.area()
	t := &chart.Timeline{Theme: l.scene.Theme, Call: &l.whole, At: l.scene.At(), Width: a.below.w - 2}
	rows := t.Rows()
	if i := l.firstShown(rows, a.below.h-4) + line - 2; i >= 0 && i < len(rows) {
		l.chosen = min(rows[i].Attempt, len(l.whole.AttemptList))
	}
}
