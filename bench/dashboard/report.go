package main

import (
	"fmt"
	"slices"
	"time"
)

// figure is one line of the table.
type figure struct {
	what   string
	times  []time.Duration // of all runs; nil: said has it
	said   string
	target string
}

// table is what was measured.
type table struct{ lines []figure }

func (t *table) add(what, target string, times ...time.Duration) {
	t.lines = append(t.lines, figure{what: what, times: times, target: target})
	t.show(&t.lines[len(t.lines)-1])
}

func (t *table) say(what, target, said string) {
	t.lines = append(t.lines, figure{what: what, said: said, target: target})
	t.show(&t.lines[len(t.lines)-1])
}

// show prints a line as soon as it is known, since a whole run takes minutes.
func (t *table) show(f *figure) {
	said := f.said
	if f.times != nil {
		times := slices.Sorted(slices.Values(f.times))
		said = fmt.Sprintf("least %s, median %s, most %s", short(times[0]), short(times[len(times)/2]), short(times[len(times)-1]))
	}
	fmt.Printf("%-58s %-46s %s\n", f.what, said, f.target)
}

func short(d time.Duration) string {
	if d < 10*time.Millisecond {
		return d.Round(100 * time.Microsecond).String()
	}
	return d.Round(time.Millisecond).String()
}
