package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"redial/db"
	"redial/ledger"
)

// writers is how many operations are written at a time, so that they share an fsync.
const writers = 64

// operate makes so many operations from the calls of the session that had a key. Of a
// thousand one is pending.
func (t *traffic) operate(ctx context.Context, store *db.DB, n int) error {
	n = min(n, len(t.keyed))
	todo := make(chan int)
	errs := make([]error, writers)
	var busy sync.WaitGroup
	for w := range writers {
		busy.Go(func() {
			for i := range todo {
				errs[w] = errors.Join(errs[w], t.operation(ctx, store, &t.keyed[i], i%1000 == 999))
			}
		})
	}
	for i := range n {
		todo <- i
	}
	close(todo)
	busy.Wait()
	return errors.Join(errs...)
}

// operation writes one operation with its life.
func (t *traffic) operation(ctx context.Context, store *db.DB, k *keyed, pending bool) error {
	in := ledger.Intent{
		Service: "checkout", Key: k.key, Name: "create order", Method: "POST", URL: "https://orders.example.test/v1/orders",
		Header: []ledger.Field{{Name: "Content-Type", Value: "application/json"}},
		Body:   []byte(`{"order":"` + k.key + `","amount":1990}`),
		Policy: ledger.KeyPolicy{Honoured: true},
		Lookup: &ledger.Lookup{URL: "https://orders.example.test/v1/orders?key={key}"},
	}
	in.Fingerprint = in.Sum()
	at := func(d time.Duration) time.Time { return k.at.Add(d) }
	by := ledger.Actor{Kind: ledger.Service}
	o, err := store.Create(ctx, in, ledger.Transition{To: ledger.OpSending, At: at(0), Actor: by, Code: ledger.CodeSent, Call: k.id}, t.session)
	steps := []ledger.Transition{{To: ledger.OpSucceeded, At: at(40 * time.Millisecond), Code: ledger.CodeAnswered, Reason: "201"}}
	if pending {
		steps = []ledger.Transition{
			{To: ledger.OpChecking, At: at(5 * time.Second), Code: ledger.CodeNoAnswer, Reason: "timed out after 5s", Error: "timed out after 5s"},
			{To: ledger.OpPending, At: at(20 * time.Second), Code: ledger.CodeLookupFailed, Reason: "the lookup was answered with 500"},
		}
	}
	for i := 0; i < len(steps) && err == nil; i++ {
		steps[i].Actor, steps[i].Call = by, k.id
		o, err = store.Move(ctx, o.ID(), o.Seen(), steps[i])
	}
	return err
}
