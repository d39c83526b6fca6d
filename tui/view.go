package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/chart"
	"redial/tui/draw"
	"redial/tui/theme"
)

// View returns the frame. It stays as it was while the rest of the next one is read,
// which takes a few milliseconds: drawing costs more than both readings.
func (m *model) View() tea.View {
	if !m.hold {
		m.drawn = m.draw()
	}
	return m.drawn
}

func (m *model) draw() tea.View {
	v := tea.View{AltScreen: true, MouseMode: tea.MouseModeCellMotion}
	if m.small() {
		v.SetContent(join(m.tooSmall()))
		return v
	}
	body, event := m.body(), m.eventLine()
	if line, cursor, wrong, ok := m.prompt(); ok {
		event = line
		cursor.Y = m.height - below
		v.Cursor = cursor
		body = m.paneOver(body, m.over(body, wrong))
	}
	if c, ok := m.screen().(pointer); ok && !m.help.open {
		if cursor := c.Cursor(); cursor != nil {
			cursor.Y += above
			v.Cursor = cursor
		}
	}
	if m.palette != nil {
		if body, v.Cursor = m.palette.View(body, m.width, m.height-above-below); v.Cursor != nil {
			v.Cursor.Y += above
		}
	}
	if m.copying != nil {
		body = m.copying.View(body, m.width, m.height-above-below)
		v.Cursor = nil
	}
	if m.leaving != nil {
		body, _ = m.leaving.View(body, m.width, m.height-above-below)
		v.Cursor = nil
	}
	lines := append([]string{m.header(), m.tabLine()}, body...)
	v.SetContent(join(append(lines, event, m.keyLine())))
	return v
}

// prompt returns the line that is being written, if one is.
func (m *model) prompt() (line string, cursor *tea.Cursor, wrong string, ok bool) {
	if m.help.open {
		return m.help.prompt(m.scene, m.width)
	}
	if p, is := m.screen().(prompter); is {
		return p.Prompt(m.width)
	}
	return "", nil, "", false
}

// over writes text over the last lines of the screen, and returns how many that are.
func (m *model) over(body []string, text string) int {
	parts := draw.Wrap(text, m.width-2, 4)
	first := len(body) - len(parts)
	for i, part := range parts {
		if first+i >= 0 {
			body[first+i] = m.line(m.width, m.scene.Theme.Bad, " "+part)
		}
	}
	return len(parts)
}

func (m *model) body() []string {
	w, h := m.width, m.height-above-below
	switch {
	case m.help.open:
		return m.helpView(w, h)
	case !m.loaded && m.trouble() != "":
		return m.unreadable(w, h)
	case !m.loaded:
		return m.scene.Box("", "", false).Draw([]string{m.line(w-2, m.scene.Theme.Dim, "  reading "+m.options.File+" …")}, w, h)
	case m.greets():
		return m.greeting(w, h)
	}
	return m.screen().View()
}

func (m *model) line(w int, st theme.Style, text string) string {
	l := draw.NewLine(w)
	l.Put(st, text)
	return l.String()
}

// tooSmall says what size it takes.
func (m *model) tooSmall() []string {
	lines := draw.Blank(m.width, m.height)
	text := []string{"redial needs", fmt.Sprintf("%d×%d, this is", leastWidth, leastHeight), fmt.Sprintf("%d×%d", m.width, m.height)}
	for i := range min(len(text), len(lines)) {
		lines[i] = m.line(m.width, m.scene.Theme.Text, text[i])
	}
	return lines
}

// header says what is shown, whether it is live, and how it is going.
func (m *model) header() string {
	th, s := m.scene.Theme, &m.scene.Shown
	service, process := names(s)
	left := []draw.Piece{{Style: th.Strong, Text: "redial"}}
	switch {
	case m.trouble() != "":
		left = append(left, draw.Piece{Style: th.Alert, Text: " CANNOT READ "})
	case m.loaded && m.greets():
		left = append(left, draw.Piece{Style: th.Dim, Text: "no calls yet"})
	}
	st := statusOf(s, m.scene.Zone, m.watched)
	if m.scene.Stale {
		st = status{"◌ OLD", "as of " + m.scene.Now.In(m.scene.Zone).Format("15:04:05"), isSilent}
	}
	chosen := m.chosenName()
	if m.wholeFile() {
		left, process, chosen = append(left, m.everySession()), "", ""
	}
	left = append(left,
		draw.Piece{Style: th.Text, Text: service, Rank: 1},
		draw.Piece{Style: th.Accent, Text: chosen, Rank: 3},
		draw.Piece{Style: th.Dim, Text: process, Rank: 8},
		draw.Piece{Style: statusStyle(th, st.kind), Text: st.word},
		draw.Piece{Style: th.Text, Text: st.since, Rank: 2},
	)
	if text := missing(s.Sessions); text != "" {
		left = append(left, draw.Piece{Style: th.Alert, Text: " " + text + " ", Rank: 1})
	}
	var right []draw.Piece
	if !m.wholeFile() {
		right = m.rateLine()
	}
	return draw.Pieces(m.width, left, append(right, m.alert()...))
}

