package tui

import (
	"context"
	"time"

	"redial/ledger"
)

// Store is what the dashboard reads. Its methods are called from commands, never from
// Update or View, and hold no transaction after they return.
type Store interface {
	// Version returns a number that changes whenever another process has written. It is
	// cheap enough to be asked each 50 ms.
	Version(context.Context) (int64, error)
	// Sessions returns all sessions, newest first.
	Sessions(context.Context) ([]ledger.Session, error)
	// Calls returns ended and cut-off calls, without their lists.
	Calls(context.Context, ledger.Query) ([]ledger.Call, error)
	// During returns ended and cut-off calls, without their lists: those that were under
	// way from query.From up to query.To, oldest first. One that was cut off is under way
	// when it started.
	During(context.Context, ledger.Query) ([]ledger.Call, error)
	// WithLists returns those of these calls that have ended, with their attempts and waits
	// but without headers and bodies.
	WithLists(context.Context, []ledger.CallID) ([]ledger.Call, error)
	// Running returns the calls of these sessions that have not ended, with their attempts
	// and waits so far, oldest first. Those of a dead session are cut off.
	Running(context.Context, []ledger.SessionID) ([]ledger.Call, error)
	// Call returns one call whole: attempts, waits, headers and bodies.
	Call(context.Context, ledger.CallID) (ledger.Call, error)
	// Windows returns the last known state of these sessions' windows.
	Windows(context.Context, []ledger.SessionID) ([]ledger.Window, error)
	// Rollups returns what ended from one moment to another, oldest first.
	Rollups(ctx context.Context, sessions []ledger.SessionID, from, to time.Time) ([]ledger.Rollup, error)
	// Sums calls each with rollups added up by steps of time, oldest first in each session.
	Sums(ctx context.Context, q ledger.SumQuery, each func(*ledger.Rollup) error) error

	// Operations returns the operations that a query selects, without their bodies.
	Operations(context.Context, ledger.OperationQuery) ([]ledger.Operation, error)
	// Operation returns one operation whole, as it is stored. The error wraps
	// [ledger.ErrNoOperation] if there is none.
	Operation(context.Context, ledger.ID) (ledger.Operation, error)
	// Transitions returns what became of an operation, oldest first.
	Transitions(context.Context, ledger.ID) ([]ledger.Transition, error)
	// OperationTotal returns how many operations there are, settled ones included, of one
	// service, or of all for "". It takes no longer when there are many.
	OperationTotal(ctx context.Context, service string) (int64, error)
	// Reading returns whether the service of an operation has been told of the last word
	// that a person spoke on it.
	Reading(context.Context, ledger.ID) (ledger.Reading, error)
	// OperationCounts counts what waits for a person, of one service, or of all for "". It
	// is cheap enough to be asked at each change.
	OperationCounts(ctx context.Context, service string) (ledger.OperationCounts, error)
}
