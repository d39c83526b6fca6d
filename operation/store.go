package operation

import (
	"context"
	"time"

	"redial/ledger"
)

// Store is the durable ledger that operations are kept in. All its methods are safe for
// concurrent use. A method that writes has written to the disk, with a full fsync, when it
// returns nil; when it returns an error, nothing was written, or it is said what was.
type Store interface {
	// Enrolled returns the session that writes through this store, 0 while there is none.
	Enrolled(context.Context) (ledger.SessionID, error)
	// Session returns a session as it stands, with its beat. It is how the owner of an
	// operation is told alive from gone.
	Session(context.Context, ledger.SessionID) (ledger.Session, error)

	// Create writes an intent together with its first transition, to prepared or to
	// sending, with owner as its owner and fence 1. If the service has an operation with
	// that key, it writes nothing and returns that one and [ledger.ErrExists].
	Create(ctx context.Context, in ledger.Intent, t ledger.Transition, owner ledger.SessionID) (ledger.Operation, error)
	// Operation returns an operation whole: the exact bytes and the result, too. The error
	// wraps [ledger.ErrNoOperation] if there is none.
	Operation(context.Context, ledger.ID) (ledger.Operation, error)
	// Transitions returns what became of an operation, oldest first.
	Transitions(context.Context, ledger.ID) ([]ledger.Transition, error)
	// Move makes a transition through [ledger.Operation.Apply] if the operation still
	// stands where the caller saw it, and returns what it is now. If it does not, nothing
	// is written, the operation is returned as it stands, and the error is [ledger.ErrMoved].
	Move(ctx context.Context, id ledger.ID, seen ledger.Seen, t ledger.Transition) (ledger.Operation, error)
	// Claim makes a session the owner of an operation and raises the fence, on the same
	// condition as Move. reason goes into the transition that says so.
	Claim(ctx context.Context, id ledger.ID, seen ledger.Seen, owner ledger.SessionID, reason string) (ledger.Operation, error)
	// Add appends a transition that moves nothing: a lookup, evidence or a note. It is
	// accepted from anybody, whoever owns the operation and wherever it stands.
	Add(ctx context.Context, id ledger.ID, t ledger.Transition) (ledger.Operation, error)

	// Due returns the operations of a service that need something: those in sending,
	// backing-off and checking, and those whose Due lies before now. Oldest due first.
	Due(ctx context.Context, service string, now time.Time, limit int) ([]ledger.Operation, error)

	// ClaimAsk gives an open ask of the service to the session, the oldest first; nil if
	// there is none.
	ClaimAsk(ctx context.Context, service string, by ledger.SessionID) (*ledger.Ask, error)
	// AnswerAsk ends an ask that the session has claimed, as done or refused.
	AnswerAsk(ctx context.Context, id int64, by ledger.SessionID, state ledger.AskState, answer string) error

	// Settlements returns the transitions of a service to a final word, and back from one,
	// that stand after a position, oldest first.
	Settlements(ctx context.Context, service string, after int64, limit int) ([]ledger.Transition, error)
	// MarkRead notes that a service reads its settlements, and that it has been told of
	// those after one position and up to another, so that whoever takes one back knows
	// whether the service may have acted on it.
	MarkRead(ctx context.Context, service string, after, upTo int64) error

	// Changed returns a channel that is closed when something of operations or asks has
	// been written, by this process or another. A call after that returns a new one.
	Changed() <-chan struct{}
}