func statusStyle(th *theme.Theme, k statusKind) theme.Style {
	switch k {
	case isLive:
		return th.Good
	case isSilent:
		return th.Warn
	case isGone:
		return th.Bad
	}
	return th.Dim
}

// rateLine is the right half of the header: the last minute, or the whole recording.
func (m *model) rateLine() []draw.Piece {
	th, s, t := m.scene.Theme, &m.scene.Shown, &m.rates.total
	if !m.rates.known {
		return nil
	}
	var out []draw.Piece
	if s.Live {
		out = append(out,
			draw.Piece{Style: th.Dim, Text: "last 60s:", Rank: 9},
			draw.Piece{Style: th.Text, Text: fmt.Sprintf("%.1f att/s", m.rates.perSecond(s)), Rank: 4},
			draw.Piece{Style: th.Accent, Text: chart.Spark(m.rates.spark()), Rank: 7},
		)
	} else {
		all, cut := counts(s.Sessions)
		out = append(out, draw.Piece{Style: th.Text, Text: draw.Plural(all, "call"), Rank: 4})
		if cut > 0 {
			out = append(out, draw.Piece{Style: th.Doubt, Text: draw.Count(cut) + " cut off", Rank: 4})
		}
	}
	bad := th.Text
	if t.failed > 0 {
		bad = th.Bad
	}
	return append(out,
		draw.Piece{Style: th.Text, Text: "retried " + draw.Percent(t.retried, t.calls), Rank: 5},
		draw.Piece{Style: bad, Text: "err " + draw.Percent(t.failed, t.calls), Rank: 3},
		draw.Piece{Style: th.Text, Text: "p95 " + draw.Took(t.latency.Quantile(0.95)), Rank: 6},
	)
}

// clocks returns the moment that is shown, as exactly as there may be room for.
func (m *model) clocks() []string {
	now := m.now.In(m.scene.Zone)
	cursor := m.scene.Cursor.At.In(m.scene.Zone)
	switch {
	case m.screen() == screen(m.bars) && !m.scene.Cursor.At.IsZero():
		return []string{cursor.Format("cursor 15:04:05.000 -07:00"), cursor.Format("cursor 15:04:05.000"), cursor.Format("15:04:05.000")}
	case m.wholeFile() || m.scene.Live:
	case len(m.scene.Sessions) == 0:
		return nil
	default:
		end, at := ending(m.scene.Sessions), m.scene.At().In(m.scene.Zone)
		return []string{end + at.Format("2006-01-02 15:04:05 -07:00"), end + at.Format("15:04:05 -07:00"), end + at.Format("15:04:05")}
	}
	return []string{now.Format("15:04:05 -07:00"), now.Format("15:04:05")}
}

// ending says what the last moment of sessions that are not live is: their end, or only
// the last that was heard of them, since a process that is stopped or cannot write may go on.
func ending(sessions []ledger.Session) string {
	for i := range sessions {
		if sessions[i].Ended.IsZero() && !sessions[i].Dead {
			return "last heard of "
		}
	}
	return "ended "
}

func (m *model) eventLine() string {
	l := draw.NewLine(m.width)
	l.Space(1)
	if m.trouble() != "" {
		l.Cell(m.scene.Theme.Bad, m.trouble(), m.width-2)
	} else {
		l.Cell(m.scene.Theme.Text, m.scene.Event.Text, m.width-2)
	}
	return l.String()
}

// keyLine is the help of what has the focus, made from its keymap.
func (m *model) keyLine() string {
	short := m.shortKeys()
	th := m.scene.Theme
	l := draw.NewLine(m.width)
	room := m.width - 1
	for i, b := range short {
		h := b.Help()
		need := draw.Width(h.Key) + 1 + draw.Width(h.Desc) + 2
		last := i >= len(short)-2
		if !last && room-need < 18 { // ? and q keep their place
			continue
		}
		l.Space(1)
		if h.Desc == "" { // no key, but a word
			l.Put(th.Warn, h.Key)
		} else {
			l.Put(th.Accent, h.Key)
			l.Space(1)
			l.Put(th.Dim, h.Desc)
		}
		l.Space(1)
		room -= need
	}
	return l.String()
}
