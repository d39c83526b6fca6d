// Command dashboard measures the real dashboard on a large file, on a pseudo terminal: how
// long it takes until there is something to see, how long each screen takes to answer a
// key, whether it answers while it goes through the whole file, what it costs beside a
// service that makes 500 calls a second, and how much memory it holds:
//
//	go -C bench run ./generate -n 10000000 -o /tmp/ten.db
//	go -C bench run ./dashboard -db /tmp/ten.db
//
// The file is left as it is. Beside a service it works on a copy in the same folder, which
// is removed.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"

	"redial/db"
)

// options say what to measure.
type options struct {
	path   string
	binary string
	runs   int
	length time.Duration
	rate   int
	part   string // start, answers or beside; "": all
}

func main() {
	var o options
	flag.StringVar(&o.path, "db", "", "the file to look at")
	flag.StringVar(&o.binary, "redial", "", "the program to measure; made from this checkout if not given")
	flag.IntVar(&o.runs, "runs", 5, "how often each thing is measured")
	flag.DurationVar(&o.length, "for", 20*time.Second, "how long to look beside a service, and at memory")
	flag.IntVar(&o.rate, "rate", 500, "calls a second of the service")
	flag.StringVar(&o.part, "part", "", "measure only this: start, answers or beside")
	write := flag.String("write", "", "be the service, into this file")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if *write != "" {
		err = record(ctx, *write, o.rate)
	} else {
		err = measure(ctx, o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "dashboard:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, o options) error {
	if o.path == "" {
		return fmt.Errorf("name the file with -db; `go -C bench run ./generate` makes one")
	}
	if err := describe(ctx, o.path); err != nil {
		return err
	}
	if o.binary == "" {
		dir, err := os.MkdirTemp("", "redial-dashboard")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		o.binary = filepath.Join(dir, "redial")
		build := exec.CommandContext(ctx, "go", "build", "-o", o.binary, ".")
		build.Dir, build.Stderr = "..", os.Stderr // the program runs in bench/
		if err := build.Run(); err != nil {
			return fmt.Errorf("build redial: %w", err)
		}
	}
	t := new(table)
	for _, part := range []struct {
		name string
		run  func(context.Context, options, *table) error
	}{{"start", starts}, {"answers", answers}, {"beside", beside}} {
		if o.part != "" && o.part != part.name {
			continue
		}
		if err := part.run(ctx, o, t); err != nil {
			return err
		}
	}
	fmt.Println("load of the machine at the end:", load())
	return nil
}

// describe says what file it is.
func describe(ctx context.Context, path string) error {
	store, err := db.OpenExisting(path)
	if err != nil {
		return err
	}
	defer store.Close()
	sessions, err := store.Sessions(ctx)
	if err != nil {
		return err
	}
	var calls int64
	for i := range sessions {
		calls += sessions[i].Calls
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	fmt.Printf("%d calls in %d sessions, %.2f GB; load of the machine: %s\n", calls, len(sessions), float64(info.Size())/1e9, load())
	return nil
}
