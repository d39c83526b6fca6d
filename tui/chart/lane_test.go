package chart

import (
	"strings"
	"testing"
	"time"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/theme"
)

func clock(from, to time.Duration, w int) Clock {
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	return Clock{From: noon.Add(from), To: noon.Add(to), Width: w}
}

func TestTheClockIsReadInStepsThatClocksHave(t *testing.T) {
	for _, c := range []struct {
		from, to time.Duration
		w        int
		want     string
	}{
		{0, 40 * time.Second, 80, "12:00:00  :05       :10       :15       :20       :25       :30       :35"},
		{50 * time.Second, 80 * time.Second, 60, "12:00:50  :55       12:01:00  :05       :10       :15"},
		{0, time.Second, 60, "12:00:00.0  .2          .4          .6          .8"},
		{0, 50 * ms, 60, "12:00:00.000            .020        .030        .040"},
		{-13 * time.Hour, 13 * time.Hour, 40, " 00:00              12:00"},
		{0, 10 * 24 * time.Hour, 40, "      Mar 3       Mar 6       Mar 9"},
		{0, 0, 40, ""},
	} {
		got := strings.TrimRight(line(c.w, func(l *draw.Line) { clock(c.from, c.to, c.w).Axis(l, theme.Style{}) }), " ")
		if got != c.want {
			t.Errorf("%v to %v is %q, want %q", c.from, c.to, got, c.want)
		}
	}
}

func TestTheClockFitsEveryWidth(t *testing.T) {
	for w := range 150 {
		for _, to := range []time.Duration{0, 1, time.Microsecond, ms, 7 * time.Second, time.Hour, 4000 * time.Hour} {
			for _, put := range []func(Clock, *draw.Line){
				func(c Clock, l *draw.Line) { c.Axis(l, theme.Style{}) },
				func(c Clock, l *draw.Line) { c.Rule(l, theme.Style{}) },
				func(c Clock, l *draw.Line) { (&Lane{Theme: plain(), Call: retried(), Clock: c}).Put(l, 3) },
			} {
				if got := line(w, func(l *draw.Line) { put(clock(0, to, w), l) }); draw.Width(got) != w {
					t.Fatalf("%v on %d columns is %d columns wide: %q", to, w, draw.Width(got), got)
				}
			}
		}
	}
}

