package timeline

import (
	"strings"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/phrase"
)

// sentAgain says shortly in what way a call was sent twice.
func sentAgain(c *ledger.Call) string {
	words := "sent twice " + phrase.Keys(c.Duplicate.Kind)
	if c.Duplicate.Other != c.ID {
		words += ", also as call " + c.Duplicate.Other.String()
	}
	return words
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
	if c.Duplicate.Kind != ledger.NoDuplicate {
		l.Put(th.Doubt, "▲ "+sentAgain(c))
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
