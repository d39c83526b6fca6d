package detail

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/phrase"
	"redial/tui/theme"
	"redial/tui/unpack"
)

// side is one of two attempts that are compared.
type side struct {
	name    string
	call    ledger.Call
	attempt ledger.Attempt
}

// sideOf returns attempt n of a call, for 0 its last one, or the call without an attempt if
// it has none.
func sideOf(c *ledger.Call, n int, name string) side {
	s := side{name: name, call: *c}
	if n == 0 {
		n = len(c.AttemptList)
	}
	for i := range c.AttemptList {
		if c.AttemptList[i].N == n {
			s.attempt = c.AttemptList[i]
		}
	}
	return s
}

// Mark keeps a call, to be compared with another one.
func (d *Screen) Mark(c *ledger.Call) {
	d.marked = *c
	d.scene.Say("call " + c.ID.String() + " is marked: " + d.scene.Keys.Diff.Help().Key + " on another one shows what differs")
}

// Marked returns the call that is marked, 0 for none.
func (d *Screen) Marked() ledger.CallID { return d.marked.ID }

// Diff shows what differs between the marked call and this one, or, if none is marked or
// it is this one, between the attempt that is read and the one before it. What was
// earlier is the first of the two.
func (d *Screen) Diff() {
	c := d.shown()
	if d.marked.ID != 0 && d.marked.ID != c.ID {
		before, after := &d.marked, c
		if after.Started.Before(before.Started) {
			before, after = after, before
		}
		d.compare(sideOf(before, 0, "call "+before.ID.String()), sideOf(after, 0, "call "+after.ID.String()))
		return
	}
	if !d.Differs() {
		return
	}
	n := d.Attempt()
	if n == 0 {
		n = len(c.AttemptList)
	}
	n = max(n, 2)
	d.compare(sideOf(c, n-1, "attempt "+strconv.Itoa(n-1)), sideOf(c, n, "attempt "+strconv.Itoa(n)))
}

// DiffAlone is Diff from where the detail is not open, and back goes there.
func (d *Screen) DiffAlone() {
	d.Diff()
	d.direct = len(d.places) > 0
}

// Differs reports whether there are two sides to compare. If not it has said why.
func (d *Screen) Differs() bool {
	c := d.shown()
	if d.marked.ID != 0 && d.marked.ID != c.ID || len(c.AttemptList) > 1 {
		return true
	}
	d.scene.Say("there is nothing to compare this attempt with: " + d.scene.Keys.Mark.Help().Key + " on a call marks it for that")
	return false
}

func (d *Screen) compare(before, after side) {
	d.places = append(d.places, place{whole: Whole{Call: after.call}, before: &before, after: &after, top: d.top, chosen: d.chosen})
	d.top, d.chosen = 0, -1
	d.renew()
	d.scene.Say(before.name + " is compared with " + after.name + "; " + d.scene.Keys.Back.Help().Key + " goes back")
}

// diff writes what differs between two attempts.
func (b *builder) diff(x, y *side) {
	th := b.scene.Theme
	b.fact("- before", th.Bad, x.name+" · "+x.call.Method+" "+x.call.URL())
	b.fact("+ after", th.Good, y.name+" · "+y.call.Method+" "+y.call.URL())
	b.blank()
	b.pairs(facts(x), facts(y))
	b.blank()
	b.changes("request headers", headerLines(x.attempt.Request.Header), headerLines(y.attempt.Request.Header))
	b.changes("request body", bodyOf(&x.attempt.Request), bodyOf(&y.attempt.Request))
	b.changes("response headers", headerLines(x.attempt.Response.Header), headerLines(y.attempt.Response.Header))
	b.changes("response body", bodyOf(&x.attempt.Response), bodyOf(&y.attempt.Response))
}

// fact2 is something that both sides have.
type fact2 struct{ name, value string }

