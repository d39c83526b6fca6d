// Package entry is a line of text that is written in the dashboard to look for something.
// What is pasted into it becomes text and nothing else.
package entry

import (
	"unicode/utf8"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"redial/tui/draw"
	"redial/tui/theme"
)

// longest is how many characters it takes.
const longest = 200

// Entry is the text and the cursor in it. Make it with [New].
type Entry struct{ input textinput.Model }

// New returns an entry without text, which takes keys.
func New() *Entry {
	in := textinput.New()
	in.SetVirtualCursor(false)
	in.CharLimit = longest
	in.KeyMap.Paste.Unbind() // It would run a program; terminals paste by themselves.
	in.Focus()
	return &Entry{input: in}
}

// Text returns what is written.
func (e *Entry) Text() string { return e.input.Value() }

// Update takes a key or pasted text. It reports whether the text is another one now.
func (e *Entry) Update(msg tea.Msg) (changed bool) {
	before := e.input.Value()
	e.input, _ = e.input.Update(msg)
	return e.input.Value() != before
}

// Draw puts the text on the rest of a line, and returns how far behind its beginning the
// cursor stands. What does not fit is left out at the front, so that the cursor is in sight.
func (e *Entry) Draw(l *draw.Line, st theme.Style) (cursor int) {
	before, after := split(e.input.Value(), e.input.Position())
	room := l.Left() - 1
	from, used := len(before), 0
	for from > 0 {
		r, n := utf8.DecodeLastRuneInString(before[:from])
		if used += draw.Width(string(r)); used > room {
			break
		}
		from -= n
	}
	cursor = draw.Width(before[from:])
	l.Put(st, before[from:]+after)
	return cursor
}

// split cuts a text behind so many characters.
func split(s string, runes int) (before, after string) {
	for i := range s {
		if runes == 0 {
			return s[:i], s[i:]
		}
		runes--
	}
	return s, ""
}
