package recorder

import (
	"context"
	"slices"
	"sync"
	"time"

	"redial/ledger"
)

// fakeStore is a store in memory that fails, hangs and refuses as it is told.
type fakeStore struct {
	mu       sync.Mutex
	sessions []ledger.Session
	batches  []ledger.Batch
	asked    map[string]int // how often for each operation, done or not
	ended    []ledger.Counters
	endedAt  time.Time

	// fail, if not nil, is asked for each write, enrolment and end; its error is returned.
	fail func(op string, b *ledger.Batch) error
	// hang, if not nil, keeps Write from returning until it is closed or the context ends.
	hang chan struct{}
}

func (s *fakeStore) Enrol(_ context.Context, session ledger.Session) (ledger.SessionID, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refuse("enrol", nil); err != nil {
		return 0, err
	}
	s.sessions = append(s.sessions, session)
	return ledger.SessionID(len(s.sessions)), nil
}

func (s *fakeStore) Write(ctx context.Context, b *ledger.Batch) error {
	s.mu.Lock()
	hang := s.hang
	s.mu.Unlock()
	if hang != nil {
		select {
		case <-hang:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refuse("write", b); err != nil {
		return err
	}
	s.batches = append(s.batches, copyBatch(b))
	return nil
}

func (s *fakeStore) End(_ context.Context, _ ledger.SessionID, at time.Time, c ledger.Counters) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refuse("end", nil); err != nil {
		return err
	}
	s.ended, s.endedAt = append(s.ended, c), at
	return nil
}

func (s *fakeStore) refuse(op string, b *ledger.Batch) error {
	if s.asked == nil {
		s.asked = make(map[string]int)
	}
	s.asked[op]++
	if s.fail == nil {
		return nil
	}
	return s.fail(op, b)
}

// failWith makes every operation fail with err until it is called with nil.
func (s *fakeStore) failWith(err error) {
	s.failBy(func(string, *ledger.Batch) error { return err })
}

// failBy makes every operation fail as fail says.
func (s *fakeStore) failBy(fail func(op string, b *ledger.Batch) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = fail
}

// tries returns how often an operation was asked for, whether or not it was done.
func (s *fakeStore) tries(op string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[op]
}

func (s *fakeStore) hangUntil(c chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hang = c
}

// calls returns all calls that were written, in the order in which they were.
func (s *fakeStore) calls() []ledger.Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []ledger.Call
	for _, b := range s.batches {
		all = append(all, b.Calls...)
	}
	return all
}

func (s *fakeStore) gaps() []ledger.Gap {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []ledger.Gap
	for _, b := range s.batches {
		all = append(all, b.Gaps...)
	}
	return all
}

func (s *fakeStore) all() []ledger.Batch {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.batches)
}

func (s *fakeStore) last() ledger.Batch {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.batches) == 0 {
		return ledger.Batch{}
	}
	return s.batches[len(s.batches)-1]
}

// copyBatch copies all that the recorder may use again once Write has returned.
func copyBatch(b *ledger.Batch) ledger.Batch {
	c := *b
	c.Gaps = slices.Clone(b.Gaps)
	c.Calls = copyCalls(b.Calls)
	c.Running = copyCalls(b.Running)
	c.Windows = slices.Clone(b.Windows)
	c.Duplicates = slices.Clone(b.Duplicates)
	return c
}

func copyCalls(calls []ledger.Call) []ledger.Call {
	calls = slices.Clone(calls)
	for i := range calls {
		c := &calls[i]
		c.AttemptList = slices.Clone(c.AttemptList)
		c.Waits = slices.Clone(c.Waits)
		for j := range c.AttemptList {
			a := &c.AttemptList[j]
			a.Request.Header = slices.Clone(a.Request.Header)
			a.Response.Header = slices.Clone(a.Response.Header)
		}
	}
	return calls
}

// aCall returns an ended call of one answered attempt.
func aCall(r *Recorder) *ledger.Call {
	c := &ledger.Call{
		ID: r.NewID(), Method: "GET", Scheme: "http", Host: "api.example.test", Path: "/orders/8841",
		Started: time.Now(), Took: 3 * time.Millisecond,
		AttemptList: []ledger.Attempt{{
			N: 1, Took: 3 * time.Millisecond, Status: 200, Proto: "HTTP/1.1",
			Outcome: ledger.Answered, Decision: ledger.Done, RetryAfter: -1, WireSends: 1,
		}},
	}
	c.Summarise()
	return c
}
