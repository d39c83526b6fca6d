package transport

import (
	"math"
	"net/http"
	"strings"
	"time"
)

// maxWait is what a wait too long to be expressed is taken for: 292 years.
const maxWait = time.Duration(math.MaxInt64)

// retryAfter reads the Retry-After header fields (RFC 9110, section 10.2.3) of a response
// that arrived at now. It reports false when there is none that can be understood. Of
// several it takes the longest, since a server must never be asked too early.
//
// Seconds may have a fraction, which the RFC does not know but servers send; they are
// rounded up to whole ones. A date in the past is a wait of zero.
//
// A date is by the server's clock. What that clock showed stands in the Date header, if
// there is one, and so the wait lasts until the later of two moments: that of the date by
// the clock of this machine, and as long after now as the date is after Date.
func retryAfter(h http.Header, now time.Time) (wait time.Duration, byDate, ok bool) {
	c := clocksOf(h, now)
	for _, v := range h["Retry-After"] {
		w, date, valid := parseRetryAfter(v, c.now)
		if date {
			byServer, _, _ := parseRetryAfter(v, c.sent)
			w = max(w, byServer)
		}
		if valid && (!ok || w > wait) {
			wait, byDate, ok = w, date, true
		}
	}
	return wait, byDate, ok
}

func parseRetryAfter(v string, now time.Time) (wait time.Duration, byDate, ok bool) {
	v = strings.Trim(v, " \t")
	if w, ok := parseSeconds(v); ok {
		return w, false, true
	}
	at, err := http.ParseTime(v)
	if err != nil {
		return 0, false, false
	}
	// Sub saturates, and goes by the wall clock because at has no other.
	return max(at.Sub(now), 0), true, true
}

// parseSeconds reads digits, or digits with a fraction, rounded up to a whole second and
// never below zero. What is too large for a Duration is the longest one.
func parseSeconds(v string) (time.Duration, bool) {
	whole, fraction, ok := decimal(v)
	if fraction > 0 {
		whole++
	}
	return seconds(whole), ok
}

// digits reports whether s consists of one or more decimal digits.
func digits(s string) bool {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}