func facts(s *side) []fact2 {
	a := &s.attempt
	took := func(d time.Duration) string {
		if d == 0 {
			return "-"
		}
		return draw.Took(d)
	}
	status := "-"
	if a.Status != 0 {
		status = strconv.Itoa(a.Status)
	}
	p := &a.Phases
	return []fact2{
		{"key", orNone(s.call.Key)}, {"reason", a.Reason.String()}, {"status", status}, {"outcome", orNone(a.Outcome.String())},
		{"took", took(a.Took)}, {"dns", took(p.DNS)}, {"connect", took(p.Connect)}, {"tls", took(p.TLS)}, {"send", took(p.Send)},
		{"wait", took(p.Wait)}, {"receive", took(p.Receive)}, {"over", connection(a)},
		{"sent", draw.Bytes(a.BytesSent)}, {"received", draw.Bytes(a.BytesReceived)},
		{"error", orNone(a.Err)}, {"decision", orNone(a.Decision.String())}, {"policy", strings.Join(phrase.Policy(s.call.Policy), ", ")},
	}
}

func orNone(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// pairs writes facts beside each other, those that differ with a mark.
func (b *builder) pairs(x, y []fact2) {
	th := b.scene.Theme
	for i := range x {
		if x[i].value == y[i].value {
			if x[i].value != "-" {
				b.fact("  "+x[i].name, th.Dim, x[i].value)
			}
			continue
		}
		if draw.Width(x[i].value)+draw.Width(y[i].value)+5 <= b.width-label-1 {
			l := draw.NewLine(b.width)
			l.Space(1)
			l.Cell(th.Strong, "≠ "+x[i].name, label-1)
			l.Put(th.Bad, x[i].value)
			l.Put(th.Dim, " → ")
			l.Put(th.Good, y[i].value)
			b.add(l.String())
			continue
		}
		b.fact("≠ "+x[i].name, th.Bad, "- "+x[i].value)
		b.fact("", th.Good, "+ "+y[i].value)
	}
}

// changes writes what differs between the lines of two parts.
func (b *builder) changes(name string, x, y []string) {
	th := b.scene.Theme
	if len(x) == 0 && len(y) == 0 {
		return
	}
	list := compare(x, y)
	if len(list) == 1 && list[0].mark == '~' {
		b.section("  "+name+" · the same, "+draw.Plural(int64(list[0].n), "line"), th.Dim)
		return
	}
	b.section("≠ "+name, th.Accent)
	for i := range min(len(list), mostLines) {
		c := &list[i]
		st, text := map[byte]theme.Style{' ': th.Dim, '-': th.Bad, '+': th.Good, '~': th.Faint}[c.mark], string(c.mark)+" "+c.text
		if c.mark == '~' {
			text = fmt.Sprintf("  … %s", draw.Plural(int64(c.n), "line")+" the same")
		}
		for _, part := range draw.Wrap(text, b.width-4, 50) {
			b.text(st, part)
		}
	}
	if len(list) > mostLines {
		b.text(th.Dim, "… more differs than is shown here")
	}
}

func (b *builder) section(text string, st theme.Style) {
	l := draw.NewLine(b.width)
	l.Space(1)
	l.Put(st, text)
	b.add(l.String())
}

func headerLines(fields []ledger.Field) []string {
	var out []string
	for _, f := range sorted(fields) {
		out = append(out, f.Name+": "+f.Value)
	}
	return out
}

// bodyOf returns a body as lines that can be compared.
func bodyOf(m *ledger.Message) []string {
	r := unpack.Body(m)
	var lines []string
	if values := parseJSON(r.Data); len(values) > 0 {
		for _, n := range values {
			lines = n.plain(lines, "", "")
		}
	} else if binary(r.Data[:min(len(r.Data), mostText)], m.Body.Truncated || len(r.Data) > mostText || r.Wrong != "") {
		lines = hexLines(r.Data, 80)
	} else {
		lines = textLines(r.Data, 400)
	}
	if len(lines) == 0 && m.Body.Size > 0 {
		lines = []string{bodyFacts(&m.Body)}
	}
	return lines
}
