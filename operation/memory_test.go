package operation

import (
	"context"
	"slices"
	"sync"
	"time"

	"redial/ledger"
)

// memory is a Store without a disk, for tests in fake time.
type memory struct {
	mu       sync.Mutex
	ops      map[ledger.ID]*ledger.Operation
	rows     []ledger.Transition
	sessions map[ledger.SessionID]*ledger.Session
	asks     []*ledger.Ask
	read     map[int64]time.Time // when settlements by people were read; 0 is for the first of all readings
	changed  chan struct{}
	fail     func(op string) error // nil: nothing fails
}

func newMemory() *memory {
	m := &memory{ops: map[ledger.ID]*ledger.Operation{}, sessions: map[ledger.SessionID]*ledger.Session{}, read: map[int64]time.Time{}, changed: make(chan struct{})}
	m.enrol()
	return m
}

// enrol adds a session of the service "shop", whose beat never stops by itself.
func (m *memory) enrol() ledger.SessionID {
	m.mu.Lock()
	defer m.mu.Unlock()
	id := ledger.SessionID(len(m.sessions) + 1)
	m.sessions[id] = &ledger.Session{ID: id, Service: "shop", Started: time.Now()}
	return id
}

// stop stops the beat of a session.
func (m *memory) stop(id ledger.SessionID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sessions[id].LastSeen = time.Now()
}

// kill makes a session one whose process is known to be gone.
func (m *memory) kill(id ledger.SessionID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sessions[id].Dead = true
}

func (m *memory) failing(what string) error {
	if m.fail == nil {
		return nil
	}
	return m.fail(what)
}

// tell says that something has changed, with the lock held.
func (m *memory) tell() {
	close(m.changed)
	m.changed = make(chan struct{})
}

func (m *memory) Changed() <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.changed
}

func (m *memory) Enrolled(context.Context) (ledger.SessionID, error) {
	if err := m.failing("enrolled"); err != nil {
		return 0, nil
	}
	return 1, nil
}

func (m *memory) Session(_ context.Context, id ledger.SessionID) (ledger.Session, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := *m.sessions[id]
	if s.LastSeen.IsZero() {
		s.LastSeen = time.Now()
	}
	return s, nil
}

func (m *memory) Create(_ context.Context, in ledger.Intent, t ledger.Transition, owner ledger.SessionID) (ledger.Operation, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.failing("create"); err != nil {
		return ledger.Operation{}, err
	}
	o := &ledger.Operation{Intent: in}
	if old := m.ops[o.ID()]; old != nil {
		return *old, ledger.ErrExists
	}
	if err := o.Apply(&t); err != nil {
		return ledger.Operation{}, err
	}
	if t.To == ledger.OpSending {
		o.Owner, o.Fence = owner, 1
	}
	m.ops[o.ID()] = o
	m.append(t)
	return *o, nil
}

func (m *memory) append(t ledger.Transition) {
	t.N = int64(len(m.rows) + 1)
	m.rows = append(m.rows, t)
	m.tell()
}

func (m *memory) Operation(_ context.Context, id ledger.ID) (ledger.Operation, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if o := m.ops[id]; o != nil {
		return *o, nil
	}
	return ledger.Operation{}, ledger.ErrNoOperation
}

// change finds an operation that stands where it was seen, and replaces it by what f makes
// of it.
func (m *memory) change(id ledger.ID, seen ledger.Seen, t ledger.Transition, f func(*ledger.Operation)) (ledger.Operation, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.failing("move"); err != nil {
		return ledger.Operation{}, err
	}
	old := m.ops[id]
	switch {
	case old == nil:
		return ledger.Operation{}, ledger.ErrNoOperation
	case seen.Version != 0 && seen.Version != old.Version, seen.Fence != 0 && seen.Fence != old.Fence:
		return *old, ledger.ErrMoved
	}
	o := *old
	if err := o.Apply(&t); err != nil {
		return *old, err
	}
	f(&o)
	m.ops[id] = &o
	m.append(t)
	return o, nil
}

func (m *memory) Move(_ context.Context, id ledger.ID, seen ledger.Seen, t ledger.Transition) (ledger.Operation, error) {
	return m.change(id, seen, t, func(*ledger.Operation) {})
}

func (m *memory) Claim(_ context.Context, id ledger.ID, seen ledger.Seen, owner ledger.SessionID, reason string) (ledger.Operation, error) {
	t := ledger.Transition{Code: ledger.CodeClaimed, At: time.Now(), Actor: ledger.Actor{Kind: ledger.Reconciler}, Reason: reason}
	return m.change(id, seen, t, func(o *ledger.Operation) { o.Owner, o.Fence = owner, o.Fence+1 })
}

