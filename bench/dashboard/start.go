package main

import (
	"context"
	"os/exec"
	"regexp"
	"time"
)

const (
	width  = 120
	height = 40
)

// rowOfCalls returns what a row of the list of calls looks like.
func rowOfCalls() *regexp.Regexp { return regexp.MustCompile(`\d\d:\d\d:\d\d(\.\d)? (GET |POST|PUT )`) }

// starts measures how long it takes from the start of the process to the first frame with
// calls in it, and how long a process takes that only prints its version.
func starts(ctx context.Context, o options, t *table) error {
	var bare []time.Duration
	for range o.runs {
		began := time.Now()
		if err := exec.CommandContext(ctx, o.binary, "version").Run(); err != nil {
			return err
		}
		bare = append(bare, time.Since(began))
	}
	t.add("S7 start of the process alone (redial version)", "", bare...)
	for _, state := range []struct {
		name string
		make func(string) error
	}{{"warm", warm}, {"cold (FADV_DONTNEED)", cool}} {
		var first, whole []time.Duration
		for range o.runs {
			if err := state.make(o.path); err != nil {
				return err
			}
			f, w, err := firstFrame(ctx, o)
			if err != nil {
				return err
			}
			first, whole = append(first, f), append(whole, w)
		}
		t.add("S7 first frame with calls, "+state.name, "100 ms", first...)
		t.add("   the sums of the whole recording in the header", "", whole...)
	}
	return nil
}

// firstFrame starts the dashboard once, and returns when there were calls, and when the
// header had all it has.
func firstFrame(ctx context.Context, o options) (first, whole time.Duration, err error) {
	t, err := start(ctx, width, height, o.binary, "--db", o.path)
	if err != nil {
		return 0, 0, err
	}
	defer t.end()
	row := rowOfCalls()
	if first, err = t.until(t.started, "the first row", row.MatchString); err != nil {
		return 0, 0, err
	}
	whole, err = t.until(t.started, "the sums in the header", shows("err "))
	return first, whole, err
}
