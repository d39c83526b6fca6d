package pending

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/draw"
)

// Actions is what people do to operations. Its methods are called from commands and may
// take as long as the server does. Their errors are shown as they are, so they say what
// was not done, and to whom somebody was too late.
type Actions interface {
	// Ask asks a live session of the operation's service, and returns its answer. The error
	// wraps [ledger.ErrNobody] if none takes it in time; then nothing was done.
	Ask(context.Context, ledger.Ask) (string, error)
	// Here does from this process what is asked for, after the same checklist.
	Here(context.Context, ledger.Ask) (string, error)
	// Checklist returns what has to hold before the operation is replayed: by one of these
	// sessions if it is live and of the same service, else from here. The operation is as
	// it is stored.
	Checklist(context.Context, *ledger.Operation, []ledger.Session) []ledger.Check
	// Settle records the final word on an operation as it was seen.
	Settle(ctx context.Context, o *ledger.Operation, happened bool, reason, evidence string) (ledger.Operation, error)
	// Reopen takes back the final word of a person.
	Reopen(ctx context.Context, o *ledger.Operation, reason string) (ledger.Operation, error)
	// Cancel ends a plan that was never sent.
	Cancel(ctx context.Context, o *ledger.Operation, reason string) (ledger.Operation, error)
	// Note adds what a person says to the life of an operation.
	Note(ctx context.Context, id ledger.ID, text string) (ledger.Operation, error)
}

// kind is what can be done to an operation.
type kind int

const (
	lookup kind = iota
	replay
	undo
	settle
	reopen
	cancel
	note
)

// names returns what is under way, and what it is called.
func (k kind) names() (doing, noun string) {
	return [...]string{"looking up", "replaying", "undoing", "settling", "reopening", "cancelling", "noting"}[k],
		[...]string{"lookup", "replay", "undo", "settlement", "reopening", "cancelling", "note"}[k]
}

// deed is something that is under way.
type deed struct {
	kind  kind
	since time.Time
}

// doneMsg tells what came of what was done.
type doneMsg struct {
	op     ledger.Operation // as it was before
	kind   kind
	here   bool // this process did it
	answer string
	err    error
	took   time.Duration
	after  ledger.Operation // as it is now; in no state if that could not be read
}

// Acting says what is under way, "" when nothing is.
func (s *Screen) Acting() string {
	for id, d := range s.doing {
		doing, _ := d.kind.names()
		if n := len(s.doing) + len(s.batch.queue); n > 1 {
			return fmt.Sprintf("%s %s and %d more", doing, id.Key, n-1)
		}
		return doing + " " + id.Key
	}
	return ""
}

// run does something to an operation, and says so meanwhile.
func (s *Screen) run(o ledger.Operation, k kind, do func(context.Context) doneMsg) tea.Cmd {
	s.doing[o.ID()] = deed{k, s.scene.Now}
	doing, _ := k.names()
	s.scene.Say(doing + " " + o.Key + "…")
	ctx, store, redact := s.ctx, s.store, s.redact
	return func() tea.Msg {
		began := time.Now()
		m := do(ctx)
		m.op, m.kind, m.took = o, k, time.Since(began)
		if now, err := store.Operation(ctx, o.ID()); err == nil {
			m.after = redact.operation(&now)
		}
		return m
	}
}

// askFor returns what a person asks a service for.
func askFor(o *ledger.Operation, k kind) ledger.Ask {
	kinds := map[kind]ledger.AskKind{lookup: ledger.AskLookup, replay: ledger.AskReplay, undo: ledger.AskUndo}
	return ledger.Ask{Service: o.Service, Key: o.Key, Kind: kinds[k], Version: o.Version}
}

// atOnce is how many lookups are under way at most.
const atOnce = 4

// batch is the lookups of several operations.
type batch struct {
	queue                                  []ledger.Operation // those that have not begun
	all, done, found, missing, unavailable int
}

// lookUp looks up the operations that are marked, else the selected one. It has no effect
// on anything, so nobody is asked.
func (s *Screen) lookUp() tea.Cmd {
	ops := s.list.marked()
	if len(ops) == 0 {
		s.scene.Say("no operation is selected")
		return nil
	}
	if len(ops) == 1 {
		return s.lookUpOne(ops[0])
	}
	if len(s.batch.queue) > 0 {
		s.scene.Say("those that were marked are still being looked up")
		return nil
	}
	s.batch = batch{queue: ops, all: len(ops)}
	var cmds []tea.Cmd
	for range atOnce {
		cmds = append(cmds, s.lookUpNext())
	}
	return tea.Batch(cmds...)
}

// lookUpNext looks up the next of several.
func (s *Screen) lookUpNext() tea.Cmd {
	for len(s.batch.queue) > 0 {
		o := s.batch.queue[0]
		s.batch.queue = s.batch.queue[1:]
		if cmd := s.lookUpOne(o); cmd != nil {
			return cmd
		}
		s.batch.done++
		s.batch.unavailable++
	}
	return nil
}

func (s *Screen) lookUpOne(o ledger.Operation) tea.Cmd {
	if why := s.hindrance(&o, lookup); why != "" {
		s.scene.Say(o.Key + " is not looked up: " + why)
		return nil
	}
	actions := s.actions
	return s.run(o, lookup, func(ctx context.Context) (m doneMsg) {
		a := askFor(&o, lookup)
		m.answer, m.err = actions.Ask(ctx, a)
		if errors.Is(m.err, ledger.ErrNobody) && o.Lookup != nil {
			m.here = true
			m.answer, m.err = actions.Here(ctx, a)
		}
		return m
	})
}

