package transport

import (
	"sync/atomic"
	"time"

	"redial/ledger"
)

// Stats are what a [Transport] has done so far, for a service's own metrics. All but
// Running only ever grow.
type Stats struct {
	Running int64 // calls under way, their response's body included

	// Calls have ended, and are the sum of the three that follow; see [ledger.Outcome].
	Calls    int64
	Answered int64
	NotSent  int64
	Unknown  int64

	Failed   int64 // calls that ended in an error, of RoundTrip or of reading the response's body
	Attempts int64 // of the calls that have ended, the first ones included
	Retries  int64 // those of them that were made because the transport sent again
	AuthLegs int64 // those that were made because the server asked for credentials
	Sends    int64 // wire sends of these calls: more than Attempts where net/http resent by itself, less where no connection was got or Base does not tell

	BudgetSpent int64 // calls that were not sent again because the budget of their host was spent
	Vetoed      int64 // calls that were not sent again because the server or a rule forbade it

	Waits [ledger.NumWaitKinds]WaitStats // by [ledger.WaitKind]
}

// WaitStats are the waits of one kind.
type WaitStats struct {
	Count int64
	Took  time.Duration // all together
}

// Stats returns what the transport has done since its first use. It needs no [Recorder].
// The numbers are read one after another while calls go on, so that one call may be in some
// of them and not yet in others; at rest they agree. The zero Transport, which hands
// requests on as they are, counts nothing.
func (t *Transport) Stats() Stats {
	var s Stats
	if e := t.engine.Load(); e != nil {
		begun := int64(0)
		for i := range e.stats.tallies {
			e.stats.tallies[i].addTo(&s)
		}
		for i := range e.stats.tallies { // After those that have ended, so that none is missing.
			begun += e.stats.tallies[i].begun.Load()
		}
		s.Calls = s.Answered + s.NotSent + s.Unknown
		s.Attempts += s.Calls
		s.Sends += s.Attempts
		s.Running = begun - s.Calls
	}
	return s
}

// stats counts in several places, so that processors do not wait for each other.
type stats struct {
	made    atomic.Uint32
	tallies [shards]tally
}

// tally returns the place for a call whose memory is new.
func (s *stats) tally() *tally { return &s.tallies[s.made.Add(1)%shards] }

// tally is one place where calls are counted. What most calls have in common costs them
// one addition when they begin and one at their end; the rest is differences from that.
type tally struct {
	begun       atomic.Int64
	ended       [ledger.Unknown + 1]atomic.Int64 // by outcome
	attempts    atomic.Int64                     // beyond one for each call
	sends       atomic.Int64                     // beyond one for each attempt
	failed      atomic.Int64
	retries     atomic.Int64
	legs        atomic.Int64
	budgetSpent atomic.Int64
	vetoed      atomic.Int64
	waits       [ledger.NumWaitKinds]struct{ count, took atomic.Int64 }
	_           [64]byte // keep the next one on another cache line
}

// count adds a call that has ended.
func (t *tally) count(c *ledger.Call) {
	t.ended[c.Outcome].Add(1)
	n := len(c.AttemptList)
	add(&t.attempts, int64(n-1))
	add(&t.sends, int64(c.WireSends-n))
	if c.Error != "" {
		t.failed.Add(1)
	}
	for i := range c.Waits {
		w := &c.Waits[i]
		t.waits[w.Kind].count.Add(1)
		t.waits[w.Kind].took.Add(int64(w.Took))
	}
	for i := 1; i < n; i++ {
		switch c.AttemptList[i].Reason {
		case ledger.Retry:
			t.retries.Add(1)
		case ledger.AuthLeg:
			t.legs.Add(1)
		}
	}
	if n == 0 {
		return
	}
	switch c.AttemptList[n-1].Decision {
	case ledger.BudgetSpent:
		t.budgetSpent.Add(1)
	case ledger.Vetoed:
		t.vetoed.Add(1)
	}
}

// add spares the addition of nothing, which costs as much as any.
func add(to *atomic.Int64, n int64) {
	if n != 0 {
		to.Add(n)
	}
}

// addTo adds what was counted here. Attempts and Sends get only their differences.
func (t *tally) addTo(s *Stats) {
	s.Answered += t.ended[ledger.Answered].Load()
	s.NotSent += t.ended[ledger.NotSent].Load()
	s.Unknown += t.ended[ledger.Unknown].Load()
	s.Failed += t.failed.Load()
	s.Attempts += t.attempts.Load()
	s.Sends += t.sends.Load()
	s.Retries += t.retries.Load()
	s.AuthLegs += t.legs.Load()
	s.BudgetSpent += t.budgetSpent.Load()
	s.Vetoed += t.vetoed.Load()
	for k := range t.waits {
		s.Waits[k].Count += t.waits[k].count.Load()
		s.Waits[k].Took += time.Duration(t.waits[k].took.Load())
	}
}
