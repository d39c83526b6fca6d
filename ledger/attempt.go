package ledger

import (
	"crypto/sha256"
	"time"
)

// Attempt is one request handed to the base transport.
type Attempt struct {
	N      int    // from 1 within its call
	Reason Reason // why it was made

	Start time.Duration // since the call's start
	Took  time.Duration // until its body was read to the end or closed, or its error; 0 while it runs

	Status     int           // 0: no response arrived
	Proto      string        // protocol of the response, such as HTTP/1.1; "" without one
	Outcome    Outcome       // zero while it runs
	Err        string        // the error of the base transport or of the response's body, or of GetBody after a response, or why credentials were refused or not given; "" for none; redacted by the recorder
	RetryAfter time.Duration // what the server asked for, rounded up to the millisecond; negative: it did not ask

	Phases    Phases
	Remote    string // address and port that the connection leads to; "" unknown
	Reused    bool   // the connection had been used before
	WireSends int    // times that net/http put the request on a connection; 0 if none was got, or if the base does not tell

	BytesSent     int64 // bytes of the request's body that were read for sending, a small body in memory all at once; proves nothing about what arrived
	BytesReceived int64 // bytes of the response's body that were read, decoded if net/http decoded them

	Decision Decision // what was decided after it; zero while it runs

	Request, Response Message // what is kept of both sides; zero in lists read from a store
}

// Phases tell where the time of an attempt went. Zero means that the phase did not take
// place or was not seen; one that did lasts at least a nanosecond. With several
// connections dialled the phases are those of the one that was used.
type Phases struct {
	DNS     time.Duration // name lookup
	Connect time.Duration // TCP connect
	TLS     time.Duration // handshake
	Send    time.Duration // from the connection being got until net/http had written the request
	Wait    time.Duration // from then until the first byte of the response
	Receive time.Duration // from then until the body was read to the end or closed
}

// Message is what is kept of a request or a response.
type Message struct {
	Header []Field // in no order; nil: not kept
	Body   Body
}

// Field is one header line.
type Field struct{ Name, Value string }

// Body is what is kept of a request's or response's body: all of it up to a cap, and of
// what is beyond only its length and its part in the hash. Data is captured while the
// body streams and is never written to again.
type Body struct {
	Data      []byte            // the first bytes, redacted where they are JSON or a form; nil: none kept
	Size      int64             // bytes that went by, kept or not
	SHA256    [sha256.Size]byte // of all bytes that went by, before redaction; zero: not computed
	Truncated bool              // Data has fewer bytes than went by
}

// Reason says why an attempt was made.
type Reason uint8

// The reasons for an attempt.
const (
	First      Reason = iota // the first of its call
	Retry                    // the transport sent again
	LookUp                   // asks whether an operation happened
	Resubmit                 // the operation again, because a lookup allowed it
	Replay                   // the operation again, because a person asked
	Compensate               // undoes an operation
	AuthLeg                  // the request again with the credentials that a 401 or 407 asked for
)

// String returns the reason as one word.
func (r Reason) String() string {
	return word(r, "first", "retry", "lookup", "resubmit", "replay", "compensate", "auth")
}

// Outcome says what is known of the sending, not of its effect.
type Outcome uint8

// The outcomes of an attempt, and of a call as a whole.
const (
	NoOutcome Outcome = iota // it still runs
	Answered                 // the head of a response arrived
	NotSent                  // it provably never reached the server
	Unknown                  // everything else: the server may have acted on it
)

// String returns the outcome as it stands in JSON and in filters, "" for none.
func (o Outcome) String() string { return word(o, "", "answered", "not-sent", "unknown") }
