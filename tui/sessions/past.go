package sessions

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/chart"
	"redial/tui/draw"
)

const (
	pastFrom  = 24 // rows from which the selected session has a pane of its own
	pastLines = 11 // of it: the border, three of words, the axis and the charts
	pastSpans = 60 // slices that a session is drawn in at least, if it lasted so many seconds
)

// past is how a session went, slice by slice.
type past struct {
	id       ledger.SessionID
	from     int64 // seconds of Unix time
	size     int64 // seconds that a slice has
	attempts []int64
	retried  []int64
	failed   []int64
	waited   []int64
	known    bool
	until    time.Time // the session's end when it was read
}

// pastMsg brings it.
type pastMsg struct {
	seq  int
	past past
	err  error
}

// Failed returns why it could not be read, nil if it could.
func (m pastMsg) Failed() error { return m.err }

// listHeight returns how many lines the list has.
func (s *Screen) listHeight() int {
	if s.height < pastFrom {
		return s.height
	}
	return s.height - pastLines
}

// follow reads how the selected session went, unless that is known or being read.
func (s *Screen) follow() tea.Cmd {
	c := s.selected()
	if c == nil || s.listHeight() == s.height {
		return nil
	}
	end := c.End(s.scene.Now)
	if s.past.id == c.ID && (s.sums.Busy() || s.past.known && end.Sub(s.past.until) < calmly) {
		return nil
	}
	if s.past.id != c.ID {
		s.past = past{id: c.ID} // what is known of another one is not shown as its
	}
	ctx, seq := s.sums.Begin(s.ctx)
	store, from, p := s.options.Store, c.Started, past{id: c.ID, until: end}
	return func() tea.Msg { return readPast(ctx, store, seq, p, from) }
}

func readPast(ctx context.Context, s Store, seq int, p past, from time.Time) tea.Msg {
	p.from = from.Unix()
	to := max(p.until.Unix()+1, p.from+1)
	p.size = max((to-p.from)/pastSpans, 1)
	p.from -= p.from % p.size
	n := (to - p.from + p.size - 1) / p.size
	p.attempts, p.retried, p.failed, p.waited = make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n)
	q := ledger.SumQuery{Sessions: []ledger.SessionID{p.id}, From: time.Unix(p.from, 0), To: time.Unix(to, 0), Step: time.Duration(p.size) * time.Second}
	err := s.Sums(ctx, q, func(r *ledger.Rollup) error {
		i := (r.Second - p.from) / p.size
		if i < 0 || i >= n {
			return nil
		}
		p.attempts[i] += r.Attempts
		p.retried[i] += r.Retried
		p.failed[i] += r.Failed
		for _, d := range r.Waited {
			p.waited[i] += int64(d)
		}
		return nil
	})
	p.known = err == nil
	return pastMsg{seq, p, err}
}

func (s *Screen) gotPast(m pastMsg) {
	if s.sums.Done(m.seq) && m.err == nil && m.past.id == s.past.id {
		s.past = m.past
	}
}

// pastView tells of the selected session how it ended, what is missing, whether it stays, and
// how it went.
func (s *Screen) pastView() []string {
	h := s.height - s.listHeight()
	if h == 0 || s.width < 4 {
		return draw.Blank(s.width, h)
	}
	c := s.selected()
	if c == nil {
		return s.scene.Box("", "", false).Draw(nil, s.width, h)
	}
	th, w := s.scene.Theme, s.width-2
	var lines []string
	for _, text := range []string{s.howEnded(c), missing(c), s.stays(c)} {
		l := draw.NewLine(w)
		l.Cell(th.Text, " "+text, w)
		lines = append(lines, l.String())
	}
	lines = append(lines, s.pastLines(w)...)
	return s.scene.Box(c.Names(), "how it went", false).Draw(lines, s.width, h)
}

// pastLines draws how the session went.
func (s *Screen) pastLines(w int) []string {
	th, p := s.scene.Theme, &s.past
	if !p.known {
		l := draw.NewLine(w)
		l.Put(th.Dim, " reading…")
		return []string{l.String()}
	}
	axis := chart.TrendAxis(time.Unix(p.from, 0), time.Unix(p.from+int64(len(p.attempts))*p.size, 0), w, s.scene.Zone)
	lines := []string{draw.NewLine(w).String(), chart.TrendHead(th, axis, w)}
	for _, t := range []chart.Trend{
		{Name: "attempts", Style: th.Accent, Values: p.attempts, Words: draw.Count},
		{Name: "retried", Style: th.Warn, Values: p.retried, Words: draw.Count},
		{Name: "errors", Style: th.Bad, Values: p.failed, Words: draw.Count},
		{Name: "waited", Style: th.Window, Values: p.waited, Words: func(n int64) string { return draw.Took(time.Duration(n)) }},
	} {
		lines = append(lines, t.Lines(th, axis, time.Time{}, 1, w)...)
	}
	return lines
}

// howEnded says how a session ended, or how it stands.
func (s *Screen) howEnded(c *ledger.Session) string {
	end := c.End(s.scene.Now).In(s.scene.Zone).Format("Jan 2 15:04:05")
	after := "after " + draw.Long(length(c, s.scene.Now))
	switch _, word, _ := condition(s.look(), c); word {
	case "live":
		return "● it is live, for " + draw.Long(length(c, s.scene.Now)) + " by now"
	case "silent":
		return "◐ no sign of life since " + end + ": it may be stopped, and go on"
	case "killed":
		return "╳ its process is gone without a word, last heard of on " + end + ", " + after + ": what it did in its last 100 ms may be missing"
	case "unknown":
		return "? last heard of on " + end + ", " + after + ": nobody knows what became of its process"
	}
	return "■ it ended by itself on " + end + ", " + after
}

// missing says what of a session was not written.
func missing(c *ledger.Session) string {
	n := c.Counters.NotWritten()
	if n == 0 {
		return "nothing is known to be missing"
	}
	return fmt.Sprintf("%s not written: for %s the queue was full, for %s the file took nothing", draw.Plural(n, "call"), draw.Count(c.Counters.QueueFull), draw.Count(c.Counters.StoreFailed))
}

// stays says whether a session stays when others are pruned.
func (s *Screen) stays(c *ledger.Session) string {
	switch {
	case c.Live(s.scene.Now):
		return "it stays when others are pruned, since it is live"
	case c.MayGoOn(s.scene.Now):
		return "it stays when others are pruned, since it may go on"
	case c.Pinned:
		return "★ it is pinned: it stays when others are pruned"
	case c.Pending > 0:
		return fmt.Sprintf("it stays as long as it has a part in an operation that is not settled; pending in %s: %s", c.Service, draw.Count(c.Pending))
	}
	return "it goes when sessions are pruned for their age or the size of the file, unless an operation of it is not settled"
}
