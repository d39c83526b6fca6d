package ledger

import "time"

// Call is one RoundTrip asked for by the application: one logical request with all its
// attempts and waits. The transport makes it; once recorded it does not change.
type Call struct {
	ID CallID

	// Key is the value of the idempotency-key header, "" without one. It names the
	// operation that the call belongs to.
	Key string

	Method string // never "": GET is spelled out
	Scheme string // http or https
	Host   string // host and port as in the URL
	Path   string // escaped, as it is sent; "" as in a URL without a path
	Query  string // raw, without the question mark; secrets in it are redacted by the recorder

	Started time.Time     // when RoundTrip was entered, wall clock
	Took    time.Duration // from Started until the last response's body was read to its end or closed, or until the error was returned; 0 while running
	State   State         // what it is doing; zero once it has ended
	Since   time.Time     // when State began; zero once it has ended

	// AttemptList has every attempt in order, Waits every wait. In lists read from a
	// store both are nil, and the summary below stands for them. A call that is waiting
	// has the wait that goes on as the last of Waits.
	AttemptList []Attempt
	Waits       []Wait

	Previous  CallID    // the call whose redirect led to this one; 0: none
	Duplicate Duplicate // how it was sent twice, set by the store when the call is read; its other call may be the later one

	Error  string // what RoundTrip returned or, after that, reading the response's body; "" for nil; secrets in it are redacted by the recorder
	Policy string // the retry policy in force, in words; "" sends once

	// The summary, made from the lists by [Call.Summarise].
	Attempts  int           // how many attempts were begun
	WireSends int           // how many times a request was put on a connection
	Waited    time.Duration // all waits together
	WaitedFor WaitKinds     // which kinds of wait there were
	Status    int           // of the last response that arrived; 0: none did
	Outcome   Outcome       // of the call as a whole; zero while running
	NotThere  bool          // it looked an operation up, and was answered with 404 or 410: nothing is there, which is no failure
}

// URL returns scheme, host, path and query as one string, without userinfo.
func (c *Call) URL() string {
	u := c.Scheme + "://" + c.Host + c.Path
	if c.Query != "" {
		u += "?" + c.Query
	}
	return u
}

// Running reports whether the call has not ended. A call that was cut off is not running.
func (c *Call) Running() bool { return c.State != Ended && c.State != CutOff }

// Summarise sets the summary fields from AttemptList and Waits. The outcome is that of
// the last attempt when it was answered; not-sent when no attempt reached a server;
// and unknown whenever an earlier one may have, or when the call was cut off, since its
// last moments are not on record. It stays zero while the call runs.
func (c *Call) Summarise() {
	c.Attempts, c.WireSends, c.Status = len(c.AttemptList), 0, 0
	reached := false
	for i := range c.AttemptList {
		a := &c.AttemptList[i]
		c.WireSends += a.WireSends
		if a.Status != 0 {
			c.Status = a.Status
		}
		reached = reached || a.Outcome != NotSent
	}
	c.Waited, c.WaitedFor = 0, 0
	for i := range c.Waits {
		c.Waited += c.Waits[i].Took
		c.WaitedFor |= 1 << c.Waits[i].Kind
	}
	c.Outcome = c.outcome(reached)
	c.NotThere = saysNotThere(c.Status) && c.AttemptList[0].Reason == LookUp
}

// saysNotThere reports whether a status says that there is nothing (RFC 9110, sections
// 15.5.5 and 15.5.11).
func saysNotThere(status int) bool { return status == 404 || status == 410 }

// Failed reports whether a call that has ended counts as failed: it got no response, or
// one with a status of 400 or more, or ended with an error. A lookup that found nothing has
// not failed: that is an answer to what it asked.
func (c *Call) Failed() bool { return c.Status == 0 || c.Status >= 400 && !c.NotThere || c.Error != "" }

func (c *Call) outcome(reached bool) Outcome {
	switch {
	case c.Running():
		return NoOutcome
	case c.State == CutOff:
		return Unknown
	case !reached:
		return NotSent
	case c.AttemptList[len(c.AttemptList)-1].Outcome == Answered:
		return Answered
	}
	return Unknown
}

// State is what a call is doing.
type State uint8

// The states of a call.
const (
	Ended     State = iota // it has a result
	Waiting                // for a window, or for the time of the next attempt; the last of its Waits says which
	Sending                // an attempt is under way and no response has arrived
	Receiving              // the response's head has arrived, its body is not read to the end
	CutOff                 // its process is gone; set by the store when such a call is read
)

// String returns the state as one word.
func (s State) String() string {
	return word(s, "ended", "waiting", "sending", "receiving", "cut off")
}

// word returns the name of a small code, or "?" for one that has none.
func word[T ~uint8](code T, names ...string) string {
	if int(code) < len(names) {
		return names[code]
	}
	return "?"
}
