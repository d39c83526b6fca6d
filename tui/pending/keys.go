package pending

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/filter"
	"redial/tui/keys"
	"redial/tui/scene"
)

// OpenCallsMsg asks for the calls that a filter selects.
type OpenCallsMsg struct{ Filter string }

func (s *Screen) key(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case s.question != nil:
		return s.questionKey(k)
	case s.bar.Editing():
		return s.edit(k)
	}
	km := s.scene.Keys
	switch {
	case key.Matches(k, km.LookUp, km.Replay, km.Settle, km.Undo, km.Note):
		return s.act(k)
	case key.Matches(k, km.Filter):
		s.bar.Edit()
	case key.Matches(k, km.Toggle):
		return s.toggle()
	case key.Matches(k, km.Settled):
		return s.showSettled()
	case key.Matches(k, km.Mark):
		s.list.mark()
		return s.follow()
	case key.Matches(k, km.Open):
		return s.openCalls()
	case key.Matches(k, km.Next):
		s.focus = lifePane - s.focus
	case key.Matches(k, km.Trouble):
		return s.seek(1)
	case key.Matches(k, km.TroubleBack):
		return s.seek(-1)
	case key.Matches(k, km.Attempt):
		s.goTransition(1)
	case key.Matches(k, km.AttemptBack):
		s.goTransition(-1)
	default:
		return s.moveKey(k)
	}
	return nil
}

// act does or asks for what a key stands for, and answers in any case.
func (s *Screen) act(k tea.KeyPressMsg) tea.Cmd {
	km := s.scene.Keys
	o := s.list.selected()
	switch {
	case s.actions == nil:
		s.scene.Say("this dashboard is read-only: nothing was done")
		return nil
	case s.scene.Stale:
		s.scene.Say("the file cannot be read, so nothing is done about what is shown")
		return nil
	case o == nil:
		s.scene.Say("no operation is selected")
		return nil
	case key.Matches(k, km.LookUp):
		return s.lookUp()
	case key.Matches(k, km.Replay):
		return s.open(replay, *o, false)
	case key.Matches(k, km.Undo):
		return s.open(undo, *o, false)
	case key.Matches(k, km.Note):
		return s.open(note, *o, false)
	}
	return s.open(s.settling(), *o, false)
}

// moveKey moves within the pane that has the focus.
func (s *Screen) moveKey(k tea.KeyPressMsg) tea.Cmd {
	km := s.scene.Keys
	half := max(s.list.height/2, 1)
	switch {
	case key.Matches(k, km.Up):
		return s.step(-1)
	case key.Matches(k, km.Down):
		return s.step(1)
	case key.Matches(k, km.PageUp):
		return s.step(-half)
	case key.Matches(k, km.PageDown):
		return s.step(half)
	case key.Matches(k, km.Top):
		return s.step(-len(s.list.ops) - len(s.life.rows))
	case key.Matches(k, km.Bottom):
		return s.step(len(s.list.ops) + len(s.life.rows))
	}
	return nil
}

// step moves by n rows: operations or transitions.
func (s *Screen) step(n int) tea.Cmd {
	if s.focus == lifePane {
		s.goTransition(n)
		return nil
	}
	s.list.move(n)
	return tea.Batch(s.follow(), s.more())
}

// seek goes to the next operation that waits for a person, or to the one before.
func (s *Screen) seek(n int) tea.Cmd {
	for i := s.list.cursor + n; i >= 0 && i < len(s.list.ops); i += n {
		if st := s.list.ops[i].State; st == ledger.OpPending || st == ledger.OpDisputed {
			s.list.move(i - s.list.cursor)
			return tea.Batch(s.follow(), s.more())
		}
	}
	s.scene.Say("no operation that waits for a person " + pick(n > 0, "after", "before") + " this one")
	return nil
}

// more reads more of the list when the cursor comes near the end of what was read.
func (s *Screen) more() tea.Cmd {
	if !s.full || s.list.cursor < len(s.list.ops)-s.list.height-10 {
		return nil
	}
	s.limit *= 2
	s.full = false
	return s.read()
}

// goTransition marks another transition in the life of the selected operation.
func (s *Screen) goTransition(n int) {
	all := len(s.life.rows)
	if all == 0 {
		return
	}
	at := s.row
	if at < 0 {
		at = all - 1
		if n < 0 {
			n++ // the last one is in sight already
		}
	}
	s.row = max(0, min(at+n, all-1))
	if !s.area().both {
		s.focus = lifePane
	}
}

func (s *Screen) openCalls() tea.Cmd {
	o := s.list.selected()
	if o == nil {
		return nil
	}
	filter := "key:" + quote(o.Key)
	return func() tea.Msg { return OpenCallsMsg{filter} }
}

