package pending

import (
	"encoding/hex"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/theme"
)

// page collects lines of text of one width.
type page struct {
	theme *theme.Theme
	width int
	dense bool // without blank lines
	lines []string
}

func (p *page) blank() {
	if !p.dense {
		p.lines = append(p.lines, draw.NewLine(p.width).String())
	}
}

// say adds a sentence in at most so many lines.
func (p *page) say(st theme.Style, text string, most int) {
	for _, part := range draw.Wrap(text, p.width, most) {
		l := draw.NewLine(p.width)
		l.Put(st, part)
		p.lines = append(p.lines, l.String())
	}
}

// point adds a sentence behind a mark, in at most so many lines.
func (p *page) point(mark string, st theme.Style, text string, most int) {
	for i, part := range draw.Wrap(text, p.width-2, most) {
		l := draw.NewLine(p.width)
		if i == 0 {
			l.Cell(st, mark, 2)
		} else {
			l.Space(2)
		}
		l.Put(st, part)
		p.lines = append(p.lines, l.String())
	}
}

// alarm adds that somebody was faster, if somebody was.
func (p *page) alarm(moved string) {
	if moved != "" {
		p.say(p.theme.Bad, "Somebody was faster: "+moved+".", 2)
	}
}

// fact adds what something is, with a note at the right if there is room for it.
func (p *page) fact(label, value, side string) {
	const room = 12
	for i, part := range draw.Wrap(value, p.width-room, 2) {
		l := draw.NewLine(p.width)
		if i == 0 {
			l.Cell(p.theme.Dim, label, room)
		} else {
			l.Space(room)
		}
		l.Put(p.theme.Strong, part)
		if n := draw.Width(side); i == 0 && n > 0 && n < l.Left()-2 {
			l.Right(p.theme.Dim, side, l.Left())
		}
		p.lines = append(p.lines, l.String())
	}
}

// check adds a line of the checklist.
func (p *page) check(ok bool, text, facts string) {
	l := draw.NewLine(p.width)
	if ok {
		l.Put(p.theme.Good, "✓ ")
	} else {
		l.Put(p.theme.Bad, "✗ ")
	}
	room := min(28, p.width/2)
	l.Cell(p.theme.Text, text, room)
	st := p.theme.Dim
	if !ok {
		st = p.theme.Bad
	}
	l.Cell(st, facts, l.Left())
	p.lines = append(p.lines, l.String())
}

// sha returns the beginning of the fingerprint.
func sha(o *ledger.Operation) string { return hex.EncodeToString(o.Fingerprint[:2]) + "…" }
