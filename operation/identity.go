package operation

import (
	"context"
	"errors"
	"sync"
	"time"

	"redial/ledger"
)

// identity is the session that drives operations, and its service.
type identity struct {
	mu      sync.Mutex
	session ledger.SessionID // 0 until it is known
	service string
}

// enrolPatience is how long Do waits for a session that is not on record yet.
const enrolPatience = 5 * time.Second

var errNoSession = errors.New("no session is on record: operations need a recorder that writes to the same store")

// session returns the session, 0 until it is known.
func (ops *Operations) session() ledger.SessionID {
	ops.self.mu.Lock()
	defer ops.self.mu.Unlock()
	return ops.self.session
}

// name returns the service, and an error until the session is on record.
func (ops *Operations) name(ctx context.Context) (string, error) {
	ops.self.mu.Lock()
	defer ops.self.mu.Unlock()
	if ops.self.service != "" {
		return ops.self.service, nil
	}
	id := ops.o.Session
	if id == 0 {
		var err error
		if id, err = ops.store.Enrolled(ctx); err != nil {
			return "", err
		}
	}
	if id == 0 {
		return "", errNoSession
	}
	s, err := ops.store.Session(ctx, id)
	if err != nil {
		return "", err
	}
	ops.self.session, ops.self.service = id, s.Service
	return s.Service, nil
}

// known is name, and waits a while for a recorder that has not reached its store yet.
func (ops *Operations) known(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, enrolPatience)
	defer cancel()
	for {
		service, err := ops.name(ctx)
		if !errors.Is(err, errNoSession) {
			return service, err
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return "", err
		case <-ops.life.Done():
			return "", ErrClosed
		}
	}
}
