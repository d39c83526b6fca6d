// Package detail shows one call whole: every attempt with its phases, what was sent and
// received, every wait with its rule, and what was decided and why.
package detail

import (
	"context"
	"fmt"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/keys"
	"redial/tui/scene"
)

// Screen is the detail of a call. It lies over the screen that opened it. From a call one
// goes on to others of its operation, and to what differs between two; each lies over the
// one before.
type Screen struct {
	scene *scene.Scene
	below Whole // what is selected on the screen below
	open  bool

	ctx    context.Context
	store  Store // nil: nothing but what is shown is known
	places []place
	kin    *kin
	kinAt  time.Time   // when it was asked for
	marked ledger.Call // to be compared with another one; its ID is 0: none is
	turned map[string]bool

	width, height int
	top           int  // first line in sight
	direct        bool // the first of places was gone to without the detail below it
	chosen        int  // spot that is marked; -1: none

	page  page
	built version // what page was built from

	kins, visits scene.Task
}

// place is what lies over the call, with where one was before it.
type place struct {
	whole         Whole
	before, after *side // what is compared; nil: the call is shown
	top, chosen   int   // of what lies below
}

// page is everything there is to read about a call.
type page struct {
	lines  []string
	starts []int  // the line on which each attempt begins
	spots  []spot // lines on which something can be done
}

// version is what a page depends on.
type version struct {
	call    ledger.CallID
	running bool
	width   int
	rev     int
	chosen  int
}

// New returns a detail that is closed.
func New(s *scene.Scene) *Screen { return &Screen{scene: s, chosen: -1} }

// Open reports whether it is shown.
func (d *Screen) Open() bool { return d.open }

// Enter shows it from the top.
func (d *Screen) Enter() {
	d.open, d.top, d.chosen, d.places, d.direct = true, 0, -1, nil, false
	d.renew()
}

// Close hides it.
func (d *Screen) Close() {
	d.open, d.places = false, nil
	d.kins.Drop()
	d.visits.Drop()
}

// Back goes back to what was shown before. It reports whether there was anything.
func (d *Screen) Back() bool {
	if len(d.places) == 0 || d.direct && len(d.places) == 1 {
		return false
	}
	last := &d.places[len(d.places)-1]
	d.top, d.chosen = last.top, last.chosen
	d.places = d.places[:len(d.places)-1]
	d.renew()
	return true
}

// renew forgets what belonged to another call.
func (d *Screen) renew() {
	d.built = version{}
	if d.kin != nil && d.kin.of != d.shown().ID {
		d.kin = nil
	}
}

// Call returns the call that is shown.
func (d *Screen) Call() *ledger.Call { return d.shown() }

// shown returns the call that is shown.
func (d *Screen) shown() *ledger.Call { return &d.onTop().Call }

// onTop returns what is shown, with what it has to do with.
func (d *Screen) onTop() *Whole {
	if n := len(d.places); n > 0 {
		return &d.places[n-1].whole
	}
	return &d.below
}

// Show sets the call that is selected below, as far as it is known.
func (d *Screen) Show(c ledger.Call) { d.ShowWhole(Whole{Call: c}) }

// ShowWhole sets the call that is selected below, and those that it has to do with.
func (d *Screen) ShowWhole(w Whole) {
	if w.Call.ID != d.below.Call.ID {
		d.top, d.chosen, d.places, d.turned, d.direct = 0, -1, nil, nil, false
	}
	d.below = w
	d.renew()
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
	case key.Matches(k, km.Next):
		d.choose(1)
	case key.Matches(k, km.ChooseBack):
		d.choose(-1)
	case key.Matches(k, km.Open):
		return d.act()
	case key.Matches(k, km.Mark):
		d.Mark(d.shown())
	case key.Matches(k, km.Diff):
		d.Diff()
	}
	return nil
}

// Click does what can be done on a line of the screen.
func (d *Screen) Click(y int) tea.Cmd {
	for i, s := range d.current().spots {
		if s.line == d.top+y-1 {
			d.chosen = i
			return d.act()
		}
	}
	return nil
}

// choose marks the next spot, or the one before; the first one in sight if the marked one
// is not.
func (d *Screen) choose(n int) {
	spots := d.current().spots
	if len(spots) == 0 {
		d.scene.Say("nothing here can be folded or gone to")
		return
	}
	at := d.chosen
	if at < 0 || at >= len(spots) || spots[at].line < d.top || spots[at].line >= d.top+d.room() {
		for at = 0; at < len(spots)-1 && spots[at].line < d.top; at++ {
		}
	} else {
		at = (at + n + len(spots)) % len(spots)
	}
	d.chosen = at
	d.reveal()
}

