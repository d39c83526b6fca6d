package dialog

import (
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"redial/tui/draw"
	"redial/tui/keys"
	"redial/tui/theme"
)

// longest is how many characters a field takes.
const longest = 2000

// Field is something to write or to choose in a dialog. Make it with [Text] or [Choice].
type Field struct {
	Label   string
	Narrow  string   // the label where there is no room for Label beside the text; "" is Label
	Choices []string // nil: it is a text
	Typed   bool     // only what is typed key by key is taken
	Size    int      // columns of a text that is short; 0: as many as there are

	chosen int // of Choices; -1: none yet
	input  textinput.Model
}

// Text returns a field to write in.
func Text(label, value string) *Field {
	in := textinput.New()
	in.SetVirtualCursor(false)
	in.CharLimit = longest
	in.KeyMap.Paste.Unbind() // It would run a program; terminals paste by themselves.
	in.SetValue(oneLine(value))
	return &Field{Label: label, input: in}
}

// Choice returns a field in which one of several is chosen, none at first.
func Choice(label string, choices ...string) *Field {
	return &Field{Label: label, Choices: choices, chosen: -1}
}

// Value returns what is written, without blanks around it.
func (f *Field) Value() string { return strings.TrimSpace(f.input.Value()) }

// Chosen returns the index of what is chosen, -1 for nothing.
func (f *Field) Chosen() int { return f.chosen }

func (f *Field) focus(on bool) {
	switch {
	case f.Choices != nil:
	case on:
		f.input.Focus()
		f.input.CursorEnd()
	default:
		f.input.Blur()
	}
}

func (f *Field) key(k tea.KeyPressMsg, km *keys.Map) {
	if f.Choices == nil {
		if !f.Typed || !k.IsRepeat {
			f.input, _ = f.input.Update(k)
		}
		return
	}
	switch n := len(f.Choices); {
	case key.Matches(k, km.Mark):
		f.chosen = (f.chosen + 1) % n
	case key.Matches(k, km.Right, km.Down):
		f.chosen = min(f.chosen+1, n-1)
	case key.Matches(k, km.Left, km.Up):
		f.chosen = max(f.chosen-1, 0)
	}
}

func (f *Field) paste(m tea.PasteMsg) {
	f.input, _ = f.input.Update(tea.PasteMsg{Content: oneLine(m.Content)})
}

// oneLine returns a text with blanks in place of line breaks.
func oneLine(s string) string {
	return strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ").Replace(s)
}

// view returns the lines of the field, and the column of the cursor in the last of them,
// -1 without one.
func (f *Field) view(th *theme.Theme, width int, focused bool) (lines []string, cursor int) {
	label, name := th.Dim, f.Label
	if focused {
		label = th.Accent
	}
	if f.Choices != nil {
		return f.choices(th, width, focused), -1
	}
	l := draw.NewLine(width)
	room := 12
	if f.Size > 0 {
		if f.Narrow != "" && draw.Width(name)+f.Size+2 > width {
			name = f.Narrow
		}
		room = min(draw.Width(name)+1, max(width-f.Size-1, 0))
	} else if focused {
		name = "▌" + name
	}
	l.Cell(label, name, room)
	text, at := f.input.Value(), byteOffset(f.input.Value(), f.input.Position())
	from := scroll(text[:at], l.Left()-1)
	cursor = room + draw.Width(text[from:at])
	l.Put(th.Text, text[from:])
	blank := l.Left()
	if f.Size > 0 {
		blank = max(f.Size-draw.Width(text), 0)
	}
	l.Fill(th.Faint, "_", blank)
	if !focused {
		cursor = -1
	}
	return append(lines, l.String()), cursor
}

func (f *Field) choices(th *theme.Theme, width int, focused bool) (lines []string) {
	for i, c := range f.Choices {
		l := draw.NewLine(width)
		label, mark, st := "", "( ) ", th.Text
		if i == 0 {
			label = f.Label
		}
		if i == f.chosen {
			mark, st = "(•) ", th.Strong
		}
		if focused {
			l.Cell(th.Accent, "▌"+label, 12)
			st = th.Accent
		} else {
			l.Cell(th.Dim, label, 12)
		}
		l.Put(st, mark+c)
		lines = append(lines, l.String())
	}
	return lines
}

// scroll returns the first byte that is shown so that the cursor is in sight.
func scroll(before string, room int) int {
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

func byteOffset(s string, runes int) int {
	for i := range s {
		if runes == 0 {
			return i
		}
		runes--
	}
	return len(s)
}
