package sessions

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"redial/ledger"
)

func (s *Screen) key(k tea.KeyPressMsg) tea.Cmd {
	if s.question != nil {
		return s.questionKey(k)
	}
	km := s.scene.Keys
	half := max(s.list.Height()/2, 1)
	switch {
	case key.Matches(k, km.Name, km.Pin, km.Prune):
		return s.keep(k)
	case key.Matches(k, km.Open):
		return s.open()
	case key.Matches(k, km.Up):
		s.list.Move(-1)
	case key.Matches(k, km.Down):
		s.list.Move(1)
	case key.Matches(k, km.PageUp):
		s.list.Move(-half)
	case key.Matches(k, km.PageDown):
		s.list.Move(half)
	case key.Matches(k, km.Top):
		s.list.Move(-s.list.Len())
	case key.Matches(k, km.Bottom):
		s.list.Move(s.list.Len())
	case s.order.key(s.columns, func(b key.Binding) bool { return key.Matches(k, b) }):
		s.rebuild()
		s.scene.Say("sorted " + s.order.words(s.columns))
	}
	return nil
}

// keep does or asks for what a key stands for, and answers in any case.
func (s *Screen) keep(k tea.KeyPressMsg) tea.Cmd {
	km, c := s.scene.Keys, s.selected()
	switch {
	case s.options.Keeper == nil:
		s.scene.Say("this dashboard is read-only: nothing was done")
	case s.scene.Stale:
		s.scene.Say("the file cannot be read, so nothing is done about what is shown")
	case c == nil:
		s.scene.Say("no session is selected")
	case key.Matches(k, km.Name):
		s.question = askName(s.scene, c)
	case key.Matches(k, km.Pin):
		return s.pin(*c)
	case s.pruning != nil:
		s.scene.Say("pruning is under way: " + s.scene.Keys.Back.Help().Key + " breaks it off")
	default:
		s.question = askPrune(s.scene, c)
		return s.readPlan(ledger.PruneRule{Only: []ledger.SessionID{c.ID}})
	}
	return nil
}

// pin pins a session, or takes its pin away. It can be taken back by the same key, so that
// nothing asks before it.
func (s *Screen) pin(c ledger.Session) tea.Cmd {
	text := "session " + c.ID.String() + " is pinned: it is not pruned"
	if c.Pinned {
		text = "session " + c.ID.String() + " is not pinned any more"
	}
	return s.act(text, func(ctx context.Context, k Keeper) error { return k.PinSession(ctx, c.ID, !c.Pinned) })
}

// open asks for the selected session to be shown.
func (s *Screen) open() tea.Cmd {
	c := s.selected()
	if c == nil {
		s.scene.Say("no session is selected")
		return nil
	}
	id := c.ID
	return func() tea.Msg { return OpenMsg{id} }
}

// paste puts text into a dialog, and is nothing otherwise.
func (s *Screen) paste(m tea.PasteMsg) tea.Cmd {
	if s.question == nil {
		s.scene.Say("nothing was pasted: there is nothing to write in here")
		return nil
	}
	s.question.Paste(m)
	return s.replan()
}

// click selects the row under the pointer; on the one that is selected it opens it. It
// confirms nothing in a dialog.
func (s *Screen) click(m tea.Mouse) tea.Cmd {
	if s.question != nil || m.Button != tea.MouseLeft {
		return nil
	}
	row, ok := s.list.At(m.Y - 2)
	switch {
	case !ok:
	case row == s.list.Cursor():
		return s.open()
	default:
		s.list.Move(row - s.list.Cursor())
	}
	return nil
}

func (s *Screen) wheel(m tea.Mouse) {
	n := 1
	if m.Button == tea.MouseWheelUp {
		n = -1
	} else if m.Button != tea.MouseWheelDown {
		return
	}
	if s.question != nil {
		s.question.Scroll(n)
		return
	}
	s.list.Move(n)
}
