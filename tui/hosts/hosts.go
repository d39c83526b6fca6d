// Package hosts shows how the calls to each host went over a range of time, from the sums
// that were kept as they ended, and below a host its routes.
//
// A range of any length costs as much as what has ended in it since it was last looked
// at: the sums are kept in slices of time, and only those that may still grow are read
// again. A long recording is read a part at a time, so that keys work meanwhile, and can be
// given up.
package hosts

import (
	"context"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/choice"
	"redial/tui/filter"
	"redial/tui/keys"
	"redial/tui/scene"
)

// Store is what this screen reads.
type Store interface {
	Calls(context.Context, ledger.Query) ([]ledger.Call, error)
	Sums(ctx context.Context, q ledger.SumQuery, each func(*ledger.Rollup) error) error
}

// OpenCallsMsg asks for the calls that a filter selects.
type OpenCallsMsg struct{ Filter string }

// pane is a part of the screen that can have the focus.
type pane int

const (
	hostsPane pane = iota
	routesPane
)

// Screen is the list of hosts. Make it with [New].
type Screen struct {
	ctx   context.Context
	scene *scene.Scene
	store Store
	bar   *filter.Bar

	span    int // index of spans, while a session is live
	past    int // and on a recording
	grid    grid
	columns []column
	order   order
	list    choice.List // of hosts
	rows    []row       // in order, those that the filter keeps
	summed  string      // the filter that they were kept with
	routes  routes      // of the host whose routes are shown; host "" for none
	focus   pane

	width, height int

	again    bool // read again when what is being read has come
	later    bool // a reading was put off
	stopped  bool // the user has given up reading
	lastRead time.Time
	asking   time.Time // since when the user waits for another range; zero: not
	arrived  bool      // something has been read

	reads, calls scene.Task
}

// New returns the screen, which begins with the last minute, or a whole recording. Of the
// filter in the bar it uses what names hosts.
func New(ctx context.Context, s *scene.Scene, store Store, bar *filter.Bar) *Screen {
	return &Screen{
		ctx: ctx, scene: s, store: store, bar: bar, past: wholeSpan(),
		columns: columns(s.Keys), order: order{by: callsColumn, down: true},
	}
}

// Resize sets the size of the screen.
func (s *Screen) Resize(w, h int) tea.Cmd {
	s.width, s.height = w, h
	s.arrange()
	return nil
}

// calmly is how often the sums are read again at most: they are by the second.
const calmly = time.Second

// laterMsg tells that it is time for a reading that was put off.
type laterMsg struct{}

// Refresh reads again what the screen shows, or does so a little later.
func (s *Screen) Refresh() tea.Cmd {
	if s.arrived && s.summed != s.bar.InForce().Text {
		s.rebuild()
	}
	frame := s.frame()
	wait := calmly - s.scene.Now.Sub(s.lastRead)
	if !s.arrived || !s.grid.frame.same(&frame) || wait <= 0 || wait > calmly {
		return s.readNow()
	}
	if s.later {
		return nil
	}
	s.later = true
	return tea.Tick(wait, func(time.Time) tea.Msg { return laterMsg{} })
}

// PutOff reports whether reading was put off.
func (s *Screen) PutOff() bool { return s.later }

// readNow reads again what the screen shows, or does so when what is being read has come.
func (s *Screen) readNow() tea.Cmd {
	frame := s.frame()
	switch same := s.grid.frame.same(&frame); {
	case same && s.stopped:
		return nil
	case same && s.reads.Busy():
		s.again = true
		return nil
	}
	return s.read(frame)
}

// read begins to read what a frame lacks.
func (s *Screen) read(f frame) tea.Cmd {
	s.again, s.stopped, s.lastRead = false, false, s.scene.Now
	if !s.grid.frame.same(&f) {
		s.grid, s.arrived, s.asking = newGrid(f), false, s.scene.Now
	}
	s.grid.move(f)
	return s.goOn()
}

// goOn reads the next part.
func (s *Screen) goOn() tea.Cmd {
	ctx, seq := s.reads.Begin(s.ctx)
	store, part := s.store, s.grid.next()
	return func() tea.Msg { return readPart(ctx, store, seq, part) }
}

// Update handles keys, the mouse and what was read.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case partMsg:
		return s.gotPart(msg)
	case routesMsg:
		s.gotRoutes(msg)
	case laterMsg:
		s.later = false
		return s.readNow()
	case tea.KeyPressMsg:
		return s.key(msg)
	case tea.PasteMsg:
		if s.bar.Paste(msg, s.scene.Say) {
			s.rebuild()
		}
	case tea.MouseClickMsg:
		return s.click(msg.Mouse())
	case tea.MouseWheelMsg:
		s.wheel(msg.Mouse())
	}
	return nil
}

