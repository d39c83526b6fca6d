package windows

import (
	"slices"

	"redial/ledger"
	"redial/tui/scene"
)

// point puts the cursor that all screens share at the call that the user has gone to.
func (w *Screen) point() {
	if w.focus == windowsPart {
		return
	}
	if calls := w.listed(w.focus); w.cursor[w.focus] < len(calls) {
		c := &calls[w.cursor[w.focus]]
		w.met = scene.Cursor{At: c.Started, Call: c.ID}
		w.scene.Cursor = w.met
	}
}

// meet goes to the call that waited last before the moment that the user has gone to on
// another screen, or to the first one after it.
func (w *Screen) meet() {
	to := w.scene.Cursor
	if to == w.met || to.At.IsZero() {
		return
	}
	w.met = to
	for i := range w.lately {
		if w.lately[i].ID == to.Call {
			w.turn(w.lately[i].Host)
		}
	}
	for i, c := range w.listed(latelyPart) { // newest first
		w.cursor[latelyPart] = i
		if c.ID == to.Call || !c.Started.After(to.At) {
			break
		}
	}
	w.settle()
}

// turn selects the window that counts the calls to a host, unless the selected one does.
func (w *Screen) turn(host string) {
	if win := w.window(); win != nil && holds(win, host) {
		return
	}
	if i := slices.IndexFunc(w.windows, func(win ledger.Window) bool { return holds(&win, host) }); i >= 0 {
		w.cursor[windowsPart] = i
		w.settle()
	}
}
