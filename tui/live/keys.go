package live

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/filter"
	"redial/tui/scene"
)

// wheelRows is how many rows a notch of the wheel moves.
const wheelRows = 3

// Captures reports whether every key but ctrl+c belongs to the screen, since it is text.
func (l *Screen) Captures() bool { return l.bar.Editing() }

// Bar returns the filter, which other screens of calls share.
func (l *Screen) Bar() *filter.Bar { return l.bar }

// Known returns values of the calls at hand that a filter can ask for.
func (l *Screen) Known(k ledger.Key) []string { return filter.OfCalls(k, l.list.calls) }

// Back leaves the detail, or clears the filter if that key does it; it reports whether
// there was anything to leave.
func (l *Screen) Back(clear bool) (bool, tea.Cmd) {
	switch {
	case l.detail.Open():
		if !l.detail.Back() {
			l.detail.Close()
		}
		return true, l.detail.Read()
	case l.finds.Busy():
		l.scene.Say("looking for the next call with trouble was given up")
		return true, l.giveUp()
	case l.slow():
		l.stop()
		return true, nil
	case clear && l.bar.Text() != "":
		l.bar.Clear()
		l.scene.Say("the filter is cleared")
		return true, l.Refilter()
	}
	return false, nil
}

// Leaves reports whether there is anything to leave short of the filter.
func (l *Screen) Leaves() bool { return l.detail.Open() || l.finds.Busy() || l.slow() }

func (l *Screen) key(k tea.KeyPressMsg) tea.Cmd {
	if l.bar.Editing() {
		return l.edit(k)
	}
	km := l.scene.Keys
	if l.pending() && key.Matches(k, km.Up, km.Down, km.PageUp, km.PageDown, km.Top, km.Bottom, km.Trouble, km.TroubleBack) {
		return l.putAside(k)
	}
	switch {
	case key.Matches(k, km.Trouble):
		return l.seek(false)
	case key.Matches(k, km.TroubleBack):
		return l.seek(true)
	case l.detail.Open():
		return l.detail.Update(k)
	case key.Matches(k, km.Filter):
		l.bar.Edit()
		if l.list.picked {
			l.list.home = l.list.chosen
		}
	case key.Matches(k, km.Toggle):
		l.toggle()
		return l.Refilter()
	case key.Matches(k, km.Open):
		return l.open()
	case key.Matches(k, km.Mark):
		return l.mark()
	case key.Matches(k, km.Diff):
		return l.diff()
	case key.Matches(k, km.Follow):
		return l.startFollowing()
	case key.Matches(k, km.Next):
		l.nextPane()
	case key.Matches(k, km.Attempt):
		l.goAttempt(1)
	case key.Matches(k, km.AttemptBack):
		l.goAttempt(-1)
	default:
		return l.moveKey(k)
	}
	return nil
}

// moveKey moves within the pane that has the focus.
func (l *Screen) moveKey(k tea.KeyPressMsg) tea.Cmd {
	km := l.scene.Keys
	half := max(l.list.height/2, 1)
	switch {
	case key.Matches(k, km.Up):
		return l.step(-1)
	case key.Matches(k, km.Down):
		return l.step(1)
	case key.Matches(k, km.PageUp):
		return l.step(-half)
	case key.Matches(k, km.PageDown):
		return l.step(half)
	case key.Matches(k, km.Top):
		return l.jump(true)
	case key.Matches(k, km.Bottom):
		return l.jump(false)
	}
	return nil
}

// step moves by n rows: calls, windows or attempts.
func (l *Screen) step(n int) tea.Cmd {
	switch l.focus {
	case windowsPane:
		l.firstWindow = max(0, min(l.firstWindow+n, len(l.windows)-1))
		return nil
	case timelinePane:
		l.goAttempt(n)
		return nil
	}
	l.pause()
	l.owed = n
	return tea.Batch(l.goOn(), l.follow())
}

// jump goes to the first or to the last call there is.
func (l *Screen) jump(first bool) tea.Cmd {
	l.pause()
	l.want = goal{first: first, last: !first}
	switch {
	case first && !l.list.oldest:
		return l.reload(place{})
	case !first && !l.list.newest:
		return l.reload(place{tail: true})
	}
	l.reach()
	return l.follow()
}

