package ledger

import (
	"errors"
	"time"
)

// ErrNobody says that no live session of the service has claimed what was asked for. It
// was withdrawn, and nothing was done.
var ErrNobody = errors.New("no live session of the service answers, so nothing was done")

// Ask is a person's request to a live service: to look an operation up, to replay it, or
// to undo it. The service claims it, acts with its own credentials and through its own
// transport, and answers. What nobody claims is withdrawn.
type Ask struct {
	ID      int64 // given by the store
	Service string
	Key     string
	Kind    AskKind
	By      string // who asks
	At      time.Time
	Version int64    // of the operation that the person saw; a replay of another one is refused
	Despite []string // names of the soft checks that the person overrides; see [Check]
	Reason  string   // for the record; may be "" for a lookup

	State  AskState
	Taken  SessionID // that claimed it; 0: none did
	Answer string    // in words, once it is answered or refused

	// Gone says that the session that claimed it is not live any more, so that nobody will
	// answer. The store sets it when the ask is read.
	Gone bool
}

// AskKind is what is asked for.
type AskKind uint8

// The kinds of asks.
const (
	AskLookup AskKind = iota
	AskReplay
	AskUndo
)

// String returns the kind as one word.
func (k AskKind) String() string { return word(k, "lookup", "replay", "undo") }

// AskState is where an ask stands.
type AskState uint8

// The states of an ask.
const (
	AskOpen      AskState = iota // nobody has claimed it
	AskClaimed                   // a session acts on it
	AskDone                      // answered; Answer says what came of it
	AskRefused                   // the session would not; Answer says why
	AskWithdrawn                 // nobody claimed it in time, or the person changed their mind
)

// String returns the state as one word.
func (s AskState) String() string {
	return word(s, "open", "claimed", "done", "refused", "withdrawn")
}

// AskPatience is how long an ask waits for a live service.
const AskPatience = 2 * time.Second
