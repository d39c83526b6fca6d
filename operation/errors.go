package operation

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"redial/ledger"
)

var (
	// ErrPending says that an operation may have happened, and that nobody knows yet. It is
	// on record and will be looked up, or settled by a person. It must not be done again
	// under another key.
	ErrPending = errors.New("the operation may have happened and is being confirmed")

	// ErrFailed says that an operation did not happen.
	ErrFailed = errors.New("the operation failed")

	// ErrOtherRequest says that the key belongs to another request of the service. Nothing
	// was sent.
	ErrOtherRequest = errors.New("the key was used with another request")

	// ErrResultNotKept comes with the result of an operation that succeeded and whose
	// answer's body was too long to keep.
	ErrResultNotKept = errors.New("the operation succeeded, and its answer was too long to keep")

	// ErrNotWritten says that an operation could not be written down, so nothing was sent.
	// If the disk failed at the last moment, it may be on record all the same: it is then
	// seen to like what a killed process leaves behind. So do it again under the same key.
	ErrNotWritten = errors.New("the operation could not be written down, so nothing was sent")

	// ErrClosed says that the operations were closed. Nothing was sent.
	ErrClosed = errors.New("operations are closed, so nothing was sent")
)

// PendingError is returned for an operation that is not settled. It is [ErrPending], and the
// error of the caller's context if that ended first.
type PendingError struct {
	Key   string
	State ledger.OperationState // pending, disputed, or what goes on when the caller left
	Last  string                // the last thing that went wrong, in words; "" nothing did
	Cause error                 // of the caller's context; nil if it did not end
}

// Error names the key and the last thing that went wrong.
func (e *PendingError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "operation %s may have happened and is being confirmed (%s)", e.Key, e.State)
	if e.Last != "" {
		b.WriteString(": " + e.Last)
	}
	if e.Cause != nil {
		fmt.Fprintf(&b, "; the caller left: %v", e.Cause)
	}
	return b.String()
}

// Unwrap returns ErrPending and the cause.
func (e *PendingError) Unwrap() []error {
	if e.Cause == nil {
		return []error{ErrPending}
	}
	return []error{ErrPending, e.Cause}
}

// FailedError is returned for an operation that did not happen. It is [ErrFailed].
type FailedError struct {
	Key    string
	Status int         // of the refusal; 0: it was never answered
	Header http.Header // of the refusal
	Body   []byte      // of the refusal; nil if it is not kept
	Last   string      // what went wrong, in words
}

// Error names the key and what went wrong.
func (e *FailedError) Error() string {
	if e.Last == "" {
		return fmt.Sprintf("operation %s failed", e.Key)
	}
	return fmt.Sprintf("operation %s failed: %s", e.Key, e.Last)
}

// Unwrap returns ErrFailed.
func (e *FailedError) Unwrap() error { return ErrFailed }

// outcome returns what a caller is told of an operation as it stands.
func outcome(o *ledger.Operation, cause error) (*Result, error) {
	switch o.State {
	case ledger.OpSucceeded:
		r := &Result{Key: o.Key}
		if o.Result == nil {
			return r, nil
		}
		r.Status, r.Header, r.Body = o.Result.Status, header(o.Result.Header), o.Result.Body
		r.Replayed, r.Found = o.Result.Replayed, o.Result.Found
		if o.Result.Dropped {
			return r, fmt.Errorf("operation %s: %w", o.Key, ErrResultNotKept)
		}
		return r, nil
	case ledger.OpFailed:
		e := &FailedError{Key: o.Key, Last: o.LastError}
		if o.Result != nil {
			e.Status, e.Header, e.Body = o.Result.Status, header(o.Result.Header), o.Result.Body
		}
		return nil, e
	}
	return nil, &PendingError{Key: o.Key, State: o.State, Last: o.LastError, Cause: cause}
}

func header(fields []ledger.Field) http.Header {
	h := make(http.Header, len(fields))
	for _, f := range fields {
		h.Add(f.Name, f.Value)
	}
	return h
}
