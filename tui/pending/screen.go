// Package pending shows the operations that are not settled, over the whole file and by
// urgency, with the life of the selected one and what is known of it.
//
// It is also where people act on them. What a person does is done by [Actions]; this
// package asks before it, tells what came of it, and does nothing on its own. A lookup
// has no effect and runs at once; everything else opens a dialog. Without actions it only
// shows.
package pending

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/filter"
	"redial/tui/scene"
)

// pane is a part of the screen that can have the focus.
type pane int

const (
	listPane pane = iota
	lifePane
)

// Options set up the screen.
type Options struct {
	Store   Store
	Actions Actions // nil: nothing can be done, only looked at
	Redact  Redact
}

// Screen is the list of operations. Make it with [New].
type Screen struct {
	ctx     context.Context
	scene   *scene.Scene
	store   Store
	actions Actions
	redact  Redact

	list    list
	bar     *filter.Bar
	settled bool  // those that are settled are listed, too
	limit   int   // how many are read
	full    bool  // there may be more
	total   int64 // how many are in the file

	life  life      // of the selected one
	met   ledger.ID // the operation that was last met where the cursor of all screens is
	row   int       // transition that the user has gone to; -1: none
	focus pane

	question *question // nil: no dialog is open
	doing    map[ledger.ID]deed
	batch    batch

	width, height int

	again       bool // read again when what is being read has come
	later       bool // a reading was put off
	lastRead    time.Time
	arrivedOnce bool
	asking      time.Time // since when the user waits for another list; zero: not
	stopped     bool      // the user has given up reading
	dropped     bool      // what is being read may have lost the selected one on purpose

	reads, lives, prepares scene.Task
}

// firstLimit is how many operations are read at first.
const firstLimit = 200

// New returns the screen.
func New(ctx context.Context, s *scene.Scene, o Options) *Screen {
	return &Screen{
		ctx: ctx, scene: s, store: o.Store, actions: o.Actions, redact: o.Redact,
		list: newList(), bar: filter.New(s.Keys), limit: firstLimit, row: -1, doing: map[ledger.ID]deed{},
	}
}

// Resize sets the size of the screen.
func (s *Screen) Resize(w, h int) tea.Cmd {
	s.width, s.height = w, h
	s.arrange()
	return nil
}

// arrange tells the list how many rows it has.
func (s *Screen) arrange() { s.list.resize(s.area().list.h - 3) }

// calmly is how often the list is read again at most while others change the file.
const calmly = 200 * time.Millisecond

// laterMsg tells that it is time for a reading that was put off.
type laterMsg struct{}

// meet selects the operation whose call the user has gone to on another screen, once, and
// not under a question about another one.
func (s *Screen) meet() {
	id := s.scene.Cursor.Operation
	if id == s.met || s.question != nil {
		return
	}
	s.met = id
	if i := s.list.index(id); i >= 0 {
		s.list.move(i - s.list.cursor)
	}
}

// Refresh reads again what the screen shows, or does so later if it is being read.
func (s *Screen) Refresh() tea.Cmd {
	if s.stopped {
		return nil
	}
	if s.reads.Busy() {
		s.again = true
		return nil
	}
	if wait := calmly - s.scene.Now.Sub(s.lastRead); s.arrivedOnce && wait > 0 && wait <= calmly {
		if s.later {
			return nil
		}
		s.later = true
		return tea.Tick(wait, func(time.Time) tea.Msg { return laterMsg{} })
	}
	return s.read()
}

func (s *Screen) read() tea.Cmd {
	s.again, s.stopped, s.lastRead = false, false, s.scene.Now
	if !s.arrivedOnce {
		s.asking = s.scene.Now
	}
	ctx, seq := s.reads.Begin(s.ctx)
	r := request{seq: seq, tell: s.reads.Tell(), filter: s.bar.InForce(), settled: s.settled, limit: s.limit, chosen: s.list.chosen, zone: s.scene.Zone}
	store, redact := s.store, s.redact
	return func() tea.Msg { return readList(ctx, store, redact, r) }
}

// Update handles keys, the mouse, pasted text, what was read and what was done.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case listMsg:
		return s.arrived(msg)
	case lifeMsg:
		return s.gotLife(msg)
	case laterMsg:
		s.later = false
		return s.Refresh()
	case preparedMsg:
		s.prepared(msg)
	case doneMsg:
		return s.done(msg)
	case tea.KeyPressMsg:
		return s.key(msg)
	case tea.PasteMsg:
		return s.paste(msg)
	case tea.MouseClickMsg:
		return s.click(msg.Mouse())
	case tea.MouseWheelMsg:
		return s.wheel(msg.Mouse())
	}
	return nil
}

