package cli

import (
	"context"
	"fmt"
	"time"

	"redial/db"
	"redial/ledger"
)

// deskStore is a file as a desk wants it.
type deskStore struct{ *db.DB }

// AskByID returns an ask as it stands. It is an error if a session has claimed it that is
// gone, since nobody will answer then.
func (s deskStore) AskByID(ctx context.Context, id int64) (ledger.Ask, error) {
	a, err := s.Asked(ctx, id)
	if err == nil && a.State == ledger.AskClaimed && a.Gone {
		err = fmt.Errorf("session %s of %s took it up and is gone, so nobody knows what it did: it is looked up when the service starts again", a.Taken, a.Service)
	}
	return a, err
}

// WithdrawAsk takes an ask back that nobody has claimed, and reports whether it did.
func (s deskStore) WithdrawAsk(ctx context.Context, id int64) (bool, error) {
	a, err := s.Withdraw(ctx, id)
	return a.State == ledger.AskWithdrawn, err
}

// lookAgain is how long it takes at most until it is noticed that a session is gone, which
// changes nothing of operations and asks.
const lookAgain = time.Second

// Changed returns a channel that is closed when something has changed, or after a while.
func (s deskStore) Changed() <-chan struct{} {
	changed, told := s.DB.Changed(), make(chan struct{})
	go func() {
		defer close(told)
		select {
		case <-changed:
		case <-time.After(lookAgain):
		}
	}()
	return told
}
