package transport

import (
	"sync"
	"time"

	"redial/ledger"
)

// shards is in how many lists running calls are kept, so that calls on many processors do
// not wait for one lock.
const shards = 8

// registry knows the running calls. Entering and leaving take constant time.
type registry [shards]shard

type shard struct {
	mu          sync.Mutex
	first, last *call
	_           [64]byte // keep the locks on different cache lines
}

func (r *registry) of(c *call) *shard { return &r[uint64(c.rec.ID)%shards] }

func (r *registry) add(c *call) {
	s := r.of(c)
	s.mu.Lock()
	defer s.mu.Unlock()
	c.prev, c.next = s.last, nil
	if s.last != nil {
		s.last.next = c
	} else {
		s.first = c
	}
	s.last = c
}

func (r *registry) remove(c *call) {
	s := r.of(c)
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.prev != nil {
		c.prev.next = c.next
	} else {
		s.first = c.next
	}
	if c.next != nil {
		c.next.prev = c.prev
	} else {
		s.last = c.prev
	}
	c.prev, c.next = nil, nil
}

// seen is a call as it was found in the list. When its use is another, the call has ended
// and its memory serves the next.
type seen struct {
	call *call
	use  uint64
}

// before returns the calls that started before t. The lists are locked only while they are
// walked, so that no call waits for the copying.
func (r *registry) before(t time.Time) (found []seen) {
	for i := range r {
		s := &r[i]
		s.mu.Lock()
		// Calls stand in the order of their start, but for a moment's difference.
		for c := s.first; c != nil && c.rec.Started.Before(t); c = c.next {
			found = append(found, seen{c, c.use})
		}
		s.mu.Unlock()
	}
	return found
}

// appendTo appends a copy of the call if it still runs.
func (s seen) appendTo(buf []ledger.Call) []ledger.Call {
	s.call.mu.Lock()
	defer s.call.mu.Unlock()
	if s.call.use != s.use {
		return buf
	}
	return append(buf, s.call.snapshot())
}

// AppendRunning appends a copy of each running call that started before the time given.
func (e *engine) AppendRunning(buf []ledger.Call, before time.Time) []ledger.Call {
	for _, s := range e.running.before(before) {
		buf = s.appendTo(buf)
	}
	return buf
}

// snapshot copies the call as it is at this moment, without headers and bodies.
func (c *call) snapshot() ledger.Call {
	s := withoutMessages(&c.rec)
	s.Took, s.State, s.Since, s.Error = 0, c.state, c.rec.Started.Add(c.since), ""
	if n := len(s.AttemptList); n > 0 && c.cur.trace != nil {
		if c.e.widths != nil {
			s.Waits = c.addPauses(s.Waits)
		}
		t := c.cur.trace
		t.mu.Lock()
		c.fill(&s.AttemptList[n-1], t, c.elapsed())
		t.mu.Unlock()
	}
	s.Summarise()
	return s
}

// withoutMessages copies a call and its lists, without headers and bodies.
func withoutMessages(c *ledger.Call) ledger.Call {
	s := *c
	s.Waits = append([]ledger.Wait(nil), c.Waits...)
	s.AttemptList = append([]ledger.Attempt(nil), c.AttemptList...)
	for i := range s.AttemptList {
		a := &s.AttemptList[i]
		a.Request, a.Response = ledger.Message{}, ledger.Message{}
	}
	return s
}