// quote returns a value as it is written in a filter.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// mostPicked is how many operations are told apart in one filter.
const mostPicked = 50

// Picked returns the filter for the calls of the marked operations, else of the selected one.
func (s *Screen) Picked() (name string, f ledger.Filter, ok bool) {
	ops := s.list.marked()
	if len(ops) == 0 || len(ops) > mostPicked {
		return "", ledger.Filter{}, false
	}
	tests := make([]string, len(ops))
	for i := range ops {
		tests[i] = "key:" + quote(ops[i].Key) + " service:" + quote(ops[i].Service)
	}
	f, err := ledger.ParseCallFilter("(" + strings.Join(tests, ") or (") + ")")
	if name = "calls of " + ops[0].Key; len(ops) > 1 {
		name = fmt.Sprintf("calls of %d operations", len(ops))
	}
	return name, f, err == nil
}

func (s *Screen) showSettled() tea.Cmd {
	s.settled = !s.settled
	if s.settled {
		s.scene.Say("those that are settled are listed too, the latest first")
	} else {
		s.scene.Say("only those that are not settled are listed")
	}
	return s.reread()
}

// Bar returns the filter. It is one of operations, of the whole file.
func (s *Screen) Bar() *filter.Bar { return s.bar }

// Known returns values of the operations at hand that a filter can ask for.
func (s *Screen) Known(k ledger.Key) []string { return filter.OfOperations(k, s.list.ops) }

// Refilter reads what another filter selects.
func (s *Screen) Refilter() tea.Cmd { return s.reread() }

func (s *Screen) toggle() tea.Cmd {
	if s.bar.Text() == "" {
		s.scene.Say("there is no filter: " + s.scene.Keys.Filter.Help().Key + " writes one")
		return nil
	}
	s.bar.Toggle()
	s.scene.Say(pick(s.bar.Off(), "the filter is off; its text is kept", "the filter is on"))
	return s.reread()
}

func (s *Screen) edit(k tea.KeyPressMsg) tea.Cmd {
	if !s.bar.Update(k) {
		return nil
	}
	return s.reread()
}

// paste puts text into what is being written, and is nothing otherwise.
func (s *Screen) paste(m tea.PasteMsg) tea.Cmd {
	switch {
	case s.question != nil:
		s.question.Paste(m)
		return nil
	case !s.bar.Editing():
		s.scene.Say("nothing was pasted: " + s.scene.Keys.Filter.Help().Key + " opens the filter")
		return nil
	}
	if !s.bar.Update(m) {
		return nil
	}
	return s.reread()
}

// settling is what the key that settles does to the selected operation.
func (s *Screen) settling() kind {
	o := s.list.selected()
	switch {
	case o != nil && o.Settled():
		return reopen
	case o != nil && o.State == ledger.OpPrepared:
		return cancel
	}
	return settle
}

// Bindings returns the keys of what has the focus.
func (s *Screen) Bindings() scene.Bindings {
	km := s.scene.Keys
	switch {
	case s.question != nil:
		return s.question.Bindings()
	case s.bar.Editing():
		return s.bar.Bindings()
	}
	calls := keys.Does(km.Open, "calls")
	look := []key.Binding{keys.Pair(km.Down, km.Up, "move"), keys.Pair(km.AttemptBack, km.Attempt, "transition"), km.Filter, calls, km.Settled, km.Copy, km.Export, km.Next}
	full := []keys.Named{
		{Title: "Move", Keys: []key.Binding{km.Down, km.Up, km.PageDown, km.PageUp, km.Top, km.Bottom, km.Trouble, km.TroubleBack, keys.Does(km.Attempt, "next transition"), keys.Does(km.AttemptBack, "previous transition")}},
		{Title: "Operations", Keys: []key.Binding{calls, km.Filter, km.Toggle, km.Settled, km.Copy, km.Export, km.Back, km.Next}},
	}
	if s.actions == nil {
		return scene.Bindings{Short: append([]key.Binding{keys.Says("read-only", "")}, look...), Full: full}
	}
	word := km.Settle
	switch s.settling() {
	case reopen:
		word = keys.Does(word, "reopen…")
	case cancel:
		word = keys.Does(word, "cancel the plan…")
	}
	acts := []key.Binding{km.LookUp, km.Replay, word, km.Undo, km.Note, km.Mark}
	return scene.Bindings{
		Short: append(acts[:len(acts):len(acts)], km.Filter, calls, look[1], km.Settled, km.Copy),
		Full:  append(full, keys.Named{Title: "Act", Keys: acts}),
	}
}
