package sessions

import (
	"context"
	"errors"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/scene"
)

// listMsg brings the sessions.
type listMsg struct {
	seq      int
	sessions []ledger.Session
	err      error
}

// Failed returns why the sessions could not be read, nil if they could.
func (m listMsg) Failed() error { return m.err }

// read reads the sessions, or does so when those that are being read have come.
func (s *Screen) read() tea.Cmd {
	if s.reads.Busy() {
		s.again = true
		return nil
	}
	s.again, s.lastRead = false, s.scene.Now
	ctx, seq := s.reads.Begin(s.ctx)
	store, own := s.options.Store, s.options.Own
	return func() tea.Msg {
		m := listMsg{seq: seq}
		m.sessions, m.err = store.Sessions(ctx)
		if own != nil {
			id := own()
			m.sessions = slices.DeleteFunc(m.sessions, func(s ledger.Session) bool { return s.ID == id })
		}
		return m
	}
}

func (s *Screen) gotList(m listMsg) tea.Cmd {
	if !s.reads.Done(m.seq) || m.err != nil {
		return nil // the frame tells of an error
	}
	s.sessions, s.arrived = m.sessions, true
	s.rebuild()
	if s.again {
		return tea.Batch(s.Refresh(), s.follow())
	}
	return s.follow()
}

// saidMsg tells that something that is said of a session was written down, or was not.
type saidMsg struct {
	text string
	err  error
}

// act writes down what is said of a session.
func (s *Screen) act(text string, do func(context.Context, Keeper) error) tea.Cmd {
	ctx, keeper := s.ctx, s.options.Keeper
	return func() tea.Msg { return saidMsg{text, do(ctx, keeper)} }
}

func (s *Screen) said(m saidMsg) tea.Cmd {
	if m.err != nil {
		s.scene.Say(m.err.Error())
		return nil
	}
	s.scene.Say(m.text)
	return s.read()
}

// planMsg brings what a rule comes to.
type planMsg struct {
	seq  int
	plan ledger.PrunePlan
	err  error
}

// readPlan asks what a rule comes to.
func (s *Screen) readPlan(rule ledger.PruneRule) tea.Cmd {
	ctx, seq := s.plans.Begin(s.ctx)
	keeper := s.options.Keeper
	return func() tea.Msg {
		plan, err := keeper.PrunePlan(ctx, rule)
		return planMsg{seq, plan, err}
	}
}

func (s *Screen) gotPlan(m planMsg) {
	if !s.plans.Done(m.seq) || s.question == nil {
		return
	}
	if m.err != nil {
		s.question.wrong = m.err.Error()
		return
	}
	s.question.plan, s.question.known = m.plan, true
}

// pruning is what is under way.
type pruning struct {
	what string     // how many sessions
	far  scene.Task // how far it is
}

// prunedMsg tells that pruning is over.
type prunedMsg struct {
	pruned []ledger.SessionID
	wanted int
	err    error
}

// prune takes the sessions of a plan out of the file.
func (s *Screen) prune(plan *ledger.PrunePlan) tea.Cmd {
	ids := make([]ledger.SessionID, len(plan.Go))
	for i := range plan.Go {
		ids[i] = plan.Go[i].Session.ID
	}
	s.pruning = &pruning{what: draw.Plural(int64(len(ids)), "session")}
	ctx, _ := s.pruning.far.Begin(s.ctx)
	tell, calls := s.pruning.far.Tell(), plan.Calls()
	s.scene.Say("pruning " + s.pruning.what + "; " + s.scene.Keys.Back.Help().Key + " breaks it off")
	keeper := s.options.Keeper
	return func() tea.Msg {
		pruned, err := keeper.Prune(ctx, ids, func(gone int64) { tell(gone, calls) })
		return prunedMsg{pruned, len(ids), err}
	}
}

func (s *Screen) gotPruned(m prunedMsg) tea.Cmd {
	s.pruning.far.Stop()
	s.pruning = nil
	switch n := draw.Plural(int64(len(m.pruned)), "session"); {
	case errors.Is(m.err, context.Canceled):
		s.scene.Answer(fmt.Sprintf("pruning was broken off: %s of %d went", n, m.wanted))
	case m.err != nil:
		s.scene.Answer(m.err.Error())
	case len(m.pruned) < m.wanted:
		s.scene.Answer(fmt.Sprintf("%s of %d went: the others must stay by now", n, m.wanted))
	default:
		s.scene.Answer(n + " went; the file keeps its size, and uses the room for what is recorded next")
	}
	return s.read()
}
