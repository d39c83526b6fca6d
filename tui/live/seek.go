package live

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/trouble"
)

// seek goes to the next call with trouble, or to the one before. It looks at the calls
// at hand first, and asks the file only for what lies beyond.
func (l *Screen) seek(back bool) tea.Cmd {
	filters, err := trouble.Filters(l.bar.InForce())
	if err != nil {
		l.scene.Complain(err)
		return nil
	}
	l.pause()
	step := 1
	if back {
		step = -1
	}
	for i := l.list.cursor + step; i >= 0 && i < len(l.list.calls); i += step {
		c := &l.list.calls[i]
		if trouble.Worth(c) && l.matches(filters, c) {
			l.list.selectRow(i)
			return tea.Batch(l.extend(), l.follow())
		}
	}
	if back && l.list.oldest || !back && l.list.newest || len(l.list.calls) == 0 {
		l.noTrouble(back)
		return nil
	}
	q := ledger.Query{Filter: l.bar.InForce(), Sessions: l.scene.IDs(), Zone: l.scene.Zone, Newest: back}
	if edge := l.edge(back); back {
		q.Before = edge
	} else {
		q.After = edge
	}
	l.scene.Say("looking for the next call with trouble…")
	ctx, seq := l.finds.Begin(l.ctx)
	q.Progress = l.finds.Tell()
	return findTrouble(ctx, l.store, seq, q)
}

// matches reports whether one of the filters lets a call pass.
func (l *Screen) matches(filters []ledger.Filter, c *ledger.Call) bool {
	env := l.scene.Env(c.ID.Session(), l.scene.Zone)
	return slices.ContainsFunc(filters, func(f ledger.Filter) bool { return f.Match(c, env) })
}

// edge returns the first or the last call of the stretch that has ended.
func (l *Screen) edge(first bool) ledger.CallID {
	n := len(l.list.calls)
	for i := range n {
		if !first {
			i = n - 1 - i
		}
		if !l.list.calls[i].Running() {
			return l.list.calls[i].ID
		}
	}
	return 0
}

func (l *Screen) gotTrouble(m troubleMsg) tea.Cmd {
	if !l.finds.Done(m.seq) {
		return nil
	}
	switch {
	case m.err != nil:
		l.scene.Complain(m.err)
		return l.replay()
	case m.id == 0:
		l.noTrouble(m.back)
		return l.replay()
	}
	l.scene.Say("")
	l.want = goal{id: m.id}
	return l.reload(place{around: m.id})
}

func (l *Screen) noTrouble(back bool) {
	if back {
		l.scene.Say("no call with trouble before this one")
		return
	}
	l.scene.Say("no call with trouble after this one")
}
