package transport

import "redial/ledger"

// Recorder is where a [Transport] leaves what it saw. None of its methods may block.
type Recorder interface {
	// NewID returns the id for a call that begins now.
	NewID() ledger.CallID
	// BodyLimit returns how many bytes of each body are to be kept; 0 keeps none and
	// spares the hash.
	BodyLimit() int64
	// Record takes a call that has ended. It copies what it keeps of the call and its
	// lists, headers included, before it returns, except for the Data of bodies, which it
	// may keep and which the transport does not touch again.
	Record(*ledger.Call)
	// Watch tells the recorder where to pull running calls and windows from. It is
	// called once for each transport, before its first call.
	Watch(ledger.Live)
}
