package tui

import (
	"cmp"
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"

	"redial/ledger"
	"redial/tui/clip"
	"redial/tui/dialog"
	"redial/tui/filter"
	"redial/tui/hosts"
	"redial/tui/live"
	"redial/tui/palette"
	"redial/tui/pending"
	"redial/tui/scene"
	"redial/tui/sessions"
	"redial/tui/theme"
	"redial/tui/timeline"
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
	// Refresh reads again what the screen shows, now or when what it is reading has come.
	Refresh() tea.Cmd
	// Back leaves what lies over the screen, and with clear also its filter. It reports
	// whether there was anything to leave.
	Back(clear bool) (bool, tea.Cmd)
	// Leaves reports whether there is anything to leave short of the filter, so that the
	// key that quits only goes back.
	Leaves() bool
	// Captures reports whether every key is text.
	Captures() bool
	// Moves reports whether the screen looks different a moment later though nothing
	// happens.
	Moves() bool
	// Rushes reports whether what is shown is replaced faster than it can be read.
	Rushes() bool
	// Bindings returns the keys of what has the focus.
	Bindings() scene.Bindings
}

// prompter is a screen that has a line to write in.
type prompter interface {
	// Prompt returns the line, its cursor, and what is wrong with it if there was no
	// room for that; ok is false while nothing is written.
	Prompt(width int) (line string, cursor *tea.Cursor, wrong string, ok bool)
}

// pointer is a screen that has a cursor in it.
type pointer interface {
	// Cursor returns where it stands on the screen, nil for nowhere.
	Cursor() *tea.Cursor
}

// model is the root of the dashboard.
type model struct {
	ctx     context.Context
	store   Store
	options Options
	scene   *scene.Scene

	tabs    []tab
	active  int
	calls   *live.Screen
	bars    *timeline.Screen
	pending *pending.Screen

	sessions *sessions.Screen
	chosen   ledger.SessionID // the session that the user wants to see; 0: what is live, or else the newest
	pledge   string           // what to say when it is shown

	counts  ledger.OperationCounts
	awaited map[ledger.ID]ledger.OperationState // operations that wait for a person
	leaving *dialog.Dialog                      // asks whether to leave; nil: nobody wants to
	exports exports                             // what is written for other tools
	copying *clip.Menu                          // asks what to copy; nil: nobody wants to
	palette *palette.Palette                    // asks what to do; nil: nobody wants to
	memory  *filter.Memory                      // the filters to go back to

	width, height int
	profile       colorprofile.Profile
	asked         bool // the theme is the terminal's choice

	now     time.Time // of the last message
	total   int       // sessions in the file
	settled bool      // it has operations though it has no sessions any more
	loaded  bool      // it has been read once
	read    time.Time // when the sessions were last read
	unread  string    // why the sessions cannot be read; "" when they can
	blind   string    // why a screen cannot be read; "" when it can
	rates   rates

	watching, totals scene.Task

	summed  int64                     // calls of the recording when it was summed up
	watched map[ledger.SessionID]bool // sessions that were live; false: and are not any more

	torn       torn
	hold       bool     // the next message brings the rest of this frame
	drawn      tea.View // the last frame
	help       help
	fast, slow bool // a tick of that kind comes
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
	s := &scene.Scene{Theme: theme.New(name, profile), Keys: o.Keys, Zone: o.Zone, Wide: o.Wide, Calls: o.Columns}
	s.Now = o.Now()
	if o.ReadOnly {
		o.Actions, o.Keeper = nil, nil
	}
	calls := live.New(ctx, s, store)
	bars := timeline.New(ctx, s, store, calls.Bar())
	operations := pending.New(ctx, s, pending.Options{Store: store, Actions: o.Actions, Redact: o.Redact})
	memory := filter.NewMemory(o.SavedFilters)
	kept := sessions.New(ctx, s, sessions.Options{Store: store, Keeper: o.Keeper, Own: o.Own})
	m := &model{
		calls: calls, bars: bars, pending: operations, sessions: kept,
		ctx: ctx, store: store, options: o, scene: s, memory: memory,
		profile: profile, asked: o.Theme == "",
		watched: map[ledger.SessionID]bool{},
		tabs: []tab{
			{s.Keys.Live, "Live", "", "Calls", calls},
			{s.Keys.Timeline, "Timeline", "Time", "Timeline", bars},
			{s.Keys.Pending, "Pending", "Pend", "Pending", operations},
			{s.Keys.Windows, "Windows", "Wins", "Windows", windows.NewScreen(ctx, s, store, calls.Bar())},
			{s.Keys.Hosts, "Hosts", "", "Hosts", hosts.New(ctx, s, store, calls.Bar())},
			{s.Keys.Sessions, "Sessions", "Sess", "Sessions", kept},
		},
	}
	for _, bar := range []*filter.Bar{calls.Bar(), operations.Bar()} {
		bar.Remember(memory)
		bar.Ask(m.known)
	}
	return m
}

func (m *model) screen() screen { return m.tabs[m.active].screen }

// Init begins to watch the file, and asks the terminal what it looks like.
func (m *model) Init() tea.Cmd {
	first := tea.Batch(m.watch(-1, 0, 0), m.recall())
	if m.asked {
		return tea.Batch(first, tea.RequestBackgroundColor)
	}
	return first
}

