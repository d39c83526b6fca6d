package draw

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Took puts a duration that was measured into at most six columns: 410µs, 84ms, 4.12s,
// 14.1s, 1m 32s, 12m, 6h12m, 2d03h.
func Took(d time.Duration) string {
	switch {
	case d <= 0:
		return "0ms"
	case d < time.Millisecond:
		return fmt.Sprintf("%dµs", d.Microseconds())
	case d < 999500*time.Microsecond:
		return fmt.Sprintf("%dms", d.Round(time.Millisecond).Milliseconds())
	case d < 9995*time.Millisecond:
		return fmt.Sprintf("%.2fs", d.Seconds())
	case d < 59950*time.Millisecond:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d < 10*time.Minute:
		return Long(d)
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	}
	return strings.ReplaceAll(Long(d), " ", "")
}

// Long puts a duration of minutes and more into two units. Shorter ones are in seconds.
func Long(d time.Duration) string {
	s := int64(d.Round(time.Second) / time.Second)
	switch {
	case s < 60:
		return fmt.Sprintf("%ds", s)
	case s < 3600:
		return fmt.Sprintf("%dm %02ds", s/60, s%60)
	case s < 86400:
		return fmt.Sprintf("%dh %02dm", s/3600, s/60%60)
	}
	return fmt.Sprintf("%dd %02dh", s/86400, s/3600%24)
}

// tenth is the step of a countdown.
const tenth = 100 * time.Millisecond

// Ago puts into words how long something is past or ahead: tenths of a second at first,
// so that a countdown moves. What is less than one is "now".
func Ago(d time.Duration) string {
	switch {
	case d < tenth:
		return "now"
	case d < time.Minute:
		return fmt.Sprintf("%.1fs", d.Truncate(tenth).Seconds())
	}
	return Long(d)
}

// With puts a word before how long something is past or ahead: "for 3.3s", "in 1.2s". The
// word is left out before "now".
func With(word string, d time.Duration) string {
	if d < tenth {
		return Ago(d)
	}
	return word + " " + Ago(d)
}

// Behind puts how long something is past or ahead behind a text, and nothing when that is
// less than a tenth of a second.
func Behind(text string, d time.Duration) string {
	if d < tenth {
		return text
	}
	return text + " " + Ago(d)
}

// Period puts a duration that somebody has set into words: 4.5s, 1m, 24h.
func Period(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// Count puts thousands apart: 6,214.
func Count(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// Bytes puts a number of bytes into words: 112 B, 64.0 KiB.
func Bytes(n int64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	case n < 1<<30:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
}

// Percent puts part of all into words: 8%. Something is never 0%, nor is all but
// something 100%.
func Percent(part, all int64) string {
	if all <= 0 {
		return "0%"
	}
	p := float64(part) * 100 / float64(all)
	switch {
	case part > 0 && p < 1:
		return "<1%"
	case part < all && p > 99:
		return ">99%"
	}
	return fmt.Sprintf("%.0f%%", p)
}

// Plural returns "1 call" or "3 calls".
func Plural(n int64, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return Count(n) + " " + one + "s"
}
