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

	running []ledger.Call   // as pulled last
	windows []ledger.Window // as pulled last
	shown   []ledger.Call   // as written last
	open    []ledger.Window // as written last

	done [2][]ledger.CallID     // calls in the last two batches that were written
	kept map[ledger.CallID]bool // calls of shown that the transport no longer has, and that were in no batch
	at   map[ledger.CallID]int  // scratch: position in running
}

func (l *lives) watch(live ledger.Live) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.watched = append(slices.Clip(l.watched), live)
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
// way through the queue; it stays until it arrives, or is known not to.
func (l *lives) settle(ended []ledger.Call, backlog bool) {
	if len(l.running) == 0 && len(l.shown) == 0 {
		return
	}
	clear(l.at)
	if l.at == nil {
		l.at = make(map[ledger.CallID]int)
	}
	pulled := len(l.running)
	for i := range l.running {
		l.at[l.running[i].ID] = i
	}
	for i := range l.shown {
		if _, ok := l.at[l.shown[i].ID]; !ok {
			l.at[l.shown[i].ID] = len(l.running)
			l.running = append(l.running, l.shown[i])
		}
	}
	for i := range ended {
		delete(l.at, ended[i].ID)
	}
	for _, ids := range l.done {
		for _, id := range ids {
			delete(l.at, id)
		}
	}
	l.carry(pulled, backlog)
}

// carry keeps of the running calls those that settle has left, and of those beyond the
// first pulled ones only what may still come out of the queue.
func (l *lives) carry(pulled int, backlog bool) {
	kept := make(map[ledger.CallID]bool)
	n := 0
	for i := range l.running {
		id := l.running[i].ID
		if at, ok := l.at[id]; !ok || at != i {
			continue
		}
		if i >= pulled {
			if l.kept[id] && !backlog {
				continue
			}
			kept[id] = true
		}
		l.running[n] = l.running[i]
		n++
	}
	clear(l.running[n:])
	l.running, l.kept = l.running[:n], kept
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
