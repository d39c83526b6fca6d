package pending

import (
	"fmt"
	"strings"

	"redial/ledger"
	"redial/tui/draw"
)

// lifeView draws the life of the selected operation. The transition that was gone to, else
// the last one, is in sight.
func (s *Screen) lifeView(r rect) []string {
	w := r.w - 2
	o := s.list.selected()
	if o == nil || w < 10 || r.h < 3 {
		return s.scene.Box("Life", "", s.focus == lifePane).Draw(nil, r.w, r.h)
	}
	title := o.Key
	if o.Name != "" {
		title += " · " + o.Name
	}
	room := r.h - 2
	var lines []string
	if room >= 6 {
		lines = s.request(w)
		if room >= 10 {
			lines = append(lines, draw.NewLine(w).String())
		}
	}
	rest := s.whole(w, room-len(lines))
	lines = append(lines, s.transitions(w, room-len(lines)-len(rest))...)
	for len(rest) > 0 && len(lines)+len(rest) < room {
		lines = append(lines, draw.NewLine(w).String())
	}
	note := "life"
	if n := len(s.life.rows); s.row >= 0 {
		note = fmt.Sprintf("life %d/%d", s.row+1, n)
	}
	return s.scene.Box(title, note, s.focus == lifePane).Draw(append(lines, rest...), r.w, r.h)
}

// request says what is sent for it.
func (s *Screen) request(w int) []string {
	o, th := &s.life.op, s.scene.Theme
	first, second := draw.NewLine(w), draw.NewLine(w)
	side := ""
	if s.life.read {
		side = strings.TrimSpace(draw.Bytes(int64(s.life.size))+" "+media(o)) + "  sha " + sha(o)
	}
	first.Space(1)
	room := first.Left() - draw.Width(side) - 3
	if room < 24 {
		room, side = first.Left()-1, ""
	}
	first.Cell(th.Text, o.Method+" "+o.URL, room)
	first.Space(2)
	first.Put(th.Dim, side)
	second.Space(1)
	second.Put(th.Dim, "key  ")
	second.Put(th.Strong, o.Key)
	words := "not honoured"
	if o.Policy.Honoured {
		words = "honoured, for " + ledger.Age(o.Policy.Remembered())
	}
	second.Put(th.Dim, "  header "+o.Policy.KeyHeader()+"  "+words)
	return []string{first.String(), second.String()}
}

// media returns the short name of what the body is.
func media(o *ledger.Operation) string {
	for _, f := range o.Header {
		if !strings.EqualFold(f.Name, "Content-Type") {
			continue
		}
		kind, _, _ := strings.Cut(f.Value, ";")
		if _, sub, ok := strings.Cut(kind, "/"); ok {
			return strings.TrimPrefix(strings.TrimSpace(sub), "x-www-")
		}
	}
	return ""
}

// transitions draws as many rows as there is room for.
func (s *Screen) transitions(w, room int) []string {
	rows := s.life.rows
	if !s.life.read {
		l := draw.NewLine(w)
		l.Put(s.scene.Theme.Dim, " reading…")
		return []string{l.String()}
	}
	at := s.row
	if at < 0 {
		at = len(rows) - 1
	}
	from := max(0, min(at-room/2, len(rows)-room))
	if at >= from+room {
		from = at - room + 1
	}
	var lines []string
	for i := from; i < len(rows) && len(lines) < room; i++ {
		lines = append(lines, s.transition(&rows[i], w, i == s.row))
	}
	return lines
}

func (s *Screen) transition(t *ledger.Transition, w int, chosen bool) string {
	th := s.scene.Theme
	l := draw.NewRow(th, w, chosen)
	layout, wide := "15:04:05.000", 12
	if !sameDay(s.life.rows, s) {
		layout, wide = "Jan _2 15:04:05", 15
	}
	l.Cell(th.Dim, t.At.In(s.scene.Zone).Format(layout), wide)
	l.Space(2)
	st := th.Text
	if t.From != t.To {
		_, st = glyph(th, t.To)
	}
	l.Cell(st, event(t), 11)
	l.Space(1)
	if w >= 64 {
		l.Cell(th.Dim, actor(t), 10)
		l.Space(1)
	}
	l.Cell(th.Text, words(t), l.Left())
	return l.String()
}

// sameDay reports whether everything happened today.
func sameDay(rows []ledger.Transition, s *Screen) bool {
	if len(rows) == 0 {
		return true
	}
	day := s.scene.Now.In(s.scene.Zone).Format("2006-01-02")
	return rows[0].At.In(s.scene.Zone).Format("2006-01-02") == day
}

// whole is the transition that was gone to in full, if there is room for it.
func (s *Screen) whole(w, room int) []string {
	if s.row < 0 || s.row >= len(s.life.rows) || room < 5 {
		return nil
	}
	t := &s.life.rows[s.row]
	p := &page{theme: s.scene.Theme, width: w}
	head := fmt.Sprintf(" %s by %s", event(t), actor(t))
	if t.From != t.To {
		head = fmt.Sprintf(" from %s to %s by %s", pick(t.From == ledger.OpNone, "nothing", t.From.String()), t.To, actor(t))
	}
	if t.Code != ledger.NoCode {
		head += ", " + t.Code.String()
	}
	if t.Call != 0 {
		head += ", call " + t.Call.String()
	}
	p.blank()
	p.say(p.theme.Strong, head, 1)
	for _, part := range draw.Wrap(words(t), w-2, min(room/2, 4)) {
		l := draw.NewLine(w)
		l.Space(1)
		l.Put(p.theme.Text, part)
		p.lines = append(p.lines, l.String())
	}
	return p.lines
}
