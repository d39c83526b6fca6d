// Command screen measures how long after its end a call stands on the screen of another
// process: a writer records at a fixed rate, the real dashboard runs on a pseudo terminal,
// and each row's path tells when its call ended:
//
//	go -C bench run ./screen -rate 75000
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"redial/db"
	"redial/ledger"
	"redial/recorder"
)

func main() {
	rate := flag.Int("rate", 1000, "attempts a second")
	length := flag.Duration("for", 20*time.Second, "how long to watch")
	write := flag.String("write", "", "be the writer, into this file")
	flag.Parse()
	var err error
	if *write != "" {
		err = record(*write, *rate, *length)
	} else {
		err = watch(*rate, *length)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "screen:", err)
		os.Exit(1)
	}
}

// record records calls that end when they are recorded, in slices of a millisecond.
func record(path string, rate int, length time.Duration) error {
	store, err := db.Open(path)
	if err != nil {
		return err
	}
	defer store.Close()
	rec := recorder.New(store, recorder.Options{Service: "screen"})
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	begun := time.Now()
	made := 0
	for now := range tick.C {
		since := now.Sub(begun)
		if since > length {
			break
		}
		for ; made < int(since.Seconds()*float64(rate)); made++ {
			rec.Record(endsNow(rec.NewID()))
		}
	}
	if err := rec.Close(); err != nil {
		return err
	}
	c := rec.Counters()
	fmt.Printf("writer: %d made, %d written, %d not written\n", c.Queued, c.Written, c.NotWritten())
	return nil
}

// endsNow returns a call whose path is the moment of its end in Unix milliseconds.
func endsNow(id ledger.CallID) *ledger.Call {
	now := time.Now()
	call := &ledger.Call{
		ID: id, Method: "GET", Scheme: "http", Host: "m.test", Path: marker + strconv.FormatInt(now.UnixMilli(), 10),
		Started: now.Add(-time.Millisecond), Took: time.Millisecond,
		AttemptList: []ledger.Attempt{{
			N: 1, Took: time.Millisecond, Status: 200, Outcome: ledger.Answered, RetryAfter: -1,
			WireSends: 1, Decision: ledger.Done,
		}},
	}
	call.Summarise()
	return call
}

// watch starts both processes and prints how old rows were when they appeared.
func watch(rate int, length time.Duration) error {
	dir, err := os.MkdirTemp("", "redial-screen")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary, path := filepath.Join(dir, "redial"), filepath.Join(dir, "screen.db")
	build := exec.Command("go", "build", "-o", binary, ".")
	build.Dir, build.Stderr = "..", os.Stderr // the program runs in bench/
	if err := build.Run(); err != nil {
		return fmt.Errorf("build redial: %w", err)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), length+20*time.Second)
	defer cancel()
	writer := exec.CommandContext(ctx, self, "-write", path, "-rate", strconv.Itoa(rate), "-for", length.String())
	writer.Stdout, writer.Stderr = os.Stdout, os.Stderr
	if err := writer.Start(); err != nil {
		return err
	}
	ages, err := dashboard(ctx, binary, path, length)
	if err != nil {
		return err
	}
	if err := writer.Wait(); err != nil {
		return fmt.Errorf("writer: %w", err)
	}
	report(rate, ages)
	return nil
}
