package demo

import (
	"sync"
	"time"
)

// limit is what the vendor declares and enforces: at most so many requests in a window.
// Window number n begins at n × per of Unix time.
type limit struct {
	requests int
	per      time.Duration
}

// limiter counts the requests of the window that is open.
type limiter struct {
	limit

	mu     sync.Mutex
	number int64 // of the window that used belongs to
	used   int   // requests that were let through in it
}

// take counts a request that arrived at now, and reports whether it is within the limit,
// how many more are, and how long the window stays open.
func (l *limiter) take(now time.Time) (ok bool, left int, opens time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	number := now.UnixNano() / int64(l.per)
	if number != l.number {
		l.number, l.used = number, 0
	}
	ok = l.used < l.requests
	if ok {
		l.used++
	}
	return ok, l.requests - l.used, time.Duration((number+1)*int64(l.per) - now.UnixNano())
}
