package recorder

import (
	"time"

	"redial/ledger"
)

// maxGaps is how many gaps with different reasons wait for the store to work again.
const maxGaps = 16

// failed decides what follows on a batch that the store has refused, and waits if that is
// to wait. It reports whether to go on.
func (w *writer) failed(p part, err error) bool {
	if w.ctx.Err() != nil {
		return false // the error only says that there was no time left
	}
	w.lastErr = err
	if len(p.calls) == 0 || !w.takesBeat() {
		return w.rest()
	}
	if w.backlog.split() {
		return true
	}
	if lost := w.backlog.refused(time.Now().Add(parkFor)); lost != nil {
		w.giveUp([]part{*lost}, "the store takes other calls but not this one: "+err.Error())
	}
	return w.rest()
}

// takesBeat reports whether the store takes a batch without calls.
func (w *writer) takesBeat() bool {
	w.pull(time.Now())
	w.lives.settle(nil, true)
	return w.write(w.ctx, nil) == nil
}

// rest waits after a failure, twice as long as after the one before. It reports false if
// it was cut short.
func (w *writer) rest() bool {
	w.pause = min(max(2*w.pause, firstPause), longestPause)
	return w.sleep(w.pause)
}

// giveUp counts calls as not written, and notes the gap.
func (w *writer) giveUp(parts []part, reason string) {
	gap := ledger.Gap{Reason: reason}
	for _, p := range parts {
		for i := range p.calls {
			ended := p.calls[i].Started.Add(p.calls[i].Took)
			if gap.Calls == 0 || ended.Before(gap.From) {
				gap.From = ended
			}
			if gap.Calls == 0 || ended.After(gap.To) {
				gap.To = ended
			}
			gap.Calls++
		}
		w.queue.gaveUp(len(p.calls), p.weight)
	}
	w.note(gap)
}

// noteMissed notes calls that found the queue full, with the reason as it is known now.
func (w *writer) noteMissed() {
	gap := w.queue.missed()
	gap.Reason = "the queue was full: calls ended faster than the store took them"
	if w.lastErr != nil {
		gap.Reason = "the queue was full: the store could not write: " + w.lastErr.Error()
	}
	w.note(gap)
}

// note keeps a gap until it is in the store. One for the same reason as the last becomes
// part of it, and so does one too many.
func (w *writer) note(gap ledger.Gap) {
	if gap.Calls == 0 {
		return
	}
	n := len(w.gaps)
	if n == 0 || w.gaps[n-1].Reason != gap.Reason && n < maxGaps {
		w.gaps = append(w.gaps, gap)
		return
	}
	last := &w.gaps[n-1]
	last.Calls += gap.Calls
	if gap.From.Before(last.From) {
		last.From = gap.From
	}
	if gap.To.After(last.To) {
		last.To = gap.To
	}
}
