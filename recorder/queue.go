package recorder

import (
	"sync"
	"time"

	"redial/ledger"
)

// queue holds ended calls until they are written: those that wait and those that the
// writer has taken. Both count against its bounds, so that a store that hangs cannot make
// the process grow.
type queue struct {
	maxCalls int
	maxBytes int64
	wakeAt   int // calls that are worth waking the writer for

	mu       sync.Mutex
	pages    []*page // that wait, oldest first; the last one is being filled
	spare    []*page // empty
	waiting  int     // calls in pages
	calls    int     // waiting, and taken but not settled
	bytes    int64   // weight of those
	woken    bool    // the writer was woken since it last took calls
	closed   bool    // nothing more is let in
	final    bool    // nothing more is settled: Close has returned
	counters ledger.Counters
	lost     ledger.Gap // calls that found no room, since the writer last asked
}

func newQueue(size int, bytes int64) *queue {
	return &queue{
		maxCalls: size, maxBytes: bytes,
		wakeAt: min(batchCalls, max(size/2, 1)),
		spare:  []*page{newPage(), newPage()},
	}
}

// put copies c into the queue, or counts it as lost. It reports whether the writer should
// be woken now rather than at its next tick.
func (q *queue) put(c *ledger.Call) (wake bool) {
	bytes := weight(c)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.counters.Queued++
	if q.closed {
		q.counters.StoreFailed++
		return false
	}
	if q.calls >= q.maxCalls || q.bytes+bytes > q.maxBytes {
		q.refuse()
		return false
	}
	q.room().add(c, bytes)
	q.waiting++
	q.calls++
	q.bytes += bytes
	if q.woken || q.waiting < q.wakeAt && q.bytes < q.maxBytes/4 {
		return false
	}
	q.woken = true
	return true
}

// refuse counts a call that found the queue full.
func (q *queue) refuse() {
	now := time.Now()
	if q.lost.Calls == 0 {
		q.lost.From = now
	}
	q.lost.To = now
	q.lost.Calls++
	q.counters.QueueFull++
}

// room returns a page that takes one more call.
func (q *queue) room() *page {
	if n := len(q.pages); n > 0 && !q.pages[n-1].full() {
		return q.pages[n-1]
	}
	p := (*page)(nil)
	if n := len(q.spare); n > 0 {
		p, q.spare = q.spare[n-1], q.spare[:n-1]
	} else {
		p = newPage()
	}
	q.pages = append(q.pages, p)
	return p
}

// take moves the oldest pages to taken: as many as hold at most so many calls, but at
// least one if there is one.
func (q *queue) take(taken []*page, calls int) []*page {
	q.mu.Lock()
	defer q.mu.Unlock()
	n, bytes := 0, int64(0)
	for ; n < len(q.pages); n++ {
		p := q.pages[n]
		if n > 0 && (len(p.calls) > calls || bytes > batchBytes) {
			break
		}
		calls -= len(p.calls)
		bytes += p.bytes
		q.waiting -= len(p.calls)
	}
	taken = append(taken, q.pages[:n]...)
	rest := copy(q.pages, q.pages[n:])
	clear(q.pages[rest:])
	q.pages = q.pages[:rest]
	q.woken = false
	return taken
}

// giveBack makes emptied pages usable again. It keeps a few, so that Record rarely has to
// make one.
func (q *queue) giveBack(pages []*page) {
	for _, p := range pages {
		p.reset()
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, p := range pages {
		if len(q.spare) < maxSpare && !q.final {
			q.spare = append(q.spare, p)
		}
	}
}

// trim lets go of spare pages little by little once they are not used any more.
func (q *queue) trim() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if n := len(q.spare); n > 2 {
		q.spare[n-1] = nil
		q.spare = q.spare[:n-1]
	}
}

// reweigh corrects the weight of calls that have been taken and changed.
func (q *queue) reweigh(by int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.bytes += by
}

// wrote settles calls that are in the store.
func (q *queue) wrote(calls int, bytes int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.final {
		q.counters.Written += int64(calls)
		q.calls -= calls
		q.bytes -= bytes
	}
}

// gaveUp settles calls that will never be in the store.
func (q *queue) gaveUp(calls int, bytes int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.final {
		q.counters.StoreFailed += int64(calls)
		q.calls -= calls
		q.bytes -= bytes
	}
}

// shut lets nothing more in.
func (q *queue) shut() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
}

// seal gives up all that is not settled, for good, and returns how many calls that are.
func (q *queue) seal() (left int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.final {
		left = int64(q.calls)
		q.final = true
		q.counters.StoreFailed += left
		q.calls, q.bytes, q.waiting = 0, 0, 0
		q.pages, q.spare = nil, nil
	}
	return left
}

// backlog returns how many calls wait to be taken.
func (q *queue) backlog() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.waiting
}

// totals returns the counters as they are.
func (q *queue) totals() ledger.Counters {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.counters
}

// missed returns the calls that found no room since it was last asked; Calls is 0 if none.
func (q *queue) missed() ledger.Gap {
	q.mu.Lock()
	defer q.mu.Unlock()
	g := q.lost
	q.lost = ledger.Gap{}
	return g
}
