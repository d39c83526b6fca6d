package cli

import (
	"cmp"
	"context"
	"slices"

	"redial/ledger"
)

// calls is what a list of calls is made from.
type calls interface {
	Sessions(context.Context) ([]ledger.Session, error)
	Each(context.Context, ledger.Query, func(*ledger.Call) error) error
	Running(context.Context, []ledger.SessionID) ([]ledger.Call, error)
}

// eachCall hands every call that matches to use, once, in the order in which they
// started: those that have ended as they come from the store, and between them those that
// still run. One that ends meanwhile is there as it was, or as it ended.
func (a *app) eachCall(ctx context.Context, from calls, filter ledger.Filter, use func(*ledger.Call) error) error {
	running, err := a.running(ctx, from, filter)
	if err != nil {
		return err
	}
	used := map[ledger.CallID]bool{}
	err = from.Each(ctx, ledger.Query{Filter: filter, Zone: a.zone}, func(c *ledger.Call) error {
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
func (a *app) running(ctx context.Context, from calls, filter ledger.Filter) ([]ledger.Call, error) {
	sessions, err := from.Sessions(ctx)
	if err != nil {
		return nil, err
	}
	var ids []ledger.SessionID
	env := map[ledger.SessionID]ledger.Env{}
	for i := range sessions {
		s := &sessions[i]
		if s.Running > 0 && s.Ended.IsZero() {
			ids = append(ids, s.ID)
			env[s.ID] = ledger.Env{End: s.End(a.now()), Zone: a.zone, Service: s.Service}
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	calls, err := from.Running(ctx, ids)
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
