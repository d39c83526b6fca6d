package detail

import (
	"fmt"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/phrase"
	"redial/tui/theme"
)

// family tells of the operation that the call belongs to, of its other calls, and of the
// calls that this one came from or repeats.
func (b *builder) family() {
	c, n := b.call, len(b.page.lines)
	if k := b.kin; k != nil && k.of == c.ID {
		b.operation(k)
		for i := range k.calls {
			b.relative(&k.calls[i])
		}
		if k.more {
			b.text(b.scene.Theme.Dim, fmt.Sprintf("… more than %d calls have this key", mostKin))
		}
	}
	b.related()
	if len(b.page.lines) > n {
		b.blank()
	}
}

func (b *builder) operation(k *kin) {
	o := &k.op
	if o.State == ledger.OpNone {
		if len(k.calls) > 1 {
			b.fact("same key", b.scene.Theme.Text, draw.Plural(int64(len(k.calls)), "call"))
		}
		return
	}
	text := o.State.String() + " · " + draw.Plural(int64(o.Sends), "send") + " · " + draw.Plural(int64(o.Lookups), "lookup")
	b.fact("operation", b.scene.Theme.Strong, text)
}

// relative writes a call of the same operation on a line that leads to it.
func (b *builder) relative(c *ledger.Call) {
	th := b.scene.Theme
	glyph, gs := phrase.Glyph(th, c)
	status, st := phrase.Status(th, c)
	var l *draw.Line
	if c.ID == b.call.ID {
		if len(b.kin.calls) == 1 {
			return
		}
		l = draw.NewLine(b.width)
		l.Space(1 + label)
	} else {
		l = b.mark(spot{call: c.ID}, label)
	}
	l.Cell(gs, glyph, 2)
	l.Put(th.Dim, b.scene.Clock(c.Started)+" ")
	l.Cell(th.Text, c.Method, 5)
	l.Cell(th.Text, c.Path, min(max(b.width-label-50, 10), 40))
	l.Right(st, status, 5)
	l.Right(th.Dim, draw.Took(c.Took), 8)
	if problem := phrase.Problem(c); problem != "" {
		l.Put(th.Dim, " "+problem)
	}
	if c.ID == b.call.ID {
		l.Put(th.Dim, " · this one")
	}
	b.add(l.String())
}

// related leads to the call whose redirect led here, and to the one that asked for the same.
func (b *builder) related() {
	c, th := b.call, b.scene.Theme
	if c.Previous != 0 {
		words := "which is not in the file"
		if p := b.previous; p != nil {
			words = p.Method + " " + p.URL() + " " + phrase.Ended(p)
		}
		b.link(c.Previous, "redirected", th.Text, "from call "+c.Previous.String()+": "+words)
	}
	if c.Duplicate.Kind == ledger.NoDuplicate {
		return
	}
	words := phrase.SentTwice(c, b.other, b.scene.Clock)
	if c.Duplicate.Other == c.ID {
		b.fact("duplicate", th.Doubt, words)
	} else {
		b.link(c.Duplicate.Other, "duplicate", th.Doubt, words+" · the other is call "+c.Duplicate.Other.String())
	}
	if why := phrase.WhyTwice(c, b.other); why != "" {
		b.fact("", th.Text, why)
	}
}

// link writes lines of which the first leads to another call.
func (b *builder) link(id ledger.CallID, name string, st theme.Style, text string) {
	parts := draw.Wrap(text, b.width-label-1, 20)
	l := b.mark(spot{call: id}, 0)
	l.Cell(b.scene.Theme.Dim, name, label-1)
	l.Put(st, parts[0])
	b.add(l.String())
	for _, part := range parts[1:] {
		l := draw.NewLine(b.width)
		l.Space(label)
		l.Put(st, part)
		b.add(l.String())
	}
}
