// Package live shows the calls as they happen: the list of calls, the windows beside it,
// and the timeline of the selected call below.
package live

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/detail"
	"redial/tui/filter"
	"redial/tui/phrase"
	"redial/tui/scene"
)

// pane is a part of the screen that can have the focus.
type pane int

const (
	callsPane pane = iota
	windowsPane
	timelinePane
)

// Screen is the list of calls. Make it with [New].
type Screen struct {
	ctx   context.Context
	scene *scene.Scene
	store Store

	list    list
	bar     *filter.Bar
	windows []ledger.Window
	whole   ledger.Call   // the selected call with its lists, if it has been read
	asked   ledger.CallID // the call that was last asked for
	chosen  int           // attempt that the user has gone to; 0: none
	detail  *detail.Screen

	width, height int
	focus         pane
	firstWindow   int // first window in sight
	firstRow      int // first row of the timeline in sight

	place   place
	after   ledger.CallID     // the call before the stretch
	want    goal              // what to select when the stretch has come
	owed    int               // rows still to move when the stretch has come
	queued  time.Time         // when the first of queue was pressed
	queue   []tea.KeyPressMsg // keys that move from where the cursor is about to be
	seen    time.Time         // start of the newest call when following ended
	fresh   int               // calls since then
	pointed ledger.CallID     // the call that the cursor was put at here, or has been met at
	said    ledger.CallID     // newest call whose end was told on the event line
	twice   ledger.CallID     // newest call of which was told that it was sent twice

	again       bool               // read again when what is being read has come
	later       bool               // a reading was put off
	stopped     bool               // the user has given up reading
	wanted      string             // the text of the filter that was last read with
	of          []ledger.SessionID // of which sessions
	lastTook    time.Duration      // how long the last reading took
	lastRead    time.Time          // when the last reading began
	asking      time.Time          // since when the user waits for calls; zero: not
	arrivedOnce bool               // calls have been read

	pages, calls, finds scene.Task
	rows                rowCache
	rush                rush
	widths              widths
}

// patience is how long the user waits before the screen says that it reads.
const patience = 150 * time.Millisecond

// goal is where the cursor goes when a stretch arrives.
type goal struct {
	first, last bool
	id          ledger.CallID
}

// New returns the screen, which follows the newest calls.
func New(ctx context.Context, s *scene.Scene, store Store) *Screen {
	l := &Screen{ctx: ctx, scene: s, store: store, bar: filter.NewForCalls(s.Keys), place: place{tail: true}}
	l.list.follow = true
	l.list.cursor = -1
	l.detail = detail.New(s)
	l.detail.Reads(ctx, store)
	return l
}

// Resize sets the size of the screen.
func (l *Screen) Resize(w, h int) tea.Cmd {
	l.width, l.height = w, h
	l.detail.Resize(w, h)
	l.arrange()
	return l.follow()
}

// Refresh reads again what the screen shows, or does so later if it is being read.
func (l *Screen) Refresh() tea.Cmd {
	if cmd, moved := l.meet(); moved {
		return cmd
	}
	if l.stopped && l.wanted == l.bar.InForce().Text && slices.Equal(l.of, l.scene.IDs()) {
		return nil
	}
	if l.pages.Busy() {
		l.again = true
		return nil
	}
	if wait := max(calmly, share*l.lastTook) - l.scene.Now.Sub(l.lastRead); !l.list.follow && wait > 0 {
		return l.readLater(wait)
	}
	return l.read()
}

// calmly is how often a list that does not follow is read again at most, and reading takes
// no more than this part of the time. Only calls that end change in it.
const (
	calmly = 200 * time.Millisecond
	share  = 4
)

// laterMsg tells that it is time for a reading that was put off.
type laterMsg struct{}

// readLater puts a reading off, once.
func (l *Screen) readLater(wait time.Duration) tea.Cmd {
	if l.later {
		return nil
	}
	l.later = true
	return tea.Tick(wait, func(time.Time) tea.Msg { return laterMsg{} })
}

// reload reads another stretch, and drops what is being read for the old one.
func (l *Screen) reload(p place) tea.Cmd {
	l.place, l.asking = p, l.scene.Now
	return l.read()
}

func (l *Screen) read() tea.Cmd {
	l.again, l.stopped, l.lastRead = false, false, l.scene.Now
	l.wanted, l.of = l.bar.InForce().Text, l.scene.IDs()
	ctx, seq := l.pages.Begin(l.ctx)
	r := request{
		seq: seq, place: l.place, filter: l.bar.InForce(), rows: l.list.height, zone: l.scene.Zone, shown: l.scene.Shown,
		tell: l.pages.Tell(),
	}
	if !l.list.follow {
		r.seen = l.seen
	}
	if l.scene.Live {
		r.twice = l.twice
	}
	store := l.store
	return func() tea.Msg { return read(ctx, store, r) }
}

