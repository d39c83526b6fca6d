package timeline

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
)

// troubles returns the filters that together select the calls with trouble among those
// that another one selects. They are apart, since the store has an index for each.
func troubles(also ledger.Filter) ([]ledger.Filter, error) {
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

// troubled reports whether a call that one of troubles selects is worth stopping at: a
// lookup that found nothing, which a status tells no filter of, is not.
func troubled(c *ledger.Call) bool {
	return !c.NotThere || c.Failed() || c.Attempts > 1 || c.Waited >= time.Second
}

// troubleMsg brings the next call with trouble; none is 0.
type troubleMsg struct {
	seq  int
	back bool
	call ledger.Call
	err  error
}

// Failed returns the error of a reading that failed.
func (m troubleMsg) Failed() error { return m.err }

// few is how many calls are read at once to find one with trouble.
const few = 16

// findTrouble looks for the next call with trouble among those that a query selects, which
// says where to begin.
func findTrouble(ctx context.Context, s Store, seq int, q ledger.Query) tea.Cmd {
	return func() tea.Msg {
		m := troubleMsg{seq: seq, back: q.Newest}
		filters, err := troubles(q.Filter)
		for i := 0; i < len(filters) && err == nil; i++ {
			q.Filter = filters[i]
			err = m.nearer(ctx, s, q)
		}
		m.err = err
		return m
	}
}

// nearer takes the first call that a query selects if it is nearer than the one at hand.
func (m *troubleMsg) nearer(ctx context.Context, s Store, q ledger.Query) error {
	q.Limit = few
	for {
		calls, err := s.Calls(ctx, q)
		if err != nil {
			return err
		}
		for i := range calls {
			c := &calls[i]
			if !troubled(c) {
				continue
			}
			if m.call.ID == 0 || m.back == (earlier(*c, m.call) > 0) {
				m.call = *c
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
