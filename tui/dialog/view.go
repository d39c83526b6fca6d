package dialog

import (
	tea "charm.land/bubbletea/v2"

	"redial/tui/draw"
	"redial/tui/keys"
	"redial/tui/theme"
)

// widest is how wide a dialog becomes.
const widest = 78

// margin is what stays free at either side within the border.
const margin = 2

// View returns the lines of a screen with the dialog over them, and its cursor, nil
// without one. Where there is too little room the text gives way, which can be scrolled;
// the buttons are always in sight.
func (d *Dialog) View(base []string, w, h int) ([]string, *tea.Cursor) {
	width := min(widest, w-2)
	if width < 10 || h < 6 {
		return base, nil
	}
	inner := width - 2 - 2*margin
	fields, cursor := d.fields(inner)
	text := d.Text(inner, false)
	dense := len(text)+len(fields)+6 > h-2
	if dense {
		text = d.Text(inner, true)
	}
	room := max(h-2-len(fields)-2, 0)
	note := ""
	if len(text) > room {
		d.top = min(d.top, len(text)-room)
		note = keys.Pair(d.scene.Keys.Down, d.scene.Keys.Up, "").Help().Key + " scrolls"
		text = text[d.top : d.top+room]
	}
	lines, at := d.stack(text, fields, inner, dense)
	box := d.scene.Box(d.Title, note, true).Draw(padded(lines, inner), width, min(len(lines)+2, h))
	x, y := (w-width)/2, max((h-len(box))/2, 0)
	if cursor != nil {
		cursor.X += x + 1 + margin
		cursor.Y += y + 1 + at
	}
	return draw.Over(base, box, x, y, w), cursor
}

// stack puts the parts above each other, and returns on which line the fields begin.
func (d *Dialog) stack(text, fields []string, w int, dense bool) (lines []string, at int) {
	blank := draw.Blank(w, 1)
	if !dense {
		lines = append(lines, blank...)
	}
	lines = append(lines, text...)
	if !dense && len(fields) > 0 {
		lines = append(lines, blank...)
	}
	at = len(lines)
	lines = append(lines, fields...)
	if !dense {
		lines = append(lines, blank...)
	}
	lines = append(lines, d.foot(w), d.buttons(w))
	if !dense {
		lines = append(lines, blank...)
	}
	return lines, at
}

func padded(lines []string, w int) []string {
	out := make([]string, len(lines))
	side := draw.NewLine(margin).String()
	for i, l := range lines {
		out[i] = side + l + side
	}
	return out
}

// foot says why the last key did nothing, or what is true meanwhile.
func (d *Dialog) foot(w int) string {
	l := draw.NewLine(w)
	if d.told != "" {
		l.Cell(d.scene.Theme.Warn, "! "+d.told, w)
	} else {
		l.Cell(d.scene.Theme.Dim, d.Foot, w)
	}
	return l.String()
}

// buttons draws the buttons. The one that has the focus stands between bars, one that
// cannot be pressed between dashes.
func (d *Dialog) buttons(w int) string {
	th := d.scene.Theme
	type look struct {
		text  string
		style theme.Style
	}
	looks := make([]look, 0, 1+len(d.Buttons))
	total := 0
	for i := -1; i < len(d.Buttons); i++ {
		name, style, open, end := "Cancel", th.Text, "[ ", " ]"
		focused, inner := d.focus == 0, " "
		if i >= 0 {
			b := &d.Buttons[i]
			name, focused = b.Name, d.focus == 1+len(d.Fields)+i
			if b.Key != nil {
				name += "  " + b.Key.Help().Key
			}
			if b.Off != nil && b.Off() != "" {
				style, open, end, inner = th.Dim, "- ", " -", "-"
			}
		}
		if focused {
			style, open, end = th.Accent, "▐"+inner, inner+"▌"
		}
		looks = append(looks, look{open + name + end, style})
		total += draw.Width(name) + 4
	}
	gap := max((w-total)/(len(looks)+1), 1)
	l := draw.NewLine(w)
	for _, k := range looks {
		l.Space(gap)
		l.Put(k.style, k.text)
	}
	return l.String()
}

func (d *Dialog) fields(w int) (lines []string, cursor *tea.Cursor) {
	for i, f := range d.Fields {
		part, x := f.view(d.scene.Theme, w, d.focus == i+1)
		lines = append(lines, part...)
		if x >= 0 {
			cursor = tea.NewCursor(min(x, w-1), len(lines)-1)
			cursor.Shape = tea.CursorBar
		}
	}
	return lines, cursor
}