// Update hands each message to the one whose it is.
func (m *model) Update(msg tea.Msg) tea.Cmd {
	m.passTime(msg)
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case changedMsg:
		cmd = m.changed(msg)
	case loadedMsg:
		cmd = m.arrived(msg)
	case totalsMsg:
		m.gotTotals(msg)
	case tickMsg:
		m.ticked(msg)
	case tea.WindowSizeMsg:
		cmd = m.resize(msg.Width, msg.Height)
	case tea.ColorProfileMsg:
		m.look(msg.Profile, m.scene.Theme.Name)
	case tea.BackgroundColorMsg:
		m.background(msg.IsDark())
	case uv.UnknownEvent:
		m.torn.begin(msg, m.now)
	case tea.KeyPressMsg:
		if !m.torn.swallow(msg, m.now) {
			cmd = m.key(msg)
		}
	case tea.MouseMsg:
		cmd = m.mouse(msg)
	case tea.PasteMsg:
		cmd = m.paste(msg)
	case exportedMsg:
		m.exported(msg)
	case recalledMsg:
		m.recalled(msg)
	case keptMsg:
		if msg.err != nil {
			m.scene.Say(msg.err.Error())
		}
	case clip.PutMsg:
		m.copied(msg)
	case pending.OpenCallsMsg:
		cmd = m.openCalls(msg.Filter)
	case hosts.OpenCallsMsg:
		cmd = m.openCalls(msg.Filter)
	case sessions.OpenMsg:
		cmd = m.choose(msg.ID)
	default:
		cmd = m.everyScreen(msg)
	}
	return tea.Batch(cmd, m.keepFilters(), m.tick())
}

func (m *model) ticked(t tickMsg) {
	if t.slow {
		m.slow = false
	} else {
		m.fast = false
	}
}

// passTime moves the time that is shown, unless that would only draw once more what was
// drawn a moment ago, or what is old would count down.
func (m *model) passTime(msg tea.Msg) {
	m.now = m.options.Now()
	m.hold = false
	if _, ok := msg.(tickMsg); ok && m.now.Sub(m.scene.Now) < tickEach/2 {
		return
	}
	if !m.scene.Stale {
		m.scene.Now = m.now
	}
}

// everyScreen hands on what a screen has asked for, which may not be open any more.
func (m *model) everyScreen(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	if f, ok := msg.(failing); ok {
		cmds = append(cmds, m.screenRead(f.Failed()))
	}
	for _, t := range m.tabs {
		cmds = append(cmds, t.screen.Update(msg))
	}
	return tea.Batch(cmds...)
}

// screenRead notes whether a screen could read. If not, everything is tried again.
func (m *model) screenRead(err error) tea.Cmd {
	switch {
	case errors.Is(err, context.Canceled):
		return nil
	case err == nil:
		m.blind = ""
		m.readable()
		return nil
	}
	m.blind = err.Error()
	return m.tryAgain()
}

// changed reads the file anew, or says that it cannot be read. What changes once a second
// is read once a second; between that the screen alone reads.
func (m *model) changed(msg changedMsg) tea.Cmd {
	switch {
	case !m.watching.Done(msg.seq):
		return nil
	case msg.err != nil:
		return m.failed(msg.err)
	}
	if m.scene.Live && msg.version >= 0 && m.trouble() == "" && m.due() > 0 {
		return tea.Batch(m.watch(msg.version, m.pace(), m.due()), m.refresh())
	}
	m.hold = m.loaded
	return m.load(msg.version)
}

// due returns how long the sessions that were read hold, 0 when they are to be read.
func (m *model) due() time.Duration { return max(recheck-m.now.Sub(m.read), 0) }

// pace is how long a frame stays before the file is asked again. Where half a page is
// replaced in that time nobody reads a row, so that it can take twice as long.
func (m *model) pace() time.Duration {
	if m.screen().Rushes() {
		return 2 * pollEach
	}
	return pollEach
}

// refresh lets the screen read, and keeps the frame until it has, unless it puts that off.
func (m *model) refresh() tea.Cmd {
	read := m.screen().Refresh()
	late, ok := m.screen().(interface{ PutOff() bool })
	m.hold = read != nil && !(ok && late.PutOff())
	return read
}

func (m *model) failed(err error) tea.Cmd {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	m.unread = err.Error()
	return m.tryAgain()
}

// tryAgain marks what is shown as old, and reads the file again a little later.
func (m *model) tryAgain() tea.Cmd {
	m.scene.Stale = m.loaded
	return m.watch(-1, retryEach, 0)
}

// readable notes that the sessions or a screen could be read.
func (m *model) readable() {
	if m.scene.Stale = m.trouble() != ""; !m.scene.Stale {
		m.scene.Recovered()
	}
}

// trouble says why something cannot be read, "" when everything can.
func (m *model) trouble() string { return cmp.Or(m.unread, m.blind) }

// arrived takes what was read, lets the screen read what it shows, and waits for the
// next change.
func (m *model) arrived(msg loadedMsg) tea.Cmd {
	if msg.err != nil {
		return m.failed(msg.err)
	}
	first := !m.loaded
	m.unread, m.loaded, m.read = "", true, m.now
	m.readable()
	m.total, m.settled = len(msg.sessions), msg.settled
	wasLive := m.scene.Live
	m.scene.Turn(msg.shown)
	m.missed()
	m.scene.Now = m.now
	m.news(msg.sessions, first)
	m.await(msg.waiting, first)
	cmds := []tea.Cmd{m.sum(msg, wasLive), m.watch(msg.version, m.pace(), m.patience())}
	if !m.greets() {
		cmds = append(cmds, m.refresh())
		m.hold = m.hold && !first
	}
	return tea.Batch(cmds...)
}

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
	default:
		m.totals.Drop()
		m.rates = rates{}
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
