package ledger

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ParseDuration reads a duration as it stands in filters and flags: a Go duration, or
// days before it or alone, such as 14d or 1d12h. A negative one is an error.
func ParseDuration(s string) (time.Duration, error) {
	rest := s
	var days time.Duration
	if number, behind, ok := strings.Cut(s, "d"); ok {
		n, err := strconv.ParseUint(number, 10, 16)
		if err != nil {
			return 0, notDuration(s)
		}
		days, rest = time.Duration(n)*24*time.Hour, behind
		if rest == "" {
			return days, nil
		}
	}
	d, err := time.ParseDuration(rest)
	if err != nil || strings.ContainsAny(rest[:1], "+-") || days+d < 0 {
		return 0, notDuration(s)
	}
	return days + d, nil
}

func notDuration(s string) error {
	return fmt.Errorf("%q is not a duration: it is a number with a unit, such as 150ms, 2s, 5m, 2h30m or 14d", clip(s))
}
