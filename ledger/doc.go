// Package ledger is the vocabulary of redial: the data that one side of every
// interface hands to the other, the codes behind each decision and the words for
// them, and the filter language.
//
// It exists so that the transport, the recorder, the store and the dashboard can
// speak of the same call without knowing each other. It imports only the standard
// library and does no I/O. Its types are plain data: a zero field means what its
// comment says, and nothing here is safe for concurrent change.
//
// Wall-clock times are time.Time. Everything inside a call is a time.Duration since
// the call's start, taken from the monotonic clock, so that a clock that is set while
// a call runs cannot make an attempt negative or a wait endless.
package ledger
