package timeline

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/draw"
)

// going is the line in which a time to go to is written.
type going struct {
	editing bool
	input   textinput.Model
	wrong   string
}

func newGoing() going {
	in := textinput.New()
	in.SetVirtualCursor(false)
	in.CharLimit = 40
	in.KeyMap.Paste.Unbind() // It would run a program; terminals paste by themselves.
	return going{input: in}
}

func (t *Screen) askTime() {
	t.going.editing, t.going.wrong = true, ""
	t.going.input.Reset()
	t.going.input.Focus()
}

// write takes a key or pasted text while a time is written.
func (t *Screen) write(msg tea.Msg) tea.Cmd {
	g := &t.going
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch {
		case key.Matches(k, t.scene.Keys.Clear):
			g.editing = false
			g.input.Blur()
			return nil
		case key.Matches(k, t.scene.Keys.Apply):
			return t.goWritten()
		}
	}
	g.input, _ = g.input.Update(msg)
	g.wrong = ""
	return nil
}

// goWritten goes to the time that was written, or says what is wrong with it.
func (t *Screen) goWritten() tea.Cmd {
	g := &t.going
	text := strings.TrimSpace(g.input.Value())
	if text == "" {
		g.editing = false
		g.input.Blur()
		return nil
	}
	at, err := moment(text, t.bounds(), t.scene.Zone)
	if err != nil {
		g.wrong = err.Error()
		return nil
	}
	g.editing = false
	g.input.Blur()
	t.scene.Say("went to " + at.In(t.scene.Zone).Format("15:04:05.000"))
	return t.goTo(at, 0)
}

// moment reads a time: one of day, or how long after the beginning, or before the end.
func moment(text string, all span, zone *time.Location) (time.Time, error) {
	if rest, back := strings.CutPrefix(text, "-"); back {
		d, err := ledger.ParseDuration(rest)
		if err != nil {
			return time.Time{}, errTime()
		}
		return inside(all.to.Add(-d), all, zone)
	}
	if d, err := ledger.ParseDuration(strings.TrimPrefix(text, "+")); err == nil {
		return inside(all.from.Add(d), all, zone)
	}
	for _, layout := range []string{"2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04:05"} {
		if at, err := time.ParseInLocation(layout, text, zone); err == nil {
			return inside(at, all, zone)
		}
	}
	for _, layout := range []string{"15:04:05", "15:04"} {
		if c, err := time.Parse(layout, text); err == nil {
			return onADay(c, all, zone)
		}
	}
	return time.Time{}, errTime()
}

// onADay returns when the clock first showed a time of day.
func onADay(c time.Time, all span, zone *time.Location) (time.Time, error) {
	from := all.from.In(zone)
	var at time.Time
	for day := range 2 {
		at = time.Date(from.Year(), from.Month(), from.Day()+day, c.Hour(), c.Minute(), c.Second(), c.Nanosecond(), zone)
		if all.has(at) {
			return at, nil
		}
		if from.Sub(at) > 0 && from.Sub(at) < time.Minute {
			return all.from, nil // the minute in which it began
		}
	}
	return inside(at, all, zone)
}

func inside(at time.Time, all span, zone *time.Location) (time.Time, error) {
	if all.has(at) {
		return at, nil
	}
	const layout = "Jan 2 15:04:05"
	return at, fmt.Errorf("nothing was recorded then: it goes from %s to %s", all.from.In(zone).Format(layout), all.to.In(zone).Format(layout))
}

func errTime() error {
	return errors.New("not a time: write one of day such as 14:05:12, or 5m after the beginning, or -5m before the end")
}

// Prompt returns the line in which a filter or a time is written, its cursor, and what is
// wrong with it; ok is false while nothing is written.
func (t *Screen) Prompt(width int) (line string, cursor *tea.Cursor, wrong string, ok bool) {
	x := 0
	switch {
	case t.bar.Editing():
		line, x, wrong = t.bar.View(t.scene.Theme, width)
	case t.going.editing:
		line, x = t.goingLine(width)
		wrong = t.going.wrong
	default:
		return "", nil, "", false
	}
	cursor = tea.NewCursor(min(x, max(width-1, 0)), 0)
	cursor.Shape = tea.CursorBar
	return line, cursor, wrong, true
}

func (t *Screen) goingLine(width int) (line string, x int) {
	l := draw.NewLine(width)
	l.Put(t.scene.Theme.Accent, " @ ")
	text := t.going.input.Value()
	runes := []rune(text)
	l.Put(t.scene.Theme.Text, text)
	x = 3 + draw.Width(string(runes[:min(t.going.input.Position(), len(runes))]))
	if text == "" {
		l.Put(t.scene.Theme.Dim, "  a time: 14:05:12, or 5m after the beginning, or -5m before the end")
	}
	return l.String(), x
}
