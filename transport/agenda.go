package transport

import (
	"cmp"
	"container/heap"
	"slices"
	"time"
)

// alarm is when somebody who waits for a window, or for the end of a pause, may go on.
type alarm struct {
	at     time.Duration // 0: nobody waits
	place  int           // in the agenda
	window *window       // or
	port   *port
}

// agenda has the alarms of a host that are set. Only the next of them needs a timer.
type agenda []*alarm

func (a agenda) Len() int           { return len(a) }
func (a agenda) Less(i, j int) bool { return a[i].at < a[j].at }

// Swap is for package heap.
func (a agenda) Swap(i, j int) {
	a[i], a[j] = a[j], a[i]
	a[i].place, a[j].place = i, j
}

// Push is for package heap.
func (a *agenda) Push(x any) {
	x.(*alarm).place = len(*a)
	*a = append(*a, x.(*alarm))
}

// Pop is for package heap.
func (a *agenda) Pop() any {
	last := len(*a) - 1
	x := (*a)[last]
	(*a)[last] = nil
	*a = (*a)[:last]
	return x
}

// set sets an alarm, or takes it off if at is 0.
func (h *host) set(a *alarm, at time.Duration) {
	was := a.at
	a.at = at
	switch {
	case was == at:
	case was == 0:
		heap.Push(&h.agenda, a)
	case at == 0:
		heap.Remove(&h.agenda, a.place)
	default:
		heap.Fix(&h.agenda, a.place)
	}
}

// due lets those go on whose time has come. What opens in one moment opens together, the
// slowest first, so that nobody is passed over because of the order of timers.
func (h *host) due(mono time.Duration) {
	first := len(h.work)
	for len(h.agenda) > 0 && h.agenda[0].at <= mono {
		a := h.agenda[0]
		h.set(a, 0)
		if a.port != nil {
			h.unpause(a.port, mono)
		} else {
			h.work = append(h.work, a.window)
		}
	}
	if len(h.work) > first+1 { // The last is the first to be settled.
		slices.SortFunc(h.work[first:], func(v, w *window) int { return cmp.Compare(v.spec.slow, w.spec.slow) })
	}
}

// ring is what the timer does.
func (h *host) ring() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.rings = 0
	_, mono := h.tick()
	h.due(mono)
	h.settle(mono)
}

// wind sets the timer to the next alarm.
func (h *host) wind() {
	next := time.Duration(0)
	if len(h.agenda) > 0 {
		next = h.agenda[0].at
	}
	if next == h.rings {
		return
	}
	h.rings = next
	switch in := next - time.Since(h.all.started); {
	case next == 0:
		h.timer.Stop()
	case h.timer == nil:
		h.timer = time.AfterFunc(in, h.ring)
	default:
		h.timer.Reset(in)
	}
}
