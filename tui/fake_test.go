package tui

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"sync"
	"time"

	"redial/ledger"
)

// fakeStore is a store in memory. Its fields are set before it is used, or changed
// through change.
type fakeStore struct {
	mu       sync.Mutex
	version  int64
	sessions []ledger.Session
	ended    []ledger.Call // whole
	running  []ledger.Call
	windows  []ledger.Window
	rollups  []ledger.Rollup
	ops      []ledger.Operation
	lives    map[ledger.ID][]ledger.Transition
	readings map[ledger.ID]ledger.Reading
	err      error // what every reading returns
	reads    int   // how often sessions were read
	queries  []ledger.Query
	block    chan struct{} // Calls waits until it is closed or the context ends
}

// change changes the store as a writer would.
func (f *fakeStore) change(do func(*fakeStore)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	do(f)
	f.version++
}

func (f *fakeStore) Version(context.Context) (int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.version, f.err
}

func (f *fakeStore) Sessions(context.Context) ([]ledger.Session, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reads++
	return slices.Clone(f.sessions), f.err
}

func (f *fakeStore) Calls(ctx context.Context, q ledger.Query) ([]ledger.Call, error) {
	if f.block != nil {
		select {
		case <-f.block:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.queries = append(f.queries, q)
	all := slices.Clone(f.ended)
	slices.SortFunc(all, func(a, b ledger.Call) int { return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.ID, b.ID)) })
	from, to := 0, len(all)
	for i := range all {
		if q.After != 0 && all[i].ID == q.After {
			from = i + 1
		}
		if q.Before != 0 && all[i].ID == q.Before {
			to = i
		}
	}
	var out []ledger.Call
	for i := from; i < to; i++ {
		c := all[i]
		if !q.From.IsZero() && c.Started.Before(q.From) || !q.To.IsZero() && !c.Started.Before(q.To) {
			continue
		}
		if q.Sessions != nil && !slices.Contains(q.Sessions, c.ID.Session()) || !q.Filter.Match(&c, f.env(c.ID.Session())) {
			continue
		}
		c.AttemptList, c.Waits = nil, nil
		out = append(out, c)
	}
	if q.Newest {
		slices.Reverse(out)
	}
	if q.Limit > 0 && len(out) > q.Limit {
		out = out[:q.Limit]
	}
	return out, f.err
}

func (f *fakeStore) During(ctx context.Context, q ledger.Query) ([]ledger.Call, error) {
	whole := q
	whole.From, whole.Limit = time.Time{}, 0
	all, err := f.Calls(ctx, whole)
	all = slices.DeleteFunc(all, func(c ledger.Call) bool {
		return c.Started.Before(q.From) && !c.Started.Add(c.Took).After(q.From)
	})
	if q.Limit > 0 && len(all) > q.Limit {
		all = all[:q.Limit]
	}
	return all, err
}

func (f *fakeStore) WithLists(_ context.Context, ids []ledger.CallID) ([]ledger.Call, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []ledger.Call
	for _, c := range f.ended {
		if slices.Contains(ids, c.ID) {
			out = append(out, c)
		}
	}
	return out, f.err
}

func (f *fakeStore) Sums(ctx context.Context, q ledger.SumQuery, each func(*ledger.Rollup) error) error {
	list, err := f.Rollups(ctx, q.Sessions, q.From, q.To)
	step := max(int64(q.Step/time.Second), 1)
	for i := 0; i < len(list) && err == nil; i++ {
		list[i].Second -= list[i].Second % step
		err = each(&list[i])
	}
	return err
}

// env is what filters know of a call of a session.
func (f *fakeStore) env(id ledger.SessionID) ledger.Env {
	env := ledger.Env{End: storyNow()}
	for i := range f.sessions {
		if f.sessions[i].ID == id {
			env.Service = f.sessions[i].Service
		}
	}
	return env
}

func (f *fakeStore) Running(_ context.Context, ids []ledger.SessionID) ([]ledger.Call, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []ledger.Call
	for _, c := range append(slices.Clone(f.running), f.ended...) {
		if slices.Contains(ids, c.ID.Session()) && c.State != ledger.Ended {
			out = append(out, c)
		}
	}
	return out, f.err
}

func (f *fakeStore) Call(_ context.Context, id ledger.CallID) (ledger.Call, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, list := range [][]ledger.Call{f.ended, f.running} {
		for _, c := range list {
			if c.ID == id {
				return c, f.err
			}
		}
	}
	return ledger.Call{}, fmt.Errorf("read call %s: it is not in the file (%w)", id, fs.ErrNotExist)
}

func (f *fakeStore) Windows(context.Context, []ledger.SessionID) ([]ledger.Window, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.windows), f.err
}

func (f *fakeStore) Rollups(_ context.Context, _ []ledger.SessionID, from, to time.Time) ([]ledger.Rollup, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []ledger.Rollup
	for _, r := range f.rollups {
		if r.Second >= from.Unix() && r.Second < to.Unix() {
			out = append(out, r)
		}
	}
	return out, f.err
}
