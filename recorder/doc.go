// Package recorder takes the calls that a transport has seen from the request path to a
// store.
//
// It exists so that recording never harms a call, and promises:
//
//   - Record copies and returns. It never waits for the store, whatever the store does:
//     fail, hang, panic, or come back after an hour.
//   - What waits is bounded, in calls and in bytes.
//   - No call is missing silently. Each is written, or counted as not written with the
//     reason; the store learns of the gap as soon as it works again.
//   - A process that is killed loses what it recorded in the last 50 ms, and what was
//     being written then.
//   - Secrets are redacted before anything reaches the store. Only the recorded copy is
//     changed, never what the caller holds.
package recorder
