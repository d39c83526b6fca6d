package live

import (
	"charm.land/bubbles/v2/key"

	"redial/tui/keys"
	"redial/tui/scene"
	"redial/tui/windows"
)

// Bindings returns the keys of what has the focus.
func (l *Screen) Bindings() scene.Bindings {
	km := l.scene.Keys
	if l.bar.Editing() {
		return l.bar.Bindings()
	}
	if l.detail.Open() {
		return l.detail.Bindings()
	}
	move := keys.Pair(km.Down, km.Up, "move")
	return scene.Bindings{
		Short: []key.Binding{
			move, km.Open, km.Trouble, keys.Pair(km.AttemptBack, km.Attempt, "attempt"),
			km.Filter, km.Follow, km.Copy, km.Next, km.Wide,
		},
		Full: []keys.Named{
			{Title: "Move", Keys: []key.Binding{km.Down, km.Up, km.PageDown, km.PageUp, km.Top, km.Bottom, km.Trouble, km.TroubleBack, km.AttemptBack, km.Attempt}},
			{Title: "Calls", Keys: []key.Binding{km.Open, km.Follow, km.Filter, km.Toggle, km.Copy, km.Export, keys.Does(km.Mark, "mark to compare"), km.Diff, km.Back, km.Next, km.Wide}},
		},
	}
}

// Moves reports whether the screen looks different a moment later though nothing happens.
func (l *Screen) Moves() bool {
	if !l.asking.IsZero() || l.finds.Busy() {
		return true
	}
	if !l.scene.Live {
		return false
	}
	from, to := l.list.inSight()
	for i := from; i < to; i++ {
		if l.list.calls[i].Running() {
			return true
		}
	}
	return l.whole.Running() || l.area().side.w > 0 && windows.Moves(l.scene, l.windows)
}
