package transport

import (
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// Bodies are not held back with golang.org/x/time/rate, which fits badly here: a piece of a
// body takes from several limits, and so has to get all or none; one whose reader gave up
// must leave no hole for those behind it; and bodies have to be served in the order of
// their arrival.

// bucket is a limit: it fills at its rate up to its size.
type bucket struct {
	rate  float64      // bytes a second
	size  int          // 50 ms of the rate, or 1 byte
	users atomic.Int64 // bodies under way that take from it

	// The traffic's lock guards what follows.
	has  float64   // what was in it
	at   time.Time // then
	kept bool      // for a piece that came earlier than the one that is looked at
}

// newBucket returns a full bucket, nil if the rate is 0.
func newBucket(rate int64) *bucket {
	if rate == 0 {
		return nil
	}
	size := int(min(max(rate/20, 1), math.MaxInt32))
	return &bucket{rate: float64(rate), size: size, has: float64(size)}
}

// fill puts in what has come since the last time.
func (b *bucket) fill(now time.Time) {
	if d := now.Sub(b.at); !b.at.IsZero() && d > 0 {
		b.has = min(b.has+d.Seconds()*b.rate, float64(b.size))
	}
	b.at = now
}

// lacks returns how long it takes until there are n bytes, 0 if there are.
func (b *bucket) lacks(n int) time.Duration {
	if b.has >= float64(n) {
		return 0
	}
	return max(time.Duration(math.Ceil((float64(n)-b.has)/b.rate*float64(time.Second))), 1)
}

// smallPiece is how short pieces may get because there are many bodies.
const smallPiece = 512

// piece returns how much of a body may be read at once. Each reads a piece before it waits,
// so with many bodies pieces are small.
func (b *bucket) piece() int {
	each := b.size / int(max(b.users.Load(), 1))
	return min(max(each, smallPiece), b.size)
}

// traffic is all that goes one way: its limits, and who waits for them.
type traffic struct {
	hosts map[string]*hostLanes // by windowName
	rest  *lane                 // of all other hosts; nil without a limit
	lanes []*lane

	mu      sync.Mutex
	buckets []*bucket
	waiting int         // pieces in all lanes
	arrived uint64      // pieces that ever had to wait
	timer   *time.Timer // goes off when the next piece may go on; nil before the first wait
}

// lane is the queue of those bodies that take from the same buckets. There are as many as
// there are limits and one more, so that it costs little to look at all.
type lane struct {
	traffic *traffic
	buckets []*bucket

	first, last *piece
	passed      bool    // its first cannot go on now
	slow        *bucket // why that was so the last time
}

// piece is a part of a body that was read and waits to go on.
type piece struct {
	n          int
	number     uint64        // by arrival
	ready      chan struct{} // gets an element when it goes on; has room for it
	gone       bool          // it has been let through
	prev, next *piece        // in its lane
}

// take lets n bytes through at once, or has the piece wait for that and reports false.
func (l *lane) take(p *piece, n int) bool {
	t := l.traffic
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.waiting == 0 {
		now := time.Now()
		for _, b := range l.buckets {
			b.fill(now)
		}
		if l.lacks(n) == 0 {
			l.spend(n)
			return true
		}
	}
	t.arrived++
	t.waiting++
	p.n, p.number, p.gone, p.prev, p.next = n, t.arrived, false, l.last, nil
	if l.last != nil {
		l.last.next = p
	} else {
		l.first = p
	}
	l.last = p
	t.dispatch()
	if p.gone {
		<-p.ready
	}
	return p.gone
}

// leave takes a piece out whose body is given up. It reports false if it was let through
// meanwhile.
func (l *lane) leave(p *piece) bool {
	l.traffic.mu.Lock()
	defer l.traffic.mu.Unlock()
	if p.gone {
		<-p.ready
		return false
	}
	l.remove(p)
	l.traffic.dispatch()
	return true
}

func (l *lane) remove(p *piece) {
	l.traffic.waiting--
	if p.prev != nil {
		p.prev.next = p.next
	} else {
		l.first = p.next
	}
	if p.next != nil {
		p.next.prev = p.prev
	} else {
		l.last = p.prev
	}
	p.prev, p.next = nil, nil
}

// dispatch lets pieces through in the order of their arrival. One that finds too little in
// a bucket keeps those that came later from that bucket, but not from others.
func (t *traffic) dispatch() {
	now := time.Now()
	for _, b := range t.buckets {
		b.fill(now)
		b.kept = false
	}
	for _, l := range t.lanes {
		l.passed = false
	}
	soonest := time.Duration(math.MaxInt64)
	for l := t.earliest(); l != nil; l = t.earliest() {
		p := l.first
		if d := l.lacks(p.n); d > 0 {
			l.passed = true
			soonest = min(soonest, d)
			continue
		}
		l.spend(p.n)
		l.remove(p)
		p.gone = true
		p.ready <- struct{}{}
	}
	t.alarm(soonest)
}

// earliest returns the lane whose first piece came earliest of those not passed over.
func (t *traffic) earliest() (found *lane) {
	for _, l := range t.lanes {
		if l.first != nil && !l.passed && (found == nil || l.first.number < found.first.number) {
			found = l
		}
	}
	return found
}

// lacks returns how long a piece of n bytes has to wait at least, and keeps what it waits
// for from others.
func (l *lane) lacks(n int) (longest time.Duration) {
	for _, b := range l.buckets {
		d := b.lacks(n)
		if b.kept {
			d = math.MaxInt64 // Until the earlier piece is through, and then this is looked at again.
		}
		if d > longest {
			longest, l.slow = d, b
		}
	}
	if longest == 0 || longest == math.MaxInt64 {
		return longest
	}
	for _, b := range l.buckets {
		b.kept = b.kept || b.lacks(n) > 0
	}
	return longest
}

func (l *lane) spend(n int) {
	for _, b := range l.buckets {
		b.has -= float64(n)
	}
}

// alarm sets the timer for the next piece.
func (t *traffic) alarm(d time.Duration) {
	switch {
	case t.waiting == 0:
		if t.timer != nil {
			t.timer.Stop()
		}
	case t.timer == nil:
		t.timer = time.AfterFunc(d, t.wake)
	default:
		t.timer.Reset(d)
	}
}

func (t *traffic) wake() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.dispatch()
}
