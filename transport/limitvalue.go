package transport

import (
	"math"
	"net/http"
	"strings"
	"time"
)

// maxReset is the longest time to a reset that is believed. What says more is taken for a
// mistake, such as milliseconds for seconds.
const maxReset = 366 * 24 * time.Hour

// maxValue is how long a value may be.
const maxValue = 96

// clocks are the two that a moment can be meant by.
type clocks struct {
	now  time.Time // when the response arrived, by this machine
	sent time.Time // when it was sent, by the server's Date; else now
}

func clocksOf(h http.Header, now time.Time) clocks {
	now = now.Round(0)
	sent, err := http.ParseTime(h.Get("Date"))
	if err != nil || sent.After(now) {
		sent = now // Counted from a later moment, the wait would only be shorter.
	}
	return clocks{now, sent}
}

// until returns how long it is until at by either clock, whichever is longer, as for
// Retry-After.
func (c clocks) until(at time.Time) time.Duration {
	return max(at.Sub(c.now), at.Sub(c.sent), 0)
}

// parseCount reads a number of requests, of which a fraction is no request (factorion-bot
// PR 146). What stands behind it, as in "100, 100;w=60", is left to others.
func parseCount(v string) (int, bool) {
	if len(v) > maxField {
		return 0, false
	}
	if i := strings.IndexAny(v, ",;"); i >= 0 {
		v = v[:i]
	}
	whole, _, ok := parseDecimal(v)
	if whole > math.MaxInt32 {
		whole = math.MaxInt32
	}
	return int(whole), ok
}

// parseDelta reads a number of seconds, which may have a fraction (discord-api-docs PR 1069).
func parseDelta(v string) (time.Duration, bool) {
	whole, fraction, ok := parseDecimal(v)
	if !ok {
		return 0, false
	}
	if d := seconds(whole); d < maxWait-fraction {
		return d + fraction, true
	}
	return maxWait, true
}

// parseDecimal reads a number that may have blanks around it, if it is not too long.
func parseDecimal(v string) (whole int64, fraction time.Duration, ok bool) {
	v = strings.Trim(v, " \t")
	if len(v) > maxValue {
		return 0, 0, false
	}
	return decimal(v)
}

// decimal reads digits, or digits with a fraction, which is one of a second in
// nanoseconds, rounded up.
func decimal(v string) (whole int64, fraction time.Duration, ok bool) {
	w, f, dot := strings.Cut(v, ".")
	if !digits(w) || dot && !digits(f) {
		return 0, 0, false
	}
	for _, c := range []byte(w) {
		if whole > (math.MaxInt64-9)/10 {
			return math.MaxInt64, 0, true
		}
		whole = whole*10 + int64(c-'0')
	}
	unit := time.Second / 10
	for i, c := range []byte(f) {
		if i == 9 {
			if strings.Trim(f[i:], "0") != "" {
				fraction++
			}
			break
		}
		fraction += time.Duration(c-'0') * unit
		unit /= 10
	}
	return whole, fraction, true
}

// parseReset reads when a limit is reset, in any of the forms that are in use: seconds from
// now; a moment as seconds, milliseconds, microseconds or nanoseconds of Unix time
// (last30days-skill PR 1083: one name for two meanings); a duration such as 6m0s; a date.
// A moment in the past is a wait of zero.
func parseReset(v string, c clocks) (time.Duration, bool) {
	v = strings.Trim(v, " \t")
	if v == "" || len(v) > maxValue {
		return 0, false
	}
	wait, ok := parseNumber(v, c)
	if !ok {
		wait, ok = parseDuration(v)
	}
	if !ok {
		var at time.Time
		if at, ok = parseDate(v); ok {
			wait = c.until(at)
		}
	}
	return wait, ok && wait <= maxReset
}

// parseNumber reads a number of seconds, or one of Unix time. It is taken for a moment if
// that is within ten years of now in some unit, which no wait in seconds that anybody
// believes in can be.
func parseNumber(v string, c clocks) (time.Duration, bool) {
	const years = 10 * 366 * 24 * 60 * 60
	whole, fraction, ok := parseDecimal(v)
	if !ok {
		return 0, false
	}
	for unit := int64(1); unit <= 1e9; unit *= 1000 {
		s := whole / unit
		if s > int64(maxReset/time.Second) && s > c.now.Unix()-years && s < c.now.Unix()+years {
			if unit > 1 {
				fraction = time.Duration(whole % unit * (1e9 / unit))
			}
			return c.until(time.Unix(s, int64(fraction))), true
		}
	}
	return parseDelta(v)
}

// parseDuration reads a duration as Go writes it (openai: x-ratelimit-reset-requests).
func parseDuration(v string) (time.Duration, bool) {
	if !digit(v[0]) {
		return 0, false
	}
	d, err := time.ParseDuration(v)
	return d, err == nil && d >= 0
}

// parseDate reads a date in a form of HTTP, of RFC 3339, or of JavaScript.
func parseDate(v string) (time.Time, bool) {
	if at, err := http.ParseTime(v); err == nil {
		return at, true
	}
	if at, err := time.Parse(time.RFC3339, v); err == nil {
		return at, true
	}
	v, _, _ = strings.Cut(v, " (")
	at, err := time.Parse("Mon Jan 2 2006 15:04:05 GMT-0700", v)
	return at, err == nil
}
