package ledger

import (
	"math"
	"strconv"
	"strings"
)

// setRange reads a number, a comparison or a range of numbers.
func (t *Term) setRange(v literal) error {
	from, to, ok := t.bounds(v.text)
	switch {
	case !ok && t.Key == KeyStatus:
		return v.wrong("%q is not a value of status: write 503, 5xx, >=500, 400..499, or 0 for no response", clip(v.text))
	case !ok:
		return v.wrong("%q is not a value of %s: write a number, a comparison such as >1, or a range such as 2..5", clip(v.text), t.Key)
	case from > to:
		return v.wrong("%q leaves no number that %s could have", clip(v.text), t.Key)
	}
	t.From, t.To = from, to
	return nil
}

// bounds returns both ends of what s allows.
func (t *Term) bounds(s string) (from, to int64, ok bool) {
	least := int64(0)
	if t.Key == KeyStatus {
		least = 1 // a call without a response has no status that could be small
	}
	if first, last, isRange := strings.Cut(s, ".."); isRange {
		return t.ends(first, last, least)
	}
	op, text := cutOp(s)
	from, to, ok = t.number(text)
	switch op {
	case OpLess:
		return least, from - 1, ok
	case OpAtMost:
		return least, to, ok
	case OpMore:
		return to + 1, math.MaxInt64, ok
	case OpAtLeast:
		return from, math.MaxInt64, ok
	}
	return from, to, ok
}

// ends returns both ends of a range, of which one may be left out.
func (t *Term) ends(first, last string, least int64) (from, to int64, ok bool) {
	from, to, ok = least, math.MaxInt64, first != "" || last != ""
	if first != "" {
		var valid bool
		from, _, valid = t.number(first)
		ok = ok && valid
	}
	if last != "" {
		var valid bool
		_, to, valid = t.number(last)
		ok = ok && valid
	}
	return from, to, ok
}

// number reads a number, or for a status a class such as 5xx, as its lowest and highest
// value.
func (t *Term) number(s string) (lowest, highest int64, ok bool) {
	const most = 1 << 53 // beyond any count, and exact in every tool that reads it
	if t.Key == KeyStatus && len(s) == 3 && strings.EqualFold(s[1:], "xx") && '1' <= s[0] && s[0] <= '9' {
		class := int64(s[0]-'0') * 100
		return class, class + 99, true
	}
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil || n > most {
		return 0, 0, false
	}
	return int64(n), int64(n), true
}
