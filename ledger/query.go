package ledger

import "time"

// Query selects calls from a store.
type Query struct {
	Filter   Filter      // the zero Filter matches every call
	Sessions []SessionID // nil: every session
	Before   CallID      // only calls that started before that one; 0: no bound
	After    CallID      // only calls that started after that one; 0: no bound
	Limit    int         // at most so many; 0: no limit
	Newest   bool        // newest first; otherwise oldest first

	From, To time.Time // only calls that started from the one up to, but not including, the other; zero: no bound

	Zone *time.Location // in which the filter's at: tells the time; nil is UTC

	// Progress is told now and then, while the query runs and by the goroutine that runs it,
	// how many rows have been gone through of how many may have to be. nil: nobody asks.
	Progress func(seen, total int64)
}

// SumQuery selects sums from a store.
type SumQuery struct {
	Sessions []SessionID   // nil: every session
	From, To time.Time     // the seconds from the one up to, but not including, that of the other
	Step     time.Duration // what is added up: from a multiple of it to the next; less than a second is one
	Latency  bool          // with the histograms, which take about a third longer to read

	// Progress is told as that of a [Query], with seconds in place of rows. nil: nobody asks.
	Progress func(seen, total int64)
}

// Rollup sums up what ended in one second, at one host, in one session.
type Rollup struct {
	Session  SessionID
	Second   int64                       // Unix time
	Host     string                      // host and port
	Calls    int64                       // calls that ended
	Attempts int64                       // their attempts
	Retried  int64                       // calls that were sent again: with more than one attempt, auth legs not counted
	Failed   int64                       // calls that failed, see [Call.Failed]: a lookup that found nothing did not
	Unknown  int64                       // calls whose outcome is unknown
	Waited   [NumWaitKinds]time.Duration // their waits by kind
	Latency  Histogram                   // how long the calls took
}
