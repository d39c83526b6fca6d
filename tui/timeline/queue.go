package timeline

import (
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// mostQueued is how many keys wait for calls at most.
const mostQueued = 500

// ask reads what the user wants to see.
func (t *Screen) ask() tea.Cmd {
	t.asked = t.scene.Now
	return t.read()
}

// waits reports whether a key has to wait since it starts from calls that are being read,
// so that where keys lead does not depend on how fast the file is. When reading takes long
// the user goes on from what is shown.
func (t *Screen) waits(k tea.KeyPressMsg) bool {
	km := t.scene.Keys
	fromCalls := key.Matches(k, km.Up, km.Down, km.PageUp, km.PageDown, km.Top, km.Bottom, km.Trouble, km.TroubleBack, km.Open)
	fromCursor := key.Matches(k, km.Earlier, km.Later, km.ZoomIn, km.ZoomOut, km.Fit)
	onTheWay := t.finds.Busy() || len(t.queue) > 0
	if !(fromCalls && (onTheWay || !t.asked.IsZero()) || fromCursor && onTheWay) {
		return false
	}
	if len(t.queue) == 0 {
		t.queued = t.scene.Now
	}
	if t.scene.Now.Sub(t.queued) > patience {
		t.queue, t.asked = nil, time.Time{}
		t.finds.Drop()
		return false
	}
	t.queue = append(t.queue[:min(len(t.queue), mostQueued)], k)
	return true
}

// replay takes the keys that have waited, up to the next one that has to wait.
func (t *Screen) replay() tea.Cmd {
	var cmds []tea.Cmd
	rest := t.queue
	for t.queue = nil; len(rest) > 0 && len(t.queue) == 0; rest = rest[1:] {
		cmds = append(cmds, t.key(rest[0]))
	}
	t.queue = append(t.queue, rest...)
	return tea.Batch(cmds...)
}

// patience is how long the user waits before the screen says that it reads.
const patience = 150 * time.Millisecond

// slow reports whether the user has waited for calls long enough to be told.
func (t *Screen) slow() bool { return !t.asked.IsZero() && t.scene.Now.Sub(t.asked) > patience }

// giveUp ends the reading that the user waits for. What has been found by then is shown.
func (t *Screen) giveUp() {
	t.queue, t.asked = nil, time.Time{}
	t.reads.Stop()
	t.stopped = true
	t.scene.Say("reading was given up: what had been found is shown")
}
