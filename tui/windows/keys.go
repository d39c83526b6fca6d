package windows

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"redial/tui/filter"
	"redial/tui/keys"
	"redial/tui/scene"
)

// Bar returns the filter.
func (w *Screen) Bar() *filter.Bar { return w.bar }

// Captures reports whether every key but ctrl+c belongs to the screen, since it is text.
func (w *Screen) Captures() bool { return w.bar.Editing() }

// Prompt returns the line in which the filter is written; ok is false while it is not.
func (w *Screen) Prompt(width int) (line string, cursor *tea.Cursor, wrong string, ok bool) {
	return w.bar.Prompt(w.scene.Theme, width)
}

// Back leaves the detail, or clears the filter if that key does it. It reports whether there
// was anything to leave.
func (w *Screen) Back(clear bool) (bool, tea.Cmd) {
	switch {
	case w.detail.Open():
		w.detail.Close()
		return true, nil
	case clear && w.bar.Text() != "":
		w.bar.Clear()
		w.scene.Say("the filter is cleared")
		return true, w.Refilter()
	}
	return false, nil
}

// Leaves reports whether there is anything to leave short of the filter.
func (w *Screen) Leaves() bool { return w.detail.Open() }

func (w *Screen) key(k tea.KeyPressMsg) tea.Cmd {
	if w.detail.Open() {
		return w.detail.Update(k)
	}
	if taken, changed := w.bar.Take(k, w.scene.Say); taken {
		return w.changed(changed)
	}
	km := w.scene.Keys
	half := max(w.room(w.focus)/2, 1)
	switch {
	case key.Matches(k, km.Next):
		w.nextPart()
	case key.Matches(k, km.Up):
		w.move(-1)
	case key.Matches(k, km.Down):
		w.move(1)
	case key.Matches(k, km.PageUp):
		w.move(-half)
	case key.Matches(k, km.PageDown):
		w.move(half)
	case key.Matches(k, km.Top):
		w.move(-w.rows(w.focus))
	case key.Matches(k, km.Bottom):
		w.move(w.rows(w.focus))
	case key.Matches(k, km.Open):
		return w.open()
	}
	return nil
}

// nextPart gives the next pane the focus that is shown.
func (w *Screen) nextPart() {
	area := w.area()
	for range parts {
		if w.focus = (w.focus + 1) % parts; area[w.focus].h > 0 {
			return
		}
	}
}

func (w *Screen) move(n int) {
	w.cursor[w.focus] += n
	if w.focus == windowsPart {
		w.cursor[waitingPart], w.cursor[latelyPart] = 0, 0
	}
	w.settle()
	w.point()
}

// open reads the selected call whole; it is shown when it has come.
func (w *Screen) open() tea.Cmd {
	if w.focus == windowsPart {
		w.focus = waitingPart
		if w.rows(waitingPart) == 0 {
			w.focus = latelyPart
		}
		return nil
	}
	calls := w.listed(w.focus)
	if w.cursor[w.focus] >= len(calls) {
		w.scene.Say("no call is selected")
		return nil
	}
	ctx, seq := w.calls.Begin(w.ctx)
	return readCall(ctx, w.store, seq, calls[w.cursor[w.focus]].ID)
}

// Bindings returns the keys of what has the focus.
func (w *Screen) Bindings() scene.Bindings {
	if w.detail.Open() {
		return w.detail.Bindings()
	}
	km := w.scene.Keys
	if w.bar.Editing() {
		return w.bar.Bindings()
	}
	return scene.Bindings{
		Short: []key.Binding{keys.Pair(km.Down, km.Up, "move"), km.Open, km.Next, km.Filter},
		Full:  []keys.Named{{Title: "Windows", Keys: []key.Binding{km.Down, km.Up, km.PageDown, km.PageUp, km.Top, km.Bottom, km.Open, km.Next, km.Filter, km.Toggle, km.Back}}},
	}
}