func (m *memory) Add(_ context.Context, id ledger.ID, t ledger.Transition) (ledger.Operation, error) {
	return m.change(id, ledger.Seen{}, t, func(*ledger.Operation) {})
}

func (m *memory) Due(_ context.Context, service string, now time.Time, limit int) (due []ledger.Operation, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, o := range m.ops {
		if o.Service == service && (o.State.UnderWay() || !o.Due.IsZero() && !o.Due.After(now)) {
			due = append(due, *o)
		}
	}
	slices.SortFunc(due, func(a, b ledger.Operation) int { return a.Due.Compare(b.Due) })
	return due[:min(limit, len(due))], nil
}

func (m *memory) ClaimAsk(_ context.Context, service string, by ledger.SessionID) (*ledger.Ask, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, a := range m.asks {
		if a.Service == service && a.State == ledger.AskOpen {
			a.State, a.Taken = ledger.AskClaimed, by
			claimed := *a
			return &claimed, nil
		}
	}
	return nil, nil
}

func (m *memory) AnswerAsk(_ context.Context, id int64, _ ledger.SessionID, state ledger.AskState, answer string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	a := m.asks[id-1]
	a.State, a.Answer = state, answer
	m.tell()
	return nil
}

// ask is what a person does at the dashboard.
func (m *memory) ask(a ledger.Ask) int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	a.ID = int64(len(m.asks) + 1)
	m.asks = append(m.asks, &a)
	m.tell()
	return a.ID
}

// answer returns an ask as it stands.
func (m *memory) answer(id int64) ledger.Ask {
	m.mu.Lock()
	defer m.mu.Unlock()
	return *m.asks[id-1]
}

func (m *memory) Settlements(_ context.Context, service string, after int64, limit int) (found []ledger.Transition, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range m.rows {
		final := t.From != t.To && (t.To == ledger.OpSucceeded || t.To == ledger.OpFailed || t.To == ledger.OpDisputed || t.Code == ledger.CodeReopened)
		if t.Service == service && t.N > after && final && len(found) < limit {
			found = append(found, t)
		}
	}
	return found, nil
}

// life returns the codes of all transitions of an operation in order.
func (m *memory) life(key string) (codes []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range m.rows {
		if t.Key == key {
			codes = append(codes, t.Code.String())
		}
	}
	return codes
}

func (m *memory) Ask(_ context.Context, a ledger.Ask) (int64, error) { return m.ask(a), nil }

func (m *memory) Asked(_ context.Context, id int64) (ledger.Ask, error) {
	a := m.answer(id)
	if a.State == ledger.AskClaimed {
		s, err := m.Session(context.Background(), a.Taken)
		a.Gone = err == nil && !s.Live(time.Now())
	}
	return a, nil
}

func (m *memory) Withdraw(_ context.Context, id int64) (ledger.Ask, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a := m.asks[id-1]
	if a.State == ledger.AskOpen {
		a.State = ledger.AskWithdrawn
		m.tell()
	}
	return *a, nil
}

func (m *memory) Transitions(_ context.Context, id ledger.ID) (list []ledger.Transition, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range m.rows {
		if t.Service == id.Service && t.Key == id.Key {
			list = append(list, t)
		}
	}
	return list, nil
}

func (m *memory) MarkRead(_ context.Context, _ string, after, upTo int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.failing("mark"); err != nil {
		return err
	}
	m.read[0] = time.Now()
	for _, t := range m.rows {
		if _, known := m.read[t.N]; !known && t.N > after && t.N <= upTo && t.From != t.To && t.Actor.Kind == ledger.Person {
			m.read[t.N] = time.Now()
		}
	}
	return nil
}

func (m *memory) Reading(_ context.Context, id ledger.ID) (r ledger.Reading, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, r.Listens = m.read[0]
	for _, t := range m.rows {
		if t.Service != id.Service || t.Key != id.Key || t.Code != ledger.CodeConfirmed && t.Code != ledger.CodeDenied {
			continue
		}
		at, read := m.read[t.N]
		switch r.At = at; {
		case read:
			r.State = ledger.WasRead
		case r.Listens:
			r.State = ledger.NotRead
		default:
			r.State = ledger.ReadByNobody
		}
	}
	return r, nil
}
