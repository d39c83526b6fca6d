package ledger

import "time"

// Window is the state of a rate window at one moment: at most Limit requests per Per.
type Window struct {
	Host    string        // host, with a port where the window names one
	Limit   int           // requests in a window
	Per     time.Duration // its length; window number n starts at n × Per of Unix time
	Used    int           // requests granted in the current one
	Opens   time.Time     // when the next one begins
	Waiting int           // callers in the queue
	Since   time.Time     // since when the first of them waits; zero: none does
}

// Full reports whether a new caller would have to wait at now.
func (w *Window) Full(now time.Time) bool {
	return w.Waiting > 0 || w.Used >= w.Limit && now.Before(w.Opens)
}
