package books

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"redial/ledger"
)

// Claim is what a client says about a business id.
type Claim struct {
	State ledger.OperationState

	// What has to be listed for a pending one, for a person to act on it.
	Key      string
	Since    time.Time
	Evidence string
}

// Violation is a broken promise.
type Violation struct {
	Seed uint64 // of the server that saw it
	ID   string
	Kind Kind
	Text string // what the client claims and what the books say
}

// String returns the violation in one line.
func (v Violation) String() string {
	return fmt.Sprintf("seed %d, order %q: %s: %s", v.Seed, v.ID, v.Kind, v.Text)
}

// Kind is which promise was broken.
type Kind string

// The kinds of violations.
const (
	Twice         Kind = "more than one effect"
	UnknownEffect Kind = "an effect that the client does not know"
	NoEffect      Kind = "succeeded without an effect"
	FailedEffect  Kind = "failed with an effect"
	Lost          Kind = "lost"        // submitted, and the client knows nothing of it
	Unwritten     Kind = "unwritten"   // sent, and the client says that it never was, or nothing
	Unsettled     Kind = "not settled" // nothing moves any more, and it is neither final nor pending
	Unlisted      Kind = "pending, but not to be acted on"
)

// Check holds the claims of a client against the books, when nothing moves any more: after
// restarts, when [Server.Gone] has returned. submitted are the business ids that were handed
// to the client; claims are by business id. It returns what is wrong, by business id.
//
// Effects that were undone count for Twice, and not as an effect that is there.
func (s *Server) Check(submitted []string, claims map[string]Claim) []Violation {
	accounts := map[string]Account{}
	for _, a := range s.Accounts() {
		accounts[a.ID] = a
	}
	ids := slices.Concat(submitted, slices.Collect(maps.Keys(claims)), slices.Collect(maps.Keys(accounts)))
	slices.Sort(ids)
	var all []Violation
	for _, id := range slices.Compact(ids) {
		add := func(k Kind, format string, args ...any) {
			all = append(all, Violation{s.seed, id, k, fmt.Sprintf(format, args...)})
		}
		account := accounts[id]
		if n := len(account.Effects); n > 1 {
			add(Twice, "%d effects from %d requests with %d keys", n, len(account.Orders), len(account.Keys))
		}
		if claim, known := claims[id]; known && claim.State != ledger.OpNone {
			claim.check(account, add)
		} else if len(account.Effects) > 0 {
			add(UnknownEffect, "%d effects, and the client has no record", len(account.Effects))
		} else if len(account.Orders) > 0 && id != "" {
			add(Unwritten, "%d requests, and the client has no record", len(account.Orders))
		} else if slices.Contains(submitted, id) {
			add(Lost, "it was submitted, and there is no trace of it")
		}
	}
	return all
}

// check holds one claim against its account.
func (c Claim) check(a Account, add func(k Kind, format string, args ...any)) {
	active := len(a.Active())
	switch c.State {
	case ledger.OpSucceeded:
		if active == 0 {
			add(NoEffect, "succeeded, and the books have %d effects, none of them active", len(a.Effects))
		}
	case ledger.OpFailed:
		if active > 0 {
			add(FailedEffect, "failed, and %d effects are active", active)
		}
	case ledger.OpPending:
		if c.Key == "" || c.Since.IsZero() || c.Evidence == "" {
			add(Unlisted, "it is listed with key %q, time %s and evidence %q", c.Key, c.Since.Format(time.RFC3339Nano), c.Evidence)
		}
	default:
		add(Unsettled, "%s, with %d requests and %d active effects", c.State, len(a.Orders), active)
	}
}
