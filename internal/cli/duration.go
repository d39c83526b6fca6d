package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// day is what the d in a duration such as 14d stands for.
const day = 24 * time.Hour

// durationValue is a flag that takes a positive duration: as Go writes them, or in days.
type durationValue time.Duration

func (d *durationValue) Set(text string) error {
	v, err := parseDuration(text)
	if err != nil {
		return err
	}
	*d = durationValue(v)
	return nil
}

func (d *durationValue) Type() string { return "duration" }

func (d *durationValue) String() string {
	if *d == 0 {
		return ""
	}
	return time.Duration(*d).String()
}

// parseDuration reads 10s, 1m30s, 14d or 1d12h. Zero and below are refused, since nothing
// can be done for so long.
func parseDuration(text string) (time.Duration, error) {
	days, rest, ok := strings.Cut(text, "d")
	if !ok {
		days, rest = "0", text
	}
	n, err := strconv.ParseUint(days, 10, 16)
	var d time.Duration
	if err == nil && (rest != "" || !ok) {
		d, err = time.ParseDuration(rest)
	}
	if err != nil {
		return 0, fmt.Errorf("not a duration, which looks like 500ms, 10s, 1h30m or 14d")
	}
	if total := time.Duration(n)*day + d; total > 0 {
		return total, nil
	}
	return 0, fmt.Errorf("a duration here must be longer than nothing")
}
