package tui

import (
	"context"
	"errors"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"redial/ledger"
	"redial/tui/live"
	"redial/tui/scene"
	"redial/tui/theme"
	"redial/tui/windows"
)

// screen is one of the tabs.
type screen interface {
	// Update handles keys, the mouse, pasted text and what was read.
	Update(tea.Msg) tea.Cmd
	// View returns the lines of the screen, as many and as wide as it was told.
	View() []string
	// Resize sets the size of the screen.
	Resize(w, h int) tea.Cmd
	// Read returns what reads all that the screen shows. What it returns may run beside
	// the model.
	Read() func(context.Context, scene.Shown) tea.Msg
	// Back leaves what lies over the screen, and with clear also its filter. It reports
	// whether there was anything to leave.
	Back(clear bool) (bool, tea.Cmd)
	// Captures reports whether every key is text.
	Captures() bool
	// Moves reports whether the screen looks different a moment later though nothing
	// happens.
	Moves() bool
	// Bindings returns the keys of what has the focus.
	Bindings() scene.Bindings
}

// prompter is a screen that has a line to write in.
type prompter interface {
	// Prompt returns the line, its cursor, and what is wrong with it if there was no
	// room for that; ok is false while nothing is written.
	Prompt(width int) (line string, cursor *tea.Cursor, wrong string, ok bool)
}

// model is the root of the dashboard.
type model struct {
	ctx     context.Context
	store   Store
	options Options
	scene   *scene.Scene

	tabs   []tab
	active int

	width, height int
	profile       colorprofile.Profile
	asked         bool // the theme is the terminal's choice

	now     time.Time // of the last message
	total   int       // sessions in the file
	loaded  bool      // it has been read once
	trouble string    // why it cannot be read; "" when it can
	rates   rates
	totals  scene.Task
	summed  int64                     // calls of the recording when it was summed up
	watched map[ledger.SessionID]bool // sessions that were live

	help    bool
	helpTop int
	ticking bool
}

// tab is a screen with its number and name.
type tab struct {
	key          func() key.Binding
	name, onFile string // onFile is the name on a recording
	screen       screen
}

func newModel(ctx context.Context, store Store, o Options) *model {
	name := o.Theme
	if name == "" {
		name = "dark"
	}
	profile := colorprofile.Unknown
	if noColor(o.Environ) {
		profile = colorprofile.ASCII
	}
	s := &scene.Scene{Theme: theme.New(name, profile), Keys: o.Keys, Zone: o.Zone}
	s.Now = o.Now()
	return &model{
		ctx: ctx, store: store, options: o, scene: s,
		profile: profile, asked: o.Theme == "",
		watched: map[ledger.SessionID]bool{},
		tabs: []tab{
			{func() key.Binding { return s.Keys.Live }, "Live", "Calls", live.New(ctx, s, store)},
			{func() key.Binding { return s.Keys.Windows }, "Windows", "Windows", windows.NewScreen(ctx, s, store)},
		},
	}
}

func (m *model) screen() screen { return m.tabs[m.active].screen }

// Init begins to watch the file, and asks the terminal what it looks like.
func (m *model) Init() tea.Cmd {
	first := watch(m.ctx, m.store, -1, 0, 0)
	if m.asked {
		return tea.Batch(first, tea.RequestBackgroundColor)
	}
	return first
}

// Update hands each message to the one whose it is.
func (m *model) Update(msg tea.Msg) tea.Cmd {
	m.now = m.options.Now()
	if !m.scene.Stale {
		m.scene.Now = m.now // what is old does not count down
	}
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case changedMsg:
		cmd = m.changed(msg)
	case loadedMsg:
		cmd = m.arrived(msg)
	case totalsMsg:
		m.gotTotals(msg)
	case tickMsg:
		m.ticking = false
	case tea.WindowSizeMsg:
		cmd = m.resize(msg.Width, msg.Height)
	case tea.ColorProfileMsg:
		m.look(msg.Profile, m.scene.Theme.Name)
	case tea.BackgroundColorMsg:
		m.background(msg.IsDark())
	case tea.KeyPressMsg:
		cmd = m.key(msg)
	case tea.MouseMsg:
		cmd = m.mouse(msg)
	case tea.PasteMsg:
		cmd = m.screen().Update(msg)
	default:
		cmd = m.everyScreen(msg)
	}
	return tea.Batch(cmd, m.tick())
}

// everyScreen hands on what a screen has asked for, which may not be open any more.
func (m *model) everyScreen(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, t := range m.tabs {
		cmds = append(cmds, t.screen.Update(msg))
	}
	return tea.Batch(cmds...)
}

// changed reads the file anew, or says that it cannot be read and tries again.
func (m *model) changed(msg changedMsg) tea.Cmd {
	if msg.err != nil {
		return m.failed(msg.err)
	}
	return m.load(msg.version)
}

func (m *model) failed(err error) tea.Cmd {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	m.scene.Stale = m.loaded
	m.trouble = err.Error()
	return watch(m.ctx, m.store, -1, retryEach, 0)
}

// arrived takes what was read, and waits for the next change.
func (m *model) arrived(msg loadedMsg) tea.Cmd {
	if msg.err != nil {
		return m.failed(msg.err)
	}
	m.scene.Stale, m.trouble, m.loaded = false, "", true
	m.total = msg.total
	wasLive := m.scene.Live
	m.scene.Shown = msg.shown
	m.scene.Now = m.now
	for i := range msg.shown.Sessions {
		if msg.shown.Live {
			m.watched[msg.shown.Sessions[i].ID] = true
		}
	}
	cmds := []tea.Cmd{m.sum(msg, wasLive), watch(m.ctx, m.store, msg.version, pollEach, m.patience())}
	if msg.screen != nil {
		cmds = append(cmds, m.screenOf(msg))
	}
	return tea.Batch(cmds...)
}

// screenOf hands what was read to the screens. It may be for one that is not open any
// more.
func (m *model) screenOf(msg loadedMsg) tea.Cmd { return m.everyScreen(msg.screen) }

// sum brings the rates up to date: those of the last minute, or those of the recording
// if it is another one or has grown.
func (m *model) sum(msg loadedMsg, wasLive bool) tea.Cmd {
	switch {
	case m.scene.Live:
		m.totals.Drop()
		m.rates.take(m.scene.IDs(), msg.from, m.scene.Now, msg.rollups)
	case len(m.scene.Sessions) > 0:
		s := &m.scene.Sessions[0]
		same := len(m.rates.sessions) == 1 && m.rates.sessions[0] == s.ID && !wasLive && m.summed == s.Calls
		if !same {
			m.rates = rates{sessions: m.scene.IDs()}
			m.summed = s.Calls
			return m.loadTotals()
		}
	}
	return nil
}

func (m *model) gotTotals(msg totalsMsg) {
	if m.totals.Done(msg.seq) && msg.err == nil {
		m.rates = rates{sessions: msg.sessions, total: msg.sums, known: true}
	}
}

// patience is how long a file that does not change is trusted. While a session should be
// alive its end has to be looked for, since a killed writer leaves the file as it is.
func (m *model) patience() time.Duration {
	for i := range m.scene.Sessions {
		if s := &m.scene.Sessions[i]; s.Ended.IsZero() && !s.Dead {
			return recheck
		}
	}
	return 0
}
