package keys

import "charm.land/bubbles/v2/key"

// place is where some of the bindings are in force together, so that no two of them may
// have a key in common.
type place struct {
	name string
	text bool // what is typed there is text, so that no binding may be a character
	keys []*key.Binding
}

// places returns all of them. Each binding is in one of them at least.
func (m *Map) places() []place {
	move := []*key.Binding{&m.Up, &m.Down, &m.PageUp, &m.PageDown, &m.Top, &m.Bottom}
	trouble := []*key.Binding{&m.Trouble, &m.TroubleBack}
	attempt := []*key.Binding{&m.Attempt, &m.AttemptBack}
	always := []*key.Binding{&m.Interrupt, &m.Suspend}
	list := join(always, move, []*key.Binding{
		&m.Help, &m.Commands, &m.Theme, &m.Wide, &m.Copy, &m.Export, &m.Quit, &m.Back, &m.Open, &m.Filter, &m.Toggle,
		&m.Live, &m.Timeline, &m.Pending, &m.Windows, &m.Hosts, &m.Sessions,
	})
	return []place{
		{"the calls", false, join(list, trouble, attempt, []*key.Binding{&m.Follow, &m.Mark, &m.Diff, &m.Next})},
		{"the detail of a call", false, join(list, trouble, attempt, []*key.Binding{&m.Mark, &m.Diff, &m.Next, &m.ChooseBack})},
		{"the timeline", false, join(list, trouble, []*key.Binding{
			&m.Follow, &m.Earlier, &m.Later, &m.ZoomIn, &m.ZoomOut, &m.Fit, &m.GoTo, &m.Play, &m.Slower, &m.Faster, &m.Group,
		})},
		{"the pending operations", false, join(list, trouble, attempt, []*key.Binding{
			&m.LookUp, &m.Replay, &m.Settle, &m.Undo, &m.Note, &m.Mark, &m.Settled, &m.Next,
		})},
		{"the windows", false, join(list, []*key.Binding{&m.Next})},
		{"the hosts", false, join(list, []*key.Binding{
			&m.Range, &m.Calls, &m.Next, &m.SortHost, &m.SortCalls, &m.SortAttempts, &m.SortAmplified,
			&m.SortRetried, &m.SortErrors, &m.SortTime, &m.SortWaited,
		})},
		{"the sessions", false, join(list, []*key.Binding{
			&m.Name, &m.Pin, &m.Prune, &m.SortService, &m.SortHost, &m.SortStarted, &m.SortLength, &m.SortCalls, &m.SortPending, &m.SortEnded,
		})},
		{"the copy menu", false, join(always, []*key.Binding{&m.Up, &m.Down, &m.Next, &m.Open, &m.Copy, &m.Export, &m.ToFile, &m.Back, &m.Quit})},
		{"the help", false, join(always, []*key.Binding{&m.Up, &m.Down, &m.PageUp, &m.PageDown, &m.Top, &m.Bottom, &m.Help, &m.Commands, &m.Filter, &m.Quit, &m.Back})},
		{"the filter", true, join(always, []*key.Binding{&m.Apply, &m.Clear, &m.Toggle, &m.Above, &m.Below, &m.Complete, &m.CompleteBack})},
		{"a field of a dialog", true, join(always, []*key.Binding{&m.Choose, &m.ChooseBack, &m.Press, &m.Cancel})},
		{"a dialog", false, join(always, []*key.Binding{
			&m.Choose, &m.ChooseBack, &m.Press, &m.Cancel, &m.Left, &m.Right, &m.Mark, &m.Up, &m.Down, &m.PageUp, &m.PageDown, &m.LookUp,
		})},
		{"the search in the help", true, join(always, []*key.Binding{&m.Apply, &m.Cancel, &m.Above, &m.Below})},
		{"the list of commands", true, join(always, []*key.Binding{&m.Apply, &m.Cancel, &m.Above, &m.Below, &m.Complete, &m.CompleteBack})},
	}
}

func join(lists ...[]*key.Binding) (all []*key.Binding) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}
