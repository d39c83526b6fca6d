package operation

import (
	"context"
	"net/http"

	"redial/ledger"
)

// Operation is one business intent with an outside effect: what a caller of [Operations.Do]
// wants done once.
type Operation struct {
	// Name says what kind of operation it is, such as "create order".
	Name string

	// Key is the idempotency key: 1 to 255 printable ASCII characters, one for each intent
	// of the service. The same key is the same operation, also after a restart. If "", one
	// is made and stored, and the caller learns it from the result or the error; a caller
	// that may come again should give its own.
	Key string

	// Ref is a business number by which the server can be asked; "" without one.
	Ref string

	// Request is what is sent. Its body is read once, kept, and sent as it is each time. Its
	// context is not used. Redirects are not followed.
	Request *http.Request

	// Policy is what the API's contract says about keys. The zero value expects nothing of
	// the server: after a send whose effect is unknown, nothing is sent again.
	Policy ledger.KeyPolicy

	// Lookup says how to ask whether it happened, as data that the dashboard can use too.
	// LookupFunc does it in code, and is used instead where both are set. With neither, an
	// operation whose effect is unknown becomes pending.
	Lookup     *ledger.Lookup
	LookupFunc LookupFunc

	// Budget bounds what is done without a person. The zero value has documented defaults.
	Budget ledger.Budget

	// Undo says how it can be undone; nil: it cannot.
	Undo *ledger.Undo
}

// LookupFunc asks a server whether an operation happened. It must not change anything
// there. It sends through the client that it is given, with the context that it is given,
// so that its calls are recorded as lookups. What it cannot find out is an error, never
// "not found".
//
// After a restart the function of an operation is found by its name, in [Options.Lookups].
type LookupFunc func(ctx context.Context, client *http.Client, in ledger.Intent) (ledger.Finding, error)

// Result is the answer of an operation that succeeded.
type Result struct {
	Key      string
	Status   int
	Header   http.Header // without credentials
	Body     []byte      // nil if it was longer than [ledger.MaxResult]; see [ErrResultNotKept]
	Replayed bool        // the server said that it answered from what it had stored
	Found    bool        // the answer itself was lost: Status and Body are those of the lookup that found it
}
