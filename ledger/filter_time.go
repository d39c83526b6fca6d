package ledger

import (
	"strings"
	"time"
)

// durations reads a comparison or a range of durations.
func (t *Term) durations(v literal) (Expr, error) {
	op, text := cutOp(v.text)
	if first, last, isRange := strings.Cut(text, ".."); isRange && op == OpEqual {
		switch {
		case last == "":
			op, text = OpAtLeast, first
		case first == "":
			op, text = OpAtMost, last
		default:
			return t.between(v, first, last)
		}
	}
	d, err := ParseDuration(text)
	if err != nil {
		return nil, t.notDuration(v)
	}
	if op == OpEqual && d != 0 {
		return nil, v.wrong("no call takes exactly %s: write %s:>=%s or %s:<=%s", text, t.Key, text, t.Key, text)
	}
	t.Op, t.Duration = op, d
	return t, nil
}

// between returns the two terms of a range.
func (t *Term) between(v literal, first, last string) (Expr, error) {
	from, err := ParseDuration(first)
	to, err2 := ParseDuration(last)
	switch {
	case err != nil || err2 != nil:
		return nil, t.notDuration(v)
	case from > to:
		return nil, v.wrong("the range %q ends before it begins", clip(v.text))
	}
	lower, upper := *t, *t
	lower.Op, lower.Duration = OpAtLeast, from
	upper.Op, upper.Duration = OpAtMost, to
	return And{&lower, &upper}, nil
}

// notDuration says what a duration key takes.
func (t *Term) notDuration(v literal) error {
	return v.wrong("%q is not a value of %s: write a comparison such as >2s or <=150ms, or a range such as 1s..2s", clip(v.text), t.Key)
}

// setLast reads the duration of last:.
func (t *Term) setLast(v literal) error {
	d, err := ParseDuration(v.text)
	if err != nil || d == 0 {
		return v.wrong("%q is not a value of last: write how far to go back, such as 5m, 2h30m or 14d", clip(v.text))
	}
	t.Duration = d
	return nil
}

// endOfDay is 24:00, which no clock shows but a range may end with.
const endOfDay = 24 * time.Hour

// setClock reads a range of times of day, or one time, which stands for as long as a
// clock that counts its last place would show it.
func (t *Term) setClock(v literal) error {
	first, last, isRange := strings.Cut(v.text, "..")
	from, length, ok := parseClock(first)
	to, ok2 := from+length, true
	switch {
	case isRange && first == "" && last != "":
		from, ok = 0, true
		to, _, ok2 = parseClock(last)
	case isRange && last == "":
		to = endOfDay
	case isRange:
		to, _, ok2 = parseClock(last)
	}
	switch {
	case !ok || !ok2 || from == endOfDay:
		return v.wrong("%q is not a value of at: write a time of day such as 14:05 or 14:05:30, or a range such as 14:05..14:10", clip(v.text))
	case from == to:
		return v.wrong("the range %q is empty: it ends where it begins", clip(v.text))
	}
	t.Clock = [2]time.Duration{from, to}
	return nil
}

// parseClock reads HH:MM, HH:MM:SS or HH:MM:SS.mmm as the time since midnight, and
// returns the length of its last place with it.
func parseClock(s string) (at, length time.Duration, ok bool) {
	if s == "24:00" {
		return endOfDay, 0, true
	}
	if len(s) > 1 && s[1] == ':' {
		s = "0" + s
	}
	for _, form := range []struct {
		layout string
		length time.Duration
	}{{"15:04", time.Minute}, {"15:04:05", time.Second}, {"15:04:05.000", time.Millisecond}} {
		if c, err := time.Parse(form.layout, s); err == nil && len(s) == len(form.layout) {
			return sinceMidnight(c), form.length, true
		}
	}
	return 0, 0, false
}

// sinceMidnight returns what a clock on the wall shows at t, whatever was done to it
// that day.
func sinceMidnight(t time.Time) time.Duration {
	return time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute +
		time.Duration(t.Second())*time.Second + time.Duration(t.Nanosecond())
}
