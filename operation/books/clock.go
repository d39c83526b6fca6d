package books

import (
	"sync"
	"time"
)

// Clock is the time that lifetimes, stale lookups and late landings go by.
type Clock interface {
	Now() time.Time
	After(d time.Duration) <-chan time.Time
}

type wallClock struct{}

func (wallClock) Now() time.Time                         { return time.Now() }
func (wallClock) After(d time.Duration) <-chan time.Time { return time.After(d) }

// Manual is a clock that stands still until it is told otherwise. Its zero value is ready.
type Manual struct {
	mu     sync.Mutex
	now    time.Time
	timers []timer
	more   chan struct{} // closed and renewed when a timer is added
}

type timer struct {
	at time.Time
	c  chan time.Time
}

// Now returns the time that the clock was set to.
func (m *Manual) Now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}

// After returns a channel that receives once the clock has been advanced by d.
func (m *Manual) After(d time.Duration) <-chan time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := timer{m.now.Add(d), make(chan time.Time, 1)}
	if d <= 0 {
		t.c <- m.now
		return t.c
	}
	m.timers = append(m.timers, t)
	if m.more != nil {
		close(m.more)
		m.more = nil
	}
	return t.c
}

// Advance moves the clock on and wakes those whose time has come.
func (m *Manual) Advance(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now = m.now.Add(d)
	var later []timer
	for _, t := range m.timers {
		if t.at.After(m.now) {
			later = append(later, t)
		} else {
			t.c <- m.now
		}
	}
	m.timers = later
}

// Await blocks until so many wait for the clock, so that a test knows that advancing it
// reaches them.
func (m *Manual) Await(waiting int) {
	for {
		m.mu.Lock()
		if len(m.timers) >= waiting {
			m.mu.Unlock()
			return
		}
		if m.more == nil {
			m.more = make(chan struct{})
		}
		more := m.more
		m.mu.Unlock()
		<-more
	}
}
