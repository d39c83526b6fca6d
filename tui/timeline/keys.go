package timeline

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/filter"
	"redial/tui/keys"
	"redial/tui/scene"
)

// step is the part of what is in sight that is moved on in time at once.
const step = 0.2

func (t *Screen) key(k tea.KeyPressMsg) tea.Cmd {
	km := t.scene.Keys
	switch {
	case t.bar.Editing():
		return t.edit(k)
	case t.going.editing:
		return t.write(k)
	case t.waits(k):
		return nil
	case key.Matches(k, km.Trouble):
		return t.seek(false)
	case key.Matches(k, km.TroubleBack):
		return t.seek(true)
	case t.detail.Open():
		return t.detail.Update(k)
	case key.Matches(k, km.Filter):
		t.bar.Edit()
	case key.Matches(k, km.Toggle):
		return t.toggle()
	case key.Matches(k, km.GoTo):
		t.askTime()
	case key.Matches(k, km.Open):
		return t.open()
	case key.Matches(k, km.Follow):
		return t.startFollowing()
	case key.Matches(k, km.Group):
		return t.regroup()
	case key.Matches(k, km.Play):
		return t.play()
	case key.Matches(k, km.Slower):
		t.faster(-1)
	case key.Matches(k, km.Faster):
		t.faster(1)
	default:
		return t.timeKey(k)
	}
	return nil
}

// timeKey moves in time, or from row to row.
func (t *Screen) timeKey(k tea.KeyPressMsg) tea.Cmd {
	km := t.scene.Keys
	switch {
	case key.Matches(k, km.Earlier):
		return t.pan(-step)
	case key.Matches(k, km.Later):
		return t.pan(step)
	case key.Matches(k, km.ZoomIn):
		return t.zoom(0.5)
	case key.Matches(k, km.ZoomOut):
		return t.zoom(2)
	case key.Matches(k, km.Fit):
		return t.fit()
	}
	half := max(t.room()/2, 1)
	for _, m := range []struct {
		key key.Binding
		n   int
	}{{km.Up, -1}, {km.Down, 1}, {km.PageUp, -half}, {km.PageDown, half}, {km.Top, -len(t.rows)}, {km.Bottom, len(t.rows)}} {
		if key.Matches(k, m.key) {
			t.rest()
			t.move(m.n)
			return t.list()
		}
	}
	return nil
}

// rest stops playing, as the user looks at something.
func (t *Screen) rest() {
	if t.playing.on {
		t.stop("stopped")
	}
}

// edit takes a key of the filter.
func (t *Screen) edit(msg tea.Msg) tea.Cmd {
	if !t.bar.Update(msg) {
		return nil
	}
	return t.ask()
}

func (t *Screen) paste(m tea.PasteMsg) tea.Cmd {
	switch {
	case t.bar.Editing():
		return t.edit(m)
	case t.going.editing:
		return t.write(m)
	}
	t.scene.Say("nothing was pasted: " + t.scene.Keys.Filter.Help().Key + " opens the filter")
	return nil
}

// Bar returns the filter, which other screens of calls share.
func (t *Screen) Bar() *filter.Bar { return t.bar }

// Known returns values of the calls at hand that a filter can ask for.
func (t *Screen) Known(k ledger.Key) []string { return filter.OfCalls(k, t.calls) }

// Refilter reads what another filter selects.
func (t *Screen) Refilter() tea.Cmd { return t.ask() }

func (t *Screen) toggle() tea.Cmd {
	if t.bar.Text() == "" {
		t.scene.Say("there is no filter: " + t.scene.Keys.Filter.Help().Key + " writes one")
		return nil
	}
	t.bar.Toggle()
	if t.bar.Off() {
		t.scene.Say("the filter is off; its text is kept")
	} else {
		t.scene.Say("the filter is on")
	}
	return t.ask()
}

