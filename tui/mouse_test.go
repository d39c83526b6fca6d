package tui

import (
	"fmt"
	"strings"
	"testing"
)

// spot returns where a text stands on the terminal, counted from 1.
func (term *terminal) spot(text string) (x, y int) {
	term.t.Helper()
	for i, line := range strings.Split(term.text(), "\n") {
		if before, _, ok := strings.Cut(line, text); ok {
			return len([]rune(before)) + 1, i + 1
		}
	}
	term.t.Fatalf("%q is not on the screen:\n%s", text, term.text())
	return 0, 0
}

// clicks presses and lets go the left button on a text.
func (term *terminal) clicks(text string) {
	term.t.Helper()
	x, y := term.spot(text)
	term.types(fmt.Sprintf("\x1b[<0;%d;%dM\x1b[<0;%d;%dm", x, y, x, y))
}

// wheels turns the wheel over a text: down, or up.
func (term *terminal) wheels(text string, down bool) {
	term.t.Helper()
	x, y := term.spot(text)
	button := 64
	if down {
		button++
	}
	term.types(fmt.Sprintf("\x1b[<%d;%d;%dM", button, x, y))
}

func TestTheMouseWorksOnTheHostsOfARealTerminal(t *testing.T) {
	term := onTerminal(t, market(), stillOptions(), dark())
	term.shows("following")
	term.clicks("5 Hosts")
	term.shows("▌flaky.example.test")
	term.wheels("orders.example.test", true)
	term.shows("▌mail.example.test:2525")
	term.wheels("orders.example.test", false)
	term.shows("▌flaky.example.test")
	term.clicks("rates.example.test")
	term.shows("▌rates.example.test")
	term.shows("Over time · rates.example.test")
	term.clicks("up to") // below the list nothing is selected
	term.clicks("rates.example.test")
	term.shows("Routes · rates.example.test")
	term.clicks("/fx")
	term.shows("/ host:rates.example.test method:GET path:/fx")
}

func TestTheMouseWorksOnTheSessionsOfARealTerminal(t *testing.T) {
	term := onTerminal(t, archive(), stillOptions(), dark())
	term.shows("following")
	term.clicks("6 Sessions")
	term.shows("● it is live")
	term.wheels("the night of the", true)
	term.shows("╳ its process is gone without a word")
	term.clicks("billing")
	term.shows("■ it ended by itself")
	term.clicks("billing")
	term.shows("[1 Calls]")
	term.shows("bills.example.test")
}

func TestTheMouseWorksOnTheWindowsAndTheTimelineOfARealTerminal(t *testing.T) {
	term := onTerminal(t, recording(), stillOptions(), dark())
	term.shows("■ RECORDED")
	term.clicks("4 Windows")
	term.shows("Waited · quota.example.test")
	term.clicks("/items/17")
	term.shows("▌  12:04:30.2 GET   /items/17")
	term.clicks("orders.example.test")
	term.shows("▌orders.example.test")
	term.clicks("2 Timeline")
	term.shows("Calls by host")
	term.clicks("order-8841")
	term.shows("▌  POST /orders")
	chosen := func() string {
		_, rest, _ := strings.Cut(term.text(), "▌")
		line, _, _ := strings.Cut(rest, "\n")
		return line
	}
	before := chosen()
	term.wheels("order-8841", true)
	term.until("the selection to move on", func() bool { return chosen() != "" && chosen() != before })
}