// Update handles keys, the mouse, pasted text and what was read.
func (l *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case readMsg:
		return l.arrived(msg)
	case laterMsg:
		l.later = false
		return l.Refresh()
	case callMsg:
		return l.gotCall(msg)
	case troubleMsg:
		return l.gotTrouble(msg)
	case tea.KeyPressMsg:
		return l.key(msg)
	case tea.PasteMsg:
		return l.paste(msg)
	case tea.MouseClickMsg:
		return l.click(msg.Mouse())
	case tea.MouseWheelMsg:
		return l.wheel(msg.Mouse())
	}
	return l.detail.Receive(msg)
}

// arrived takes a stretch, unless another one is wanted by now.
func (l *Screen) arrived(m readMsg) tea.Cmd {
	if !l.pages.Done(m.request.seq) {
		return nil
	}
	l.asking, l.arrivedOnce, l.lastTook = time.Time{}, true, l.scene.Now.Sub(l.lastRead)
	if m.err != nil && !(m.cut && l.stopped) {
		l.forget()
		return nil // the frame says so
	}
	l.windows = m.windows
	l.after, l.fresh = m.after, m.fresh
	if !l.list.follow {
		l.place = place{after: m.after}
	}
	oldest := m.after == 0 && !m.cut
	l.list.set(merge(m.ended, m.running, oldest, m.newest), oldest, m.newest)
	l.widths.grow(l.list.calls)
	l.rush.measure(m.ended, l.list.height, l.scene.Now)
	l.reach()
	l.arrange()
	l.tell(m)
	cmds := []tea.Cmd{l.goOn(), l.replay(), l.follow(), l.detail.Read()}
	if l.again {
		cmds = append(cmds, l.Refresh())
	}
	return tea.Batch(cmds...)
}

// stop gives up reading. What has been found by then is shown.
func (l *Screen) stop() {
	l.forget()
	l.pages.Stop()
	l.stopped = true
	l.scene.Say("reading was given up: what had been found is shown")
}

// slow reports whether the user has waited for calls long enough to be told.
func (l *Screen) slow() bool {
	return !l.asking.IsZero() && l.scene.Now.Sub(l.asking) > patience
}

// reach moves the cursor to where the user wanted to go when the stretch was asked for.
func (l *Screen) reach() {
	want := l.want
	l.want = goal{}
	switch {
	case want.first:
		l.list.selectRow(0)
	case want.last:
		l.list.selectRow(len(l.list.calls) - 1)
		l.look()
	case want.id != 0 && !l.list.selectCall(want.id):
		l.scene.Say("that call is not in the file any more")
	}
}

// follow reads the selected call whole if it is not at hand. While calls rush by, another
// one is selected with each reading, and none is read.
func (l *Screen) follow() tea.Cmd {
	c := l.list.selected()
	if c == nil {
		l.calls.Drop()
		l.whole, l.asked, l.chosen = ledger.Call{}, 0, 0
		return nil
	}
	l.point(c)
	if c.ID != l.whole.ID {
		l.chosen, l.firstRow = 0, 0
	}
	if c.Running() {
		l.calls.Stop()
		l.whole, l.asked = *c, 0
		l.detail.Show(l.whole)
		return nil
	}
	if l.Rushes() && !l.list.picked {
		l.calls.Drop()
		l.whole, l.asked = *c, 0
		return nil
	}
	if c.ID == l.asked {
		return nil
	}
	l.asked = c.ID
	if c.ID != l.whole.ID {
		l.whole = *c // as much as the list knows, until the rest has come
		l.detail.Show(l.whole)
	}
	ctx, seq := l.calls.Begin(l.ctx)
	return readCall(ctx, l.store, seq, c.ID)
}

func (l *Screen) gotCall(m callMsg) tea.Cmd {
	if !l.calls.Done(m.seq) {
		return nil
	}
	if m.err != nil {
		l.scene.Complain(m.err)
		return nil
	}
	l.whole = m.call.Call
	l.detail.ShowWhole(m.call)
	return l.detail.Read()
}

// tell says once which call was sent twice, or else how the newest call with a problem ended.
func (l *Screen) tell(m readMsg) {
	if !l.scene.Live {
		return
	}
	if c := m.twice; c != nil && c.Call.ID > l.twice {
		l.twice, l.said = c.Call.ID, max(l.said, c.Call.ID)
		l.scene.Tell(phrase.SentTwice(&c.Call, c.Other, l.scene.Clock))
		return
	}
	ended := m.ended
	for i := len(ended) - 1; i >= 0 && ended[i].ID > l.said; i-- {
		if text := result(l.scene, &ended[i]); text != "" {
			l.said = ended[i].ID
			l.scene.Tell(text)
			return
		}
	}
}
