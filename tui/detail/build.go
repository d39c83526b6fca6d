package detail

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"redial/ledger"
	"redial/tui/chart"
	"redial/tui/draw"
	"redial/tui/phrase"
	"redial/tui/scene"
	"redial/tui/theme"
)

// label is how many columns the name of a fact has.
const label = 12

// builder writes a page.
type builder struct {
	scene *scene.Scene
	call  *ledger.Call
	width int
	page  page

	turned func(string) bool // parts that are folded or not, the other way round than by themselves
	chosen int               // spot that is marked; -1: none
	kin    *kin              // what belongs to the same operation; nil: it was not read

	previous, other *ledger.Call // see [Whole]
}

func (b *builder) build() page {
	if b.width < 20 {
		return b.page
	}
	b.head()
	b.family()
	b.timeline()
	for e := range phrase.Story(b.call) {
		if e.Attempt != nil {
			b.attempt(e.Attempt)
		} else {
			b.wait(e.Wait)
		}
	}
	return b.page
}

// comparison returns the page of what differs.
func (b *builder) comparison(before, after *side) page {
	if b.width >= 20 {
		b.diff(before, after)
	}
	return b.page
}

// head tells what the call was and how it ended.
func (b *builder) head() {
	c, th := b.call, b.scene.Theme
	b.fact("request", th.Strong, c.Method+" "+c.URL())
	_, st := phrase.Status(th, c)
	result := phrase.Ended(c)
	if c.Running() {
		d := phrase.Now(th, c, b.scene.At())
		result, st = d.Words, d.Style
	}
	b.fact("result", st, result)
	if c.Error != "" {
		b.fact("returned", th.Bad, c.Error)
	}
	times := "started " + c.Started.In(b.scene.Zone).Format("2006-01-02 15:04:05.000 -07:00")
	if c.Took > 0 {
		times += " · took " + draw.Took(c.Took)
	}
	b.fact("time", th.Text, times)
	spent := fmt.Sprintf("%s · %s", draw.Plural(int64(len(c.AttemptList)), "attempt"), draw.Plural(int64(c.WireSends), "wire send"))
	if c.Waited > 0 {
		spent += " · " + draw.Took(c.Waited) + " waiting"
	}
	b.fact("spent", th.Text, spent)
	if c.Key != "" {
		b.fact("key", th.Text, c.Key)
	}
	b.list("policy", th.Text, phrase.Policy(c.Policy))
	b.blank()
}

func (b *builder) timeline() {
	t := &chart.Timeline{Theme: b.scene.Theme, Call: b.call, At: b.scene.At(), Width: b.width}
	rows := t.Rows()
	if len(rows) == 0 {
		return
	}
	b.add(t.Axis())
	for _, r := range rows {
		b.add(r.Text)
	}
	b.blank()
}

func (b *builder) wait(w *ledger.Wait) {
	th := b.scene.Theme
	l := draw.NewLine(b.width)
	l.Space(1)
	l.Put(phrase.KindStyle(th, w.Kind), phrase.Kind(w.Kind))
	switch {
	case w.Took == 0 && b.call.State == ledger.Waiting:
		left := b.call.Started.Add(w.Start + w.Planned).Sub(b.scene.At())
		l.Put(th.Text, " for "+draw.Took(w.Planned)+", to go: "+draw.Ago(left))
	case w.Planned-w.Took > time.Millisecond:
		l.Put(th.Text, " for "+draw.Took(w.Took)+" of "+draw.Took(w.Planned))
	default:
		l.Put(th.Text, " for "+draw.Took(w.Took))
	}
	l.Put(th.Dim, " · "+w.Rule.Words(w.Kind))
	b.add(l.String())
	b.blank()
}

func (b *builder) attempt(a *ledger.Attempt) {
	th := b.scene.Theme
	b.page.starts = append(b.page.starts, len(b.page.lines))
	status, st := phrase.Attempt(th, a)
	l := draw.NewLine(b.width)
	l.Space(1)
	l.Put(th.Faint, "──")
	l.Put(th.Strong, fmt.Sprintf(" attempt %d", a.N))
	l.Put(th.Dim, " · "+a.Reason.String()+" · ")
	if a.Outcome != ledger.NotSent {
		l.Put(st, status+" ")
	}
	l.Put(st, b.outcome(a))
	if a.Took > 0 {
		l.Put(th.Dim, " · "+draw.Took(a.Took))
	}
	l.Space(1)
	l.Fill(th.Faint, "─", l.Left()-1)
	b.add(l.String())
	b.phases(a)
	b.fact("connection", th.Text, connection(a))
	b.fact("bytes", th.Text, traffic(a))
	if a.Err != "" {
		b.fact("error", th.Bad, a.Err)
	}
	b.fact("decision", th.Text, ledger.Explain(b.call, a))
	if code := a.Decision.String(); code != "" {
		b.fact("", th.Dim, code)
	}
	b.message(a.N, "request", &a.Request)
	b.message(a.N, "response", &a.Response)
	b.blank()
}