func (s *Screen) gotPart(m partMsg) tea.Cmd {
	if !s.reads.Done(m.seq) || m.err != nil {
		return nil // the frame tells of an error
	}
	s.grid.take(&m)
	s.arrived = true
	s.rebuild()
	if !s.grid.whole() {
		return s.goOn()
	}
	s.asking = time.Time{}
	cmds := []tea.Cmd{s.readRoutes()}
	if s.again {
		cmds = append(cmds, s.Refresh())
	}
	return tea.Batch(cmds...)
}

// rebuild makes the rows anew. The selected host stays selected.
func (s *Screen) rebuild() {
	f := s.bar.InForce()
	keep, _ := filter.ByHost(f)
	s.rows = slices.DeleteFunc(s.grid.rows(), func(r row) bool { return !keep(r.host) })
	s.summed = f.Text
	s.order.sort(s.columns, s.rows)
	names := make([]string, len(s.rows))
	for i := range s.rows {
		names[i] = s.rows[i].host
	}
	s.list.Set(names)
	s.arrange()
}

// Bar returns the filter.
func (s *Screen) Bar() *filter.Bar { return s.bar }

// Refilter lists the hosts that the filter keeps now. All of them are at hand.
func (s *Screen) Refilter() tea.Cmd {
	s.rebuild()
	return nil
}

// Captures reports whether every key but ctrl+c belongs to the screen, since it is text.
func (s *Screen) Captures() bool { return s.bar.Editing() }

// Prompt returns the line in which the filter is written; ok is false while it is not.
func (s *Screen) Prompt(width int) (line string, cursor *tea.Cursor, wrong string, ok bool) {
	return s.bar.Prompt(s.scene.Theme, width)
}

// Back gives up reading, leaves the routes, or clears the filter if that key does it. It
// reports whether there was anything to leave.
func (s *Screen) Back(clear bool) (bool, tea.Cmd) {
	switch {
	case s.slow():
		s.reads.Drop()
		s.stopped, s.asking = true, time.Time{}
		s.scene.Say("reading was given up: what had been read is shown; " + s.scene.Keys.Range.Help().Key + " reads another range")
		return true, nil
	case s.routes.host != "":
		s.calls.Drop()
		s.routes, s.focus = routes{}, hostsPane
		s.arrange()
		return true, nil
	case clear && s.bar.Text() != "":
		s.bar.Clear()
		s.scene.Say("the filter is cleared")
		s.rebuild()
		return true, nil
	}
	return false, nil
}

// Leaves reports whether there is anything to leave short of the filter.
func (s *Screen) Leaves() bool { return s.slow() || s.routes.host != "" }

// patience is how long the user waits before the screen says that it reads.
const patience = 150 * time.Millisecond

// slow reports whether the user has waited for a range long enough to be told.
func (s *Screen) slow() bool {
	return !s.asking.IsZero() && s.scene.Now.Sub(s.asking) > patience
}

// Moves reports whether the screen looks different a moment later though nothing happens.
func (s *Screen) Moves() bool {
	return !s.asking.IsZero() || s.routes.host != "" && !s.routes.read
}

// Rushes reports whether rows are replaced faster than they can be read: they are not.
func (s *Screen) Rushes() bool { return false }

// Bindings returns the keys of what has the focus.
func (s *Screen) Bindings() scene.Bindings {
	km := s.scene.Keys
	if s.bar.Editing() {
		return s.bar.Bindings()
	}
	open := keys.Does(km.Open, "routes")
	if s.focus == routesPane {
		open = keys.Does(km.Open, "its calls")
	}
	short := []key.Binding{keys.Pair(km.Down, km.Up, "move"), open, km.Calls, km.Range, km.Filter}
	if s.routes.host != "" {
		short = append(short, km.Next)
	}
	return scene.Bindings{
		Short: append(short[:len(short):len(short)], keys.Sorts(sorts(s.columns))),
		Full: []keys.Named{
			{Title: "Hosts", Keys: append(short[1:], km.Down, km.Up, km.PageDown, km.PageUp, km.Top, km.Bottom, km.Toggle, km.Back)},
			{Title: "Sort by, once more turns it round", Keys: sorts(s.columns)},
		},
	}
}
