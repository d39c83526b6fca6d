package recorder

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"redial/ledger"
)

// lives is what the watched transports have under way. Only watch is safe for concurrent
// use; the rest is the writer's.
type lives struct {
	mu      sync.Mutex
	watched []ledger.Live
	past    []ledger.Window // what sessions before this one left; never changed once it is set

	running []ledger.Call   // as pulled last
	windows []ledger.Window // as pulled last
	shown   []ledger.Call   // as written last
	open    []ledger.Window // as written last

	done [2][]ledger.CallID     // calls in the last two batches that were written
	left map[ledger.CallID]bool // scratch: the running calls that have not ended
}

func (l *lives) watch(live ledger.Live) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.watched = append(slices.Clip(l.watched), live)
	hand(live, l.past)
}

// restore hands every transport, now or when it comes, what sessions before this one left of
// their windows.
func (l *lives) restore(past []ledger.Window) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.past = past
	for _, live := range l.watched {
		hand(live, past)
	}
}

// hand tells a transport what a session before this one left of its windows, if it can use
// that. One that breaks on it goes on without.
func hand(live ledger.Live, past []ledger.Window) {
	r, ok := live.(ledger.Restorer)
	if !ok || len(past) == 0 {
		return
	}
	_ = guard(func() error { r.RestoreWindows(slices.Clone(past)); return nil })
}

// unwatch lets go of the transports.
func (l *lives) unwatch() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.watched = nil
}

// pull asks every transport what is under way. It comes before calls are taken from the
// queue, so that a call that ends in between is in both rather than in neither.
func (l *lives) pull(now time.Time) {
	l.mu.Lock()
	watched := l.watched
	l.mu.Unlock()
	clear(l.running)
	l.running, l.windows = l.running[:0], l.windows[:0]
	for _, live := range watched {
		l.running = live.AppendRunning(l.running, now.Add(-tick))
		l.windows = live.AppendWindows(l.windows)
	}
}

// forget drops what was pulled, for a transport that broke while it was asked.
func (l *lives) forget() {
	l.running, l.windows = l.running[:0], l.windows[:0]
}

// settle drops from the running calls those that have ended: they are in this batch or
// in one just written. A call that was shown and is neither running nor ended is on its
// way through the queue as long as there is a backlog: a call is recorded before it is no
// longer running.
func (l *lives) settle(ended []ledger.Call, backlog bool) {
	if len(l.running) == 0 && len(l.shown) == 0 {
		return
	}
	clear(l.left)
	if l.left == nil {
		l.left = make(map[ledger.CallID]bool)
	}
	for i := range l.running {
		l.left[l.running[i].ID] = true
	}
	for i := range l.shown {
		if id := l.shown[i].ID; backlog && !l.left[id] {
			l.left[id] = true
			l.running = append(l.running, l.shown[i])
		}
	}
	for i := range ended {
		delete(l.left, ended[i].ID)
	}
	for _, ids := range l.done {
		for _, id := range ids {
			delete(l.left, id)
		}
	}
	l.running = slices.DeleteFunc(l.running, func(c ledger.Call) bool { return !l.left[c.ID] })
	slices.SortFunc(l.running, func(a, b ledger.Call) int { return cmp.Compare(a.ID, b.ID) })
}

// changed reports whether a reader would see something new in what is under way.
func (l *lives) changed() bool {
	return !slices.EqualFunc(l.running, l.shown, sameCall) ||
		!slices.EqualFunc(l.windows, l.open, sameWindow)
}

// wrote takes note of what a batch has brought to the store.
func (l *lives) wrote(ended []ledger.Call) {
	l.shown, l.running = l.running, l.shown
	l.open, l.windows = l.windows, l.open
	if len(ended) == 0 {
		return
	}
	l.done[0], l.done[1] = l.done[1], l.done[0][:0]
	for i := range ended {
		l.done[1] = append(l.done[1], ended[i].ID)
	}
}

// sameCall reports whether two running calls are at the same point. How many bytes have
// gone by changes all the time and can wait for the beat.
func sameCall(a, b ledger.Call) bool {
	if a.ID != b.ID || a.State != b.State || !a.Since.Equal(b.Since) ||
		len(a.AttemptList) != len(b.AttemptList) || len(a.Waits) != len(b.Waits) {
		return false
	}
	n := len(a.AttemptList)
	return n == 0 || a.AttemptList[n-1].Status == b.AttemptList[n-1].Status
}

// sameWindow reports whether two states of a window look the same: one that stands open
// and unused only moves on.
func sameWindow(a, b ledger.Window) bool {
	if a.Used == 0 && b.Used == 0 {
		a.Opens, b.Opens = time.Time{}, time.Time{}
	}
	return a == b
}
