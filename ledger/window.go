package ledger

import "time"

// Window is the state of a rate window at one moment: at most Limit requests per Per.
type Window struct {
	Host    string        // host, with a port where the window names one
	Name    string        // what it is for beside the host, such as a path pattern or what its key function returned; "" for the whole host
	Kind    WindowKind    // how it counts
	Limit   int           // requests in a window; 0: the host has none of ours, only what the server said
	Per     time.Duration // its length; fixed window number n starts at n × Per of Unix time
	Used    int           // requests granted in the current one, or within the last Per, or not yet made up for by GCRA
	Opens   time.Time     // when the next fixed window opens, the oldest request of a sliding one ceases to count, or GCRA has, or had, a place
	Waiting int           // callers in the queue
	Since   time.Time     // since when the first of them waits; zero: none does

	Declared Declared  // what the server said last about its own limit
	Paused   time.Time // until when the server wants nobody to send, because it asked for that or because nothing is left; zero: it does not
}

// Full reports whether a new caller would have to wait at now.
func (w *Window) Full(now time.Time) bool {
	full := w.Used >= w.Limit || w.Kind == GCRAWindow // of which a burst may be all that it holds
	return w.Waiting > 0 || now.Before(w.Paused) || w.Limit > 0 && full && now.Before(w.Opens)
}

// Declared is what a server said about its own limit in a RateLimit field or one of its
// relatives.
type Declared struct {
	At        time.Time     // when it said so; zero: it never did
	Limit     int           // requests in a window; 0: it did not say
	Per       time.Duration // length of that window; 0: it did not say
	Remaining int           // requests left; of a window of ours, less those made since
	Resets    time.Time     // when there are more; zero: it did not say
}

// WindowKind says how a window counts.
type WindowKind uint8

// The kinds of window.
const (
	FixedWindow   WindowKind = iota // aligned periods, counted apart
	SlidingWindow                   // the last period, at every moment
	GCRAWindow                      // one request each Per/Limit, with a burst (generic cell rate algorithm)
)

// String returns the kind as it stands in JSON.
func (k WindowKind) String() string { return word(k, "fixed", "sliding", "gcra") }
