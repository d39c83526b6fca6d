package detail

import (
	"fmt"
	"strconv"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/theme"
	"redial/tui/unpack"
)

// spot is a line on which something can be done: a part that can be folded, or a call that
// can be gone to.
type spot struct {
	line int
	part string        // the part that it folds and unfolds
	call ledger.CallID // the call that it leads to; 0: none
}

const (
	manyLines = 40 // lines from which a body is folded where it can be
	fewLines  = 12 // lines that a folded text shows, and from which a part of JSON is folded
)

// folded reports whether a part is folded: as it is by itself, unless the user turned that
// around.
func (b *builder) folded(part string, byItself bool) bool { return byItself != b.turned(part) }

// mark begins a line on which something can be done, with the mark of the chosen one.
func (b *builder) mark(s spot, indent int) *draw.Line {
	s.line = len(b.page.lines)
	b.page.spots = append(b.page.spots, s)
	l := draw.NewRow(b.scene.Theme, b.width, b.chosen == len(b.page.spots)-1)
	l.Space(indent)
	return l
}

// heading begins a part that can be folded, and reports whether it is open.
func (b *builder) heading(part, text string, foldedByItself bool) bool {
	closed := b.folded(part, foldedByItself)
	l := b.mark(spot{part: part}, 0)
	l.Put(b.scene.Theme.Accent, arrow(closed)+text)
	b.add(l.String())
	return !closed
}

func arrow(closed bool) string {
	if closed {
		return "▸ "
	}
	return "▾ "
}

// body writes a body: JSON laid out, other text as it is, and bytes in hexadecimal.
func (b *builder) body(part, name string, m *ledger.Message) {
	r := unpack.Body(m)
	if !b.heading(part, name+" · "+bodyFacts(&m.Body)+unpacked(&r), false) || len(r.Data) == 0 {
		return
	}
	if values := parseJSON(r.Data); len(values) > 0 {
		b.json(part, values, len(r.Data) > mostJSON)
		return
	}
	lines := hexLines(r.Data, b.width-4)
	if !binary(r.Data[:min(len(r.Data), mostText)], m.Body.Truncated || len(r.Data) > mostText || r.Wrong != "") {
		lines = textLines(r.Data, b.width-4)
	}
	b.long(part+"/rest", lines)
}

// long writes lines, of which many are folded.
func (b *builder) long(part string, lines []string) {
	shown := lines
	many := len(lines) > manyLines
	if many && b.folded(part, true) {
		shown = lines[:fewLines]
	}
	for _, s := range shown {
		b.text(b.scene.Theme.Text, s)
	}
	if many {
		l := b.mark(spot{part: part}, 2)
		words := arrow(true) + draw.Plural(int64(len(lines)-fewLines), "more line")
		if len(shown) == len(lines) {
			words = "▴ fewer lines"
		}
		l.Put(b.scene.Theme.Accent, words)
		b.add(l.String())
	}
}

// json lays out values. Where they are long, what is in them is folded.
func (b *builder) json(part string, values []*node, more bool) {
	all := 0
	for _, n := range values {
		all += n.lines()
	}
	limit := len(b.page.lines) + mostLines
	for i, n := range values {
		if len(b.page.lines) < limit {
			b.node(part+"/"+strconv.Itoa(i), n, 0, "", all > manyLines, limit)
		}
	}
	if more || len(b.page.lines) >= limit {
		b.text(b.scene.Theme.Dim, "… more is kept than is shown here; a copy has all of it")
	}
}

// node lays out a value and what is in it.
func (b *builder) node(part string, n *node, level int, comma string, long bool, limit int) {
	th, indent := b.scene.Theme, 2*min(level, 20)
	if len(b.page.lines) >= limit {
		return
	}
	if len(n.kids) == 0 {
		text := n.text
		if n.open != "" {
			text = n.open + n.close()
		}
		b.leaf(n.key, text+comma, indent)
		return
	}
	closed := b.folded(part, long && level > 0 && n.lines() > fewLines)
	l := b.mark(spot{part: part}, 2+indent)
	l.Put(th.Faint, arrow(closed))
	l.Put(th.Accent, n.key)
	if closed {
		l.Put(th.Text, n.open)
		l.Put(th.Dim, " "+draw.Count(int64(len(n.kids)))+" … ")
		l.Put(th.Text, n.close()+comma)
		b.add(l.String())
		return
	}
	l.Put(th.Text, n.open)
	b.add(l.String())
	for i, k := range n.kids {
		next := ","
		if i == len(n.kids)-1 {
			next = ""
		}
		b.node(fmt.Sprintf("%s/%d", part, i), k, level+1, next, long, limit)
	}
	if n.cut {
		comma = ""
	}
	b.leaf("", n.close()+comma, indent)
}

// leaf writes a value that holds no others, on as many lines as it takes.
func (b *builder) leaf(key, text string, indent int) {
	th := b.scene.Theme
	room := max(b.width-6-indent, 10)
	for i, part := range draw.Wrap(key+text, room, 200) {
		l := draw.NewLine(b.width)
		l.Space(5 + indent)
		if i == 0 && len(part) >= len(key) && part[:len(key)] == key {
			l.Put(th.Accent, key)
			part = part[len(key):]
		}
		l.Put(th.Text, part)
		b.add(l.String())
	}
}

func (b *builder) text(st theme.Style, s string) {
	l := draw.NewLine(b.width)
	l.Space(3)
	l.Put(st, s)
	b.add(l.String())
}
