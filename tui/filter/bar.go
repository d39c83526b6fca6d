// Package filter is the line in which a filter is written.
//
// A wrong expression is marked where it is wrong while the last valid one stays in
// force. A filter can be switched off and on again without losing its text, and what is
// pasted becomes text and nothing else. Above the line stands what can be taken instead of
// writing it: what completes the word at the cursor, filters that have a name, and those
// that were used before.
package filter

import (
	"errors"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/keys"
	"redial/tui/scene"
	"redial/tui/theme"
)

// longest is how many characters an expression may have. More was pasted by mistake.
const longest = 2000

// Bar is a filter and the line it is written in. Make it with [New].
type Bar struct {
	keys    *keys.Map
	read    func(string) (ledger.Filter, error)
	input   textinput.Model
	editing bool
	off     bool
	valid   ledger.Filter
	wrong   *ledger.FilterError

	calls  bool // it selects calls, not operations
	memory *Memory
	known  func(ledger.Key) []string // nil: nothing is at hand
	values map[ledger.Key][]string   // what was at hand when the bar was opened
	offers offers
}

// New returns a bar without a filter. Its filter selects operations, and it tells what only
// calls have.
func New(km *keys.Map) *Bar {
	in := textinput.New()
	in.SetVirtualCursor(false)
	in.CharLimit = longest
	in.KeyMap.Paste.Unbind() // It would run a program; terminals paste by themselves.
	return &Bar{keys: km, input: in, read: ledger.ParseOperationFilter, memory: new(Memory), offers: offers{chosen: -1}}
}

// NewForCalls returns a bar whose filter selects calls, and which tells what only operations
// have.
func NewForCalls(km *keys.Map) *Bar {
	b := New(km)
	b.read, b.calls = ledger.ParseCallFilter, true
	return b
}

// InForce returns the filter that holds: the last valid one, or none when it is off.
func (b *Bar) InForce() ledger.Filter {
	if b.off {
		return ledger.Filter{}
	}
	return b.valid
}

// Text returns what is written, valid or not.
func (b *Bar) Text() string { return b.input.Value() }

// Off reports whether the filter is switched off.
func (b *Bar) Off() bool { return b.off }

// Editing reports whether keys go into the text.
func (b *Bar) Editing() bool { return b.editing }

// Edit lets keys go into the text from now on.
func (b *Bar) Edit() {
	b.editing = true
	b.input.Focus()
	b.input.CursorEnd()
	b.learn()
	b.offers.opened, b.offers.pressed = true, false
	b.offer()
}

// Toggle switches the filter off or on.
func (b *Bar) Toggle() { b.off = !b.off }

// Set replaces the filter.
func (b *Bar) Set(text string) {
	b.Clear()
	b.input.SetValue(text)
	b.parse()
}

// Clear removes the filter and its text.
func (b *Bar) Clear() {
	b.input.Reset()
	b.off = false
	b.parse()
	b.leave()
}

// Update takes a key or pasted text while the bar is edited. It reports whether another
// filter holds than before, or the filter was switched off or on.
func (b *Bar) Update(msg tea.Msg) (changed bool) { return b.changes(func() { b.take(msg) }) }

// changes reports whether another filter holds once something is done.
func (b *Bar) changes(do func()) bool {
	before, off := b.InForce().Text, b.off
	do()
	return b.InForce().Text != before || b.off != off
}

func (b *Bar) take(msg tea.Msg) {
	if k, ok := msg.(tea.KeyPressMsg); ok && b.key(k) {
		return
	}
	before, at := b.input.Value(), b.input.Position()
	b.input, _ = b.input.Update(msg)
	written := b.input.Value() != before
	if written {
		b.off = false
		b.parse()
	}
	if written || b.input.Position() != at {
		b.settle()
	}
}

