package demo

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"redial/ledger"
	"redial/operation"
)

// positionSuffix makes the name of the file in which the shop keeps how far it has read
// its settlements, beside the recording that the positions belong to.
const positionSuffix = ".position"

// hear reads what was settled and does what follows from it, until the shop closes. It goes
// on where an earlier shop of the same recording has stopped, so that a restart misses
// nothing.
func (s *shop) hear(lastOrder int) {
	file, from := s.store.Path()+positionSuffix, int64(0)
	if lastOrder > 0 {
		from = position(file)
	}
	for settled, err := range s.ops.Settlements(s.open, from) {
		if err != nil {
			return // The shop closes, or the file is gone, of which the other calls tell.
		}
		if what := reaction(settled); what != "" {
			ctx, cancel := context.WithTimeout(s.calls, time.Second)
			// Without the note only the person who looks for it is the poorer.
			_, _ = s.store.Add(ctx, ledger.ID{Service: shopService, Key: settled.Key}, ledger.Transition{
				Code: ledger.CodeNote, Actor: ledger.Actor{Kind: ledger.Service}, Reason: what})
			cancel()
		}
		// What is not kept is read again by the next shop.
		_ = os.WriteFile(file, []byte(strconv.FormatInt(settled.Position, 10)+"\n"), 0o600)
	}
}

// position returns the position that is kept in a file, 0 if there is none.
func position(file string) int64 {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// reaction says what the shop does when it learns of a settlement, "" for one that it has
// made itself.
func reaction(s operation.Settlement) string {
	itself := s.By == ledger.Actor{Kind: ledger.Service}.String()
	redial := s.By == ledger.Actor{Kind: ledger.Reconciler}.String()
	switch {
	case s.State == ledger.OpDisputed:
		return "the shop has read that it is disputed: the order is held back"
	case itself, redial && s.State == ledger.OpSucceeded:
		return ""
	case redial:
		return "the shop has read that it failed (" + s.Reason + "): the customer is told"
	case s.State == ledger.OpSucceeded:
		return fmt.Sprintf("the shop has read that %s says it happened: the order goes on", s.By)
	case s.State == ledger.OpFailed:
		return fmt.Sprintf("the shop has read that %s says it did not happen: the customer is told", s.By)
	}
	return fmt.Sprintf("the shop has read that %s takes the word back: the order waits again", s.By)
}