// hindrance says why something cannot be done to an operation now, "" if it can.
func (s *Screen) hindrance(o *ledger.Operation, k kind) string {
	if d, busy := s.doing[o.ID()]; busy {
		return "its " + noun(d.kind) + " is under way"
	}
	driver := s.driver(o)
	switch {
	case (k == replay || k == settle) && s.orphaned(o):
		return fmt.Sprintf("it is %s, but no %s is live: %s takes it over", o.State, o.Service, s.scene.Keys.LookUp.Help().Key)
	case k == lookup && !o.CanLookUp() && !s.orphaned(o):
		return "there is no way to ask the server, since no lookup was declared"
	case k == replay && driver != "":
		return driver + "; only what is pending is replayed"
	case k == replay && o.State != ledger.OpPending:
		return fmt.Sprintf("it is %s, and only what is pending is replayed", o.State)
	case k == undo && o.Undo == nil:
		return "how to undo it was not declared"
	case k == undo && o.State != ledger.OpPending && o.State != ledger.OpSucceeded:
		return fmt.Sprintf("it is %s, and only what is pending or succeeded is undone", o.State)
	case k == settle && driver != "":
		return driver
	case k == settle && o.State.UnderWay():
		return fmt.Sprintf("it is %s: %s still sees to it", o.State, o.Service)
	case k == reopen && o.SettledBy.Kind != ledger.Person:
		return fmt.Sprintf("it is %s, and no person settled it", o.State)
	}
	return ""
}

// driver says which live session drives an operation, and since when it is in its state; ""
// if none is known to.
func (s *Screen) driver(o *ledger.Operation) string {
	for i := range s.scene.Sessions {
		if c := &s.scene.Sessions[i]; c.ID == o.Owner && c.Live(s.scene.Now) {
			return fmt.Sprintf("it is %s since %s, driven by %s", o.State, o.Moved.In(s.scene.Zone).Format(time.TimeOnly), c.Names())
		}
	}
	return ""
}

// done tells what came of it. What no live session took is offered to be done from here.
func (s *Screen) done(m doneMsg) tea.Cmd {
	delete(s.doing, m.op.ID())
	var next tea.Cmd
	switch {
	case m.kind == lookup && s.batch.all > 0:
		next = s.doneOne(&m)
	case !m.here && errors.Is(m.err, ledger.ErrNobody) && m.kind != lookup && s.question == nil:
		s.scene.Say(fmt.Sprintf("no live session of %s took the %s of %s: nothing was sent; %s asks whether to do it from here",
			m.op.Service, noun(m.kind), m.op.Key, s.scene.Keys.Pending.Help().Key))
		next = s.open(m.kind, m.op, true)
	default:
		s.scene.Say(s.report(&m))
	}
	return tea.Batch(next, s.read())
}

func noun(k kind) string {
	_, noun := k.names()
	return noun
}

// doneOne counts one of several lookups.
func (s *Screen) doneOne(m *doneMsg) tea.Cmd {
	b := &s.batch
	b.done++
	switch {
	case m.err != nil || m.after.Finding == ledger.LookupFailed || m.after.Finding == ledger.NoVerdict:
		b.unavailable++
	case m.after.Finding == ledger.FoundNothing:
		b.missing++
	default:
		b.found++
	}
	next := s.lookUpNext()
	s.scene.Say(fmt.Sprintf("looked up %d of %d: %d found, %d not found, %d without an answer", b.done, b.all, b.found, b.missing, b.unavailable))
	if b.done >= b.all {
		s.batch = batch{}
	}
	return next
}

// report says in one line what came of something.
func (s *Screen) report(m *doneMsg) string {
	took := " (" + draw.Took(m.took)
	if m.here {
		took += ", from here"
	}
	took += "): "
	switch {
	case errors.Is(m.err, ledger.ErrNobody) && m.kind == lookup:
		return fmt.Sprintf("%s was not looked up%sno live session of %s answers, and only it knows how", m.op.Key, took, m.op.Service)
	case m.err != nil && m.kind == undo && !s.settled:
		return fmt.Sprintf("undo of %s%s%v; %s lists undos that failed, too", m.op.Key, took, m.err, s.scene.Keys.Settled.Help().Key)
	case m.err != nil:
		return noun(m.kind) + " of " + m.op.Key + took + m.err.Error()
	case m.kind == lookup:
		return "looked up " + m.op.Key + took + found(m) + s.hint(&m.after)
	}
	return noun(m.kind) + " of " + m.op.Key + took + m.answer
}

// found says what a lookup has brought, where that is known better than by the answer.
func found(m *doneMsg) string {
	o := &m.after
	if o.State == ledger.OpNone || !o.LookedUp.After(m.op.LookedUp) {
		return m.answer
	}
	words := map[ledger.Verdict]string{
		ledger.FoundMatching: "found", ledger.FoundNothing: "not found",
		ledger.FoundTwice: "found more than once", ledger.FoundOther: "found with another payload",
	}[o.Finding]
	switch {
	case words == "":
		return m.answer
	case o.State != m.op.State:
		return words + "; it is " + o.State.String()
	}
	return words
}

// hint says what may be done after a lookup.
func (s *Screen) hint(o *ledger.Operation) string {
	settled := s.scene.Keys.Settle.Help().Key
	switch {
	case o.State != ledger.OpPending:
		return ""
	case o.Finding == ledger.FoundMatching:
		return ". " + settled + " settles it as succeeded"
	case o.Finding == ledger.FoundNothing && o.Absent() && o.Policy.Honoured && o.KeyYoung(s.scene.Now):
		return ". " + s.scene.Keys.Replay.Help().Key + " sends it again"
	}
	return ""
}

// complain tells what could not be read, unless it was given up on purpose.
func (s *Screen) complain(err error) {
	if !errors.Is(err, context.Canceled) {
		s.scene.Say(err.Error())
	}
}
