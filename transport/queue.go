package transport

import (
	"net/url"
	"sync"
	"time"
)

// hosts finds the windows of a request.
type hosts map[string]*host // by windowName

func newHosts(windows []Window, clock *clock) hosts {
	if len(windows) == 0 {
		return nil
	}
	hs := make(hosts)
	started := clock.now()
	for _, w := range windows {
		name, _, _ := splitHost(w.Host)
		h := hs[name]
		if h == nil {
			h = &host{clock: clock, started: started}
			hs[name] = h
		}
		h.windows = append(h.windows, newWindow(w))
	}
	return hs
}

// of returns the host's windows and the port of a URL, or nil if it has none.
func (hs hosts) of(u *url.URL) (*host, string) {
	if len(hs) == 0 {
		return nil, ""
	}
	h := hs[windowName(u.Hostname())]
	if h == nil {
		return nil, ""
	}
	port := u.Port()
	switch {
	case port != "":
	case u.Scheme == "https":
		port = "443"
	default:
		port = "80"
	}
	for _, w := range h.windows {
		if w.holds(port) {
			return h, port
		}
	}
	return nil, ""
}

// holds reports whether the window counts requests to a port.
func (w *window) holds(port string) bool { return w.port == "" || w.port == port }

// host has the windows of all ports of one host name. A request may need places in
// several of them and gets all or none, so they share a lock, and waiters keep the order
// of their arrival in each.
type host struct {
	clock   *clock
	started time.Time // where the monotonic clock of the windows begins

	mu      sync.Mutex
	windows []*window
	timer   *time.Timer   // opens the next window while somebody waits; nil before the first wait
	alarm   time.Duration // when the timer is set to go off; 0: it is not set
}

// waiter is a caller in the queue, or one that has its places.
type waiter struct {
	since   time.Time
	places  []place
	ready   chan struct{} // closed when the places are granted
	granted bool
}

// place is a waiter's place in one window: in its queue, or, once granted, in it.
type place struct {
	window     *window
	waiter     *waiter
	prev, next *place
	number     int64 // of the window that it was granted in
}

// take tries to get a place in each window of the port at once. If one has no room,
// it returns a waiter that stands in the queue, the window that it waits for longest,
// how many callers are ahead there and how long that will take. A caller that could not
// get through before its deadline, even if most others left, is not queued at all:
// then the waiter is nil and tooLate set.
func (h *host) take(port string, deadline time.Time) (q *waiter, longest *window, ahead int, wait time.Duration, tooLate bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now, mono := h.advance()
	if h.takeNow(port) {
		return nil, nil, 0, 0, false
	}
	if !deadline.IsZero() && h.least(port, mono) >= deadline.Sub(now) {
		return nil, nil, 0, 0, true
	}
	q = h.enqueue(port, now)
	longest, wait = h.forecast(q, mono)
	ahead = longest.queue.len
	if longest.holds(port) {
		ahead-- // The waiter itself stands there, too.
	}
	return q, longest, ahead, wait, false
}

// advance brings every window up to date. Whoever comes first after a window has opened
// does this, be it the timer or not, so those who wait are let through here.
func (h *host) advance() (now time.Time, mono time.Duration) {
	now = h.clock.now()
	mono = now.Sub(h.started)
	wall := now.UnixNano()
	waiting := false
	for _, w := range h.windows {
		w.roll(wall, mono)
		waiting = waiting || w.queue.len > 0
	}
	if waiting {
		h.grant()
		h.arm()
	}
	return now, mono
}

// takeNow takes the places if all of them are free.
func (h *host) takeNow(port string) bool {
	for _, w := range h.windows {
		if w.holds(port) && w.free() == 0 {
			return false
		}
	}
	for _, w := range h.windows {
		if w.holds(port) {
			w.used++
		}
	}
	return true
}