func TestALaneTellsAttemptsAndWaitsApart(t *testing.T) {
	c := clock(0, 10*time.Second, 20)
	call := func(change func(*ledger.Call)) *ledger.Call {
		k := &ledger.Call{Method: "POST", Started: c.From.Add(time.Second), Took: 6 * time.Second}
		change(k)
		k.Summarise()
		return k
	}
	attempt := func(start, took time.Duration, status int, o ledger.Outcome) ledger.Attempt {
		return ledger.Attempt{N: 1, Start: start, Took: took, Status: status, Outcome: o, WireSends: 1}
	}
	second := time.Second
	for _, k := range []struct {
		name string
		call *ledger.Call
		want string
	}{
		{"answered", call(func(k *ledger.Call) { k.AttemptList = []ledger.Attempt{attempt(0, 2*second, 200, ledger.Answered)} }), "  ▆▆▆▆"},
		{"body", call(func(k *ledger.Call) {
			a := attempt(0, 4*second, 200, ledger.Answered)
			a.Phases.Receive = 3 * second
			k.AttemptList = []ledger.Attempt{a}
		}), "  ▆▆▂▂▂▂▂▂"},
		{"error", call(func(k *ledger.Call) { k.AttemptList = []ledger.Attempt{attempt(0, 2*second, 503, ledger.Answered)} }), "  ▆▆▆✗"},
		{"unknown", call(func(k *ledger.Call) { k.AttemptList = []ledger.Attempt{attempt(0, 2*second, 0, ledger.Unknown)} }), "  ▒▒▒?"},
		{"not sent", call(func(k *ledger.Call) { k.AttemptList = []ledger.Attempt{attempt(0, second, 0, ledger.NotSent)} }), "  ––"},
		{"lookup", call(func(k *ledger.Call) {
			a := attempt(0, second, 404, ledger.Answered)
			a.Reason = ledger.LookUp
			k.AttemptList = []ledger.Attempt{a}
		}), "  ▌▌"},
		{"two wire sends", call(func(k *ledger.Call) {
			a := attempt(0, 2*second, 200, ledger.Answered)
			a.WireSends = 2
			k.AttemptList = []ledger.Attempt{a}
		}), "  2▆▆▆"},
		{"waits", call(func(k *ledger.Call) {
			k.AttemptList = []ledger.Attempt{attempt(second, second, 503, ledger.Answered), attempt(3*second, second, 503, ledger.Answered), attempt(5*second, second, 200, ledger.Answered)}
			k.Waits = []ledger.Wait{
				{Before: 1, Kind: ledger.WindowWait, Took: second},
				{Before: 2, Kind: ledger.BackoffWait, Start: 2 * second, Took: second},
				{Before: 3, Kind: ledger.RetryAfterWait, Start: 4 * second, Took: second},
				{Before: 3, Kind: ledger.BandwidthWait, Start: 5 * second, Took: second / 2},
			}
		}), "  ░░▆✗┄┄▆✗╌╌≈▆"},
		{"summary of one attempt", call(func(k *ledger.Call) {
			k.AttemptList = []ledger.Attempt{attempt(0, 6*second, 503, ledger.Answered)}
			k.Summarise()
			k.AttemptList = nil
		}), ""},
		{"waiting", call(func(k *ledger.Call) {
			k.Took, k.State = 0, ledger.Waiting
			k.Waits = []ledger.Wait{{Before: 1, Planned: 5 * second}}
		}), "  ░░░░······"},
		{"sending", call(func(k *ledger.Call) {
			k.Took, k.State = 0, ledger.Sending
			k.AttemptList = []ledger.Attempt{attempt(0, 0, 0, ledger.NoOutcome)}
		}), "  ▆▆▆⇡"},
		{"cut off", call(func(k *ledger.Call) {
			k.Took, k.State = 0, ledger.CutOff
			k.AttemptList = []ledger.Attempt{attempt(0, 0, 0, ledger.NoOutcome)}
		}), "  ▆▆▆╳"},
		{"before", call(func(k *ledger.Call) {
			k.Started = c.From.Add(-time.Hour)
			k.AttemptList = []ledger.Attempt{attempt(0, second, 200, ledger.Answered)}
		}), ""},
		{"over the edges", call(func(k *ledger.Call) {
			k.Started = c.From.Add(-time.Hour)
			k.AttemptList = []ledger.Attempt{attempt(0, 2*time.Hour, 200, ledger.Answered)}
		}), "▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆"},
	} {
		if k.name == "summary of one attempt" {
			k.call.Attempts, k.call.Status, k.call.Outcome = 1, 503, ledger.Answered
			k.want = "  ▆▆▆▆▆▆▆▆▆▆▆✗"
		}
		lane := Lane{Theme: plain(), Call: k.call, Clock: c, Now: c.From.Add(3 * second)}
		if got := strings.TrimRight(line(20, func(l *draw.Line) { lane.Put(l, -1) }), " "); got != k.want {
			t.Errorf("%s is %q, want %q", k.name, got, k.want)
		}
	}
}

func TestWhatIsStillToComeIsNotShownWhileItPlays(t *testing.T) {
	c := clock(0, 10*time.Second, 20)
	k := &ledger.Call{Started: c.From, Took: 6 * time.Second, AttemptList: []ledger.Attempt{{N: 1, Took: 6 * time.Second, Status: 200, Outcome: ledger.Answered}}}
	lane := Lane{Theme: plain(), Call: k, Clock: c, Until: c.From.Add(2 * time.Second)}
	if got := line(20, func(l *draw.Line) { lane.Put(l, 15) }); got != "▆▆▆▆▆·······   │    " {
		t.Errorf("the lane is %q", got)
	}
}
