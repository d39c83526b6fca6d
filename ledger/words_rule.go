package ledger

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Words returns the arithmetic behind a wait of that kind:
//
//	full jitter: 0.60 × 400 ms × 2⁰
//	no jitter: min(2 s × 2⁶, 1m)
//	decorrelated jitter: 200 ms + 0.60 × 1.2 s
//	asked: 0.9 s
//	3 per 4.5s, 4 ahead
func (r Rule) Words(kind WaitKind) string {
	switch kind {
	case BandwidthWait:
		return "at most " + bytes(r.Rate) + "/s"
	case WindowWait:
		ahead := "next in line"
		if r.Ahead > 0 {
			ahead = fmt.Sprintf("%d ahead", r.Ahead)
		}
		if r.Paused {
			return "the server asked everybody to wait, " + ahead
		}
		return fmt.Sprintf("%d per %s, %s", r.Limit, strings.ReplaceAll(readable(r.Per), " ", ""), ahead)
	case RetryAfterWait:
		if r.ByDate {
			return "asked: " + inSeconds(r.Asked) + ", as a date"
		}
		return "asked: " + inSeconds(r.Asked)
	case BackoffWait:
		return r.Jitter.String() + ": " + r.jittered()
	}
	return ""
}

// jittered returns the delay and what the jitter drew of it.
func (r Rule) jittered() string {
	switch r.Jitter {
	case FullJitter, EqualJitter:
		return fraction(r.Fraction) + " × " + r.delay()
	case DecorrelatedJitter:
		return readable(r.Base) + " + " + fraction(r.Fraction) + " × " + readable(r.Max-r.Base)
	}
	return r.delay()
}

// delay returns the delay before jitter. The maximum is only named where it counts.
func (r Rule) delay() string {
	words := readable(r.Base)
	if r.Multiplier != 1 {
		words += " × " + strconv.FormatFloat(r.Multiplier, 'g', 4, 64) + superscript(r.Exponent)
	}
	if r.Max > 0 && float64(r.Base)*math.Pow(r.Multiplier, float64(r.Exponent)) > float64(r.Max) {
		return "min(" + words + ", " + readable(r.Max) + ")"
	}
	return words
}

// fraction writes a number from 0 to 1 with two digits, or more where two would say 0.
func fraction(f float64) string {
	if f > 0 && f < 0.01 {
		return strconv.FormatFloat(f, 'f', 4, 64)
	}
	return strconv.FormatFloat(f, 'f', 2, 64)
}

// superscript writes an exponent.
func superscript(n int) string {
	return strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴",
		"5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹").Replace(strconv.Itoa(n))
}

// inSeconds writes what a server asked for in the unit in which it did, unless that makes
// a number that nobody reads.
func inSeconds(d time.Duration) string {
	const many = 2 * time.Minute
	if d >= many {
		return readable(d)
	}
	return strconv.FormatFloat(d.Round(time.Millisecond).Seconds(), 'f', -1, 64) + " s"
}

// readable writes a duration with at most three digits that count, or from a minute on
// in hours, minutes and seconds, or in days.
func readable(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d <= 0:
		return "0 s"
	case d < time.Microsecond:
		return digits(float64(d)) + " ns"
	case d < time.Millisecond:
		return digits(float64(d)/float64(time.Microsecond)) + " µs"
	case d < time.Second:
		return digits(float64(d)/float64(time.Millisecond)) + " ms"
	case d < time.Minute:
		return digits(d.Seconds()) + " s"
	case d < 2*day:
		s := d.Round(time.Second).String()
		if strings.HasSuffix(s, "m0s") {
			s = strings.TrimSuffix(s, "0s")
		}
		if strings.HasSuffix(s, "h0m") {
			s = strings.TrimSuffix(s, "0m")
		}
		return s
	}
	return strconv.FormatFloat(math.Round(d.Hours()/24), 'f', -1, 64) + "d"
}

// digits writes a number below a thousand with three digits that count.
func digits(x float64) string {
	places := 0
	switch {
	case x < 10:
		places = 2
	case x < 100:
		places = 1
	}
	s := strconv.FormatFloat(x, 'f', places, 64)
	if places > 0 {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}
