package books

// Fault is what happens to one request.
type Fault uint8

// The faults. Those whose name begins with Commit happen after the effect, and so do
// Truncated, CutJSON, OneByte, TLSAlert and GoAway; with the others there is no effect.
// A lookup has no effect to commit: for it they happen instead of the answer, or to it.
const (
	NoFault         Fault = iota
	Refuse                // the connection is reset before the body is read
	ResetMidRequest       // reset after half of the body
	ResetBeforeReply
	CommitReset       // reset instead of a reply
	CommitHalfReply   // half of the reply, then reset
	CommitHang        // no reply until the client gives up, or for Options.Hang
	CommitUnavailable // 503, though it was done: a proxy lost patience
	Truncated         // 200, and the body ends before its Content-Length does
	CutJSON           // 200, and the body is as long as it says, but half of the JSON
	OneByte           // the reply's body comes one byte each Options.Tick
	TooMany           // 429
	TooManyRetry      // 429 with Retry-After
	Unavailable       // 503
	UnavailableRetry  // 503 with Retry-After
	TLSAlert          // a fatal alert instead of a reply; only with TLS
	GoAwayUnread      // GOAWAY that disowns the stream before the body is read; only with HTTP/2
	GoAway            // GOAWAY that owns up to the stream, then the connection is closed; only with HTTP/2
	numFaults
)

var faultNames = [numFaults]string{
	"none", "refuse", "reset mid-request", "reset before the reply", "commit, then reset", "commit, then half a reply",
	"commit, then hang", "commit, then 503", "200 truncated", "200 with half of the JSON", "one byte at a time",
	"429", "429 with Retry-After", "503", "503 with Retry-After", "TLS alert", "GOAWAY unread", "GOAWAY",
}

// String returns the fault in words.
func (f Fault) String() string { return faultNames[f] }

// Faults returns every fault there is, without NoFault.
func Faults() []Fault {
	all := make([]Fault, 0, numFaults-1)
	for f := NoFault + 1; f < numFaults; f++ {
		all = append(all, f)
	}
	return all
}

// Commits reports whether the request has its effect all the same.
func (f Fault) Commits() bool {
	switch f {
	case NoFault, CommitReset, CommitHalfReply, CommitHang, CommitUnavailable, Truncated, CutJSON, OneByte, TLSAlert, GoAway:
		return true
	}
	return false
}

// fits reports whether the fault can happen on such a connection.
func (f Fault) fits(tls, http2 bool) bool {
	switch f {
	case TLSAlert:
		return tls
	case GoAway, GoAwayUnread:
		return http2
	}
	return true
}
