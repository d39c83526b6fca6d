package timeline

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/scene"
)

// bounds returns the whole time of the sessions that are shown.
func (t *Screen) bounds() span {
	end := t.scene.At()
	all := span{end, end}
	for i := range t.scene.Sessions {
		s := &t.scene.Sessions[i]
		if s.Started.Before(all.from) {
			all.from = s.Started
		}
		if e := s.End(t.scene.Now); e.After(all.to) {
			all.to = e
		}
	}
	all.to = all.to.Add(time.Millisecond) // what happened at the very end is in it
	if all.width() < time.Second {
		all.to = all.from.Add(time.Second)
	}
	return all
}

// strange reports whether the sessions that are shown are others than those that the
// screen was last read for.
func (t *Screen) strange() bool { return !slices.Equal(t.sessions, t.scene.IDs()) }

// stays reports whether one of the sessions that were shown still is, so that the user is
// not taken elsewhere when another one begins or ends.
func (t *Screen) stays() bool {
	return slices.ContainsFunc(t.scene.IDs(), func(id ledger.SessionID) bool { return slices.Contains(t.sessions, id) })
}

// meet looks at sessions for the first time: at their end while they are live, else around
// the cursor.
func (t *Screen) meet() {
	moved := t.strange() && !t.stays()
	t.sessions = t.scene.IDs()
	elsewhere := t.scene.Cursor.Call != 0 && t.scene.Cursor.Call != t.pointed
	if !moved && !elsewhere {
		return
	}
	all := t.bounds()
	if moved {
		t.chosen, t.rows, t.calls, t.cursor = 0, nil, nil, -1
		clear(t.lists)
		t.span = span{all.to.Add(-firstSpan), all.to}.within(all)
		t.follow = t.scene.Live && t.scene.Cursor.At.IsZero()
	}
	if elsewhere {
		t.follow = false
		t.want, t.pointed = t.scene.Cursor.Call, t.scene.Cursor.Call
		if !t.span.has(t.scene.Cursor.At) {
			t.span = t.span.around(t.scene.Cursor.At, 0.3, all)
		}
	}
}

// follows reports whether what is newest stays in sight.
func (t *Screen) follows() bool { return t.follow && t.scene.Live }

// slide keeps what is newest in sight, moving by whole columns so that bars stand still in
// between.
func (t *Screen) slide() {
	if !t.follows() {
		return
	}
	all := t.bounds()
	column := max(t.wide/time.Duration(max(t.axis().Width, 1)), time.Millisecond)
	to := all.to.Truncate(column).Add(column)
	t.span = span{to.Add(-t.wide), to}
	if t.span.from.Before(all.from) {
		t.span.from = all.from
	}
}

// at returns the moment that is looked at: the cursor, else what is newest in sight.
func (t *Screen) at() time.Time {
	if at := t.scene.Cursor.At; !at.IsZero() {
		return at
	}
	return t.span.to
}

// look shows another stretch of time. A cursor that goes out of sight stays at its edge.
func (t *Screen) look(s span) tea.Cmd {
	if s == t.span {
		t.scene.Say(t.edge(s))
		return nil
	}
	t.span = s
	if at := t.scene.Cursor.At; !at.IsZero() && !s.has(at) {
		t.point(s.nearest(at), 0)
	}
	return t.ask()
}

// edge says why nothing changes.
func (t *Screen) edge(s span) string {
	all := t.bounds()
	switch {
	case s == all:
		return "all of it is in sight"
	case s.width() <= leastSpan:
		return "this is as near as it gets"
	case s.from.Equal(all.from):
		return "this is where it begins"
	}
	return "this is where it ends"
}

// point puts the cursor at a moment, and at a call if it is not 0.
func (t *Screen) point(at time.Time, call ledger.CallID) {
	t.scene.Cursor = scene.Cursor{At: at, Call: call}
	if i := slices.IndexFunc(t.calls, func(c ledger.Call) bool { return c.ID == call }); i >= 0 {
		t.scene.Cursor.Operation = t.scene.CursorAt(&t.calls[i]).Operation
	}
	t.chosen, t.pointed = call, call
}

// focus returns the moment that keeps its place when the screen zooms.
func (t *Screen) focus() time.Time {
	switch at := t.scene.Cursor.At; {
	case t.follows():
		return t.span.to
	case t.span.has(at):
		return at
	}
	return t.span.middle()
}

func (t *Screen) zoom(factor float64) tea.Cmd {
	all := t.bounds()
	if t.follows() {
		if t.wide = max(time.Duration(float64(t.span.width())*factor), leastSpan); t.wide > all.width() {
			t.wide = max(all.width(), firstSpan) // and more as it grows
		}
		return t.ask()
	}
	return t.look(t.span.zoom(factor, t.focus(), all))
}

// pan moves on in time by a part of what is in sight.
func (t *Screen) pan(part float64) tea.Cmd {
	t.follow = false
	return t.look(t.span.pan(time.Duration(float64(t.span.width())*part), t.bounds()))
}

// fit shows all there is.
func (t *Screen) fit() tea.Cmd {
	t.follow = false
	return t.look(t.bounds())
}

// goTo puts the cursor at a moment and shows it.
func (t *Screen) goTo(at time.Time, call ledger.CallID) tea.Cmd {
	t.follow = false
	t.point(at, call)
	t.want = call
	if !t.span.has(at) {
		t.span = t.span.around(at, 0.3, t.bounds())
		return t.ask()
	}
	if t.find(call) < 0 {
		t.settle()
		return t.ask()
	}
	t.want = 0
	t.settle()
	return t.list()
}

// startFollowing keeps what is newest in sight from now on.
func (t *Screen) startFollowing() tea.Cmd {
	if !t.scene.Live {
		t.scene.Say("this is a recording: no new calls come")
		return nil
	}
	t.follow = true
	t.point(time.Time{}, 0)
	if t.wide = t.span.width(); t.wide > 10*firstSpan {
		t.wide = firstSpan
	}
	t.scene.Say("following the newest calls")
	return t.ask()
}

// length puts how long what is in sight is into words.
func length(d time.Duration) string {
	if d < time.Minute {
		return draw.Took(d)
	}
	return draw.Long(d)
}

// unique returns names without those that come again.
func unique(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}
