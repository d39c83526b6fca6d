package recorder

import (
	"time"

	"redial/ledger"
)

const (
	maxTries  = 3           // tries of a single call before it is given up
	maxParked = 16          // single calls that are set aside
	parkFor   = time.Second // until one is tried again
)

// part is calls that are handed to the store together.
type part struct {
	calls  []ledger.Call
	weight int64
	pages  []*page   // whose arrays its calls use; nil: left to the garbage collector
	tries  int       // that failed while the store took a batch without calls
	others int64     // batches that were written before the first of these
	due    time.Time // when a parked one is to be tried again
}

// backlog is the calls that were taken from the queue and are not settled.
//
// A batch that fails stays first in line, and is tried again until it succeeds: that is
// right while the store is out of order, and wrong if it is out of order for one call of
// the batch alone. So when the store takes a batch without calls right after it has
// refused one, the batch is halved, until single calls are left. A single call that is
// refused is set aside, and given up only after the store has written other calls and
// refused that one three times: so a full disk with room for a beat loses nothing, and a
// call that can never be written does not hold up the rest.
type backlog struct {
	parts   []part
	parked  []part
	calls   []ledger.Call // array of the first part, for use again
	batches int64         // batches with calls that were written
}

func (b *backlog) empty() bool { return len(b.parts) == 0 }
func (b *backlog) more() bool  { return len(b.parts)+len(b.parked) > 1 }

// first returns the part that is next; one without calls if there is none.
func (b *backlog) first() part {
	if len(b.parts) == 0 {
		return part{}
	}
	return b.parts[0]
}

// fill makes the calls of pages the only part.
func (b *backlog) fill(pages []*page) *part {
	b.calls = b.calls[:0]
	var bytes int64
	for _, p := range pages {
		b.calls = append(b.calls, p.calls...)
		bytes += p.bytes
	}
	b.parts = append(b.parts[:0], part{calls: b.calls, weight: bytes, pages: pages})
	return &b.parts[0]
}

// wrote removes the first part, and returns its pages for use again.
func (b *backlog) wrote() []*page {
	p := b.drop()
	b.batches++
	if p.pages != nil {
		clear(p.calls)
	}
	return p.pages
}

// drop removes the first part.
func (b *backlog) drop() part {
	p := b.parts[0]
	b.parts[0] = part{}
	b.parts = b.parts[1:]
	return p
}

// split halves the first part, and reports false if it is a single call.
func (b *backlog) split() bool {
	p := &b.parts[0]
	if len(p.calls) < 2 {
		return false
	}
	half := len(p.calls) / 2
	second := part{calls: p.calls[half:]}
	for i := range second.calls {
		second.weight += weight(&second.calls[i])
	}
	first := part{calls: p.calls[:half:half], weight: p.weight - second.weight}
	b.parts = append([]part{first, second}, b.parts[1:]...)
	return true
}

// refused sets the first part aside, a single call that the store did not take, though it
// took a batch without calls. It returns a call to be given up, if one is: that one, or the
// one that was set aside first when there are too many. There never are while the store
// takes no call at all, since the pauses are as long then as calls are set aside.
func (b *backlog) refused(again time.Time) (hopeless *part) {
	p := &b.parts[0]
	b.calls = nil // the next batch must not overwrite it
	if p.tries == 0 {
		p.others = b.batches
	}
	p.tries++
	p.due = again
	if p.tries >= maxTries && b.batches > p.others {
		lost := b.drop()
		return &lost
	}
	if len(b.parked) == maxParked {
		lost := b.parked[0]
		hopeless = &lost
		b.parked = append(b.parked[:0], b.parked[1:]...)
	}
	b.parked = append(b.parked, b.drop())
	return hopeless
}

// unpark puts the single call that was set aside first back in line if it is time.
func (b *backlog) unpark(now time.Time) {
	if len(b.parked) == 0 || now.Before(b.parked[0].due) {
		return
	}
	b.parts = append([]part{b.parked[0]}, b.parts...)
	b.parked = append(b.parked[:0], b.parked[1:]...)
}

// rest removes and returns all that is left.
func (b *backlog) rest() []part {
	left := append(b.parts, b.parked...)
	b.parts, b.parked = nil, nil
	return left
}
