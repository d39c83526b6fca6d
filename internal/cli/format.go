package cli

import (
	"fmt"
	"time"
)

// took puts a duration into the few characters that say enough: three digits below a
// minute, two units above. Less than nothing, which a clock that is set can give, is 0s.
func took(d time.Duration) string {
	switch {
	case d <= 0:
		return "0s"
	case d < time.Microsecond:
		return fmt.Sprintf("%dns", d)
	case d < time.Millisecond:
		return fmt.Sprintf("%dµs", d/time.Microsecond)
	case d < time.Second:
		return fmt.Sprintf("%dms", d/time.Millisecond)
	case d < 10*time.Second:
		return fmt.Sprintf("%.2fs", d.Truncate(10*time.Millisecond).Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1fs", d.Truncate(100*time.Millisecond).Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%dm %02ds", d/time.Minute, d%time.Minute/time.Second)
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh %02dm", d/time.Hour, d%time.Hour/time.Minute)
	}
	return fmt.Sprintf("%dd %02dh", d/(24*time.Hour), d%(24*time.Hour)/time.Hour)
}

// tookOr is took, with a word for what has no duration.
func tookOr(d time.Duration, none string) string {
	if d == 0 {
		return none
	}
	return took(d)
}

// moment writes a wall-clock time as it was in the reader's zone, with its offset.
func (a *app) moment(t time.Time) string {
	return t.In(a.zone).Format("2006-01-02 15:04:05.000 -07:00")
}