// arrived takes the list that was read. The selected operation stays selected, also when
// it is not listed any more because it was settled meanwhile.
func (s *Screen) arrived(m listMsg) tea.Cmd {
	if !s.reads.Done(m.request.seq) {
		return nil
	}
	s.asking = time.Time{}
	if m.err != nil && !(m.cut && s.stopped) {
		return nil // the frame tells of an error
	}
	s.arrivedOnce = true
	s.full = len(m.ops) >= m.request.limit
	if !m.cut {
		s.total = m.total
	}
	keep := &m.life.op
	if s.dropped || m.life.op.State == ledger.OpNone {
		keep = nil
	}
	s.dropped = false
	s.list.set(m.ops, keep)
	s.arrange()
	s.meet()
	var cmds []tea.Cmd
	if m.life.op.State != ledger.OpNone && m.life.op.ID() == s.list.chosen {
		cmds = append(cmds, s.takeLife(m.life))
	}
	cmds = append(cmds, s.follow())
	if s.again {
		cmds = append(cmds, s.Refresh())
	}
	return tea.Batch(cmds...)
}

// follow reads the life of the selected operation if it is not at hand.
func (s *Screen) follow() tea.Cmd {
	o := s.list.selected()
	if o == nil {
		s.life, s.row = life{}, -1
		return nil
	}
	if s.life.op.ID() == o.ID() {
		return nil
	}
	s.life, s.row = life{op: *o}, -1 // as much as the list knows, until the rest has come
	return s.readLife(o.ID())
}

func (s *Screen) readLife(id ledger.ID) tea.Cmd {
	ctx, seq := s.lives.Begin(s.ctx)
	store, redact := s.store, s.redact
	return func() tea.Msg {
		l, err := readLife(ctx, store, redact, id)
		return lifeMsg{seq, l, err}
	}
}

func (s *Screen) gotLife(m lifeMsg) tea.Cmd {
	switch {
	case !s.lives.Done(m.seq):
	case m.err != nil:
		s.complain(m.err)
	case m.life.op.ID() == s.list.chosen:
		return s.takeLife(m.life)
	}
	return nil
}

// takeLife shows a life, and tells an open dialog what has become of its operation.
func (s *Screen) takeLife(l life) tea.Cmd {
	s.life = l
	if s.row >= len(l.rows) {
		s.row = len(l.rows) - 1
	}
	s.list.update(&l.op)
	if q := s.question; q != nil && q.op.ID() == l.op.ID() {
		if q.seen(&l.op) {
			return s.prepare()
		}
	}
	return nil
}

// Captures reports whether every key but ctrl+c belongs to the screen.
func (s *Screen) Captures() bool { return s.bar.Editing() || s.question != nil }

// patience is how long the user waits before the screen says that it reads.
const patience = 150 * time.Millisecond

// slow reports whether the user has waited for a list long enough to be told.
func (s *Screen) slow() bool {
	return !s.asking.IsZero() && s.scene.Now.Sub(s.asking) > patience
}

// Back gives up reading, or else clears the filter, or else the marks, if that key does it. It
// reports whether there was anything to leave.
func (s *Screen) Back(clear bool) (bool, tea.Cmd) {
	if s.slow() {
		s.asking = time.Time{}
		s.reads.Stop()
		s.stopped = true
		s.scene.Say("reading was given up: what had been found is shown")
		return true, nil
	}
	if clear && s.bar.Text() != "" {
		s.bar.Clear()
		s.scene.Say("the filter is cleared")
		return true, s.reread()
	}
	if clear && len(s.list.marks) > 0 {
		s.list.marks = map[ledger.ID]bool{}
		s.scene.Say("the marks are gone")
		return true, nil
	}
	if s.focus == lifePane {
		s.focus = listPane
		return true, nil
	}
	return false, nil
}

// Leaves reports whether there is anything to leave short of the filter.
func (s *Screen) Leaves() bool { return s.slow() || s.focus == lifePane }

// reread reads another list, from which the selected operation may be missing.
func (s *Screen) reread() tea.Cmd {
	s.dropped, s.asking = true, s.scene.Now
	return s.read()
}

// Rushes reports whether operations are replaced faster than they can be read: they are not,
// since those that are not settled stay.
func (s *Screen) Rushes() bool { return false }

// Moves reports whether the screen looks different a moment later though nothing happens.
func (s *Screen) Moves() bool {
	if len(s.doing) > 0 || s.question != nil || !s.asking.IsZero() {
		return true
	}
	from, to := s.list.inSight()
	for i := from; i < to; i++ {
		o := &s.list.ops[i]
		if o.State.Open() && (o.Due.After(s.scene.Now) || s.scene.Now.Sub(o.Created) < time.Minute) {
			return true
		}
	}
	return false
}
