package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// step is a key, or some, and what is to be seen then.
type step struct {
	what   string
	before string // keys to come to where it is measured from
	ready  func(screen string) bool
	keys   string
	is     func(screen string) bool
	after  string // keys to go back
}

// paste returns what a terminal sends when text is pasted into the filter and applied.
func filterBy(text string) string { return "/\x1b[200~" + text + "\x1b[201~\r" }

// every returns the condition that there are rows of calls, and a text is in each of them.
func every(text string) func(string) bool {
	row := rowOfCalls()
	return func(screen string) bool {
		n := 0
		for line := range strings.Lines(screen) {
			if row.MatchString(line) {
				if n++; !strings.Contains(line, text) {
					return false
				}
			}
		}
		return n > 0
	}
}

// steps returns what is measured on each screen.
func steps() []step {
	calls, hosts := shows("[1 Calls]", "calls ─╮"), shows("[5 Hosts]", "hosts · ")
	bars := shows("[2 Timeline]")
	answered := func(text string) func(string) bool {
		return func(screen string) bool {
			return strings.Contains(screen, text) && !strings.Contains(screen, "reading")
		}
	}
	return []step{
		{"calls: the first one (g)", "1", calls, "g", shows("20:1"), "G"},
		{"calls: half a page up (ctrl+u)", "1", calls, "\x15", nil, "G"},
		{"calls: next trouble (N)", "1", calls, "N", nil, "G"},
		{"calls: filter status:503", "1", calls, filterBy("status:503"), every(" 503 "), "\x1b"},
		{"calls: filter attempts:>1 dur:>2s", "1", calls, filterBy("attempts:>1 dur:>2s"), every(" ×2 "), "\x1b"},
		{"calls: filter key:order-6-4000", "1", calls, filterBy("key:order-6-4000"), every("order-6-4000"), "\x1b"},
		{"calls: filter host:legacy.example.test", "1", calls, filterBy("host:legacy.example.test"), every("legacy"), "\x1b"},
		{"calls: filter duplicate:yes", "1", calls, filterBy("duplicate:yes"), every("TWICE"), "\x1b"},
		{"calls: filter path:/v1/orders", "1", calls, filterBy("path:/v1/orders"), every("/v1/orde"), "\x1b"},
		{"timeline: opened", "1", calls, "2", shows("[2 Timeline]", "by host"), "1"},
		{"timeline: earlier (h)", "2", bars, "h", nil, ""},
		{"timeline: zoom out (-)", "2", bars, "-", nil, "+"},
		{"timeline: all of it (0)", "2", bars, "0", shows("+ shows more"), "++++"},
		{"timeline: next trouble (n)", "2", bars, "n", nil, ""},
		{"timeline: filter outcome:unknown", "2", bars, filterBy("outcome:unknown"), shows("/ outcome:unknown"), "\x1b"},
		{"pending: opened", "1", calls, "3", shows("[3 Pending", "create order"), "1"},
		{"pending: next one (j)", "3", shows("[3 Pending", "What we know"), "j", nil, ""},
		{"pending: filter key:order-6-*", "3", shows("[3 Pending"), filterBy("key:order-6-*"), shows("/ key:order-6-*"), "\x1b"},
		{"windows: opened", "1", calls, "4", shows("[4 Windows]", "Waited ·"), "1"},
		{"windows: next one (j)", "4", shows("[4 Windows]"), "j", nil, "k"},
		{"hosts: the whole recording", "1", calls, "5", answered("hosts · "), ""},
		{"hosts: sorted (E)", "5", hosts, "E", nil, "E"},
		{"hosts: routes of the busiest (enter)", "5", hosts, "\r", answered("METHOD"), "\x1b"},
		{"sessions: opened", "1", calls, "6", shows("[6 Sessions]", "generat"), "1"},
		{"sessions: next one (j)", "6", shows("[6 Sessions]"), "j", nil, "k"},
	}
}

// answers measures each screen.
func answers(ctx context.Context, o options, t *table) error {
	if err := warm(o.path); err != nil {
		return err
	}
	term, err := start(ctx, width, height, o.binary, "--db", o.path)
	if err != nil {
		return err
	}
	defer term.end()
	if _, err := term.until(term.started, "the sums in the header", shows("err ")); err != nil {
		return err
	}
	for _, s := range steps() {
		var first, last []time.Duration
		for range o.runs {
			f, l, err := term.measure(s)
			if err != nil {
				return fmt.Errorf("%s: %w", s.what, err)
			}
			first, last = append(first, f), append(last, l)
		}
		t.add("S8 "+s.what, "100 ms", first...)
		if slices.Min(last) > 100*time.Millisecond {
			t.add("   until nothing changes any more", "", last...)
		}
	}
	if m, err := memoryOf(term.command.Process.Pid); err == nil {
		t.say("S10 memory after all screens", "64 MB", m.String())
	}
	return scans(term, o, t)
}

// calm is how long nothing is written before something else is measured.
const (
	calm    = 150 * time.Millisecond
	settled = 400 * time.Millisecond // what reads for longer has said so
)

// measure makes one step, and goes back. It returns how long it took to the answer, and
// until nothing changed any more.
func (t *terminal) measure(s step) (first, last time.Duration, err error) {
	if _, err := t.press(s.before, "the screen to begin with", s.ready); err != nil {
		return 0, 0, err
	}
	t.quiet(calm)
	before, _ := t.screen()
	is := func(screen string) bool {
		return screen != before && !strings.Contains(screen, "looking for") && (s.is == nil || s.is(screen))
	}
	began := time.Now()
	if first, err = t.press(s.keys, "the answer", is); err != nil {
		return 0, 0, err
	}
	t.quiet(settled)
	_, at := t.screen()
	io.WriteString(t.pty, s.after)
	t.quiet(calm)
	return first, at.Sub(began), nil
}
