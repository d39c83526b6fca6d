// Package detail shows one call whole: every attempt with its phases, what was sent and
// received, every wait with its rule, and what was decided and why.
package detail

import (
	"fmt"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/keys"
	"redial/tui/scene"
)

// Screen is the detail of a call. It lies over the screen that opened it.
type Screen struct {
	scene *scene.Scene
	call  ledger.Call
	open  bool

	previous, other *ledger.Call // see [Whole]

	width, height int
	top           int // first line in sight

	page  page
	built version // what page was built from
}

// page is everything there is to read about a call.
type page struct {
	lines  []string
	starts []int // the line on which each attempt begins
}

// version is what a page depends on.
type version struct {
	call    ledger.CallID
	running bool
	width   int
	rev     int
}

// New returns a detail that is closed.
func New(s *scene.Scene) *Screen { return &Screen{scene: s} }

// Open reports whether it is shown.
func (d *Screen) Open() bool { return d.open }

// Enter shows it from the top.
func (d *Screen) Enter() { d.open, d.top = true, 0 }

// Close hides it.
func (d *Screen) Close() { d.open = false }

// Show sets the call that is shown, as far as it is known.
func (d *Screen) Show(c ledger.Call) { d.ShowWhole(Whole{Call: c}) }

// ShowWhole sets the call that is shown, and those that it has to do with.
func (d *Screen) ShowWhole(w Whole) {
	if w.Call.ID != d.call.ID {
		d.top = 0
	}
	d.call, d.previous, d.other = w.Call, w.Previous, w.Other
	d.built = version{}
}

// Resize sets the size of the screen.
func (d *Screen) Resize(w, h int) { d.width, d.height = w, h }

// Update handles a key.
func (d *Screen) Update(k tea.KeyPressMsg) tea.Cmd {
	km := d.scene.Keys
	half := max(d.room()/2, 1)
	switch {
	case key.Matches(k, km.Up):
		d.Scroll(-1)
	case key.Matches(k, km.Down):
		d.Scroll(1)
	case key.Matches(k, km.PageUp):
		d.Scroll(-half)
	case key.Matches(k, km.PageDown):
		d.Scroll(half)
	case key.Matches(k, km.Top):
		d.top = 0
	case key.Matches(k, km.Bottom):
		d.Scroll(len(d.current().lines))
	case key.Matches(k, km.Attempt):
		d.jump(1)
	case key.Matches(k, km.AttemptBack):
		d.jump(-1)
	}
	return nil
}

// Scroll moves by n lines.
func (d *Screen) Scroll(n int) {
	d.top = max(0, min(d.top+n, len(d.current().lines)-d.room()))
}

// jump goes to the next attempt, or to the one before.
func (d *Screen) jump(n int) {
	starts := d.current().starts
	if n > 0 {
		for _, at := range starts {
			if at > d.top {
				d.Scroll(at - d.top)
				return
			}
		}
		return
	}
	for i := len(starts) - 1; i >= 0; i-- {
		if starts[i] < d.top {
			d.Scroll(starts[i] - d.top)
			return
		}
	}
	d.top = 0
}

func (d *Screen) room() int { return max(d.height-2, 0) }

// current returns the page as it is now, built anew if something has changed.
func (d *Screen) current() *page {
	v := version{d.call.ID, d.call.Running(), d.width, d.scene.Rev}
	if d.built != v || v.running {
		b := builder{scene: d.scene, call: &d.call, previous: d.previous, other: d.other, width: max(d.width-2, 0)}
		d.page, d.built = b.build(), v
	}
	return &d.page
}

// View returns the lines of the screen.
func (d *Screen) View() []string {
	if d.call.ID == 0 {
		return d.scene.Box("Call", "reading…", true).Draw(nil, d.width, d.height)
	}
	p := d.current()
	top := max(0, min(d.top, len(p.lines)-d.room()))
	end := min(top+d.room(), len(p.lines))
	note := "all of it"
	if len(p.lines) > d.room() {
		note = fmt.Sprintf("lines %d–%d of %s", top+1, end, draw.Count(int64(len(p.lines))))
	}
	name := "Call " + d.call.ID.String() + " · " + d.call.Method + " " + d.call.Host + d.call.Path
	return d.scene.Box(name, note, true).Draw(p.lines[top:end], d.width, d.height)
}

// Bindings returns the keys of the detail.
func (d *Screen) Bindings() scene.Bindings {
	km := d.scene.Keys
	return scene.Bindings{
		Short: []key.Binding{
			keys.Pair(km.Down, km.Up, "scroll"), km.Back, keys.Pair(km.AttemptBack, km.Attempt, "attempt"),
			keys.Pair(km.Trouble, km.TroubleBack, "trouble"),
		},
		Full: []keys.Named{{Title: "Detail of a call", Keys: []key.Binding{
			km.Down, km.Up, km.PageDown, km.PageUp, km.Top, km.Bottom,
			km.AttemptBack, km.Attempt, km.Trouble, km.TroubleBack, km.Back,
		}}},
	}
}
