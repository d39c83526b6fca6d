package transport

import (
	"sync"
	"sync/atomic"
	"time"

	"redial/ledger"
)

// host has the windows and the pauses of one host name, with all its ports. A request may
// need places in several windows and gets all or none, so they share a lock.
//
// Who needs several goes from the slowest to the fastest, and waits for one of them at a
// time, while a place is held for it in those before. So it stands in nobody's way where it
// could not go yet. In each queue the order is that of arrival at the host: who comes to
// a window late, because a slower one made it wait, takes its turn before those who arrived
// later. Hence callers that need the same windows keep their order, nobody waits for ever,
// and a place held is one that its holder would have had anyway.
type host struct {
	all  *hosts
	name string // in lower case, without a port

	mu      sync.Mutex
	kept    []*kept // one for each spec, in the order in which places are taken
	shown   []*kept // the same in the order of [Transport.Windows]
	ports   []*port // those of which the server said something
	wall    int64   // the time that it is under the lock, in nanoseconds of Unix time
	tickets uint64
	work    []*window // that may have room for somebody who waits
	agenda  agenda
	timer   *time.Timer   // of the next alarm; nil before the first
	rings   time.Duration // when the timer goes off; 0: it is not set

	spoken atomic.Bool // the server said something
}

// asking is who asks for places.
type asking struct {
	deadline time.Time     // the zero time for ever
	most     time.Duration // the longest pause that is waited for
}

// turn is what came of asking. The zero value is a place in each window.
type turn struct {
	waiter  *waiter // stands in the queue; nil: it need not wait, or was refused
	rule    ledger.Rule
	planned time.Duration // how long it will wait; an estimate, see [window.opens]
	err     error         // why it was refused: errWindowLate, errPauseLate or a *PausedError
}

// tick reads the clocks, first thing under the lock.
func (h *host) tick() (now time.Time, mono time.Duration) {
	now, mono = h.all.now()
	h.wall = now.UnixNano()
	return now, mono
}

// take tries to get a place in each window of the claim at once. If one has no room, the
// caller gets a waiter that stands in a queue, unless it could not get through before its
// deadline even if all others left.
func (h *host) take(c *claim, a asking) turn {
	now, mono := h.tick()
	h.update(c, mono)
	p := h.pausing(c.port, c.excused, mono)
	if p == nil && h.takeNow(c, mono) {
		return turn{}
	}
	least, pause := h.least(c, p, mono)
	if pause > a.most {
		return turn{err: h.pausedError(c.port, later(mono, pause), a.most)}
	}
	if left := a.deadline.Sub(now); !a.deadline.IsZero() && least >= left {
		if pause >= left {
			return turn{err: errPauseLate}
		}
		return turn{err: errWindowLate}
	}
	return h.enqueue(c, p, a, now, mono)
}

// update brings up to date what the claim needs. Whoever comes first after a window has
// opened or a pause has ended does this, be it the timer or not, so those who wait are let
// through here.
func (h *host) update(c *claim, mono time.Duration) {
	for i := range c.slots {
		s := &c.slots[i]
		s.window = h.kept[s.spec].of(s.key, mono)
		s.window.roll(h.wall, mono)
	}
	if len(h.agenda) > 0 {
		h.due(mono)
		h.settle(mono)
	}
}

// takeNow takes the places if all of them are free.
func (h *host) takeNow(c *claim, mono time.Duration) bool {
	for i := range c.slots {
		if c.slots[i].window.free(mono) == 0 {
			return false
		}
	}
	c.host = h
	spend(c.slots, mono)
	return true
}

// spend takes the places that are free or held.
func spend(slots []slot, mono time.Duration) {
	for i := range slots {
		slots[i].spend(mono)
	}
}

// least returns how long it takes until a place can be free in every window at all, and how
// much of that is for a pause that the server asked for.
func (h *host) least(c *claim, p *port, mono time.Duration) (least, pause time.Duration) {
	if p != nil {
		pause = p.until - mono
	}
	for i := range c.slots {
		wait, told := c.slots[i].window.least(mono)
		least = max(least, wait)
		if told {
			pause = max(pause, wait)
		}
	}
	return max(least, pause), pause
}

