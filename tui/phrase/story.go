package phrase

import (
	"iter"

	"redial/ledger"
)

// Event is an attempt or a wait of a call; the other one is nil.
type Event struct {
	Attempt *ledger.Attempt
	Wait    *ledger.Wait
}

// Story returns the attempts and waits of a call in the order in which they are told: each
// wait before the attempt that it delayed, but what a bandwidth limit held back behind the
// attempt that it slowed down, since it lies within it.
func Story(c *ledger.Call) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		told := make([]bool, len(c.Waits))
		waits := func(upTo int, all, bandwidth bool) bool {
			for i := range c.Waits {
				w := &c.Waits[i]
				if told[i] || !all && (w.Before > upTo || (w.Kind == ledger.BandwidthWait) != bandwidth) {
					continue
				}
				told[i] = true
				if !yield(Event{Wait: w}) {
					return false
				}
			}
			return true
		}
		for i := range c.AttemptList {
			a := &c.AttemptList[i]
			if !waits(a.N, false, false) || !yield(Event{Attempt: a}) || !waits(a.N, false, true) {
				return
			}
		}
		waits(0, true, false)
	}
}
