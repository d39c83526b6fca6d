// Package sessions shows the runs of services that a file has: which are live, how the
// others ended, and how much there is of each.
//
// It is where a recorded one is opened, so that the other screens show it, and where people
// name them, pin them, and prune what they need no longer. What [Keeper] does is asked for
// here and told of here; without one nothing can be changed. Pruning shows what goes before
// it does anything, and never takes what is live, pinned or part of an operation that is not
// settled.
package sessions

import (
	"context"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/choice"
	"redial/tui/keys"
	"redial/tui/scene"
)

// Store is what this screen reads.
type Store interface {
	Sessions(context.Context) ([]ledger.Session, error)
	// Sums calls each with what ended, by host and step of time.
	Sums(ctx context.Context, q ledger.SumQuery, each func(*ledger.Rollup) error) error
}

// Keeper changes what is kept of sessions. Its methods are called from commands.
type Keeper interface {
	// NameSession gives a session a name; "" takes it away.
	NameSession(ctx context.Context, id ledger.SessionID, name string) error
	// PinSession says whether a session is to stay when others are pruned.
	PinSession(ctx context.Context, id ledger.SessionID, pinned bool) error
	// PrunePlan says what a rule comes to. It changes nothing.
	PrunePlan(context.Context, ledger.PruneRule) (ledger.PrunePlan, error)
	// Prune takes sessions out of the file, leaves those alone that must stay by now, and
	// returns those that are gone. progress is called with how many calls have gone.
	Prune(ctx context.Context, ids []ledger.SessionID, progress func(gone int64)) ([]ledger.SessionID, error)
}

// OpenMsg asks for a session to be shown by all screens.
type OpenMsg struct{ ID ledger.SessionID }

// Options set up the screen.
type Options struct {
	Store  Store
	Keeper Keeper                  // nil: nothing can be changed
	Own    func() ledger.SessionID // see tui.Options
}

// Screen is the list of sessions. Make it with [New].
type Screen struct {
	ctx     context.Context
	scene   *scene.Scene
	options Options

	sessions []ledger.Session // in order
	list     choice.List
	columns  []column
	order    order
	arrived  bool

	question *question // nil: no dialog is open
	pruning  *pruning  // nil: nothing is being pruned

	width, height int
	again         bool
	later         bool
	lastRead      time.Time

	past past // of the selected session

	reads, plans, sums scene.Task
}

// New returns the screen.
func New(ctx context.Context, s *scene.Scene, o Options) *Screen {
	cols := columns(s.Keys)
	return &Screen{ctx: ctx, scene: s, options: o, columns: cols, order: order{by: startedColumn, down: true}}
}

// Resize sets the size of the screen.
func (s *Screen) Resize(w, h int) tea.Cmd {
	s.width, s.height = w, h
	s.list.Resize(s.listHeight() - 4)
	return s.follow()
}

// calmly is how often the sessions are read again at most.
const calmly = 500 * time.Millisecond

// laterMsg tells that it is time for a reading that was put off.
type laterMsg struct{}

// Refresh reads again what the screen shows, or does so a little later.
func (s *Screen) Refresh() tea.Cmd {
	wait := calmly - s.scene.Now.Sub(s.lastRead)
	if !s.arrived || wait <= 0 || wait > calmly {
		return s.read()
	}
	if s.later {
		return nil
	}
	s.later = true
	return tea.Tick(wait, func(time.Time) tea.Msg { return laterMsg{} })
}

// PutOff reports whether reading was put off.
func (s *Screen) PutOff() bool { return s.later }

// Update handles keys, the mouse, pasted text, what was read and what was done.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case listMsg:
		return s.gotList(msg)
	case pastMsg:
		s.gotPast(msg)
	case laterMsg:
		s.later = false
		return s.read()
	case planMsg:
		s.gotPlan(msg)
	case saidMsg:
		return s.said(msg)
	case prunedMsg:
		return s.gotPruned(msg)
	case tea.KeyPressMsg:
		return tea.Batch(s.key(msg), s.follow())
	case tea.PasteMsg:
		return s.paste(msg)
	case tea.MouseClickMsg:
		return tea.Batch(s.click(msg.Mouse()), s.follow())
	case tea.MouseWheelMsg:
		s.wheel(msg.Mouse())
		return s.follow()
	}
	return nil
}

// rebuild puts the sessions in order. The selected one stays selected.
func (s *Screen) rebuild() {
	s.order.sort(s.columns, s.sessions, s.scene.Now)
	names := make([]string, len(s.sessions))
	for i := range s.sessions {
		names[i] = s.sessions[i].ID.String()
	}
	s.list.Set(names)
	s.list.Resize(s.listHeight() - 4)
}

// selected returns the selected session, nil without any.
func (s *Screen) selected() *ledger.Session {
	if s.list.Cursor() < len(s.sessions) {
		return &s.sessions[s.list.Cursor()]
	}
	return nil
}

// Captures reports whether every key but ctrl+c belongs to the screen.
func (s *Screen) Captures() bool { return s.question != nil }

// Back ends pruning, if that is under way. It reports whether there was anything to leave.
func (s *Screen) Back(clear bool) (bool, tea.Cmd) {
	if s.pruning == nil || !clear {
		return false, nil
	}
	s.pruning.far.Stop()
	s.scene.Say("pruning is being broken off: what is left of a session stays as it is")
	return true, nil
}

// Leaves reports whether there is anything to leave: there is not, as esc alone breaks
// pruning off.
func (s *Screen) Leaves() bool { return false }

// Acting says what is being done, "" for nothing.
func (s *Screen) Acting() string {
	if s.pruning != nil {
		return "pruning " + s.pruning.what
	}
	return ""
}

// Moves reports whether the screen looks different a moment later though nothing happens.
func (s *Screen) Moves() bool { return s.question != nil || s.pruning != nil }

// Rushes reports whether rows are replaced faster than they can be read: they are not.
func (s *Screen) Rushes() bool { return false }

// Bindings returns the keys of what has the focus.
func (s *Screen) Bindings() scene.Bindings {
	if s.question != nil {
		return s.question.Bindings()
	}
	km := s.scene.Keys
	look := []key.Binding{keys.Pair(km.Down, km.Up, "move"), km.Open}
	full := []keys.Named{
		{Title: "Sessions", Keys: []key.Binding{km.Open, keys.Does(km.Back, "back to what is live"), km.Down, km.Up, km.PageDown, km.PageUp, km.Top, km.Bottom}},
	}
	if s.options.Keeper == nil {
		look = append([]key.Binding{keys.Says("read-only", "")}, look...)
	} else {
		acts := []key.Binding{km.Name, km.Pin, km.Prune}
		look = append(look, acts...)
		full = append(full, keys.Named{Title: "Keep", Keys: acts})
	}
	full = append(full, keys.Named{Title: "Sort by, once more turns it round", Keys: sorts(s.columns)})
	return scene.Bindings{Short: append(look, keys.Sorts(sorts(s.columns))), Full: full}
}
