// Command generate makes a database with a given number of attempts, for trying the
// dashboard and the command line on large files:
//
//	go -C bench run ./generate -n 10000000 -o /tmp/ten.db
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"

	"redial/bench/synthetic"
	"redial/db"
	"redial/ledger"
)

func main() {
	n := flag.Int64("n", 1_000_000, "how many attempts")
	out := flag.String("o", "", "the file to make; it must not exist")
	seed := flag.Uint64("seed", 1, "what the calls are drawn from")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := generate(ctx, *out, *n, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

const batchSize = 4096

// generate writes one recorded session of n attempts at 500 calls a second.
func generate(ctx context.Context, path string, n int64, seed uint64) error {
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
	started := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	session, err := store.Enrol(ctx, ledger.Session{
		Service: "checkout", Version: "1.4", Host: "generated", Started: started, LastSeen: started,
	})
	if err != nil {
		return err
	}
	return fill(ctx, store, session, started, n, synthetic.New(seed))
}

func fill(ctx context.Context, store *db.DB, session ledger.SessionID, at time.Time, n int64, source *synthetic.Source) error {
	calls := make([]ledger.Call, batchSize)
	var attempts, number int64
	begun, shown := time.Now(), time.Now()
	for attempts < n {
		size := 0
		for ; size < batchSize && attempts < n; size++ {
			number++
			source.Next(&calls[size], at)
			calls[size].ID = ledger.NewCallID(session, number)
			attempts += int64(calls[size].Attempts)
			at = at.Add(2 * time.Millisecond)
		}
		err := store.Write(ctx, &ledger.Batch{
			Session: session, Beat: at, Calls: calls[:size],
			Counters: ledger.Counters{Queued: number, Written: number},
		})
		if err != nil {
			return err
		}
		if time.Since(shown) > time.Second {
			shown = time.Now()
			fmt.Fprintf(os.Stderr, "%d of %d attempts\n", attempts, n)
		}
	}
	fmt.Printf("%d attempts of %d calls, %.0f a second\n", attempts, number, float64(attempts)/time.Since(begun).Seconds())
	return store.End(ctx, session, at, ledger.Counters{Queued: number, Written: number})
}
