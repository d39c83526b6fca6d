package transport

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// errNoAnswer is what a Base that breaks its contract is answered with.
var errNoAnswer = errors.New("redial: the base transport returned neither a response nor an error")

// errRequestCancel is the cause when the deprecated Request.Cancel was closed.
var errRequestCancel = errors.New("the request's Cancel channel was closed")

// AttemptTimeoutError is the error of an attempt that took longer than
// [Retry.AttemptTimeout]. It is a timeout and is context.DeadlineExceeded.
type AttemptTimeoutError struct {
	After time.Duration // the timeout
}

// Error says how long the attempt was given.
func (e *AttemptTimeoutError) Error() string {
	return fmt.Sprintf("redial: attempt timed out after %v", e.After)
}

// Timeout reports that it is a timeout, for [net.Error].
func (e *AttemptTimeoutError) Timeout() bool { return true }

// Temporary reports that it may pass, for [net.Error].
func (e *AttemptTimeoutError) Temporary() bool { return true }

// Is reports whether target is context.DeadlineExceeded.
func (e *AttemptTimeoutError) Is(target error) bool { return target == context.DeadlineExceeded }

// GaveUpError is returned when a call ended while it waited, or in a later attempt: by its
// context, or because a wait would have lasted beyond the context's deadline or
// [Retry.Limit]. It wraps the context's error, its cause, and the error of the last attempt.
type GaveUpError struct {
	Doing  string // what was under way, such as "waiting for attempt 2"
	Status int    // of the last response, 0 if there was none
	Err    error  // the context's error; context.DeadlineExceeded if the deadline was too near
	Cause  error  // the cause of the context's end; nil if it is Err
	Last   error  // of the last attempt; nil if it was answered or there was none
}

// Error names what was under way, the last status, and why it ended.
func (e *GaveUpError) Error() string {
	var b strings.Builder
	b.WriteString("redial: gave up " + e.Doing)
	switch {
	case e.Status != 0:
		fmt.Fprintf(&b, ", after status %d", e.Status)
		if text := http.StatusText(e.Status); text != "" {
			b.WriteString(" " + text)
		}
	case e.Last != nil:
		fmt.Fprintf(&b, ", after %q", e.Last.Error())
	}
	fmt.Fprintf(&b, ": %v", e.Err)
	if e.Cause != nil {
		fmt.Fprintf(&b, ": %v", e.Cause)
	}
	return b.String()
}

// Unwrap returns the context's error, its cause and the last attempt's error.
func (e *GaveUpError) Unwrap() []error {
	all := []error{e.Err}
	for _, err := range []error{e.Cause, e.Last} {
		if err != nil {
			all = append(all, err)
		}
	}
	return all
}

// Timeout reports whether a deadline was the reason, for [net.Error].
func (e *GaveUpError) Timeout() bool { return errors.Is(e.Err, context.DeadlineExceeded) }

// Temporary reports the same, for [net.Error].
func (e *GaveUpError) Temporary() bool { return e.Timeout() }