// enqueue lets the caller wait.
func (h *host) enqueue(c *claim, p *port, a asking, now time.Time, mono time.Duration) (t turn) {
	q := &waiter{
		ticket: c.ticket, since: now, slots: c.slots, port: c.port, deadline: maxWait,
		most: a.most, excused: c.excused, ready: make(chan struct{}),
	}
	c.host, c.ticket = h, 0
	if q.ticket == 0 {
		h.tickets++
		q.ticket = h.tickets
	}
	if !a.deadline.IsZero() {
		q.deadline = later(mono, a.deadline.Sub(now))
	}
	t.waiter, t.planned, t.rule = q, -1, ledger.Rule{Paused: true}
	if p != nil {
		t.planned, t.rule.Ahead = p.until-mono, p.queue.len()
	}
	for i := range q.slots {
		w := q.slots[i].window
		if wait := w.opens(w.pins-w.held, mono); wait > t.planned {
			t.planned = wait
			t.rule = ledger.Rule{Window: w.spec.Kind, Limit: w.spec.Limit, Per: w.spec.Per, Ahead: w.pins, Paused: w.told(mono)}
		}
		w.pins++
	}
	if p != nil {
		h.stand(q, p, mono)
	} else {
		h.walk(q, mono)
	}
	h.settle(mono)
	return t
}

// settle lets through those who wait where there may be room now.
func (h *host) settle(mono time.Duration) {
	for len(h.work) > 0 {
		w := h.work[len(h.work)-1]
		h.work = h.work[:len(h.work)-1]
		w.roll(h.wall, mono)
		for w.queue.len() > 0 && w.room(mono) > 0 {
			q := w.queue.pop()
			w.held++
			q.stage++
			h.walk(q, mono)
		}
		h.arm(w, mono)
	}
	h.wind()
}

// walk moves a waiter on to the first window that has no room, or lets it through.
func (h *host) walk(q *waiter, mono time.Duration) {
	for ; q.stage < len(q.slots); q.stage++ {
		w := q.slots[q.stage].window
		w.roll(h.wall, mono)
		if w.free(mono) == 0 {
			if wait, told := w.least(mono); told {
				if err := h.tooLong(q, q.port, later(mono, wait), mono); err != nil {
					h.refuse(q, err)
					return
				}
			}
			w.queue.push(q)
			h.work = append(h.work, w) // It may be the first there, or set the alarm.
			return
		}
		w.held++
	}
	if p := h.pausing(q.port, q.excused, mono); p != nil {
		h.release(q)
		h.stand(q, p, mono)
		return
	}
	for i := range q.slots {
		w := q.slots[i].window
		w.held--
		w.pins--
	}
	spend(q.slots, mono)
	q.granted = true
	close(q.ready)
}

// release gives up what is held for a waiter.
func (h *host) release(q *waiter) {
	for i := range q.slots[:q.stage] {
		w := q.slots[i].window
		w.held--
		if w.queue.len() > 0 {
			h.work = append(h.work, w)
		}
	}
	q.stage = 0
}

// leave gives up a waiter that stopped waiting: its place in a queue and what is held for
// it, or, if it was let through in the same moment, its places. Those behind move up.
func (h *host) leave(q *waiter) {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, mono := h.tick()
	switch {
	case q.granted:
		h.refund(q.slots, mono)
	case q.err == nil:
		h.dismiss(q)
	}
	h.settle(mono)
}

// dismiss takes a waiter out of everything that it stands in.
func (h *host) dismiss(q *waiter) {
	if q.in != nil {
		q.in.remove(q)
	}
	if q.stage < len(q.slots) { // Without it, its window may need no alarm.
		h.work = append(h.work, q.slots[q.stage].window)
	}
	h.release(q)
	for i := range q.slots {
		q.slots[i].window.pins--
	}
}

// refuse ends a waiter's waiting with an error.
func (h *host) refuse(q *waiter, err error) {
	h.dismiss(q)
	q.err = err
	close(q.ready)
}

// refund gives back places that were taken for nothing.
func (h *host) refund(slots []slot, mono time.Duration) {
	for i := range slots {
		s := &slots[i]
		if s.window == nil || !s.taken {
			continue
		}
		s.taken = false
		s.window.refund(s, mono)
		if s.window.queue.len() > 0 {
			h.work = append(h.work, s.window)
		}
	}
}

// arm sets the alarm of a window to when somebody who waits for it may have room.
func (h *host) arm(w *window, mono time.Duration) {
	at := time.Duration(0)
	if w.queue.len() > 0 {
		at = max(later(mono, w.opens(0, mono)), 1)
	}
	w.alarm.window = w
	h.set(&w.alarm, at)
}

// idle reports whether the host can be forgotten.
func (h *host) idle(mono time.Duration) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, p := range h.ports {
		if p.until > mono || p.queue.len() > 0 {
			return false
		}
	}
	for _, k := range h.kept {
		if !k.each(func(w *window) bool { return w.idle(mono) }) {
			return false
		}
	}
	return true
}
