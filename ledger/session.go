package ledger

import (
	"fmt"
	"time"
)

// Session is one run of an instrumented process.
type Session struct {
	ID       SessionID // given by the store at enrolment
	Service  string    // name of the service, from the recorder's options
	Version  string    // version of the service; "" unknown
	Host     string    // name of the machine; "" unknown
	PID      int       // process id on Host; 0 unknown
	Boot     string    // identifies Host's boot, so that a PID is only looked for where it means something; "" unknown
	Started  time.Time // when the recorder was made
	LastSeen time.Time // the last beat; the recorder moves it each second through the store
	Ended    time.Time // when the recorder was closed; zero: still running, or killed

	Counters Counters // as of the last batch that reached the store

	// The store fills these when a session is read.
	Calls   int64  // finished calls that are in the file
	Running int64  // calls that are running, or were when the session was cut off
	Dead    bool   // the process is known to be gone: same machine, same boot, no such pid
	Pending int64  // operations of the service that are pending, whichever session left them so
	Name    string // that people gave it; "": none
	Pinned  bool   // people want it to stay: it is not pruned
	Gaps    []Gap  // what is known to be missing, oldest first; nil in lists of sessions where Counters.NotWritten is 0
}

// BeatTimeout is how old a beat may be before a session no longer counts as live.
const BeatTimeout = 10 * time.Second

// Silent is how long a session that neither ended nor is known to be gone may give no sign of
// life and yet go on: a process can be stopped, and a disk be full.
const Silent = time.Hour

// MayGoOn reports whether the session's process may still record: it is live, or has only
// been silent for less than [Silent].
func (s *Session) MayGoOn(now time.Time) bool {
	return s.Ended.IsZero() && !s.Dead && now.Sub(s.LastSeen) < Silent
}

// Live reports whether the session's process is taken to be running: it has beaten
// within [BeatTimeout] of now, has not ended, and its process is not known to be gone.
func (s *Session) Live(now time.Time) bool {
	return s.Ended.IsZero() && !s.Dead && now.Sub(s.LastSeen) < BeatTimeout
}

// Names names the session for people, by its service, process and number: "checkout, pid
// 4242, session 3".
func (s *Session) Names() string {
	name := "a service without a name"
	if s.Service != "" {
		name = s.Service
	}
	if s.PID != 0 {
		name += fmt.Sprintf(", pid %d", s.PID)
	}
	return name + ", session " + s.ID.String()
}

// End returns when the recording of the session ends: now for a live one, else its end,
// or its last beat when it never said goodbye.
func (s *Session) End(now time.Time) time.Time {
	switch {
	case s.Live(now):
		return now
	case s.Ended.IsZero():
		return s.LastSeen
	}
	return s.Ended
}

// Counters tell how many calls went through a recorder. All are totals of one session.
type Counters struct {
	Queued      int64 // calls handed to the recorder, whether or not there was room
	Written     int64 // calls that are in the store
	QueueFull   int64 // not written: the queue was full
	StoreFailed int64 // not written: the store could not take them before the recorder was closed, or lost them with its file
}

// NotWritten returns how many calls are known to be missing from the store.
func (c Counters) NotWritten() int64 { return c.QueueFull + c.StoreFailed }

// Gap is a stretch of a session of which calls are missing. The recorder writes it as
// soon as the store works again.
type Gap struct {
	From, To time.Time // first and last moment at which a call was not written
	Calls    int64     // how many
	Reason   string    // in words, what kept them from being written
}