// key handles a key that is no text. It reports whether it was one.
func (b *Bar) key(k tea.KeyPressMsg) bool {
	switch {
	case key.Matches(k, b.keys.Apply):
		if b.wrong == nil { // else a part of it would hold that nobody asked for
			b.memory.Use(strings.TrimSpace(b.input.Value()))
			b.leave()
		}
	case key.Matches(k, b.keys.Clear):
		b.Clear()
	case key.Matches(k, b.keys.Toggle):
		b.Toggle()
	case key.Matches(k, b.keys.Above):
		b.choose(-1)
	case key.Matches(k, b.keys.Below):
		b.choose(1)
	case key.Matches(k, b.keys.Complete):
		b.complete(1)
	case key.Matches(k, b.keys.CompleteBack):
		b.complete(-1)
	default:
		return false
	}
	return true
}

func (b *Bar) leave() {
	b.editing = false
	b.input.Blur()
	b.offers = offers{chosen: -1}
}

func (b *Bar) parse() {
	b.wrong = nil
	f, err := b.read(b.input.Value())
	if err == nil {
		b.valid = f
		return
	}
	if !errors.As(err, &b.wrong) {
		b.wrong = &ledger.FilterError{End: len(b.input.Value()), Msg: err.Error()}
	}
}

// View returns the line and the column of the cursor in it. What is wrong stands behind
// the text if there is room for all of it; otherwise rest has it.
func (b *Bar) View(th *theme.Theme, width int) (line string, cursor int, rest string) {
	l := draw.NewLine(width)
	l.Put(th.Accent, " / ")
	if b.off {
		l.Put(th.Warn, "off: ")
	}
	text := b.input.Value()
	at := byteOffset(text, b.input.Position())
	from := b.scroll(text[:at], l.Left()-1)
	cursor = width - l.Left() + draw.Width(text[from:at])
	b.text(l, th, text, from)
	if b.wrong == nil {
		return l.String(), cursor, ""
	}
	says := "✗ " + b.wrong.Msg
	if draw.Width(says)+3 > l.Left() {
		return l.String(), cursor, says
	}
	l.Space(2)
	l.Put(th.Bad, says)
	return l.String(), cursor, ""
}

// text draws the expression from one byte on, with the wrong part marked.
func (b *Bar) text(l *draw.Line, th *theme.Theme, text string, from int) {
	if b.wrong == nil {
		l.Put(th.Text, text[from:])
		return
	}
	start := min(max(b.wrong.Start, from), len(text))
	end := min(max(b.wrong.End, start), len(text))
	l.Put(th.Text, text[from:start])
	l.Put(th.Wrong, text[start:end])
	if start == end {
		l.Put(th.Wrong, "_")
	}
	l.Put(th.Text, text[end:])
}

// scroll returns the first byte that is shown so that the cursor is in sight. Character
// by character the text is at least as wide as in one piece.
func (b *Bar) scroll(before string, room int) int {
	from, used := len(before), 0
	for from > 0 {
		r, n := utf8.DecodeLastRuneInString(before[:from])
		if used += draw.Width(string(r)); used > room {
			break
		}
		from -= n
	}
	return from
}

// Summary is the filter in the edge of a pane, "" without one.
func (b *Bar) Summary() string {
	text := strings.TrimSpace(b.input.Value())
	switch {
	case text == "":
		return ""
	case b.off:
		return "/ off: " + text
	case b.wrong != nil && b.valid.Root != nil:
		return "/ " + b.valid.Text
	case b.wrong != nil:
		return "/ not understood"
	}
	return "/ " + text
}

func byteOffset(s string, runes int) int {
	for i := range s {
		if runes == 0 {
			return i
		}
		runes--
	}
	return len(s)
}

// Bindings returns the keys of the bar while it is edited.
func (b *Bar) Bindings() scene.Bindings {
	km := b.keys
	choose := keys.Pair(km.Above, km.Below, "used before, saved")
	list := []key.Binding{km.Apply, km.Clear, km.Complete, km.CompleteBack, km.Above, km.Below, km.Toggle}
	return scene.Bindings{Short: []key.Binding{km.Apply, choose, km.Toggle, km.Complete, km.Clear}, Full: []keys.Named{{Title: "Filter", Keys: list}}}
}
