package cli

import (
	"fmt"
	"time"

	"redial/tui/draw"
)

// took puts a duration into the few characters that say enough: three digits below a
// minute, two units above, rounded as the dashboard rounds them. Less than nothing, which a
// clock that is set can give, is 0s.
func took(d time.Duration) string {
	switch {
	case d <= 0:
		return "0s"
	case d < time.Microsecond:
		return fmt.Sprintf("%dns", d)
	case d < 59950*time.Millisecond:
		return draw.Took(d)
	}
	return draw.Long(d)
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