// pause ends following and remembers which calls the user has seen.
func (l *Screen) pause() {
	if !l.list.follow {
		return
	}
	l.list.follow = false
	l.look()
	l.place = place{after: l.after}
}

// look notes that the user has seen the newest call.
func (l *Screen) look() {
	l.fresh = 0
	if n := len(l.list.calls); n > 0 {
		l.seen = l.list.calls[n-1].Started
	}
}

func (l *Screen) startFollowing() tea.Cmd {
	if !l.scene.Live {
		l.scene.Say("this is a recording: no new calls come")
		return nil
	}
	l.list.follow = true
	l.list.picked = false
	l.pointed, l.scene.Cursor = 0, scene.Cursor{}
	l.fresh = 0
	l.forget()
	return l.reload(place{tail: true})
}

// extend reads calls beyond the stretch when the cursor comes near its end.
func (l *Screen) extend() tea.Cmd {
	margin := max(l.list.height, 10)
	up := l.list.cursor < margin && !l.list.oldest
	down := l.list.cursor >= len(l.list.calls)-margin && !l.list.newest
	if !up && !down || l.stopped && l.owed == 0 {
		return nil
	}
	anchor := l.anchor()
	if anchor == 0 || l.pages.Busy() && l.place.around != 0 {
		return nil
	}
	return l.reload(place{around: anchor})
}

// anchor returns the call nearest to the cursor that the file can be asked about: one
// that has ended.
func (l *Screen) anchor() ledger.CallID {
	for d := range len(l.list.calls) {
		for _, i := range []int{l.list.cursor - d, l.list.cursor + d} {
			if i >= 0 && i < len(l.list.calls) && !l.list.calls[i].Running() {
				return l.list.calls[i].ID
			}
		}
	}
	return 0
}

func (l *Screen) edit(k tea.KeyPressMsg) tea.Cmd {
	if !l.bar.Update(k) {
		return nil
	}
	return l.Refilter()
}

// paste puts text into the filter if it is being written, and is nothing otherwise.
func (l *Screen) paste(m tea.PasteMsg) tea.Cmd {
	if !l.bar.Editing() {
		l.scene.Say("nothing was pasted: " + l.scene.Keys.Filter.Help().Key + " opens the filter")
		return nil
	}
	if !l.bar.Update(m) {
		return nil
	}
	return l.Refilter()
}

func (l *Screen) toggle() {
	if l.bar.Text() == "" {
		l.scene.Say("there is no filter: " + l.scene.Keys.Filter.Help().Key + " writes one")
		return
	}
	l.bar.Toggle()
	if l.bar.Off() {
		l.scene.Say("the filter is off; its text is kept")
	} else {
		l.scene.Say("the filter is on")
	}
}

// Refilter reads what another filter selects. The selected call stays selected if it is
// among it.
func (l *Screen) Refilter() tea.Cmd {
	l.forget()
	if l.list.follow {
		return l.reload(place{tail: true})
	}
	if a := l.anchor(); a != 0 {
		return l.reload(place{around: a})
	}
	return l.reload(place{tail: true})
}

// Only lists the calls that a filter selects.
func (l *Screen) Only(filter string) tea.Cmd {
	l.detail.Close()
	l.bar.Set(filter)
	return l.Refilter()
}

func (l *Screen) open() tea.Cmd {
	if l.list.selected() == nil {
		return nil
	}
	l.pause()
	l.list.picked = true
	cmd := l.follow()
	l.detail.Enter()
	return tea.Batch(cmd, l.detail.Read())
}

func (l *Screen) nextPane() {
	for range 3 {
		l.focus = (l.focus + 1) % 3
		a := l.area()
		if l.focus == callsPane || l.focus == windowsPane && a.side.w > 0 || l.focus == timelinePane && a.below.h > 0 {
			return
		}
	}
}

// goAttempt marks another attempt of the selected call.
func (l *Screen) goAttempt(n int) {
	if len(l.whole.AttemptList) == 0 {
		return
	}
	if l.chosen == 0 {
		l.chosen = explained(&l.whole)
		if n > 0 {
			l.chosen = 0
		}
	}
	l.chosen = max(1, min(l.chosen+n, len(l.whole.AttemptList)))
}
