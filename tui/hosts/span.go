package hosts

import (
	"slices"
	"time"

	"redial/ledger"
	"redial/tui/draw"
)

// span is a range of time that can be summed up, in slices.
type span struct {
	name   string
	length time.Duration // 0: all of the sessions that are shown
	size   time.Duration // of a slice; 0: by the length
}

// spans returns the ranges in the order in which they are gone through.
func spans() []span {
	return []span{
		{"last minute", time.Minute, time.Second},
		{"last 5 minutes", 5 * time.Minute, 5 * time.Second},
		{"last 15 minutes", 15 * time.Minute, 15 * time.Second},
		{"last hour", time.Hour, time.Minute},
		{"all of it", 0, 0},
	}
}

// wholeSpan is the index of the one that has all.
func wholeSpan() int { return len(spans()) - 1 }

// frame is a range of time at a moment, in whole slices. Times are seconds of Unix time.
type frame struct {
	sessions []ledger.SessionID
	span     int
	size     int64
	at       int64 // the moment of a recording that it lies around; 0: none
	from, to int64 // to is not in it
}

// same reports whether what was summed up for one frame serves for the other one.
func (f *frame) same(o *frame) bool {
	return f.span == o.span && f.size == o.size && f.at == o.at && slices.Equal(f.sessions, o.sessions)
}

// slices returns how many slices there are.
func (f *frame) slices() int { return int((f.to - f.from + f.size - 1) / f.size) }

// chosen returns the index of the range that is chosen: live sessions and recordings have
// one of their own, since what is newest matters of the one and the whole of the other.
func (s *Screen) chosen() *int {
	if s.scene.Live {
		return &s.span
	}
	return &s.past
}

// frame returns the range that is shown now: of live sessions the newest time, of a recording
// the time around the cursor.
func (s *Screen) frame() frame {
	sp := spans()[*s.chosen()]
	f := frame{sessions: s.scene.IDs(), span: *s.chosen(), to: s.scene.At().Unix() + 1}
	if sp.length > 0 {
		f.size = int64(sp.size / time.Second)
		length := int64(sp.length / time.Second)
		if !s.scene.Live && !s.scene.Cursor.At.IsZero() {
			f.at = s.scene.Cursor.At.Unix()
			f.to = f.at + length/2
		}
		f.from = floor(f.to-1, f.size) - length + f.size
		return f
	}
	f.from = f.to - 1
	for i := range s.scene.Sessions {
		f.from = min(f.from, s.scene.Sessions[i].Started.Unix())
	}
	f.size = sizeFor(f.to - f.from)
	f.from = floor(f.from, f.size)
	return f
}

// lasted returns how long the sessions that are shown lasted.
func (s *Screen) lasted() time.Duration {
	var longest time.Duration
	for i := range s.scene.Sessions {
		c := &s.scene.Sessions[i]
		longest = max(longest, c.End(s.scene.Now).Sub(c.Started))
	}
	return longest
}

// mostSlices is how many slices a range of any length has at most.
const mostSlices = 64

// sizeFor returns the size of slices, in seconds, for a range of so many seconds.
func sizeFor(length int64) int64 {
	for _, size := range []int64{1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 6 * 3600, 24 * 3600} {
		if length <= size*(mostSlices-1) {
			return size
		}
	}
	return length/(mostSlices-1) + 1
}

// floor returns the last multiple of size that is not after n.
func floor(n, size int64) int64 { return n - ((n%size)+size)%size }

// rangeName says which range is shown.
func (s *Screen) rangeName() string {
	sp := spans()[*s.chosen()]
	switch {
	case s.scene.Live:
		return sp.name
	case sp.length == 0:
		return "the whole recording"
	case s.scene.Cursor.At.IsZero():
		return sp.name + " of the recording"
	}
	return draw.Period(sp.length) + " around " + s.scene.Cursor.At.In(s.scene.Zone).Format("15:04:05")
}
