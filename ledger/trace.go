package ledger

import (
	"context"
	"time"
)

// Trace travels in the context of a request that is made for an operation. It tells the
// transport for whom and how far it may go, and brings back what became of it.
type Trace struct {
	Key    string // of the operation, for the record, whatever header carries it
	Reason Reason // of the call's first attempt

	// Check is run after all waits and immediately before each attempt is handed to the
	// base transport. An error ends the call, and nothing is sent. If nil, nothing is checked.
	Check func() error

	// Timeout bounds each attempt, its response included. It replaces the policy's; 0 leaves
	// that as it is.
	Timeout time.Duration

	// Done is called once with the call when it has ended, before the error is returned
	// or before the reader of the response's body sees its end. It must not keep the call.
	// If nil, nobody is told.
	Done func(*Call)
}

// traceKey is the context key of a [Trace].
type traceKey struct{}

// WithTrace returns a context that carries the trace. A transport that finds it makes one
// attempt and leaves what comes after it to the operation.
func WithTrace(ctx context.Context, t *Trace) context.Context {
	return context.WithValue(ctx, traceKey{}, t)
}

// TraceOf returns the trace in the context, nil without one.
func TraceOf(ctx context.Context) *Trace {
	t, _ := ctx.Value(traceKey{}).(*Trace)
	return t
}
