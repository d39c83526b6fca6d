package windows

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/phrase"
)

// sideFrom is how many columns it takes to have panes side by side.
const sideFrom = 90

type rect struct{ x, y, w, h int }

func (r rect) has(x, y int) bool { return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h }

// area divides the screen: the windows on the left or above, what waits beside or below.
func (w *Screen) area() [parts]rect {
	width, height := w.width, w.height
	if width >= sideFrom {
		left, top := min(max(width/3, 38), 56), w.heatHeight()
		queue := w.queueHeight(height - top)
		return [parts]rect{
			{0, 0, left, height},
			{left, top, width - left, queue},
			{left, top + queue, width - left, height - top - queue},
		}
	}
	upper := min(max(len(w.windows), 1)+2, max(height/3, 3), height)
	queue := w.queueHeight(height - upper)
	return [parts]rect{
		{0, 0, width, upper},
		{0, upper, width, queue},
		{0, upper + queue, width, height - upper - queue},
	}
}

// queueHeight returns how much of a height the queue has. While a session is live it keeps
// its height, since it comes and goes; a recording has only what waited at the end.
func (w *Screen) queueHeight(height int) int {
	if w.scene.Live {
		return min(max(height/3, 7), height/2)
	}
	n := w.rows(waitingPart)
	if win := w.window(); win != nil && win.Waiting > 0 {
		n = max(n, 1)
	}
	if n == 0 {
		return 0
	}
	return min(n+2, height/2)
}

// blocks reports whether a window has several lines and not one.
func (w *Screen) blocks() bool { return w.width >= sideFrom }

// View returns the lines of the screen, each as wide as it is.
func (w *Screen) View() []string {
	if w.detail.Open() {
		return w.detail.View()
	}
	a := w.area()
	left := w.windowsView(a[windowsPart])
	waiting := w.callsView(waitingPart, a[waitingPart])
	lately := w.callsView(latelyPart, a[latelyPart])
	if w.width >= sideFrom {
		heat := w.heatView(rect{0, 0, a[latelyPart].w, w.heatHeight()})
		return draw.Beside(left, append(append(heat, waiting...), lately...))
	}
	return append(append(left, waiting...), lately...)
}

func (w *Screen) windowsView(r rect) []string {
	var lines []string
	widths := Measure(w.windows)
	for i := w.top[windowsPart]; i < len(w.windows) && len(lines) < r.h; i++ {
		chosen := i == w.cursor[windowsPart]
		if w.blocks() {
			lines = append(lines, Block(w.scene, &w.windows[i], max(r.w-2, 0), chosen)...)
		} else {
			lines = append(lines, Row(w.scene, &w.windows[i], widths, max(r.w-2, 0), chosen))
		}
	}
	if len(w.windows) == 0 {
		none := " no rate window has been used"
		if w.bar.InForce().Root != nil {
			none = " no rate window of a host that the filter keeps"
		}
		lines = append(lines, w.note(r, none))
	}
	note := draw.Plural(int64(len(w.windows)), "window")
	if full := Full(w.scene, w.windows); full != "" {
		note = full
	}
	if !w.scene.Live {
		note += " at the end"
	}
	return w.scene.Box("Windows", note, w.focus == windowsPart).Draw(lines, r.w, r.h)
}

func (w *Screen) callsView(p part, r rect) []string {
	if r.h < 2 {
		return draw.Blank(r.w, r.h)
	}
	calls := w.listed(p)
	var lines []string
	target := w.longest(calls)
	for i := w.top[p]; i < len(calls) && len(lines) < r.h-2; i++ {
		lines = append(lines, w.row(p, &calls[i], max(r.w-2, 0), target, i == w.cursor[p] && p == w.focus))
	}
	name, note, none := "Waited lately", draw.Plural(int64(len(calls)), "call"), " no call has waited for it"
	if !w.scene.Live {
		name = "Waited"
	}
	if p == waitingPart {
		name, none = "Waiting now", " nobody waits for it"
		note = w.queueNote(len(calls))
		if !w.scene.Live {
			name, none = "Waiting at the end", " nobody waited for it"
		}
	}
	if win := w.window(); win != nil {
		name += " · " + win.Host
		if p == waitingPart && win.Waiting > 0 {
			none = " too short to have been written down"
		}
	}
	if len(lines) == 0 && len(w.windows) > 0 {
		lines = append(lines, w.note(r, none))
	}
	if f := w.bar.Summary(); f != "" {
		note = f + " · " + note
	}
	return w.scene.Box(name, note, w.focus == p).Draw(lines, r.w, r.h)
}

