package chart

import (
	"strings"
	"testing"
	"time"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/theme"
)

const ms = time.Millisecond

func line(w int, put func(*draw.Line)) string {
	l := draw.NewLine(w)
	put(l)
	return l.String()
}

func plain() *theme.Theme { return new(theme.Theme) }

func TestBarsShowPartOfAll(t *testing.T) {
	for _, c := range []struct {
		part, all float64
		want      string
	}{
		{0, 10, "▁▁▁▁▁▁▁▁▁▁"}, {3, 10, "▆▆▆▁▁▁▁▁▁▁"}, {10, 10, "▆▆▆▆▆▆▆▆▆▆"}, {12, 10, "▆▆▆▆▆▆▆▆▆▆"},
		{1, 1000, "▆▁▁▁▁▁▁▁▁▁"}, {0, 0, "▁▁▁▁▁▁▁▁▁▁"}, {-1, 10, "▁▁▁▁▁▁▁▁▁▁"},
	} {
		if got := line(10, func(l *draw.Line) { Bar(l, plain(), theme.Style{}, c.part, c.all, 10) }); got != c.want {
			t.Errorf("%v of %v is %q, want %q", c.part, c.all, got, c.want)
		}
	}
	for passed, want := range map[time.Duration]string{-ms: "────", 0: "────", 500 * ms: "━━──", time.Second: "━━━━", time.Hour: "━━━━"} {
		if got := line(4, func(l *draw.Line) { Countdown(l, plain(), theme.Style{}, passed, time.Second, 4) }); got != want {
			t.Errorf("%v of a second is %q, want %q", passed, got, want)
		}
	}
}

func TestASparklineHasAColumnForEachValue(t *testing.T) {
	for _, c := range []struct {
		values []int64
		want   string
	}{{nil, ""}, {[]int64{0, 0}, "▁▁"}, {[]int64{0, 1, 4, 8}, "▁▂▄▇"}, {[]int64{1, 1000000}, "▂▇"}} {
		if got := Spark(c.values); got != c.want {
			t.Errorf("%v is %q, want %q", c.values, got, c.want)
		}
	}
}

func TestTheAxisHasMarksThatStandApart(t *testing.T) {
	for _, c := range []struct {
		to   time.Duration
		w    int
		want string
	}{
		{1310 * ms, 60, "0                     500ms                  1.0s"},
		{1310 * ms, 80, "0           200ms       400ms       600ms       800ms        1.0s        1.2s"},
		{5 * time.Minute, 30, "0         1m 40s    3m 20s"},
		{ms, 12, "0"},
	} {
		got := strings.TrimRight(line(c.w, func(l *draw.Line) { Scale{To: c.to, Width: c.w}.Axis(l, theme.Style{}) }), " ")
		if got != c.want {
			t.Errorf("%v on %d columns is %q, want %q", c.to, c.w, got, c.want)
		}
	}
	for w := range 120 {
		for _, to := range []time.Duration{0, 1, 999, time.Microsecond, ms, 7 * time.Second, time.Hour, 400 * time.Hour} {
			if got := line(w, func(l *draw.Line) { Scale{To: to, Width: w}.Axis(l, theme.Style{}) }); draw.Width(got) != w {
				t.Fatalf("%v on %d columns is %d columns wide", to, w, draw.Width(got))
			}
		}
	}
}

func TestWhatTookPlaceHasAColumnAtLeast(t *testing.T) {
	s := Scale{To: time.Second, Width: 10}
	for _, c := range []struct {
		from, to time.Duration
		first, n int
	}{{0, 0, 0, 1}, {0, ms, 0, 1}, {500 * ms, 501 * ms, 5, 1}, {0, time.Second, 0, 10}, {time.Second, time.Second, 9, 1}, {250 * ms, 750 * ms, 2, 5}, {0, time.Hour, 0, 10}} {
		if first, n := s.Span(c.from, c.to); first != c.first || n != c.n {
			t.Errorf("%v to %v is %d columns from %d, want %d from %d", c.from, c.to, n, first, c.n, c.first)
		}
	}
}

