package recorder

import (
	"context"
	"time"

	"redial/ledger"
)

// Store is where a [Recorder] writes. All methods may block and may fail; they are only
// called from the recorder's own goroutine, and never on behalf of a call.
type Store interface {
	// Enrol writes a new session and returns its number.
	Enrol(context.Context, ledger.Session) (ledger.SessionID, error)
	// Write writes a batch whole or not at all. It does not keep it.
	Write(context.Context, *ledger.Batch) error
	// End writes the session's end and its last counters.
	End(context.Context, ledger.SessionID, time.Time, ledger.Counters) error
}
