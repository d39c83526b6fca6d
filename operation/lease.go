package operation

import (
	"context"
	"sync"
	"time"

	"redial/ledger"
)

// leaseTimeout is for how long the beat of an owner may stand still, by the clock of the
// one who looks, until others may take its operations over.
const leaseTimeout = 10 * time.Second

// leases knows the owners of operations by their beats.
type leases struct {
	mu   sync.Mutex
	seen map[ledger.SessionID]beat
}

// beat is a sign of life, and when this process first saw it. The owner's clock says
// nothing here: it may have been set.
type beat struct {
	last  time.Time
	since time.Time
}

// void reports whether nobody drives the operations of a session any more.
func (l *leases) void(ctx context.Context, store Store, id ledger.SessionID) bool {
	if id == 0 {
		return true
	}
	s, err := store.Session(ctx, id)
	switch {
	case err != nil:
		return false // it cannot be told, so it is left alone
	case s.Dead || !s.Ended.IsZero():
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	b, ok := l.seen[id]
	if !ok || !b.last.Equal(s.LastSeen) {
		if l.seen == nil {
			l.seen = make(map[ledger.SessionID]beat)
		}
		l.seen[id] = beat{s.LastSeen, time.Now()}
		return false
	}
	return time.Since(b.since) >= leaseTimeout
}
