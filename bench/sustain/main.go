// Command sustain measures how many attempts a second redial records for a minute, with
// the indexes and rollups that the screens need, and what an attempt costs on disk. The
// base of the ratio is a plain table without any index that takes the same number of
// columns through database/sql in transactions of 4096 rows, in the same run:
//
//	go -C bench run ./sustain
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"redial/bench/synthetic"
	"redial/db"
	"redial/ledger"
	"redial/recorder"
)

func main() {
	length := flag.Duration("for", time.Minute, "how long to record")
	flag.Parse()
	if err := run(*length); err != nil {
		fmt.Fprintln(os.Stderr, "sustain:", err)
		os.Exit(1)
	}
}

func run(length time.Duration) error {
	dir, err := os.MkdirTemp("", "redial-sustain")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	plain, err := plainTable(filepath.Join(dir, "plain.db"), length/6)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, "sustain.db")
	attempts, seconds, counters, err := record(path, length)
	if err != nil {
		return err
	}
	rate := float64(attempts) / seconds
	size, err := fileSize(path)
	if err != nil {
		return err
	}
	fmt.Printf("plain table: %.0f rows/s\n", plain)
	fmt.Printf("redial: %.0f attempts/s for %.0f s, ratio %.2f\n", rate, seconds, rate/plain)
	fmt.Printf("calls: %d made, %d written, %d not written\n", counters.Queued, counters.Written, counters.NotWritten())
	fmt.Printf("disk: %.1f bytes an attempt, indexes and rollups included\n", float64(size)/float64(attempts))
	return nil
}

// record drives a recorder as fast as its queue drains and returns how many attempts it
// took until everything was written.
func record(path string, length time.Duration) (attempts int64, seconds float64, c ledger.Counters, err error) {
	store, err := db.Open(path)
	if err != nil {
		return 0, 0, c, err
	}
	rec := recorder.New(store, recorder.Options{Service: "sustain"})
	source := synthetic.New(1)
	var call ledger.Call
	begun := time.Now()
	for time.Since(begun) < length {
		for range 256 {
			source.Next(&call, time.Now())
			call.ID = rec.NewID()
			rec.Record(&call)
			attempts += int64(call.Attempts)
		}
		for c := rec.Counters(); c.Queued-c.Written > 16_384; c = rec.Counters() {
			runtime.Gosched()
		}
	}
	if err := rec.Close(); err != nil {
		return 0, 0, c, err
	}
	return attempts, time.Since(begun).Seconds(), rec.Counters(), store.Close()
}

func fileSize(path string) (int64, error) {
	var size int64
	for _, suffix := range []string{"", "-wal"} {
		info, err := os.Stat(path + suffix)
		if err == nil {
			size += info.Size()
		} else if !os.IsNotExist(err) {
			return 0, err
		}
	}
	return size, nil
}
