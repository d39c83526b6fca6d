package cli

import (
	"cmp"
	"context"
	"slices"

	"redial/db"
	"redial/ledger"
)

// eachCall hands every call that matches to use, once, in the order in which they
// started: those that have ended as they come from the store, and between them those that
// still run. One that ends meanwhile is there as it was, or as it ended.
func (a *app) eachCall(ctx context.Context, store *db.DB, filter ledger.Filter, use func(*ledger.Call) error) error {
	running, err := a.running(ctx, store, filter)
	if err != nil {
		return err
	}
	used := map[ledger.CallID]bool{}
	err = store.Each(ctx, ledger.Query{Filter: filter}, func(c *ledger.Call) error {
		for ; len(running) > 0 && order(&running[0], c) <= 0; running = running[1:] {
			if running[0].ID == c.ID {
				continue
			}
			used[running[0].ID] = true
			if err := use(&running[0]); err != nil {
				return err
			}
		}
		if used[c.ID] {
			return nil
		}
		return use(c)
	})
	for i := range running {
		if err == nil {
			err = use(&running[i])
		}
	}
	return err
}

// running returns the calls that run and match, in order.
func (a *app) running(ctx context.Context, store *db.DB, filter ledger.Filter) ([]ledger.Call, error) {
	sessions, err := store.Sessions(ctx)
	if err != nil {
		return nil, err
	}
	var live []ledger.SessionID
	env := map[ledger.SessionID]ledger.Env{}
	for i := range sessions {
		s := &sessions[i]
		if s.Live(a.now()) {
			live = append(live, s.ID)
			env[s.ID] = ledger.Env{End: s.End(a.now()), Zone: a.zone, Service: s.Service}
		}
	}
	if len(live) == 0 {
		return nil, nil
	}
	calls, err := store.Running(ctx, live)
	calls = slices.DeleteFunc(calls, func(c ledger.Call) bool {
		return !c.Running() || !filter.Match(&c, env[c.ID.Session()])
	})
	slices.SortFunc(calls, func(a, b ledger.Call) int { return order(&a, &b) })
	return calls, err
}

// order compares two calls by their start and, where that is the same, by their number.
func order(a, b *ledger.Call) int {
	return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.ID, b.ID))
}
