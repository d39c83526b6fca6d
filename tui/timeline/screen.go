// Package timeline shows calls as bars on one axis of time, by host or by operation, below
// an overview of the whole session in which what is in sight is marked.
//
// It reads what is in sight and no more. Where calls are too many for rows of their own it
// shows the sums of each host, and of the calls some with trouble from all over.
package timeline

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/chart"
	"redial/tui/detail"
	"redial/tui/filter"
	"redial/tui/scene"
)

// Screen is the timeline. Make it with [New].
type Screen struct {
	ctx   context.Context
	scene *scene.Scene
	store Store
	bar   *filter.Bar

	span    span
	follow  bool          // what is newest stays in sight
	wide    time.Duration // how much is in sight then, as far as there is so much
	byOp    bool
	calls   []ledger.Call // in order of their start
	rows    []row
	lists   map[ledger.CallID]*ledger.Call // ended calls with their lists
	partial bool
	sumStep time.Duration
	sums    []ledger.Rollup
	over    overview

	chosen  ledger.CallID
	pointed ledger.CallID // the call that the cursor was put at here, or has been met at
	cursor  int           // row of the selected call; -1 without calls
	top     int           // first row in sight
	want    ledger.CallID
	lane    chart.Lane // what bars are drawn with

	asked  time.Time         // since when the user waits for calls; zero: not
	queued time.Time         // when the first of queue was pressed
	queue  []tea.KeyPressMsg // keys that start from calls that are being read

	detail  *detail.Screen
	opened  ledger.Call // the call that was last read whole
	going   going
	playing player

	width, height int
	sessions      []ledger.SessionID // that the span belongs to
	arrivedOnce   bool
	again, later  bool
	stopped       bool // the user has given up reading
	lastRead      time.Time
	lastTook      time.Duration
	filtered      string // the text of the filter that the calls were read with
	wanted        string // that of what is being read, or was last

	reads, listing, opens, finds scene.Task
}

// New returns the screen. Its filter is the one in the bar.
func New(ctx context.Context, s *scene.Scene, store Store, bar *filter.Bar) *Screen {
	t := &Screen{
		ctx: ctx, scene: s, store: store, bar: bar, follow: true, wide: firstSpan, cursor: -1,
		lists: map[ledger.CallID]*ledger.Call{}, detail: detail.New(s), going: newGoing(), playing: player{speed: asItWas()},
	}
	t.detail.Reads(ctx, store)
	return t
}

// Resize sets the size of the screen.
func (t *Screen) Resize(w, h int) tea.Cmd {
	t.width, t.height = w, h
	t.detail.Resize(w, h)
	t.settle()
	return t.list()
}

// calmly is how often the screen is read again at most, and a reading takes no more than
// this part of the time: less where calls are too many for rows, since it costs more then.
const (
	calmly    = 200 * time.Millisecond
	share     = 4
	manyShare = 20
)

// Refresh reads again what the screen shows, or does so later if it is being read.
func (t *Screen) Refresh() tea.Cmd {
	anew := !t.arrivedOnce || t.filtered != t.bar.InForce().Text || t.strange()
	switch {
	case t.stopped && !t.strange() && t.wanted == t.bar.InForce().Text:
		return nil
	case t.reads.Busy() && !t.strange():
		t.again = true
		return nil
	case anew:
		return t.ask()
	}
	part := time.Duration(share)
	if t.partial {
		part = manyShare
	}
	if wait := max(calmly, part*t.lastTook) - t.scene.Now.Sub(t.lastRead); wait > 0 {
		if t.later {
			return nil
		}
		t.later = true
		return tea.Tick(wait, func(time.Time) tea.Msg { return laterMsg{} })
	}
	return t.read()
}

// laterMsg tells that it is time for a reading that was put off.
type laterMsg struct{}

// read reads what is in sight, and drops what is being read.
func (t *Screen) read() tea.Cmd {
	t.again, t.stopped, t.lastRead = false, false, t.scene.Now
	t.meet()
	t.slide()
	ctx, seq := t.reads.Begin(t.ctx)
	f := t.bar.InForce()
	t.wanted = f.Text
	r := request{
		seq: seq, tell: t.reads.Tell(), want: t.want, span: t.span, filter: f, zone: t.scene.Zone, shown: t.scene.Shown,
		step: max((t.span.width() / time.Duration(max(t.axis().Width, 1))).Truncate(time.Second), time.Second),
		over: t.over.over(t.bounds(), max(t.width-12, 10)),
	}
	store := t.store
	return func() tea.Msg { return read(ctx, store, r, time.Now) }
}

