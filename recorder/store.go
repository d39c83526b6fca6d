package recorder

import (
	"context"
	"time"

	"redial/ledger"
)

// Store is where a [Recorder] writes. All methods may block, fail and panic; they are only
// called from the recorder's own goroutine, one at a time, and never on behalf of a call.
// They should give up when their context ends.
type Store interface {
	// Enrol writes a new session and returns its number, which is above 0. It is called
	// until it succeeds.
	Enrol(context.Context, ledger.Session) (ledger.SessionID, error)
	// Write writes a batch whole or not at all. It does not keep it: the batch and its
	// lists are used again once Write has returned. After an error nothing of the batch
	// may get into the store later, for the same calls are handed over again, perhaps in
	// smaller batches. A batch without calls is a sign of life, and may carry gaps and
	// what is under way.
	Write(context.Context, *ledger.Batch) error
	// End writes the session's end and its last counters.
	End(context.Context, ledger.SessionID, time.Time, ledger.Counters) error
}

// Historian is a [Store] that can tell what sessions before this one left, and so lets a
// restart forget nothing. A recorder asks once, right after the session is enrolled. When the
// store cannot say, the recorder begins as if there had been none: that costs what is
// remembered, and nothing else.
type Historian interface {
	// WindowsBefore returns the last state of those windows of earlier sessions of the same
	// service on the same machine that still count at this moment: a period that runs, a
	// pause, or what a server declared. A session takes over what the one before it left, so
	// each window is there once, as it was in the latest session that had it.
	WindowsBefore(context.Context, ledger.SessionID) ([]ledger.Window, error)
	// SentBefore returns the calls of earlier sessions of the same service that have ended
	// and started since then, whole but for the Data of their bodies, oldest first. It
	// leaves out those whose method may be repeated, and the oldest if there are too many.
	SentBefore(ctx context.Context, session ledger.SessionID, since time.Time) ([]ledger.Call, error)
}
