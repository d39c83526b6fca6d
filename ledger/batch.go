package ledger

import "time"

// Batch is what a recorder hands to a store at one time. It is written whole or not at all.
type Batch struct {
	Session  SessionID
	Beat     time.Time // the session's sign of life
	Counters Counters  // totals after this batch
	Gaps     []Gap     // gaps that have ended since the last batch

	Calls []Call // calls that have ended

	// Duplicates has what the recorder found while it took the calls of this batch.
	Duplicates []Duplicate

	// Running has every call that has been running for longer than a tick, without
	// headers and bodies, as of Beat. It replaces what the store knew to be running.
	Running []Call
	// Windows has the state of every window that has been used, and replaces what the
	// store knew.
	Windows []Window
}

// Restorer is a [Live] whose windows can be told what a session before this one used, so
// that a restart does not forget it. What is restored only ever narrows a window.
type Restorer interface {
	RestoreWindows([]Window)
}

// Live is what a transport lets a recorder pull while its calls run. Both methods are
// safe for concurrent use and append to buf.
type Live interface {
	// AppendRunning appends a copy of each running call that started before the time
	// given, with attempts and waits so far but without headers and bodies.
	AppendRunning(buf []Call, before time.Time) []Call
	// AppendWindows appends the state of each window that has been used.
	AppendWindows(buf []Window) []Window
}
