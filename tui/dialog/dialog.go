// Package dialog is a question that lies over a screen before something is done.
//
// It promises that nothing is confirmed by accident. Cancel has the focus at first. Keys
// that were pressed before the question could be read are dropped, and so is everything
// but text in what comes as fast as a held key or a paste. A button that does something
// has to have the focus and to be pressed on its own; esc always leaves.
//
// A dialog does nothing itself: it tells its owner what was answered.
package dialog

import (
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"redial/tui/keys"
	"redial/tui/scene"
)

const (
	// deaf is how long a dialog drops keys that may have been meant for what was there
	// before it.
	deaf = 300 * time.Millisecond
	// burst is how soon after another key a press on a button does not count: nobody reads
	// and presses that fast, but held keys and pasted text do.
	burst = 80 * time.Millisecond
)

// Answer is what a key made of the question.
type Answer int

// The answers.
const (
	Open      Answer = iota // the question still stands
	Cancelled               // nothing is to be done
	Pressed                 // the button [Dialog.Pressed] was
)

// Button is what can be pressed.
type Button struct {
	Name string
	Off  func() string // why it cannot be pressed now, "" if it can; nil: it always can
	Key  *key.Binding  // presses it from anywhere but a text, since it has no effect on anything; nil: no key does
}

// Dialog is a question. Make it with [New]; the exported fields are the owner's.
type Dialog struct {
	Title   string
	Text    func(width int, dense bool) []string // what it says, in lines of that width; dense: without blank ones
	Fields  []*Field
	Buttons []Button // besides Cancel
	Foot    string   // what is true as long as nothing was pressed

	scene   *scene.Scene
	focus   int // 0 is Cancel, then come the fields, then the buttons
	pressed int
	opened  time.Time
	last    time.Time // of the last key
	told    string    // why the last key did nothing
	top     int       // first line of the text in sight
}

// New returns a dialog that opens now.
func New(s *scene.Scene, title string) *Dialog {
	d := &Dialog{Title: title, scene: s}
	d.Reopen()
	return d
}

// Reopen begins anew with what is in the dialog now: the focus is on Cancel, and keys
// that were meant for what it was before are dropped.
func (d *Dialog) Reopen() {
	d.focus, d.top, d.told = 0, 0, ""
	d.opened, d.last = d.scene.Now, d.scene.Now
}

// Pressed returns the index of the button that was pressed.
func (d *Dialog) Pressed() int { return d.pressed }

// Focused reports whether Cancel has the focus.
func (d *Dialog) Focused() bool { return d.focus == 0 }

// Start gives the first field the focus, where writing it has no effect on anything.
func (d *Dialog) Start() {
	if len(d.Fields) > 0 {
		d.focus = 1
		d.focused()
	}
}

// Key handles a key.
func (d *Dialog) Key(k tea.KeyPressMsg) Answer {
	km, now := d.scene.Keys, d.scene.Now
	alone := now.Sub(d.last) >= burst && !k.IsRepeat
	d.last = now
	if key.Matches(k, km.Cancel) {
		return Cancelled
	}
	if now.Sub(d.opened) < deaf {
		return Open
	}
	d.told = ""
	switch {
	case key.Matches(k, km.Choose):
		d.move(1)
	case key.Matches(k, km.ChooseBack):
		d.move(-1)
	case key.Matches(k, km.Press):
		return d.press(alone)
	case d.field() != nil:
		d.field().key(k, km)
	default:
		return d.buttonKey(k)
	}
	return Open
}

// Paste puts text into the field that has the focus, and is nothing otherwise.
func (d *Dialog) Paste(m tea.PasteMsg) {
	f := d.field()
	switch {
	case d.scene.Now.Sub(d.opened) < deaf:
	case f == nil || f.Choices != nil:
		d.told = "what is pasted confirms nothing"
	case f.Typed:
		d.told = "it has to be typed: nothing was pasted"
	default:
		f.paste(m)
	}
	d.last = d.scene.Now
}

// Scroll moves the text.
func (d *Dialog) Scroll(n int) { d.top = max(d.top+n, 0) }

// field returns the field that has the focus, nil if a button has.
func (d *Dialog) field() *Field {
	if d.focus >= 1 && d.focus <= len(d.Fields) {
		return d.Fields[d.focus-1]
	}
	return nil
}

func (d *Dialog) move(n int) {
	all := 1 + len(d.Fields) + len(d.Buttons)
	d.focus = (d.focus + n + all) % all
	d.focused()
}

func (d *Dialog) focused() {
	for i, f := range d.Fields {
		f.focus(i+1 == d.focus)
	}
}

// press presses what has the focus.
func (d *Dialog) press(alone bool) Answer {
	i := d.focus - 1 - len(d.Fields)
	switch {
	case d.focus == 0:
		return Cancelled
	case i < 0:
		d.move(1)
		return Open
	}
	if off := d.Buttons[i].Off; off != nil && off() != "" {
		d.told = off()
		return Open
	}
	if !alone {
		d.told = "that came too fast to be meant: press " + d.scene.Keys.Press.Help().Key + " once more"
		return Open
	}
	d.pressed = i
	return Pressed
}

// buttonKey handles other keys while a button has the focus.
func (d *Dialog) buttonKey(k tea.KeyPressMsg) Answer {
	km := d.scene.Keys
	switch {
	case key.Matches(k, km.Left):
		d.move(-1)
	case key.Matches(k, km.Right):
		d.move(1)
	case key.Matches(k, km.Up, km.PageUp):
		d.Scroll(-1)
	case key.Matches(k, km.Down, km.PageDown):
		d.Scroll(1)
	}
	for i, b := range d.Buttons {
		if b.Key != nil && key.Matches(k, *b.Key) && (b.Off == nil || b.Off() == "") {
			d.pressed = i
			return Pressed
		}
	}
	return Open
}

// Bindings returns the keys of a dialog.
func (d *Dialog) Bindings() scene.Bindings {
	km := d.scene.Keys
	all := []key.Binding{km.Choose, km.Press, km.Cancel}
	if f := d.field(); f != nil && f.Choices != nil {
		all = slices.Insert(all, 1, keys.Pair(km.Mark, km.Down, "mark"))
	}
	return scene.Bindings{Short: all, Full: []keys.Named{{Title: "Dialog", Keys: all}}}
}
