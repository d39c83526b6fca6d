package ledger

import (
	"fmt"
	"strconv"
	"strings"
)

// callBits is how many low bits of a CallID number the call within its session.
const callBits = 40

// SessionID numbers a session in its file, from 1, in order of enrolment. Zero means
// not enrolled yet. The store gives it.
type SessionID int64

// String returns the number in decimal, as it stands in JSON and on screens.
func (id SessionID) String() string { return strconv.FormatInt(int64(id), 10) }

// ParseSessionID reads what [SessionID.String] wrote.
func ParseSessionID(s string) (SessionID, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 1 || n >= 1<<(63-callBits) {
		return 0, fmt.Errorf("%q is not a session id: it is a number from 1, as `redial sessions list` prints it", s)
	}
	return SessionID(n), nil
}

// CallID names a call in a file: its session in the high bits, its number in that
// session, from 1 in order of its start, in the low 40. So a call has its id before
// anything of it is written, and ids of one session sort by start. The session part is
// zero until the session is enrolled; the recorder fills it in before it writes.
type CallID int64

// NewCallID returns the id of call n of session s.
func NewCallID(s SessionID, n int64) CallID { return CallID(int64(s)<<callBits | n) }

// Session returns the session part, zero before enrolment.
func (id CallID) Session() SessionID { return SessionID(id >> callBits) }

// N returns the number of the call within its session, from 1.
func (id CallID) N() int64 { return int64(id) & (1<<callBits - 1) }

// String returns "session-number", as it stands in JSON and on screens.
func (id CallID) String() string {
	return strconv.FormatInt(int64(id.Session()), 10) + "-" + strconv.FormatInt(id.N(), 10)
}

// ParseCallID reads what [CallID.String] wrote.
func ParseCallID(s string) (CallID, error) {
	session, number, ok := strings.Cut(s, "-")
	if ok {
		id, err := ParseSessionID(session)
		n, err2 := strconv.ParseInt(number, 10, 64)
		if err == nil && err2 == nil && n >= 1 && n < 1<<callBits {
			return NewCallID(id, n), nil
		}
	}
	return 0, fmt.Errorf("%q is not a call id: it looks like 3-1207, as `redial calls list` prints it", s)
}