// reveal scrolls so that the marked spot is in sight.
func (d *Screen) reveal() {
	if spots := d.current().spots; d.chosen >= 0 && d.chosen < len(spots) {
		line := spots[d.chosen].line
		if line < d.top || line >= d.top+d.room() {
			d.Scroll(line - d.room()/3 - d.top)
		}
	}
}

// act folds or unfolds the marked part, or goes to the marked call.
func (d *Screen) act() tea.Cmd {
	spots := d.current().spots
	if d.chosen < 0 || d.chosen >= len(spots) {
		d.choose(1)
		return nil
	}
	s := spots[d.chosen]
	if s.call != 0 {
		return d.visit(s.call)
	}
	if d.turned == nil {
		d.turned = map[string]bool{}
	}
	part := d.shown().ID.String() + "/" + s.part
	d.turned[part] = !d.turned[part]
	d.built = version{}
	d.Scroll(0)
	d.reveal()
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

// Attempt returns the number of the attempt that is read, which is the last one that begins
// above the middle of what is in sight; 0 while it is none.
func (d *Screen) Attempt() int {
	if p := len(d.places); p > 0 && d.places[p-1].after != nil {
		return d.places[p-1].after.attempt.N
	}
	n := 0
	for i, at := range d.current().starts {
		if at <= d.top+d.room()/2 && d.top > 0 {
			n = d.shown().AttemptList[i].N
		}
	}
	return n
}

func (d *Screen) room() int { return max(d.height-2, 0) }

// current returns the page as it is now, built anew if something has changed.
func (d *Screen) current() *page {
	c := d.shown()
	v := version{c.ID, c.Running(), d.width, d.scene.Rev, d.chosen}
	if d.built != v || v.running {
		w := d.onTop()
		b := builder{scene: d.scene, call: c, previous: w.Previous, other: w.Other, width: max(d.width-2, 0), chosen: d.chosen, kin: d.kin}
		b.turned = func(part string) bool { return d.turned[c.ID.String()+"/"+part] }
		if n := len(d.places); n > 0 && d.places[n-1].before != nil {
			d.page = b.comparison(d.places[n-1].before, d.places[n-1].after)
		} else {
			d.page = b.build()
		}
		d.built = v
	}
	return &d.page
}

// View returns the lines of the screen.
func (d *Screen) View() []string {
	c := d.shown()
	if c.ID == 0 {
		return d.scene.Box("Call", "reading…", true).Draw(nil, d.width, d.height)
	}
	p := d.current()
	top := max(0, min(d.top, len(p.lines)-d.room()))
	end := min(top+d.room(), len(p.lines))
	note := "all of it"
	if len(p.lines) > d.room() {
		note = fmt.Sprintf("lines %d–%d of %s", top+1, end, draw.Count(int64(len(p.lines))))
	}
	return d.scene.Box(d.title(), note, true).Draw(p.lines[top:end], d.width, d.height)
}

func (d *Screen) title() string {
	c := d.shown()
	if n := len(d.places); n > 0 && d.places[n-1].before != nil {
		return "What differs · " + d.places[n-1].before.name + " → " + d.places[n-1].after.name
	}
	return "Call " + c.ID.String() + " · " + c.Method + " " + c.Host + c.Path
}

// Bindings returns the keys of the detail.
func (d *Screen) Bindings() scene.Bindings {
	km := d.scene.Keys
	return scene.Bindings{
		Short: []key.Binding{
			keys.Pair(km.Down, km.Up, "scroll"), km.Back, keys.Pair(km.AttemptBack, km.Attempt, "attempt"),
			keys.Pair(km.Trouble, km.TroubleBack, "trouble"), keys.Does(km.Next, "next part"), keys.Does(km.Open, "fold, go there"), km.Diff, km.Copy,
		},
		Full: []keys.Named{{Title: "Detail of a call", Keys: []key.Binding{
			km.Down, km.Up, km.PageDown, km.PageUp, km.Top, km.Bottom,
			km.AttemptBack, km.Attempt, km.Trouble, km.TroubleBack,
			keys.Does(km.Next, "next part"), keys.Does(km.ChooseBack, "previous part"), keys.Does(km.Open, "fold it, or go to that call"),
			keys.Does(km.Mark, "mark to compare"), km.Diff, km.Copy, km.Back,
		}}},
	}
}
