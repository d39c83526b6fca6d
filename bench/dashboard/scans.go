package main

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"
)

// scan is something for which the whole file has to be gone through.
type scan struct {
	what   string
	before string // keys to come to where it begins
	ready  func(string) bool
	keys   string
	done   func(string) bool
}

func scansOfAll() []scan {
	return []scan{
		{"calls: filter /absent/", "1", shows("[1 Calls]"), filterBy("/absent/"), shows("no call matches")},
		{"calls: filter path:/absent", "1", shows("[1 Calls]"), filterBy("path:/absent"), shows("no call matches")},
		{"timeline: filter /absent/ on all of it", "20", shows("[2 Timeline]"), filterBy("/absent/"), shows("no call matches")},
	}
}

// scans measures whether the dashboard answers while it goes through the file: how far it
// is must be seen, ? opens the help, and esc gives up.
func scans(t *terminal, o options, tab *table) error {
	for _, s := range scansOfAll() {
		var help, seen, gone, whole []time.Duration
		for range max(o.runs/2, 1) {
			h, p, g, err := t.interrupted(s)
			if err != nil {
				return fmt.Errorf("%s: %w", s.what, err)
			}
			help, seen, gone = append(help, h), append(seen, p), append(gone, g)
			w, _, err := t.measure(step{before: s.before, ready: s.ready, keys: s.keys, is: s.done, after: "\x1b"})
			if err != nil {
				return fmt.Errorf("%s: %w", s.what, err)
			}
			whole = append(whole, w)
		}
		tab.add("S8 scan, "+s.what+", to its end", "", whole...)
		tab.add("   how far it is, shown after", "", seen...)
		tab.add("   ? answered meanwhile", "100 ms", help...)
		tab.add("   esc gives it up", "100 ms", gone...)
	}
	return nil
}

// interrupted begins a scan, asks for help meanwhile, and gives it up.
func (t *terminal) interrupted(s scan) (help, seen, gone time.Duration, err error) {
	if _, err = t.press(s.before, "the screen to begin with", s.ready); err != nil {
		return 0, 0, 0, err
	}
	t.quiet(calm)
	progress := regexp.MustCompile(`\d+ ?%, esc`)
	if seen, err = t.press(s.keys, "how far it is", progress.MatchString); err != nil {
		return 0, 0, 0, err
	}
	if help, err = t.press("?", "the help", shows(" Help ")); err != nil {
		return 0, 0, 0, err
	}
	if _, err = t.press("?", "the screen again", func(screen string) bool { return !strings.Contains(screen, " Help ") }); err != nil {
		return 0, 0, 0, err
	}
	gone, err = t.press("\x1b", "that it was given up", shows("given up"))
	t.quiet(calm)
	io.WriteString(t.pty, "\x1b") // and the filter with it
	t.quiet(calm)
	return help, seen, gone, err
}
