package transport

import (
	"sync/atomic"
	"time"
)

// clock tells the time at half the price of time.Now: it reads the monotonic clock each
// time, and the wall clock once a second. Its times are off by what the wall clock was
// changed by within the last second.
type clock struct{ read atomic.Pointer[time.Time] }

func (c *clock) now() time.Time {
	if last := c.read.Load(); last != nil {
		if d := time.Since(*last); d < time.Second {
			return last.Add(d)
		}
	}
	now := time.Now()
	c.read.Store(&now)
	return now
}
