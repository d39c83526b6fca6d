package demo

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
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

// declare says in the header of an answer what the limit is and what is left of it: in the
// RateLimit fields, whose times are whole seconds (draft-ietf-httpapi-ratelimit-headers), or in
// the older way where that would not be exact.
func (l *limiter) declare(h http.Header, left int, opens time.Duration) {
	if l.per%time.Second == 0 {
		h.Set("RateLimit-Policy", fmt.Sprintf(`"default";q=%d;w=%d`, l.requests, l.per/time.Second))
		h.Set("RateLimit", fmt.Sprintf(`"default";r=%d;t=%.0f`, left, math.Ceil(opens.Seconds())))
		return
	}
	h.Set("X-RateLimit-Limit", strconv.Itoa(l.requests))
	h.Set("X-RateLimit-Window", strconv.FormatFloat(l.per.Seconds(), 'f', -1, 64))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(left))
	h.Set("X-RateLimit-Reset-After", strconv.FormatFloat(opens.Seconds(), 'f', 3, 64))
}
