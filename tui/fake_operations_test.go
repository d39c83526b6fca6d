package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"redial/ledger"
)

func (f *fakeStore) Operations(_ context.Context, q ledger.OperationQuery) ([]ledger.Operation, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []ledger.Operation
	for _, o := range f.ops {
		if q.Open && !o.State.Open() || q.States != nil && !slices.Contains(q.States, o.State) ||
			!q.Filter.MatchOperation(&o, ledger.Env{End: storyNow(), Zone: q.Zone}) {
			continue
		}
		o.Body = nil
		out = append(out, o)
	}
	slices.SortStableFunc(out, func(a, b ledger.Operation) int {
		if q.Urgent && (a.State == ledger.OpDisputed) != (b.State == ledger.OpDisputed) {
			return cmp.Compare(b.State, a.State)
		}
		if q.Newest {
			return b.Created.Compare(a.Created)
		}
		return a.Created.Compare(b.Created)
	})
	if q.Limit > 0 && len(out) > q.Limit {
		out = out[:q.Limit]
	}
	return out, f.err
}

func (f *fakeStore) Operation(_ context.Context, id ledger.ID) (ledger.Operation, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if i := f.find(id); i >= 0 {
		return f.ops[i], f.err
	}
	return ledger.Operation{}, fmt.Errorf("read operation %s: %w", id.Key, ledger.ErrNoOperation)
}

func (f *fakeStore) find(id ledger.ID) int {
	return slices.IndexFunc(f.ops, func(o ledger.Operation) bool { return o.ID() == id })
}

func (f *fakeStore) Transitions(_ context.Context, id ledger.ID) ([]ledger.Transition, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.lives[id]), f.err
}

func (f *fakeStore) OperationTotal(context.Context, string) (int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return int64(len(f.ops)), f.err
}

func (f *fakeStore) Reading(_ context.Context, id ledger.ID) (ledger.Reading, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r, set := f.readings[id]; set {
		return r, f.err
	}
	return ledger.Reading{Listens: true}, f.err
}

// read sets whether checkout has read the last word on an operation.
func (f *fakeStore) read(key string, r ledger.Reading) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.readings == nil {
		f.readings = map[ledger.ID]ledger.Reading{}
	}
	f.readings[ledger.ID{Service: "checkout", Key: key}] = r
}

func (f *fakeStore) OperationCounts(context.Context, string) (n ledger.OperationCounts, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, o := range f.ops {
		switch o.State {
		case ledger.OpPending:
			if n.Pending++; n.Oldest.IsZero() || o.Created.Before(n.Oldest) {
				n.Oldest = o.Created
			}
		case ledger.OpDisputed:
			n.Disputed++
		}
	}
	return n, f.err
}

// fakeActions does what people ask for on a fakeStore, and remembers what was asked for.
type fakeActions struct {
	store  *fakeStore
	mu     sync.Mutex
	did    []string // in words, in their order
	answer string
	err    error
	nobody bool          // no live session answers
	takes  time.Duration // how long the server does
}

func (a *fakeActions) note(format string, args ...any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.did = append(a.did, fmt.Sprintf(format, args...))
}

// all returns what was done.
func (a *fakeActions) all() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.did)
}

func (a *fakeActions) Ask(ctx context.Context, ask ledger.Ask) (string, error) {
	if a.nobody {
		select {
		case <-time.After(ledger.AskPatience):
			return "", ledger.ErrNobody
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	return a.act(ctx, "ask", ask)
}

func (a *fakeActions) Here(ctx context.Context, ask ledger.Ask) (string, error) {
	return a.act(ctx, "here", ask)
}

func (a *fakeActions) act(ctx context.Context, how string, ask ledger.Ask) (string, error) {
	select {
	case <-time.After(a.takes):
	case <-ctx.Done():
		return "", ctx.Err()
	}
	a.note("%s %s %s despite %v", how, ask.Kind, ask.Key, ask.Despite)
	return a.answer, a.err
}

func (a *fakeActions) Checklist(_ context.Context, o *ledger.Operation, live []ledger.Session) []ledger.Check {
	s := ledger.Sender{Has: "from the environment"}
	for i := range live {
		if live[i].Service == o.Service {
			s.Has = "from " + o.Service
		}
	}
	return o.Checklist(s, storyNow())
}

// step moves an operation as a store would.
func (a *fakeActions) step(o *ledger.Operation, t ledger.Transition) (now ledger.Operation, err error) {
	if a.err != nil {
		return now, a.err
	}
	t.At, t.Actor = storyNow(), ledger.Actor{Kind: ledger.Person, Name: "ana"}
	a.store.change(func(f *fakeStore) {
		i := f.find(o.ID())
		if i < 0 {
			err = ledger.ErrNoOperation
			return
		}
		if o.Version != 0 && f.ops[i].Version != o.Version {
			err = errors.New("nothing was changed: bob made it failed at 12:04:30")
			return
		}
		if err = f.ops[i].Apply(&t); err == nil {
			f.lives[o.ID()] = append(f.lives[o.ID()], t)
		}
		now = f.ops[i]
	})
	return now, err
}

func (a *fakeActions) Settle(_ context.Context, o *ledger.Operation, happened bool, reason, evidence string) (ledger.Operation, error) {
	a.note("settle %s %v %q %q", o.Key, happened, reason, evidence)
	if happened {
		return a.step(o, ledger.Transition{To: ledger.OpSucceeded, Code: ledger.CodeConfirmed, Reason: reason, Evidence: evidence})
	}
	return a.step(o, ledger.Transition{To: ledger.OpFailed, Code: ledger.CodeDenied, Reason: reason, Evidence: evidence})
}

func (a *fakeActions) Reopen(_ context.Context, o *ledger.Operation, reason string) (ledger.Operation, error) {
	a.note("reopen %s %q", o.Key, reason)
	return a.step(o, ledger.Transition{To: ledger.OpPending, Code: ledger.CodeReopened, Reason: reason})
}

func (a *fakeActions) Cancel(_ context.Context, o *ledger.Operation, reason string) (ledger.Operation, error) {
	a.note("cancel %s %q", o.Key, reason)
	return a.step(o, ledger.Transition{To: ledger.OpFailed, Code: ledger.CodeCancelled, Reason: reason})
}

func (a *fakeActions) Note(_ context.Context, id ledger.ID, text string) (ledger.Operation, error) {
	a.note("note %s %q", id.Key, text)
	return a.step(&ledger.Operation{Intent: ledger.Intent{Service: id.Service, Key: id.Key}}, ledger.Transition{Code: ledger.CodeNote, Reason: text})
}
