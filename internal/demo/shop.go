package demo

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"redial/db"
	"redial/ledger"
	"redial/operation"
	"redial/recorder"
)

// What the shop calls itself.
const (
	shopService = "checkout"
	shopVersion = "1.4.2"
)

// patience is how long the shop lets its last calls end by themselves when it closes.
const patience = 1200 * time.Millisecond

// errClosing is why the last calls are given up.
var errClosing = errors.New("the shop closes")

// opening is what the shop tells when it begins to call.
type opening struct {
	Recording string `json:"recording"` // the file that it records to
}

// report is what the shop tells when it ends. It counts what it did by itself, not what
// redial made of it.
type report struct {
	Session  ledger.SessionID `json:"session"`  // under which it was recorded; 0: it was not
	Calls    map[string]int   `json:"calls"`    // that it made itself, by host and port
	Deeds    int              `json:"deeds"`    // operations that it began
	Counters ledger.Counters  `json:"counters"` // of its recorder
}

// shop is a service that calls the vendor.
type shop struct {
	clients clients
	ops     *operation.Operations
	store   *db.DB
	seed    uint64

	open  context.Context // ends when no new call is to be made
	calls context.Context // ends when those under way are to be given up

	mu    sync.Mutex
	made  map[string]int // calls, by host and port
	deeds int            // operations
	tasks sync.WaitGroup
}

// Shop calls the vendor through redial and records to a file, until its time is up, its
// context or its input ends, or it gets a SIGTERM.
func Shop(ctx context.Context, o ShopOptions) error {
	ctx, stop := childContext(ctx, o.Stdin)
	defer stop()
	store, err := db.Open(o.DB)
	if err != nil {
		return fmt.Errorf("start the shop: %w", err)
	}
	rec := recorder.New(store, recorder.Options{Service: shopService, Version: shopVersion})
	if err := announce(o.Stdout, opening{Recording: store.Path()}); err != nil {
		return errors.Join(err, rec.Close(), store.Close())
	}
	last, err := lastOrder(ctx, store)
	if err != nil {
		return errors.Join(fmt.Errorf("start the shop: %w", err), rec.Close(), store.Close())
	}
	s := &shop{clients: newClients(o, rec), store: store, seed: o.Seed, made: map[string]int{}}
	s.ops = newOperations(s.clients, store, rec.Session())
	s.run(ctx, o.For, last)
	closed := errors.Join(s.ops.Close(), rec.Close(), store.Close())
	s.clients.close()
	if closed != nil {
		closed = fmt.Errorf("close the shop: %w", closed)
	}
	return errors.Join(closed, announce(o.Stdout, report{
		Session: rec.Session(), Calls: maps.Clone(s.made), Deeds: s.deeds, Counters: rec.Counters(),
	}))
}

// run plays every scene until the time is up, and then lets the calls under way end, or
// gives them up when the shop's patience does. If it ends by itself, and not because
// somebody wants it to, the operations come to rest first.
func (s *shop) run(ctx context.Context, length time.Duration, lastOrder int) {
	if length <= 0 || length > Longest {
		length = Longest
	}
	open, shut := context.WithTimeout(ctx, length)
	defer shut()
	calls, giveUp := context.WithCancelCause(context.WithoutCancel(ctx))
	defer giveUp(nil)
	s.open, s.calls = open, calls
	for _, scene := range scenes(lastOrder) {
		s.tasks.Go(func() { scene(s) })
	}
	s.tasks.Go(func() { s.hear(lastOrder) })
	<-open.Done()
	ended := make(chan struct{})
	go func() { s.tasks.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(patience):
		giveUp(errClosing)
		<-ended
	}
	s.drain(ctx)
}

// count enters a call that is about to be made.
func (s *shop) count(host string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made[host]++
}

// pause lets time pass between two calls, and reports whether the shop is still open.
func (s *shop) pause(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return s.open.Err() == nil
	case <-s.open.Done():
		return false
	}
}
