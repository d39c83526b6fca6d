package live

import (
	"testing"
	"time"
)

func TestCallsRushWhenHalfAPageIsReplacedInAFrame(t *testing.T) {
	type stretch struct {
		calls int           // in each reading
		each  time.Duration // between two readings
		times int
	}
	const ms = time.Millisecond
	fast := stretch{25, 50 * ms, 20}
	for _, c := range []struct {
		name      string
		stretches []stretch
		want      bool
	}{
		{"500 a second on 40 rows", []stretch{fast}, true},
		{"500 a second, read half as often", []stretch{{50, 100 * ms, 10}}, true},
		{"one batch late, two at once", []stretch{fast, {0, 50 * ms, 1}, {50, 50 * ms, 1}, {0, 50 * ms, 1}}, true},
		{"a little slower than what began it", []stretch{fast, {15, 50 * ms, 20}}, true},
		{"a quarter of what began it", []stretch{fast, {6, 50 * ms, 20}}, false},
		{"ten a second", []stretch{{1, 100 * ms, 20}}, false},
		{"the first page", []stretch{{60, 50 * ms, 1}}, false},
		{"many after a pause", []stretch{{1, 100 * ms, 10}, {60, 3 * time.Second, 1}}, false},
		{"nothing any more", []stretch{fast, {0, 50 * ms, 20}}, false},
		{"readings at one moment", []stretch{{25, 0, 20}}, false},
	} {
		var r rush
		now, n := time.Unix(1000, 0), 1
		for _, s := range c.stretches {
			for range s.times {
				now = now.Add(s.each)
				r.measure(calls(n, s.calls), 40, now)
				n += s.calls
			}
		}
		if r.on != c.want {
			t.Errorf("%s: on is %v", c.name, r.on)
		}
	}
}
