package timeline

import (
	"strings"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/phrase"
)

// twice says how a call was sent twice, "" if it was not.
func twice(c *ledger.Call) string {
	if c.Duplicate.Kind == ledger.NoDuplicate {
		return ""
	}
	return "sent twice"
}

// how says in what way a call was sent twice.
func how(c *ledger.Call) string {
	switch d := &c.Duplicate; d.Kind {
	case ledger.NoKey:
		return "sent twice without a key, also as call " + d.Other.String()
	case ledger.TwoKeys:
		return "sent twice with two keys, also as call " + d.Other.String()
	case ledger.WireTwice:
		return "on the wire twice without a key"
	}
	return ""
}

// aboutLine says what there is to know of the selected call, the most telling first.
func (t *Screen) aboutLine() string {
	l := draw.NewLine(max(t.width-1, 0)) // a text that is cut does not touch the edge
	l.Space(1)
	c := t.selected()
	if c == nil {
		return draw.Blank(t.width, 1)[0]
	}
	th := t.scene.Theme
	name := c.Key
	if name == "" {
		name = "call " + c.ID.String()
	}
	l.Put(th.Text, name+"  "+t.scene.Clock(c.Started)+" ")
	if s := how(c); s != "" {
		l.Put(th.Doubt, "▲ "+s)
		l.Put(th.Dim, " · ")
	}
	l.Cell(th.Dim, strings.Join(t.facts(c), " · "), l.Left())
	return l.String() + " "
}

// facts are how a call ended, what it took, and what it waited for.
func (t *Screen) facts(c *ledger.Call) []string {
	facts := []string{c.Method + " " + c.Host + c.Path}
	if c.Running() {
		facts = append(facts, phrase.Now(t.scene.Theme, c, t.scene.At()).Words)
	} else {
		facts = append(facts, phrase.Ended(c))
	}
	if c.Attempts > 1 {
		facts = append(facts, draw.Plural(int64(c.Attempts), "attempt"))
	}
	if c.WireSends > max(c.Attempts, 1) {
		facts = append(facts, draw.Plural(int64(c.WireSends), "wire send"))
	}
	if c.Took > 0 {
		facts = append(facts, draw.Took(c.Took))
	}
	for i := range c.Waits {
		if w := &c.Waits[i]; w.Took > 0 {
			facts = append(facts, phrase.Kind(w.Kind)+" "+draw.Took(w.Took)+" ("+w.Rule.Words(w.Kind)+")")
		}
	}
	if len(c.Waits) == 0 && c.Waited > 0 {
		facts = append(facts, phrase.Waits(c))
	}
	return facts
}
