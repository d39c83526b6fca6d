package timeline

import "time"

// span is a stretch of time: from its beginning up to, but not including, its end.
type span struct{ from, to time.Time }

const (
	leastSpan = 10 * time.Millisecond // what is in sight at least
	firstSpan = time.Minute           // what is in sight at first, at most
)

func (s span) width() time.Duration { return s.to.Sub(s.from) }

func (s span) has(t time.Time) bool { return !t.Before(s.from) && t.Before(s.to) }

// middle returns the moment in the middle.
func (s span) middle() time.Time { return s.from.Add(s.width() / 2) }

// within returns a stretch of the same width that lies within another one, or that other
// one if it is wider.
func (s span) within(all span) span {
	w := max(s.width(), leastSpan)
	if w >= all.width() {
		return all
	}
	if s.from.Before(all.from) {
		return span{all.from, all.from.Add(w)}
	}
	if s.from.Add(w).After(all.to) {
		return span{all.to.Add(-w), all.to}
	}
	return span{s.from, s.from.Add(w)}
}

// zoom returns a stretch that is wider by a factor, in which a moment keeps its place.
func (s span) zoom(factor float64, at time.Time, all span) span {
	w := max(time.Duration(float64(s.width())*factor), leastSpan)
	before := time.Duration(float64(at.Sub(s.from)) * float64(w) / float64(max(s.width(), 1)))
	from := at.Add(-before)
	return span{from, from.Add(w)}.within(all)
}

// pan returns the stretch so much later.
func (s span) pan(d time.Duration, all span) span {
	return span{s.from.Add(d), s.to.Add(d)}.within(all)
}

// around returns a stretch of the same width with a moment at a part of it.
func (s span) around(t time.Time, part float64, all span) span {
	return s.pan(t.Sub(s.from)-time.Duration(float64(s.width())*part), all)
}

// nearest returns the moment of the stretch that is nearest to t.
func (s span) nearest(t time.Time) time.Time {
	switch {
	case t.Before(s.from):
		return s.from
	case !t.Before(s.to):
		return s.to.Add(-1)
	}
	return t
}