// retried is a call that was sent three times.
func retried() *ledger.Call {
	c := &ledger.Call{
		Method: "POST", Took: 1310 * ms,
		AttemptList: []ledger.Attempt{
			{N: 1, Took: 43 * ms, Status: 503, Outcome: ledger.Answered},
			{N: 2, Reason: ledger.Retry, Start: 283 * ms, Took: 52 * ms, Status: 503, Outcome: ledger.Answered},
			{N: 3, Reason: ledger.Retry, Start: 1235 * ms, Took: 75 * ms, Outcome: ledger.Unknown},
		},
		Waits: []ledger.Wait{
			{Before: 2, Kind: ledger.BackoffWait, Start: 43 * ms, Planned: 240 * ms, Took: 240 * ms, Rule: ledger.Rule{Base: 400 * ms, Multiplier: 2, Fraction: 0.6}},
			{Before: 3, Kind: ledger.RetryAfterWait, Start: 335 * ms, Planned: 900 * ms, Took: 900 * ms, Rule: ledger.Rule{Asked: 900 * ms}},
		},
	}
	c.Summarise()
	return c
}

func TestATimelineHasARowForEachAttemptAndWaitWithItsRule(t *testing.T) {
	tl := Timeline{Theme: plain(), Call: retried(), Width: 108, Chosen: 2}
	var got []string
	for _, r := range tl.Rows() {
		if draw.Width(r.Text) != 108 {
			t.Errorf("a row is %d columns wide: %q", draw.Width(r.Text), r.Text)
		}
		got = append(got, strings.TrimRight(r.Text, " "))
	}
	want := []string{
		" 1 first      503    43ms  ▆▆",
		"   backoff          240ms    ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄  full jitter: 0.60 × 400 ms × 2⁰",
		"▌2 retry      503    52ms                   ▆▆▆",
		"   Retry-After      900ms        asked: 0.9 s  ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌",
		" 3 retry      ?      75ms                                                                             ▆▆▆▆▆?",
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("the timeline is\n%s\nwant\n%s", g, w)
	}
}

func TestATimelineFitsEveryWidth(t *testing.T) {
	waiting := retried()
	waiting.State, waiting.Took = ledger.Waiting, 0
	waiting.Waits = append(waiting.Waits, ledger.Wait{Before: 4, Kind: ledger.WindowWait, Start: 1310 * ms, Planned: 3 * time.Second, Rule: ledger.Rule{Limit: 3, Per: 4500 * ms, Ahead: 4}})
	cut := retried()
	cut.State, cut.Took, cut.AttemptList[2].Took = ledger.CutOff, 0, 0
	for _, c := range []*ledger.Call{retried(), waiting, cut, {}} {
		for w := range 200 {
			tl := Timeline{Theme: plain(), Call: c, At: c.Started.Add(2 * time.Second), Width: w}
			for _, r := range append(tl.Rows(), Row{Text: tl.Axis()}) {
				if draw.Width(r.Text) != w {
					t.Fatalf("at %d columns a row is %d columns wide: %q", w, draw.Width(r.Text), r.Text)
				}
			}
		}
	}
}

func TestColumnsOnSeveralLinesAreAsHighAsTheirValues(t *testing.T) {
	for _, c := range []struct {
		values []int64
		lines  int
		want   string
	}{
		{[]int64{0, 1, 8}, 1, "▁▂▇"},
		{[]int64{0, 1, 8, 16}, 2, "   ▇|▁▂▇█"},
		{[]int64{0, 0}, 2, "  |▁▁"},
		{[]int64{1, 1 << 50}, 3, " ▇| █|▂█"},
	} {
		if got := strings.Join(Columns(c.values, c.lines), "|"); got != c.want {
			t.Errorf("%v on %d lines is %q, want %q", c.values, c.lines, got, c.want)
		}
	}
}
