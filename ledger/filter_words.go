package ledger

import (
	"slices"
	"strings"
)

// FilterKeys returns the keys that can stand before a colon, by name.
func FilterKeys() []Key {
	keys := make([]Key, 0, len(keyNames))
	for i := range keyNames {
		if Key(i) != KeyAny {
			keys = append(keys, Key(i))
		}
	}
	slices.SortFunc(keys, func(a, b Key) int { return strings.Compare(a.String(), b.String()) })
	return keys
}

// Words returns the only values that the key takes, in the order of their codes; nil where
// they are numbers, times or texts of any kind.
func (k Key) Words() []string {
	switch k {
	case KeyWait:
		return []string{WindowWait.String(), BackoffWait.String(), RetryAfterWait.String(), BandwidthWait.String()}
	case KeyOutcome:
		return []string{Answered.String(), NotSent.String(), Unknown.String()}
	case KeyRunning:
		return []string{"no", "yes"}
	case KeyDuplicate:
		return []string{"no", "yes", NoKey.String(), TwoKeys.String(), WireTwice.String()}
	case KeyState:
		return []string{"prepared", "sending", "backing-off", "checking", "pending", "succeeded", "failed", "disputed"}
	}
	return nil
}

// OfCalls reports whether a call has what the key looks at.
func (k Key) OfCalls() bool { return k != KeyState }

// OfOperations reports whether an operation has what the key looks at.
func (k Key) OfOperations() bool {
	switch k {
	case KeySession, KeyWaited, KeyWait, KeyOutcome, KeyRunning, KeyDuplicate:
		return false
	}
	return true
}
