package live

import tea "charm.land/bubbletea/v2"

// mostQueued is how many keys wait for calls at most.
const mostQueued = 500

// pending reports whether the cursor is on its way to calls that are being read. Keys
// that move it wait meanwhile, so that where they lead does not depend on how fast the
// file is.
func (l *Screen) pending() bool {
	return l.want != (goal{}) || l.owed != 0 || l.finds.Busy()
}

// putAside keeps a key until the cursor has arrived. When that takes long the user goes
// from where the cursor is instead.
func (l *Screen) putAside(k tea.KeyPressMsg) tea.Cmd {
	if len(l.queue) == 0 {
		l.queued = l.scene.Now
	}
	if l.scene.Now.Sub(l.queued) <= patience {
		l.queue = append(l.queue[:min(len(l.queue), mostQueued)], k)
		return nil
	}
	stay := l.giveUp()
	return tea.Batch(stay, l.key(k))
}

// goOn moves as far as the user wants to, and reads the calls there if they are not at
// hand.
func (l *Screen) goOn() tea.Cmd {
	if l.owed == 0 {
		return nil
	}
	l.owed = l.list.move(l.owed)
	cmd := l.extend()
	if !l.pages.Busy() {
		l.owed = 0 // there is nothing to ask for
	}
	return cmd
}

// replay takes the keys that have waited, up to the next one that has to wait.
func (l *Screen) replay() tea.Cmd {
	var cmds []tea.Cmd
	for len(l.queue) > 0 && !l.pending() {
		k := l.queue[0]
		l.queue = l.queue[1:]
		cmds = append(cmds, l.key(k))
	}
	return tea.Batch(cmds...)
}

// giveUp stays with the calls that are shown, since the user goes elsewhere, and drops
// those that were being read.
func (l *Screen) giveUp() tea.Cmd {
	if !l.pending() {
		return nil
	}
	l.forget()
	return l.reload(place{after: l.after})
}

// forget forgets where the cursor was going.
func (l *Screen) forget() {
	l.owed, l.want, l.queue = 0, goal{}, nil
	l.finds.Drop()
}
