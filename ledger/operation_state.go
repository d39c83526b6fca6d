package ledger

// OperationState is where an operation stands.
type OperationState uint8

// The states of an operation.
const (
	OpNone       OperationState = iota // it is not on record
	OpPrepared                         // a plan that nobody has sent; nothing was ever on the wire
	OpSending                          // written down, then sent; a send is under way, or its process is gone
	OpBackingOff                       // waits for its next send
	OpChecking                         // it may have happened and is being looked up
	OpPending                          // it may have happened, and a person is needed; only lookups are made for it
	OpSucceeded                        // final: it happened
	OpFailed                           // final: it did not happen, or was undone
	OpDisputed                         // evidence contradicts the final word
	numOperationStates
)

// String returns the state as it stands in JSON, on screens and in filters; "" for none.
func (s OperationState) String() string {
	return word(s, "", "prepared", "sending", "backing-off", "checking", "pending", "succeeded", "failed", "disputed")
}

// ParseOperationState reads what [OperationState.String] wrote.
func ParseOperationState(text string) (OperationState, bool) {
	for s := OpPrepared; s < numOperationStates; s++ {
		if s.String() == text {
			return s, true
		}
	}
	return OpNone, false
}

// Open reports whether an operation in this state still needs something.
func (s OperationState) Open() bool { return s != OpNone && s != OpSucceeded && s != OpFailed }

// UnderWay reports whether an operation in this state belongs to a session that sees to it.
func (s OperationState) UnderWay() bool {
	return s == OpSending || s == OpBackingOff || s == OpChecking
}
