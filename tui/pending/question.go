package pending

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/dialog"
	"redial/tui/scene"
)

// question is a dialog about one operation.
type question struct {
	*dialog.Dialog
	scene *scene.Scene
	kind  kind
	here  bool             // it would be done by this process
	op    ledger.Operation // as the person saw it, redacted

	ready  bool // what it rests on was read
	checks []ledger.Check
	sender string
	read   ledger.Reading
	size   int    // bytes of the body
	moved  string // what became of the operation meanwhile, which rules the answer out

	tail, choice, reason, evidence *dialog.Field
}

// open asks about an operation, or says why there is nothing to ask.
func (s *Screen) open(k kind, o ledger.Operation, here bool) tea.Cmd {
	if why := s.hindrance(&o, k); why != "" {
		s.scene.Say("nothing is done about " + o.Key + ": " + why)
		return nil
	}
	q := &question{scene: s.scene, kind: k, here: here, op: o}
	q.Dialog = dialog.New(s.scene, "")
	s.question = q
	q.build()
	if k == replay || k == settle || k == undo || k == reopen {
		return s.prepare()
	}
	q.ready = true
	return nil
}

// preparedMsg brings what a question rests on.
type preparedMsg struct {
	seq    int
	life   life
	checks []ledger.Check
	sender string
	read   ledger.Reading
	err    error
}

// prepare reads what the question rests on.
func (s *Screen) prepare() tea.Cmd {
	ctx, seq := s.prepares.Begin(s.ctx)
	q := s.question
	store, actions, redact, id, here, now := s.store, s.actions, s.redact, q.op.ID(), q.here, s.scene.Now
	return func() tea.Msg {
		m := preparedMsg{seq: seq}
		sessions, err := store.Sessions(ctx)
		if err != nil {
			m.err = err
			return m
		}
		if here {
			sessions = nil
		}
		whole, err := store.Operation(ctx, id)
		if err != nil {
			m.err = err
			return m
		}
		m.checks, m.sender = actions.Checklist(ctx, &whole, sessions), sender(&whole, sessions, here, now)
		if m.read, m.err = store.Reading(ctx, id); m.err == nil {
			m.life, m.err = readLife(ctx, store, redact, id)
		}
		return m
	}
}

// sender says who would send it.
func sender(o *ledger.Operation, sessions []ledger.Session, here bool, now time.Time) string {
	for i := range sessions {
		if s := &sessions[i]; s.Service == o.Service && s.Live(now) {
			return fmt.Sprintf("%s, pid %d, alive, with its own credentials", s.Service, s.PID)
		}
	}
	if here {
		return "this process, with credentials from its environment"
	}
	return "no session of " + o.Service + " is live; it is asked first all the same"
}

// prepared fills the question in. Keys that were meant for an empty one are dropped.
func (s *Screen) prepared(m preparedMsg) {
	q := s.question
	if !s.prepares.Done(m.seq) || q == nil {
		return
	}
	if m.err != nil {
		s.question = nil
		s.complain(fmt.Errorf("nothing is done about %s: %w", q.op.Key, m.err))
		return
	}
	if why := s.hindrance(&m.life.op, q.kind); why != "" {
		s.question = nil
		s.scene.Say("nothing is done about " + q.op.Key + ": " + why)
		return
	}
	q.op, q.checks, q.sender, q.read, q.size, q.ready = m.life.op, m.checks, m.sender, m.read, m.life.size, true
	q.build()
	if q.evidence != nil {
		q.evidence = dialog.Text("evidence", lastLookup(m.life.rows, s.scene.Zone))
		q.Fields[len(q.Fields)-1] = q.evidence
	}
	q.Reopen()
}

// seen takes notice of what the operation is by now. It reports whether the question has
// to be prepared anew.
func (q *question) seen(o *ledger.Operation) bool {
	switch {
	case q.kind == settle && q.merelyLookedUp(o):
		if o.State == q.op.State {
			q.op.Version = o.Version
		}
	case o.Version != q.op.Version:
		q.moved = fmt.Sprintf("it is %s by now", o.State)
		if o.Settled() && o.SettledBy.Kind != ledger.NoActor {
			q.moved = fmt.Sprintf("%s made it %s at %s", o.SettledBy, o.State, o.Moved.In(q.scene.Zone).Format("15:04:05"))
		}
	case q.kind == replay && q.ready && !o.Updated.Equal(q.op.Updated):
		q.ready = false
		return true
	}
	return false
}