// least returns how long it takes until a place can be free at all: zero if one is, else
// until the last of the full windows opens, also of those that the first in the queue
// waits for. That others leave the queue is expected, but not that its first does: it may
// wait for a window of its own port, and holds up all behind it until that opens.
func (h *host) least(port string, mono time.Duration) (d time.Duration) {
	for _, w := range h.windows {
		if !w.holds(port) {
			continue
		}
		if w.used >= w.limit {
			d = max(d, w.end-mono)
		}
		if w.queue.first == nil {
			continue
		}
		for _, p := range w.queue.first.waiter.places {
			if p.window.used >= p.window.limit {
				d = max(d, p.window.end-mono)
			}
		}
	}
	return d
}

// opensIn returns the same for a caller that does not want to queue yet.
func (h *host) opensIn(port string) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, mono := h.advance()
	return h.least(port, mono)
}

func (h *host) enqueue(port string, now time.Time) *waiter {
	q := &waiter{since: now, ready: make(chan struct{})}
	n := 0
	for _, w := range h.windows {
		if w.holds(port) {
			n++
		}
	}
	q.places = make([]place, 0, n) // never grows: the queues point into it
	for _, w := range h.windows {
		if w.holds(port) {
			q.places = append(q.places, place{window: w, waiter: q})
			w.queue.push(&q.places[len(q.places)-1])
		}
	}
	h.arm()
	return q
}

// leave gives up a waiter that stopped waiting: its place in the queue, or, if it was let
// through in the same moment, its places in windows that are still open. Those behind
// move up.
func (h *host) leave(q *waiter) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.advance()
	for i := range q.places {
		p := &q.places[i]
		switch {
		case !q.granted:
			p.window.queue.remove(p)
		case p.number == p.window.number:
			p.window.used--
		}
	}
	h.grant()
	h.arm()
}

// open lets through those that the opening of a window makes room for.
func (h *host) open() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.alarm = 0
	h.advance()
}

// grant lets waiters through while the first of some queue is the first of all its queues
// and has room in each of its windows.
func (h *host) grant() {
	for again := true; again; {
		again = false
		for _, w := range h.windows {
			for w.queue.first != nil && w.queue.first.waiter.pass() {
				again = len(h.windows) > 1
			}
		}
	}
}

// pass lets the waiter through if it is its turn everywhere.
func (q *waiter) pass() bool {
	for i := range q.places {
		p := &q.places[i]
		if p.window.queue.first != p || p.window.used >= p.window.limit {
			return false
		}
	}
	for i := range q.places {
		p := &q.places[i]
		p.window.queue.remove(p)
		p.window.used++
		p.number = p.window.number
	}
	q.granted = true
	close(q.ready)
	return true
}

// arm sets the timer to the next opening that somebody waits for.
func (h *host) arm() {
	next := time.Duration(0) // never the end of a window
	for _, w := range h.windows {
		if w.queue.len > 0 && w.used >= w.limit && (next == 0 || w.end < next) {
			next = w.end
		}
	}
	if next == h.alarm {
		return
	}
	h.alarm = next
	switch in := next - time.Since(h.started); {
	case next == 0:
		h.timer.Stop()
	case h.timer == nil:
		h.timer = time.AfterFunc(in, h.open)
	default:
		h.timer.Reset(in)
	}
}

// queue is a line of places, first come first served. Joining and leaving take constant
// time however long it is.
type queue struct {
	first, last *place
	len         int
}

func (q *queue) push(p *place) {
	p.prev, p.next = q.last, nil
	if q.last != nil {
		q.last.next = p
	} else {
		q.first = p
	}
	q.last = p
	q.len++
}

func (q *queue) remove(p *place) {
	if p.prev != nil {
		p.prev.next = p.next
	} else {
		q.first = p.next
	}
	if p.next != nil {
		p.next.prev = p.prev
	} else {
		q.last = p.prev
	}
	p.prev, p.next = nil, nil
	q.len--
}
