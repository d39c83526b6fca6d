package windows

import (
	"context"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/detail"
	"redial/tui/filter"
	"redial/tui/scene"
)

// part is a pane of the screen.
type part int

const (
	windowsPart part = iota
	waitingPart
	latelyPart
	parts
)

// Screen shows every window, and who waits for the selected one. Make it with [NewScreen].
type Screen struct {
	ctx   context.Context
	scene *scene.Scene
	store Store
	bar   *filter.Bar

	windows []ledger.Window
	waiting []ledger.Call // for any window
	lately  []ledger.Call // at any window
	chosen  string        // the selected window, by what names it
	cursor  [parts]int    // the selected row of each pane
	top     [parts]int    // the first row in sight
	focus   part

	heat   heat
	heatOf []ledger.SessionID // whose heat it is
	heated time.Time          // when it was read

	met scene.Cursor // the cursor that all screens share, as it was last met or put here

	width, height int
	detail        *detail.Screen
	again         bool // read again when what is being read has come
	reads, calls  scene.Task
}

// NewScreen returns the screen. The filter in the bar selects the calls that it lists, and
// what it says of hosts the windows.
func NewScreen(ctx context.Context, s *scene.Scene, store Store, bar *filter.Bar) *Screen {
	return &Screen{ctx: ctx, scene: s, store: store, bar: bar, detail: detail.New(s)}
}

// Resize sets the size of the screen.
func (w *Screen) Resize(width, height int) tea.Cmd {
	w.width, w.height = width, height
	w.detail.Resize(width, height)
	w.settle()
	return nil
}

// Refresh reads again what the screen shows, or does so later if it is being read.
func (w *Screen) Refresh() tea.Cmd {
	if w.reads.Busy() {
		w.again = true
		return nil
	}
	w.again = false
	ctx, seq := w.reads.Begin(w.ctx)
	store, shown := w.store, w.scene.Shown
	age := w.scene.Now.Sub(w.heated)
	warm := slices.Equal(w.heatOf, shown.IDs()) && age >= 0 && age < heatEach || w.heatHeight() == 0
	r := request{seq: seq, shown: shown, warm: warm, filter: w.bar.InForce(), zone: w.scene.Zone}
	return func() tea.Msg { return read(ctx, store, r) }
}

// Update handles keys, the mouse and what was read.
func (w *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case readMsg:
		return w.arrived(msg)
	case callMsg:
		w.gotCall(msg)
	case tea.KeyPressMsg:
		return w.key(msg)
	case tea.PasteMsg:
		return w.changed(w.bar.Paste(msg, w.scene.Say))
	case tea.MouseClickMsg:
		return w.click(msg.Mouse())
	case tea.MouseWheelMsg:
		w.wheel(msg.Mouse())
	}
	return nil
}

func (w *Screen) arrived(m readMsg) tea.Cmd {
	if !w.reads.Done(m.seq) || m.err != nil {
		return nil // the frame tells of an error
	}
	first := len(w.windows) == 0
	w.windows, w.waiting, w.lately = m.windows, m.waiting, m.lately
	if m.heat != nil {
		w.heat, w.heatOf, w.heated = *m.heat, w.scene.IDs(), w.scene.Now
	}
	if first {
		w.chosen = w.busiest()
	}
	for i := range w.windows {
		if name(&w.windows[i]) == w.chosen {
			w.cursor[windowsPart] = i
		}
	}
	w.settle()
	w.meet()
	if w.again {
		return w.Refresh()
	}
	return nil
}

// changed reads what another filter selects, if another one holds.
func (w *Screen) changed(is bool) tea.Cmd {
	if !is {
		return nil
	}
	return w.Refilter()
}

// Refilter reads what the filter selects now.
func (w *Screen) Refilter() tea.Cmd {
	w.reads.Drop()
	w.windows = nil // the busiest of those that are left is looked at first
	return w.Refresh()
}