// merelyLookedUp reports whether nothing has happened to the operation since the person saw
// it but lookups that bring what they brought before. What the person knows is not touched
// by that, and pending operations are looked up again and again.
func (q *question) merelyLookedUp(o *ledger.Operation) bool {
	again := o.State == q.op.State && o.Finding == q.op.Finding
	return q.op.State == ledger.OpPending && o.Sends == q.op.Sends && (again || o.State == ledger.OpChecking)
}

// questionKey hands a key to the dialog, and does what was answered.
func (s *Screen) questionKey(k tea.KeyPressMsg) tea.Cmd {
	q := s.question
	switch q.Key(k) {
	case dialog.Cancelled:
		s.question = nil
		s.prepares.Drop()
		s.scene.Say("nothing was done about " + q.op.Key)
	case dialog.Pressed:
		s.question = nil
		s.prepares.Drop()
		if len(q.Buttons) > 1 && q.Pressed() == 0 {
			return s.lookUpOne(q.op)
		}
		return s.confirm(q)
	}
	return nil
}

// confirm does what the person has confirmed.
func (s *Screen) confirm(q *question) tea.Cmd {
	if why := s.hindrance(&q.op, q.kind); why != "" {
		s.scene.Say("nothing is done about " + q.op.Key + ": " + why)
		return nil
	}
	o, actions := q.op, s.actions
	switch q.kind {
	case replay, undo:
		a := askFor(&o, q.kind)
		a.Despite = q.despite()
		return s.run(o, q.kind, func(ctx context.Context) (m doneMsg) {
			if m.here = q.here; q.here {
				m.answer, m.err = actions.Here(ctx, a)
				return m
			}
			m.answer, m.err = actions.Ask(ctx, a)
			return m
		})
	case settle:
		return s.settle(o, q.choice.Chosen() == 0, q.reason.Value(), q.evidence.Value())
	}
	reason, store, zone := q.reason.Value(), s.store, s.scene.Zone
	return s.run(o, q.kind, func(ctx context.Context) (m doneMsg) {
		var now ledger.Operation
		switch q.kind {
		case reopen:
			if now, m.err = actions.Reopen(ctx, &o, reason); m.err == nil {
				var read ledger.Reading
				read, m.err = store.Reading(ctx, o.ID())
				m.answer = "; the word: " + wording(read, o.Service, zone)
			}
		case cancel:
			now, m.err = actions.Cancel(ctx, &o, reason)
		default:
			now, m.err = actions.Note(ctx, o.ID(), reason)
		}
		m.answer = "it is " + now.State.String() + m.answer
		if q.kind == note {
			m.answer = "written down"
		}
		return m
	})
}

// settle records the final word, and looks once more if no live session will.
func (s *Screen) settle(o ledger.Operation, happened bool, reason, evidence string) tea.Cmd {
	actions, store, now := s.actions, s.store, s.scene.Now
	return s.run(o, settle, func(ctx context.Context) (m doneMsg) {
		after, err := actions.Settle(ctx, &o, happened, reason, evidence)
		if err != nil {
			m.err = err
			return m
		}
		m.answer = "it is " + after.State.String()
		if !o.CanLookUp() {
			return m
		}
		sessions, err := store.Sessions(ctx)
		for i := range sessions {
			if err == nil && sessions[i].Service == o.Service && sessions[i].Live(now) {
				m.answer += ", and " + o.Service + " looks once more"
				return m
			}
		}
		if o.Lookup == nil {
			return m
		}
		looked, err := actions.Here(ctx, askFor(&after, lookup))
		if err != nil {
			looked = err.Error()
		}
		m.answer += "; looked up once more: " + looked
		return m
	})
}