// queueNote says how many wait, and how many of them are not listed since they have not
// waited long enough to be written down.
func (w *Screen) queueNote(listed int) string {
	win := w.window()
	if win == nil {
		return ""
	}
	if win.Waiting > listed {
		return fmt.Sprintf("%d waiting, %d listed", win.Waiting, listed)
	}
	return fmt.Sprintf("%d waiting", listed)
}

func (w *Screen) note(r rect, text string) string {
	l := draw.NewLine(max(r.w-2, 0))
	l.Put(w.scene.Theme.Dim, text)
	return l.String()
}

// row draws a call that waits, since when and for how long; or one that has waited.
func (w *Screen) row(p part, c *ledger.Call, width, target int, chosen bool) string {
	th := w.scene.Theme
	l := draw.NewRow(th, width, chosen)
	glyph, st := phrase.Glyph(th, c)
	l.Put(st, glyph)
	l.Space(1)
	clock := c.Started
	words, how := phrase.Waits(c), th.Window
	if p == waitingPart {
		clock = since(c)
		words, how = draw.With("for", w.scene.At().Sub(clock)), th.Warn
	}
	l.Cell(th.Dim, w.scene.Clock(clock), 11)
	l.Cell(th.Text, c.Method, 5)
	l.Space(1)
	const long = 13 // "backoff 12.3s"
	tail := long + 1
	if p == latelyPart {
		tail += 4
	}
	w.target(l, c, min(l.Left()-tail-1, target))
	l.Space(1)
	if p == latelyPart {
		status, st := phrase.Status(th, c)
		l.Right(st, status, 3)
		l.Space(1)
	}
	l.Right(how, words, min(l.Left()-1, long))
	return l.String()
}

// longest returns how many columns the longest target of these calls takes.
func (w *Screen) longest(calls []ledger.Call) int {
	n := 8
	for i := range calls {
		c := &calls[i]
		long := draw.Width(c.Path)
		if !w.above(c) {
			long += draw.Width(c.Host) + 1
		}
		n = max(n, long)
	}
	return n
}

// above reports whether the host of a call is the one that stands above the list.
func (w *Screen) above(c *ledger.Call) bool {
	win := w.window()
	return win != nil && strings.EqualFold(win.Host, c.Host)
}

// target puts what was called on the line. The host that stands above the list is left out.
func (w *Screen) target(l *draw.Line, c *ledger.Call, room int) {
	th := w.scene.Theme
	if !w.above(c) {
		host := min(draw.Width(c.Host), max(room/2, room-1-draw.Width(c.Path)))
		l.Name(th.Dim, c.Host, host)
		l.Space(1)
		room -= host + 1
	}
	l.Cell(th.Text, c.Path, max(room, 0))
}

// click gives the pane under the pointer the focus, and selects the row.
func (w *Screen) click(m tea.Mouse) tea.Cmd {
	if w.detail.Open() || m.Button != tea.MouseLeft {
		return nil
	}
	for p, r := range w.area() {
		p := part(p)
		if !r.has(m.X, m.Y) {
			continue
		}
		line := m.Y - r.y - 1
		row := w.top[p] + line
		if p == windowsPart && w.blocks() {
			row = w.top[p]
			for row < len(w.windows) && w.heights(w.top[p], row+1) <= line {
				row++
			}
		}
		again := w.focus == p && w.cursor[p] == row
		w.focus = p
		if line < 0 || row >= w.rows(p) {
			return nil
		}
		w.move(row - w.cursor[p])
		if again && p != windowsPart {
			return w.open()
		}
	}
	return nil
}

func (w *Screen) wheel(m tea.Mouse) {
	n := 1
	if m.Button == tea.MouseWheelUp {
		n = -1
	} else if m.Button != tea.MouseWheelDown {
		return
	}
	if w.detail.Open() {
		w.detail.Scroll(3 * n)
		return
	}
	for p, r := range w.area() {
		if r.has(m.X, m.Y) {
			w.focus = part(p)
			w.move(n)
		}
	}
}
