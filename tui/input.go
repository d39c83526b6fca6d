package tui

import (
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"redial/ledger"
	"redial/tui/theme"
)

const (
	leastWidth  = 60 // below that the screen only says what size it needs
	leastHeight = 16

	above = 2 // lines above the screen: header and tabs
	below = 2 // lines below it: event and keys
)

// key handles a key, unless it is text for the screen.
func (m *model) key(k tea.KeyPressMsg) tea.Cmd {
	km := m.scene.Keys
	m.scene.Acted(false)
	switch {
	case key.Matches(k, km.Interrupt):
		return tea.Quit
	case m.small():
		if key.Matches(k, km.Quit) {
			return tea.Quit
		}
		return nil
	case m.leaving != nil:
		return m.leavingKey(k)
	case m.copying != nil:
		return m.copyKey(k)
	case m.palette != nil:
		return m.paletteKey(k)
	case m.screen().Captures():
		return m.screen().Update(k)
	case m.help.open:
		m.helpKey(k)
		return nil
	case key.Matches(k, km.Help):
		m.help = newHelp()
		return nil
	case key.Matches(k, km.Commands):
		m.openPalette()
		return nil
	case key.Matches(k, km.Theme):
		m.asked = false
		m.look(m.profile, theme.Next(m.scene.Theme.Name))
		m.scene.Say("theme: " + m.scene.Theme.Name)
		return nil
	case key.Matches(k, km.Wide):
		return m.wide()
	case key.Matches(k, km.Copy) && !m.greets():
		return m.startCopy()
	case key.Matches(k, km.Export) && !m.greets():
		return m.startExport()
	case key.Matches(k, km.Quit):
		return m.quit()
	case key.Matches(k, km.Back):
		back, cmd := m.screen().Back(true)
		if !back && m.chosen != 0 {
			return m.choose(0)
		}
		return cmd
	}
	for i, t := range m.tabs {
		if key.Matches(k, t.key) {
			return m.open(i)
		}
	}
	if m.unfiltered(k) {
		return nil
	}
	return m.screen().Update(k)
}

// open shows another screen, which has to read what it shows first.
func (m *model) open(i int) tea.Cmd {
	if i == m.active {
		_, cmd := m.screen().Back(false)
		return cmd
	}
	m.active = i
	m.scene.Acted(true)
	if m.greets() {
		return nil
	}
	return m.screen().Refresh()
}

// wide exchanges the side panes for wider columns.
func (m *model) wide() tea.Cmd {
	m.scene.Wide = !m.scene.Wide
	m.scene.Rev++
	if m.scene.Wide {
		m.scene.Say("wide columns; " + m.scene.Keys.Wide.Help().Key + " brings the windows back")
	} else {
		m.scene.Say("")
	}
	return m.resize(m.width, m.height)
}

// paste hands pasted text to what is being written. It is never taken for keys.
func (m *model) paste(msg tea.PasteMsg) tea.Cmd {
	m.scene.Acted(false)
	switch {
	case m.small() || m.leaving != nil || m.copying != nil:
		return nil
	case m.palette != nil:
		m.palette.Paste(msg)
		return nil
	case m.help.writing:
		m.help.take(msg)
		return nil
	}
	return m.screen().Update(msg)
}

// mouse hands a mouse event to the screen, in its own coordinates.
func (m *model) mouse(msg tea.MouseMsg) tea.Cmd {
	if w, ok := msg.(tea.MouseWheelMsg); ok && !m.small() && (m.palette != nil || m.help.open) {
		m.wheelOver(w.Button)
		return nil
	}
	if m.small() || m.help.open || m.greets() || m.leaving != nil || m.copying != nil || m.palette != nil {
		return nil
	}
	switch msg.(type) {
	case tea.MouseClickMsg, tea.MouseWheelMsg:
		m.scene.Acted(false)
	}
	at := msg.Mouse()
	if cmd, over := m.clickOver(at); over {
		return cmd
	}
	if click, ok := msg.(tea.MouseClickMsg); ok && at.Y == 1 && click.Button == tea.MouseLeft {
		if i := m.tabAt(at.X); i >= 0 {
			return m.open(i)
		}
		return nil
	}
	if at.Y < above || at.Y >= m.height-below {
		return nil
	}
	at.Y -= above
	switch msg.(type) {
	case tea.MouseClickMsg:
		return m.screen().Update(tea.MouseClickMsg(at))
	case tea.MouseWheelMsg:
		return m.screen().Update(tea.MouseWheelMsg(at))
	}
	return nil
}

// wheelOver moves in what lies over the screen.
func (m *model) wheelOver(button tea.MouseButton) {
	n := 1
	if button == tea.MouseWheelUp {
		n = -1
	} else if button != tea.MouseWheelDown {
		return
	}
	if m.palette != nil {
		m.palette.Move(n)
		return
	}
	m.scrollHelp(3 * n)
}

func (m *model) resize(w, h int) tea.Cmd {
	m.width, m.height = max(w, 0), max(h, 0)
	var cmds []tea.Cmd
	for _, t := range m.tabs {
		cmds = append(cmds, t.screen.Resize(m.width, max(m.height-above-below, 0)))
	}
	return tea.Batch(cmds...)
}

// small reports whether there is too little room for anything but saying so.
func (m *model) small() bool { return m.width < leastWidth || m.height < leastHeight }

// greets reports whether the file is empty.
func (m *model) greets() bool {
	return m.total == 0 && !m.settled && m.counts == (ledger.OperationCounts{})
}

// look changes the look of everything.
func (m *model) look(profile colorprofile.Profile, name string) {
	if noColor(m.options.Environ) {
		profile = colorprofile.ASCII
	}
	m.profile = profile
	m.scene.Theme = theme.New(name, profile)
	m.scene.Rev++
}

// background takes the terminal's answer to what it looks like, unless the user knows
// better.
func (m *model) background(dark bool) {
	if !m.asked {
		return
	}
	name := "light"
	if dark {
		name = "dark"
	}
	m.look(m.profile, name)
}

// tick waits for the next moment at which the screen looks different by itself: a tenth of
// a second where something moves, half a second for the clock. Of each kind one is under way.
func (m *model) tick() tea.Cmd {
	if m.small() {
		return nil
	}
	switch kind := statusOf(&m.scene.Shown, m.scene.Zone, m.watched).kind; {
	case m.screen().Moves():
		if m.fast {
			return nil
		}
		m.fast = true
		return tick(tickMsg{}, tickEach)
	case m.scene.Live || kind == isSilent || m.counts.Pending > 0:
		if m.slow {
			return nil
		}
		m.slow = true
		return tick(tickMsg{slow: true}, slowTick-time.Duration(m.now.Nanosecond())%slowTick)
	}
	return nil
}

// join makes one text of lines.
func join(lines []string) string { return strings.Join(lines, "\n") }