// Update handles keys, the mouse, pasted text and what was read.
func (t *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case readMsg:
		return t.arrived(msg)
	case listsMsg:
		return t.gotLists(msg)
	case callMsg:
		return t.gotCall(msg)
	case troubleMsg:
		return t.gotTrouble(msg)
	case laterMsg:
		t.later = false
		return t.Refresh()
	case playMsg:
		return t.played(msg)
	case tea.KeyPressMsg:
		return t.key(msg)
	case tea.PasteMsg:
		return t.paste(msg)
	case tea.MouseClickMsg:
		return t.click(msg.Mouse())
	case tea.MouseWheelMsg:
		return t.wheel(msg.Mouse())
	}
	return t.detail.Receive(msg)
}

func (t *Screen) arrived(m readMsg) tea.Cmd {
	if !t.reads.Done(m.request.seq) {
		return nil
	}
	t.asked = time.Time{}
	if m.err != nil && !(m.cut && t.stopped) {
		t.queue = nil
		return nil // the frame tells of it
	}
	t.arrivedOnce, t.lastTook, t.filtered = true, m.took, m.request.filter.Text
	t.calls, t.partial, t.sums, t.over = m.calls, m.partial, m.sums, m.over
	t.sumStep = m.request.step
	if t.want != 0 {
		t.chosen, t.want = t.want, 0
	}
	t.group()
	cmds := []tea.Cmd{t.replay(), t.list()}
	if t.again {
		cmds = append(cmds, t.Refresh())
	}
	return tea.Batch(cmds...)
}

// group puts the calls into rows.
func (t *Screen) group() {
	var hosts []string
	if !t.byOp {
		for i := range t.sums {
			hosts = append(hosts, t.sums[i].Host)
		}
	}
	t.rows = arrange(t.calls, unique(hosts), t.byOp)
	t.settle()
}

// mostLists is how many calls are kept with their lists.
const mostLists = 2000

// list reads the attempts and waits of the calls in sight that are not at hand.
func (t *Screen) list() tea.Cmd {
	var ids []ledger.CallID
	for i := t.top; i < len(t.rows) && i < t.top+t.room(); i++ {
		if t.rows[i].call < 0 {
			continue
		}
		c := &t.calls[t.rows[i].call]
		if _, ok := t.lists[c.ID]; !ok && !c.Running() && len(c.AttemptList)+len(c.Waits) == 0 {
			ids = append(ids, c.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	ctx, seq := t.listing.Begin(t.ctx)
	return readLists(ctx, t.store, seq, ids)
}

func (t *Screen) gotLists(m listsMsg) tea.Cmd {
	if !t.listing.Done(m.seq) || m.err != nil {
		return nil
	}
	if len(t.lists) > mostLists {
		clear(t.lists)
	}
	for i := range m.calls {
		t.lists[m.calls[i].ID] = &m.calls[i]
	}
	return nil
}

func (t *Screen) gotCall(m callMsg) tea.Cmd {
	if !t.opens.Done(m.seq) {
		return nil
	}
	if m.err != nil {
		t.scene.Complain(m.err)
		return nil
	}
	t.opened = m.call
	if m.open {
		t.detail.Show(m.call)
		t.detail.Enter()
	}
	return t.detail.Read()
}

// Back leaves the detail, stops playing, or clears the filter if that key does it.
func (t *Screen) Back(clear bool) (bool, tea.Cmd) {
	switch {
	case t.detail.Open():
		if !t.detail.Back() {
			t.detail.Close()
		}
		return true, t.detail.Read()
	case t.playing.on && clear:
		t.stop("stopped")
		return true, nil
	case t.finds.Busy():
		t.finds.Drop()
		t.queue = nil
		t.scene.Say("looking for the next call with trouble was given up")
		return true, nil
	case t.slow():
		t.giveUp()
		return true, nil
	case clear && t.bar.Text() != "":
		t.bar.Clear()
		t.scene.Say("the filter is cleared")
		return true, t.ask()
	}
	return false, nil
}

// Leaves reports whether there is anything to leave short of the filter.
func (t *Screen) Leaves() bool { return t.detail.Open() || t.finds.Busy() || t.slow() }

// Captures reports whether every key but ctrl+c belongs to the screen, since it is text.
func (t *Screen) Captures() bool { return t.bar.Editing() || t.going.editing }

// Moves reports whether the screen looks different a moment later though nothing happens.
func (t *Screen) Moves() bool {
	if t.playing.on || t.follows() || !t.asked.IsZero() || t.finds.Busy() {
		return true
	}
	for i := t.top; t.scene.Live && i < len(t.rows) && i < t.top+t.room(); i++ {
		if t.rows[i].call >= 0 && t.calls[t.rows[i].call].Running() {
			return true
		}
	}
	return false
}

// Rushes reports whether rows are replaced faster than they can be read: they are not,
// since the screen is read again only now and then.
func (t *Screen) Rushes() bool { return false }
