package scene

import (
	"fmt"
	"sync/atomic"
)

// progress is how far a reading is. Whoever reads writes it, whoever draws reads it.
type progress struct{ seen, total atomic.Int64 }

func (p *progress) tell(seen, total int64) {
	p.total.Store(total)
	p.seen.Store(seen)
}

// percent returns how much has been gone through, false if nothing was told.
func (p *progress) percent() (int64, bool) {
	total := p.total.Load()
	if total <= 0 {
		return 0, false
	}
	return max(0, min(p.seen.Load()*100/total, 100)), true
}

// Tell returns what the reading that is under way tells how far it is. It is safe to be
// called by whoever reads, also after the reading was given up.
func (t *Task) Tell() func(seen, total int64) { return t.far.tell }

// Percent returns how much the last reading has gone through of what it may have to, as
// far as it has told; false if it has told nothing.
func (t *Task) Percent() (int64, bool) {
	if t.far == nil {
		return 0, false
	}
	return t.far.percent()
}

// Reading says that a task reads, how far it is, and which key gives it up.
func (s *Scene) Reading(t *Task) string {
	percent, ok := t.Percent()
	if !ok {
		return "reading…"
	}
	return fmt.Sprintf("reading… %d%%, %s gives up", percent, s.Keys.Back.Help().Key)
}

// GivenUp says how much a task had read when it was given up.
func GivenUp(t *Task) string {
	percent, _ := t.Percent()
	return fmt.Sprintf("given up at %d%%", percent)
}

// Part returns what a part of a reading tells how far it is, which is one of several that
// take about as long. What it tells goes on to tell, which may be nil.
func Part(tell func(seen, total int64), part, parts int) func(seen, total int64) {
	if tell == nil {
		return nil
	}
	const fine = 1000
	return func(seen, total int64) {
		if total > 0 {
			tell(int64(part)*fine+seen*fine/total, int64(parts)*fine)
		}
	}
}
