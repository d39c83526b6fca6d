package transport

import "time"

// waiter is a caller that waits. It stands in one queue at a time: that of a pause, or that
// of one window; in the windows before that one a place is held for it.
type waiter struct {
	ticket   uint64 // its turn among all who wait for the same host
	since    time.Time
	slots    []slot // what it needs, slowest window first
	stage    int    // of slots: what it waits for; those before are held
	port     string
	deadline time.Duration // when waiting becomes pointless; maxWait: never
	most     time.Duration // the longest pause that it waits for
	excused  time.Duration // pauses until then do not concern it

	in  *queue
	pos int // in the queue

	ready   chan struct{} // closed when it is let through, or refused
	granted bool          // it has its places
	err     error         // why it was refused
}

// queue is a line of waiters in the order of their tickets. Tickets are mostly handed out
// as their holders join, so joining is cheap; leaving takes time with the logarithm of the
// length.
type queue struct{ heap []*waiter }

func (q *queue) len() int { return len(q.heap) }

// first returns who is next, nil if nobody waits.
func (q *queue) first() *waiter {
	if len(q.heap) == 0 {
		return nil
	}
	return q.heap[0]
}

func (q *queue) push(w *waiter) {
	w.in, w.pos = q, len(q.heap)
	q.heap = append(q.heap, w)
	q.up(w.pos)
}

// pop takes out who is next.
func (q *queue) pop() *waiter {
	w := q.heap[0]
	q.remove(w)
	return w
}

func (q *queue) remove(w *waiter) {
	i, last := w.pos, len(q.heap)-1
	q.swap(i, last)
	q.heap[last] = nil
	q.heap = q.heap[:last]
	w.in = nil
	if i < last {
		q.down(i)
		q.up(i)
	}
	if last == 0 {
		q.heap = nil // A rush is over: its memory is not kept.
	}
}

func (q *queue) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if q.heap[parent].ticket <= q.heap[i].ticket {
			return
		}
		q.swap(i, parent)
		i = parent
	}
}

func (q *queue) down(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(q.heap); child++ {
			if q.heap[child].ticket < q.heap[least].ticket {
				least = child
			}
		}
		if least == i {
			return
		}
		q.swap(i, least)
		i = least
	}
}

func (q *queue) swap(i, j int) {
	q.heap[i], q.heap[j] = q.heap[j], q.heap[i]
	q.heap[i].pos, q.heap[j].pos = i, j
}
