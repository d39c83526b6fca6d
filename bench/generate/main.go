// Command generate makes a database with a given number of attempts, for trying the
// dashboard and the command line on large files:
//
//	go -C bench run ./generate -n 10000000 -o /tmp/ten.db
//
// It has several recorded sessions of a shop, the last of which has half of all attempts:
// calls that are retried, that wait, that fail and whose outcome is unknown, outages,
// calls that were sent twice, and operations of which some wait for a person.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"

	"redial/db"
	"redial/ledger"
)

func main() {
	var p plan
	flag.Int64Var(&p.attempts, "n", 1_000_000, "how many attempts")
	flag.IntVar(&p.rate, "rate", 120, "calls in a second")
	flag.IntVar(&p.operations, "operations", 20_000, "how many operations")
	flag.Uint64Var(&p.seed, "seed", 1, "what the calls are drawn from")
	out := flag.String("o", "", "the file to make; it must not exist")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := generate(ctx, *out, &p); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// plan is what to make.
type plan struct {
	attempts   int64
	rate       int
	operations int
	seed       uint64

	made, calls int64 // so far, in all sessions
	begun       time.Time
	shown       time.Time // when it was last said how far it has come
}

// shares are the parts of all attempts that the sessions have, in percent.
func shares() []int64 { return []int64{5, 5, 10, 10, 20, 50} }

func generate(ctx context.Context, path string, p *plan) error {
	if path == "" {
		return fmt.Errorf("name the file to make with -o")
	}
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s exists: choose another name or remove it", path)
	}
	store, err := db.Open(path)
	if err != nil {
		return err
	}
	defer store.Close()
	p.begun = time.Now()
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for i, share := range shares() {
		r, err := p.session(ctx, store, at, p.attempts*share/100, uint64(i))
		if err != nil {
			return err
		}
		if err := r.operate(ctx, store, int(int64(p.operations)*share/100)); err != nil {
			return err
		}
		at = r.at.Add(7 * time.Minute)
	}
	fmt.Printf("%d attempts of %d calls and %d operations in %d sessions, %.0f attempts a second\n",
		p.made, p.calls, p.operations, len(shares()), float64(p.made)/time.Since(p.begun).Seconds())
	return nil
}

const (
	batchSize = 4096
	settling  = 10 * time.Second // after the last call has started all have ended
)

// session writes one recorded session of so many attempts.
func (p *plan) session(ctx context.Context, store *db.DB, at time.Time, attempts int64, n uint64) (*traffic, error) {
	id, err := store.Enrol(ctx, ledger.Session{
		Service: "checkout", Version: fmt.Sprintf("1.%d", n), Host: "generated", PID: 4242 + int(n), Started: at, LastSeen: at,
	})
	if err != nil {
		return nil, err
	}
	t := newTraffic(id, at, p.rate, p.seed<<8|n)
	batch := &ledger.Batch{Session: id, Calls: make([]ledger.Call, batchSize)}
	for made := int64(0); made < attempts; {
		batch.Calls, batch.Duplicates = batch.Calls[:0], batch.Duplicates[:0]
		for len(batch.Calls) < batchSize && made < attempts {
			batch.Calls = batch.Calls[:len(batch.Calls)+1]
			c := &batch.Calls[len(batch.Calls)-1]
			batch.Duplicates = append(batch.Duplicates, t.next(c)...)
			made += int64(c.Attempts)
		}
		p.made, p.calls = p.made+attemptsOf(batch.Calls), p.calls+int64(len(batch.Calls))
		batch.Beat, batch.Windows = t.at, t.windows()
		batch.Counters = ledger.Counters{Queued: t.number, Written: t.number}
		if err := store.Write(ctx, batch); err != nil {
			return nil, err
		}
		p.tell()
	}
	return t, store.End(ctx, id, t.at.Add(settling), batch.Counters)
}

func attemptsOf(calls []ledger.Call) (n int64) {
	for i := range calls {
		n += int64(calls[i].Attempts)
	}
	return n
}

// tell says once a second how far it has come.
func (p *plan) tell() {
	if time.Since(p.shown) > time.Second {
		p.shown = time.Now()
		fmt.Fprintf(os.Stderr, "%d of %d attempts\n", p.made, p.attempts)
	}
}