// busiest returns the window that is looked at first: the one with the longest queue, else
// the one that most calls have waited for, else a full one, else the one that is used most.
func (w *Screen) busiest() string {
	best, most := "", []int{-1}
	for i := range w.windows {
		win := &w.windows[i]
		full, used := 0, Used(win, w.scene.At())
		if win.Full(w.scene.At()) {
			full = 1
		}
		rank := []int{win.Waiting, len(only(win, w.lately)), full, used * 1000 / max(win.Limit, 1)}
		if slices.Compare(rank, most) > 0 {
			best, most = name(win), rank
		}
	}
	return best
}

// name tells windows apart, since they have no number.
func name(w *ledger.Window) string {
	return fmt.Sprintf("%s %q %d %d per %d", w.Host, w.Name, w.Kind, w.Limit, w.Per)
}

// settle brings the cursors back to rows that exist.
func (w *Screen) settle() {
	if w.focus == waitingPart && w.area()[waitingPart].h == 0 {
		w.focus = latelyPart
	}
	for p := range parts {
		n := w.rows(p)
		w.cursor[p] = max(0, min(w.cursor[p], n-1))
		if p == windowsPart && w.blocks() {
			w.reveal()
		} else {
			room := w.room(p)
			w.top[p] = max(0, min(w.top[p], n-room))
			w.top[p] = min(w.top[p], w.cursor[p])
			if w.cursor[p] >= w.top[p]+room {
				w.top[p] = w.cursor[p] - room + 1
			}
		}
		if p == windowsPart && n > 0 {
			w.chosen = name(&w.windows[w.cursor[p]])
		}
	}
}

// reveal moves the blocks so that the selected one is in sight whole, if one has the room,
// and no room is left below the last one.
func (w *Screen) reveal() {
	room := w.area()[windowsPart].h - 1 // the last line of a block is blank
	cursor, top := w.cursor[windowsPart], &w.top[windowsPart]
	*top = max(0, min(*top, cursor))
	for *top < cursor && w.heights(*top, cursor+1) > room {
		*top++
	}
	for *top > 0 && w.heights(*top-1, len(w.windows)) <= room {
		*top--
	}
}

// heights returns how many lines the windows from one up to another one take.
func (w *Screen) heights(from, to int) (n int) {
	for i := from; i < to && i < len(w.windows); i++ {
		n += BlockHeight(w.scene, &w.windows[i])
	}
	return n
}

// rows returns how many rows a pane has.
func (w *Screen) rows(p part) int {
	switch p {
	case windowsPart:
		return len(w.windows)
	case waitingPart:
		return len(w.listed(waitingPart))
	}
	return len(w.listed(latelyPart))
}

// room returns how many rows a pane has in sight.
func (w *Screen) room(p part) int {
	r := w.area()[p]
	if p == windowsPart && w.blocks() {
		n := 0
		for w.top[p]+n < len(w.windows) && w.heights(w.top[p], w.top[p]+n+1) <= r.h-1 {
			n++
		}
		return max(n, 1)
	}
	return max(r.h-2, 1)
}

// window returns the selected window, nil without any.
func (w *Screen) window() *ledger.Window {
	if i := w.cursor[windowsPart]; i < len(w.windows) {
		return &w.windows[i]
	}
	return nil
}

// listed returns the calls of a pane: those at the selected window.
func (w *Screen) listed(p part) []ledger.Call {
	win := w.window()
	if win == nil {
		return nil
	}
	if p == waitingPart {
		return slices.DeleteFunc(only(win, w.waiting), func(c ledger.Call) bool { return !waitsFor(&c, win) })
	}
	return only(win, w.lately)
}

func (w *Screen) gotCall(m callMsg) {
	if !w.calls.Done(m.seq) {
		return
	}
	if m.err != nil {
		w.scene.Complain(m.err)
		return
	}
	w.detail.ShowWhole(m.call)
	w.detail.Enter()
}

// Moves reports whether the screen looks different a moment later though nothing happens.
func (w *Screen) Moves() bool {
	return w.scene.Live && (len(w.waiting) > 0 || Moves(w.scene, w.windows))
}

// Rushes reports whether calls are replaced faster than they can be read: they are not,
// since only those that have waited are listed.
func (w *Screen) Rushes() bool { return false }