// regroup shows calls by operation, or by host.
func (t *Screen) regroup() tea.Cmd {
	t.byOp = !t.byOp
	if t.byOp {
		t.scene.Say("by operation: calls with one idempotency key stand together; " + t.scene.Keys.Group.Help().Key + " goes back to hosts")
	} else {
		t.scene.Say("by host")
	}
	t.group()
	return t.list()
}

// open reads the selected call whole; it is shown when it has come.
func (t *Screen) open() tea.Cmd {
	c := t.selected()
	if c == nil {
		t.scene.Say("no call is selected")
		return nil
	}
	t.rest()
	t.pick()
	ctx, seq := t.opens.Begin(t.ctx)
	return readCall(ctx, t.store, seq, c.ID, true)
}

// seek goes to the next call with trouble, or to the one before: from the cursor, or
// without one from the first or the last moment in sight.
func (t *Screen) seek(back bool) tea.Cmd {
	t.rest()
	q := ledger.Query{Filter: t.bar.InForce(), Sessions: t.scene.IDs(), Zone: t.scene.Zone, Newest: back}
	c := t.selected()
	if t.scene.Cursor.At.IsZero() {
		c = nil // nobody has gone to it
	}
	switch {
	case c != nil && !c.Running() && back:
		q.Before = c.ID
	case c != nil && !c.Running():
		q.After = c.ID
	case t.scene.Cursor.At.IsZero() && !back:
		q.From = t.span.from // the first one in sight
	case back:
		q.To = t.at()
	default:
		q.From = t.at()
	}
	t.scene.Say("looking for the next call with trouble…")
	ctx, seq := t.finds.Begin(t.ctx)
	q.Progress = t.finds.Tell()
	return findTrouble(ctx, t.store, seq, q)
}

func (t *Screen) gotTrouble(m troubleMsg) tea.Cmd {
	if !t.finds.Done(m.seq) {
		return nil
	}
	switch {
	case m.err != nil:
		t.scene.Complain(m.err)
		return t.replay()
	case m.call.ID == 0 && m.back:
		t.scene.Say("no call with trouble before this one")
		return t.replay()
	case m.call.ID == 0:
		t.scene.Say("no call with trouble after this one")
		return t.replay()
	}
	t.scene.Say("")
	cmd := tea.Batch(t.goTo(m.call.Started, m.call.ID), t.replay())
	if t.detail.Open() {
		ctx, seq := t.opens.Begin(t.ctx)
		return tea.Batch(cmd, readCall(ctx, t.store, seq, m.call.ID, true))
	}
	return cmd
}

// Bindings returns the keys of what has the focus.
func (t *Screen) Bindings() scene.Bindings {
	km := t.scene.Keys
	switch {
	case t.bar.Editing():
		return t.bar.Bindings()
	case t.going.editing:
		apply, clear := keys.Does(km.Apply, "go there"), keys.Does(km.Clear, "stay")
		return scene.Bindings{
			Short: []key.Binding{apply, clear},
			Full:  []keys.Named{{Title: "Go to a time", Keys: []key.Binding{apply, clear}}},
		}
	case t.detail.Open():
		return t.detail.Bindings()
	}
	return scene.Bindings{
		Short: []key.Binding{
			keys.Pair(km.Earlier, km.Later, "time"), keys.Pair(km.ZoomIn, km.ZoomOut, "zoom"), km.Fit, km.Trouble,
			km.Open, keys.Does(km.GoTo, "go to"), km.Play, km.Group, km.Filter, keys.Pair(km.Down, km.Up, "move"),
		},
		Full: []keys.Named{
			{Title: "In time", Keys: []key.Binding{km.Earlier, km.Later, km.ZoomIn, km.ZoomOut, km.Fit, km.GoTo, km.Trouble, km.TroubleBack, km.Play, km.Slower, km.Faster, km.Follow}},
			{Title: "Calls", Keys: []key.Binding{km.Down, km.Up, km.PageDown, km.PageUp, km.Top, km.Bottom, km.Open, km.Copy, km.Export, km.Group, km.Filter, km.Toggle, km.Back}},
		},
	}
}
