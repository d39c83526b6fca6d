// Package trouble finds the calls that n stops at: those that failed, were sent again, were
// sent twice, waited long, or whose outcome is not known.
package trouble

import (
	"cmp"
	"context"
	"time"

	"redial/ledger"
	"redial/tui/scene"
)

// Store is where calls are looked for.
type Store interface {
	Calls(context.Context, ledger.Query) ([]ledger.Call, error)
}

// Filters returns the filters that together select the calls with trouble among those that
// another one selects. They are apart, since the store has an index for each.
func Filters(also ledger.Filter) ([]ledger.Filter, error) {
	var filters []ledger.Filter
	for _, text := range []string{
		"status:>=400", "attempts:>1", "outcome:unknown", "outcome:not-sent", "waited:>=1s", "error:*", "duplicate:yes",
	} {
		f, err := ledger.ParseFilter(text)
		if err != nil {
			return nil, err
		}
		if also.Root != nil {
			f = ledger.Filter{Text: "(" + also.Text + ") " + text, Root: ledger.And{also.Root, f.Root}}
		}
		filters = append(filters, f)
	}
	return filters, nil
}

// Worth reports whether a call that one of the filters selects is worth stopping at: a
// lookup that found nothing, which a status tells no filter of, is not.
func Worth(c *ledger.Call) bool {
	return !c.NotThere || c.Failed() || c.Attempts > 1 || c.Waited >= time.Second
}

// few is how many calls are read at once.
const few = 16

// Next returns the first call with trouble among those that a query selects, in its order.
// The zero Call says that there is none. Limit and Filter of the query may be zero.
func Next(ctx context.Context, s Store, q ledger.Query) (found ledger.Call, err error) {
	filters, err := Filters(q.Filter)
	tell := q.Progress
	for i := 0; i < len(filters) && err == nil; i++ {
		q.Filter, q.Progress = filters[i], scene.Part(tell, i, len(filters))
		err = nearer(ctx, s, q, &found)
	}
	return found, err
}

// nearer takes the first call that a query selects if it comes before the one at hand.
func nearer(ctx context.Context, s Store, q ledger.Query, found *ledger.Call) error {
	q.Limit = few
	for {
		calls, err := s.Calls(ctx, q)
		if err != nil {
			return err
		}
		for i := range calls {
			c := &calls[i]
			if !Worth(c) {
				continue
			}
			if found.ID == 0 || q.Newest == (earlier(c, found) > 0) {
				*found = *c
			}
			return nil
		}
		if len(calls) < q.Limit {
			return nil
		}
		if last := calls[len(calls)-1].ID; q.Newest {
			q.Before = last
		} else {
			q.After = last
		}
	}
}

func earlier(a, b *ledger.Call) int {
	return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.ID, b.ID))
}
