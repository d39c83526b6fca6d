package transport

import (
	"time"

	"redial/ledger"
)

// meter counts the requests of one window in the way of its kind. Times are on the
// monotonic clock, so that a clock that is set while the process runs gives nothing away;
// only the boundaries of a fixed window follow the wall clock as well. A meter knows nothing
// of queues. The lock of its host guards it.
type meter interface {
	// roll brings the meter up to date. wall is the time in nanoseconds of Unix time.
	roll(wall int64, mono time.Duration)
	// room returns how many requests may go now.
	room(mono time.Duration) int
	// after returns how long it takes until the request behind k others can go, if those go
	// as soon as they can.
	after(k int, mono time.Duration) time.Duration
	// spend counts a request that goes now. What it returns is for refund.
	spend(mono time.Duration) time.Duration
	// refund takes back a request that was counted, if it still counts.
	refund(mark, mono time.Duration)
	// used returns how many requests count now, and when the next place is to be had.
	used(mono time.Duration) (n int, opens time.Duration)
	// restore counts what a session before this one used. opens is what used returned there.
	// Clocks may have been set in between: no time counts that cannot be.
	restore(used int, opens, mono time.Duration)
	// idle reports whether the meter is as good as new.
	idle(mono time.Duration) bool
}

// newMeter returns the meter of a window.
func newMeter(w *Window) meter {
	switch w.Kind {
	case ledger.SlidingWindow:
		return newSliding(w.Limit, w.Per)
	case ledger.GCRAWindow:
		return newGCRA(w.Limit, w.Per, w.Burst)
	}
	return &fixed{limit: w.Limit, per: w.Per}
}

// fixed counts in aligned windows.
type fixed struct {
	limit int
	per   time.Duration

	opened bool          // a window was ever opened
	end    time.Duration // of the current one
	spent  int
	number time.Duration // counts the windows that were opened, to tell whether a place is still of the current one
}

// roll opens the next window if the current one has ended. The wall clock says where the
// boundaries are; the monotonic one says when they are reached. They agree until somebody
// sets the clock. Then boundaries move to where the wall clock wants them, but no window
// becomes noticeably shorter than per and none as long as twice that: a clock that jumps
// neither stalls callers nor lets a burst through.
func (f *fixed) roll(wall int64, mono time.Duration) {
	if f.opened && mono < f.end {
		return
	}
	into := time.Duration(wall % int64(f.per))
	if into < 0 {
		into += f.per
	}
	start := mono - into
	end := later(start, f.per)
	if f.opened {
		slack := f.per / 64 // for clocks that are slewed, and for the moment between two readings
		switch {
		case start >= f.end-slack:
			// On the boundary, or some windows later.
		case end <= later(f.end, slack):
			f.end = end // The wall clock has a moment to go until the boundary.
			return
		default:
			end = later(end, f.per)
		}
	}
	f.opened, f.end, f.spent = true, end, 0
	f.number++
}

func (f *fixed) room(time.Duration) int { return max(f.limit-f.spent, 0) }

func (f *fixed) after(k int, mono time.Duration) time.Duration {
	room := f.room(mono)
	if k < room {
		return 0
	}
	windows := time.Duration((k - room) / f.limit)
	if first := f.end - mono; windows <= (maxWait-first)/f.per {
		return first + windows*f.per
	}
	return maxWait
}

func (f *fixed) spend(time.Duration) time.Duration {
	f.spent++
	return f.number
}

func (f *fixed) refund(mark, _ time.Duration) {
	if mark == f.number && f.spent > 0 {
		f.spent--
	}
}

func (f *fixed) used(time.Duration) (int, time.Duration) { return f.spent, f.end }

func (f *fixed) restore(used int, opens, mono time.Duration) {
	if opens > mono {
		f.spent = min(f.limit, f.spent+used)
	}
}

func (f *fixed) idle(mono time.Duration) bool { return f.spent == 0 || mono >= f.end }

// gcra is the generic cell rate algorithm: one request each interval, and burst at once
// after a time without any.
type gcra struct {
	interval time.Duration // rounded up, so that never more than Limit go in Per
	depth    time.Duration // how far ahead of its time a request may go: (burst-1) × interval
	burst    int
	next     time.Duration // when the next request would go if all went at the even rate
}

func newGCRA(limit int, per time.Duration, burst int) *gcra {
	g := &gcra{interval: interval(limit, per), burst: max(burst, 1)}
	g.depth = time.Duration(g.burst-1) * g.interval
	return g
}

// interval returns how long it takes from one request to the next at an even rate.
func interval(limit int, per time.Duration) time.Duration {
	n := time.Duration(limit)
	d := per / n
	if per%n != 0 {
		d++
	}
	return d
}

func (g *gcra) roll(int64, time.Duration) {}

func (g *gcra) room(mono time.Duration) int {
	ahead := max(g.next-mono, 0)
	if ahead > g.depth {
		return 0
	}
	return int((g.depth-ahead)/g.interval) + 1
}

func (g *gcra) after(k int, mono time.Duration) time.Duration {
	base := max(g.next-mono, 0) - g.depth
	if time.Duration(k) > (maxWait-max(base, 0))/g.interval {
		return maxWait
	}
	return max(base+time.Duration(k)*g.interval, 0)
}

func (g *gcra) spend(mono time.Duration) time.Duration {
	g.next = later(max(g.next, mono), g.interval)
	return mono
}

func (g *gcra) refund(_, mono time.Duration) {
	if g.next > mono {
		g.next -= g.interval
	}
}

func (g *gcra) used(mono time.Duration) (int, time.Duration) {
	ahead := max(g.next-mono, 0)
	n := ahead / g.interval
	if ahead%g.interval != 0 {
		n++
	}
	return int(n), g.next - g.depth
}

// restore goes by when the next place was to be had, which says all of the state.
func (g *gcra) restore(_ int, opens, mono time.Duration) {
	opens = min(opens, later(mono, g.interval))     // It cannot be longer.
	if ahead := opens + g.depth - mono; ahead > 0 { // else it was idle by now
		g.next = min(later(max(g.next, mono), ahead), later(mono, g.depth+g.interval))
	}
}

func (g *gcra) idle(mono time.Duration) bool { return g.next <= mono }
