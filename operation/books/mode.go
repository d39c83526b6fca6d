package books

import "fmt"

// Mode is how the server treats keys and lookups.
type Mode uint8

// The modes. All but L2 and L3 honour keys.
const (
	ByID Mode = iota // the path does not say: the business id decides
	L1               // honours keys: the reply that was saved for a key is given again, with Idempotent-Replayed: true
	L2               // ignores keys; the lookup works
	L3               // ignores keys, and has no lookup: 501
	L4               // forgets a key after Options.Lifetime
	L5               // the lookup does not show an order before Options.Stale has passed since its commit
	L6               // late landing: the first request for an id waits Options.Land before it commits, whether its client waits or not
	L7               // 409 while the first request with a key is worked on, which takes Options.Work; 422 for the key with another body
	L8               // answers 500 and gives it again for the key; the seed decides whether there was an effect
	L9               // the lookup fails, see [LookupFailure]
)

// String returns the mode as it stands in paths.
func (m Mode) String() string {
	if m == ByID {
		return "by-id"
	}
	return fmt.Sprintf("l%d", uint8(m))
}

// Modes returns all modes, L1 to L9.
func Modes() []Mode { return []Mode{L1, L2, L3, L4, L5, L6, L7, L8, L9} }

// parseMode reads what [Mode.String] wrote.
func parseMode(text string) (Mode, bool) {
	for m := ByID; m <= L9; m++ {
		if m.String() == text {
			return m, true
		}
	}
	return ByID, false
}

// Honours reports whether a key makes the server do the work once, at least for a while.
func (m Mode) Honours() bool { return m != L2 && m != L3 }

// LooksUp reports whether there is a lookup that tells the truth sooner or later.
func (m Mode) LooksUp() bool { return m != L3 && m != L9 }

// LookupFailure is how the lookup of [L9] fails. It is the same for every lookup of an id.
type LookupFailure uint8

// The failures. The last two are given whether there is an effect or not.
const (
	LookupError      LookupFailure = iota // 500
	LookupHangs                           // no answer for Options.Hang
	LookupTwice                           // two orders
	LookupOther                           // an order with this id and another payload
	numLookupFailure                      // how many there are
)

// String returns the failure in words.
func (f LookupFailure) String() string {
	return [...]string{"500", "hangs", "two matches", "another payload"}[f]
}
