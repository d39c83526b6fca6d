package ledger

import "time"

// Reading says whether a service has been told of the last word that a person spoke on one
// of its operations.
type Reading struct {
	State   ReadState
	At      time.Time // when it was told; zero: it was not, or nobody knows when
	Listens bool      // the service has asked for its settlements, as far as is on record
}

// ReadState is what is known of a reading.
type ReadState uint8

// The states of a reading.
const (
	NoWord       ReadState = iota // no person has settled the operation
	ReadUnknown                   // it is not on record: the word is older than such records
	ReadByNobody                  // the service has never asked for its settlements
	NotRead                       // the service asks for its settlements, and has not come to this one
	WasRead                       // the service was told, and may have acted on it
)

// String returns the state as it stands in JSON; "" if there is no word.
func (s ReadState) String() string { return word(s, "", "unknown", "nobody", "no", "yes") }

// Words says in words whether the service has been told, or, where there is no word, whether
// it would be. at is r.At as it is to be shown.
func (r Reading) Words(service, at string) string {
	switch r.State {
	case NoWord:
		if r.Listens {
			return service + " reads its settlements"
		}
	case ReadUnknown:
		return "it is not on record whether " + service + " has read it"
	case NotRead:
		return "not read by " + service + " yet"
	case WasRead:
		return "read by " + service + " at " + at
	}
	return "nobody reads settlements of " + service
}
