package ledger

// Duplicate says that what a call asked for may have been asked for twice. It is found in
// what was recorded, among requests that may not be repeated by their method.
type Duplicate struct {
	Call  CallID        // the later one
	Other CallID        // the earlier one; the same as Call where one call was on the wire twice
	Kind  DuplicateKind // zero: none
}

// DuplicateKind says in what way something was sent twice.
type DuplicateKind uint8

// The kinds of duplicate.
const (
	NoDuplicate DuplicateKind = iota
	NoKey                     // the same method, URL and body in two calls without a key
	TwoKeys                   // the same in two calls with different keys: a key was made for each send
	WireTwice                 // one call without a key was on the wire twice, and nothing proves that the first was not acted on
)

// String returns the kind as it stands in JSON, "" for none.
func (k DuplicateKind) String() string { return word(k, "", "no-key", "two-keys", "wire-twice") }