// outcome returns the outcome of an attempt in words. One that has none goes on, unless
// its process is gone.
func (b *builder) outcome(a *ledger.Attempt) string {
	if a.Outcome == ledger.NoOutcome && b.call.State == ledger.CutOff {
		return "cut off"
	}
	return phrase.Outcome(a.Outcome)
}

func connection(a *ledger.Attempt) string {
	var parts []string
	if a.Proto != "" {
		parts = append(parts, a.Proto)
	}
	switch {
	case a.Remote != "" && a.Reused:
		parts = append(parts, a.Remote, "reused")
	case a.Remote != "":
		parts = append(parts, a.Remote, "new")
	default:
		parts = append(parts, "none was got")
	}
	return strings.Join(append(parts, draw.Plural(int64(a.WireSends), "wire send")), " · ")
}

func traffic(a *ledger.Attempt) string {
	s := "no body was sent"
	if a.BytesSent > 0 {
		s = draw.Bytes(a.BytesSent) + " of the body were read for sending"
	}
	s += " · " + draw.Bytes(a.BytesReceived) + " received"
	if a.RetryAfter >= 0 && a.Status != 0 {
		s += " · asked to wait " + draw.Took(a.RetryAfter)
	}
	return s
}

// phases draws where the time of an attempt went, each phase behind the one before it.
func (b *builder) phases(a *ledger.Attempt) {
	th := b.scene.Theme
	p := &a.Phases
	list := []struct {
		name string
		took time.Duration
		st   theme.Style
	}{{"dns", p.DNS, th.DNS}, {"connect", p.Connect, th.Connect}, {"tls", p.TLS, th.TLS}, {"send", p.Send, th.Send}, {"wait", p.Wait, th.Wait}, {"receive", p.Receive, th.Receive}}
	var sum time.Duration
	for _, ph := range list {
		sum += ph.took
	}
	if sum == 0 {
		return
	}
	scale := chart.Scale{To: max(a.Took, sum), Width: max(b.width-label-12, 1)}
	var at time.Duration
	for _, ph := range list {
		if ph.took == 0 {
			continue
		}
		l := draw.NewLine(b.width)
		l.Space(1)
		l.Cell(th.Dim, ph.name, label-1)
		l.Right(th.Text, draw.Took(ph.took), 8)
		l.Space(2)
		first, n := scale.Span(at, at+ph.took)
		l.Space(first)
		l.Fill(ph.st, chart.Block, n)
		b.add(l.String())
		at += ph.took
	}
}

// message writes headers, in order of their names, and the body.
func (b *builder) message(n int, name string, m *ledger.Message) {
	part := fmt.Sprintf("%d/%s", n, name)
	if len(m.Header) > 0 && b.heading(part+"/headers", name+" headers · "+draw.Count(int64(len(m.Header))), false) {
		for _, f := range sorted(m.Header) {
			b.field(f)
		}
	}
	if m.Body.Size > 0 || len(m.Body.Data) > 0 {
		b.body(part+"/body", name+" body", m)
	}
}

// sorted returns header lines in order of their names.
func sorted(fields []ledger.Field) []ledger.Field {
	fields = slices.Clone(fields)
	slices.SortStableFunc(fields, func(a, b ledger.Field) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return fields
}

func (b *builder) field(f ledger.Field) {
	th := b.scene.Theme
	for i, part := range draw.Wrap(f.Name+": "+f.Value, b.width-5, 20) {
		l := draw.NewLine(b.width)
		l.Space(3)
		if n := len(f.Name) + 1; i == 0 && len(part) > n && part[:n] == f.Name+":" {
			l.Put(th.Dim, part[:n])
			part = part[n:]
		}
		l.Put(th.Text, part)
		b.add(l.String())
	}
}

// fact writes a name and its value, on as many lines as it takes.
func (b *builder) fact(name string, st theme.Style, value string) {
	for _, part := range draw.Wrap(value, b.width-label-1, 20) {
		l := draw.NewLine(b.width)
		l.Space(1)
		l.Cell(b.scene.Theme.Dim, name, label-1)
		l.Put(st, part)
		b.add(l.String())
		name = ""
	}
}

// list writes a name and its parts, broken between two of them.
func (b *builder) list(name string, st theme.Style, parts []string) {
	line := ""
	for i, part := range parts {
		if i < len(parts)-1 {
			part += ","
		}
		if line != "" && draw.Width(line)+1+draw.Width(part) > b.width-label-1 {
			b.fact(name, st, line)
			name, line = "", ""
		}
		line = strings.TrimSpace(line + " " + part)
	}
	b.fact(name, st, line)
}

func (b *builder) blank() { b.add(draw.NewLine(b.width).String()) }

func (b *builder) add(line string) { b.page.lines = append(b.page.lines, line) }
