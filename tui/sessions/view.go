package sessions

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/draw"
)

// View returns the lines of the screen, each as wide as it is.
func (s *Screen) View() []string {
	lines, _ := s.draw()
	return lines
}

// Cursor returns where the cursor stands on the screen, nil for nowhere.
func (s *Screen) Cursor() *tea.Cursor {
	if s.question == nil {
		return nil
	}
	_, cursor := s.draw()
	return cursor
}

func (s *Screen) draw() ([]string, *tea.Cursor) {
	lines := append(s.listView(), s.pastView()...)
	if s.question == nil {
		return lines, nil
	}
	return s.question.View(lines, s.width, s.height)
}

func (s *Screen) listView() []string {
	w := s.width - 2
	height := s.listHeight()
	if w < 2 || height < 3 {
		return draw.Blank(s.width, height)
	}
	widths := lay(s.columns, w)
	lines := []string{s.head(w, widths)}
	from, to := s.list.InSight()
	for i := from; i < to && i < len(s.sessions); i++ {
		lines = append(lines, s.row(&s.sessions[i], w, widths, i == s.list.Cursor()))
	}
	if len(s.sessions) == 0 {
		l := draw.NewLine(w)
		l.Put(s.scene.Theme.Dim, pick(s.arrived, "  no session has been recorded", "  reading…"))
		lines = []string{l.String()}
	}
	for len(lines) < height-3 {
		lines = append(lines, draw.NewLine(w).String())
	}
	lines = append(lines[:max(height-3, 0)], s.besides(w, widths))
	return s.scene.Box("Sessions", s.note(), true).Draw(lines, s.width, height)
}

func pick(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// note is what stands in the edge of the list.
func (s *Screen) note() string {
	if s.pruning != nil {
		text := "pruning " + s.pruning.what + "…"
		if percent, ok := s.pruning.far.Percent(); ok {
			text += fmt.Sprintf(" %d%%", percent)
		}
		return text
	}
	live := int64(0)
	for i := range s.sessions {
		if s.sessions[i].Live(s.scene.Now) {
			live++
		}
	}
	text := draw.Plural(int64(len(s.sessions)), "session")
	if live > 0 {
		text += ", " + draw.Count(live) + " live"
	}
	return text + " · " + s.order.words(s.columns)
}

// head is the line above the rows. In the name of each column the letter stands out that
// sorts by it.
func (s *Screen) head(w int, widths []int) string {
	th := s.scene.Theme
	l := draw.NewLine(w)
	l.Space(head - 1)
	for i, c := range s.columns {
		if widths[i] == 0 {
			continue
		}
		l.Space(1)
		plain, at := th.Dim, letter(c.name, c.sort)
		if i == s.order.by {
			plain = th.Accent
		}
		if c.right {
			l.Space(widths[i] - len(c.name))
		}
		if at < 0 {
			l.Put(plain, c.name)
		} else {
			l.Put(plain, c.name[:at])
			l.Put(th.Accent, c.name[at:at+1])
			l.Put(plain, c.name[at+1:])
		}
		if !c.right {
			l.Space(widths[i] - len(c.name))
		}
	}
	return l.String()
}

// letter returns where in a name the letter of its key stands, -1 for nowhere.
func letter(name string, b *key.Binding) int {
	if b == nil {
		return -1
	}
	return strings.Index(name, b.Help().Key)
}

func (s *Screen) look() *look { return &look{s.scene.Theme, s.scene.Now, s.scene.Zone} }

func (s *Screen) row(c *ledger.Session, w int, widths []int, chosen bool) string {
	th, k := s.scene.Theme, s.look()
	l := draw.NewRow(th, w, chosen)
	l.Put(th.Accent, pick(s.shown(c.ID), "►", " "))
	l.Space(1)
	mark, _, st := condition(k, c)
	l.Put(st, mark)
	l.Space(1)
	l.Put(th.Accent, pick(c.Pinned, "★", " "))
	for i := range s.columns {
		if widths[i] == 0 {
			continue
		}
		l.Space(1)
		text, st := s.columns[i].cell(k, c)
		if s.columns[i].right {
			l.Right(st, text, widths[i])
		} else {
			l.Cell(st, text, widths[i])
		}
	}
	return l.String()
}

// shown reports whether the other screens show a session.
func (s *Screen) shown(id ledger.SessionID) bool { return slices.Contains(s.scene.IDs(), id) }

// besides tells of the selected session what there was no room for in its row.
func (s *Screen) besides(w int, widths []int) string {
	th, k := s.scene.Theme, s.look()
	l := draw.NewLine(w)
	c := s.selected()
	if c == nil {
		return l.String()
	}
	l.Space(1)
	put := func(name, text string) {
		if text == "" || text == "-" || draw.Width(name)+draw.Width(text)+2 > l.Left() {
			return
		}
		l.Put(th.Dim, name+" ")
		l.Put(th.Text, text)
		l.Space(2)
	}
	put("session", c.ID.String())
	for i := range s.columns {
		if text, _ := s.columns[i].cell(k, c); widths[i] == 0 || draw.Width(text) > widths[i] {
			put(strings.ToLower(s.columns[i].name), text)
		}
	}
	put("version", c.Version)
	put("until", c.End(s.scene.Now).In(s.scene.Zone).Format("Jan 2 15:04:05 -07:00"))
	if n := c.Counters.NotWritten(); n > 0 {
		put("not written", draw.Count(n))
	}
	return l.String()
}
