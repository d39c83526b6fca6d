package timeline

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"redial/ledger"
)

func noon(d time.Duration) time.Time {
	return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).Add(d)
}

func hour() span { return span{noon(0), noon(time.Hour)} }

func TestASpanStaysWithinWhatWasRecorded(t *testing.T) {
	minute := span{noon(30 * time.Minute), noon(31 * time.Minute)}
	for name, c := range map[string]struct {
		got      span
		from, to time.Duration
	}{
		"zooming in keeps the cursor in its place":   {minute.zoom(0.5, noon(30*time.Minute+30*time.Second), hour()), 30*time.Minute + 15*time.Second, 30*time.Minute + 45*time.Second},
		"zooming out does too":                       {minute.zoom(2, noon(30*time.Minute), hour()), 30 * time.Minute, 32 * time.Minute},
		"zooming out ends at all there is":           {minute.zoom(1000, minute.middle(), hour()), 0, time.Hour},
		"zooming in ends at the least":               {minute.zoom(1e-9, minute.from, hour()), 30 * time.Minute, 30*time.Minute + leastSpan},
		"panning stops at the beginning":             {minute.pan(-time.Hour, hour()), 0, time.Minute},
		"panning stops at the end":                   {minute.pan(time.Hour, hour()), 59 * time.Minute, time.Hour},
		"going somewhere leaves room before it":      {minute.around(noon(10*time.Minute), 0.5, hour()), 9*time.Minute + 30*time.Second, 10*time.Minute + 30*time.Second},
		"going to the first moment begins with that": {minute.around(noon(0), 0.5, hour()), 0, time.Minute},
	} {
		if want := (span{noon(c.from), noon(c.to)}); c.got != want {
			t.Errorf("%s: %v, want %v", name, c.got, want)
		}
	}
}

func TestATimeToGoToIsReadAsItIsWritten(t *testing.T) {
	day := span{noon(-13 * time.Hour), noon(13 * time.Hour)}
	for text, want := range map[string]time.Duration{
		"12:00:05": 5 * time.Second, "12:30": 30 * time.Minute, "12:00:00.250": 250 * time.Millisecond,
		"23:30": -12*time.Hour - 30*time.Minute, "00:30": -11*time.Hour - 30*time.Minute,
		"5m": -13*time.Hour + 5*time.Minute, "+2h": -11 * time.Hour, "-1m": 13*time.Hour - time.Minute,
		"2026-03-01 11:59": -time.Minute, "2026-03-02 00:10:00": 12*time.Hour + 10*time.Minute,
	} {
		got, err := moment(text, day, time.UTC)
		if err != nil || !got.Equal(noon(want)) {
			t.Errorf("%q is %v, %v; want %v", text, got, err, noon(want))
		}
	}
	for text, want := range map[string]string{
		"": "not a time", "soon": "not a time", "25:00": "not a time", "-x": "not a time", "27h": "nothing was recorded then",
		"2026-03-01 22:00:00x": "not a time", "2025-03-01 12:00": "it goes from Feb 28 23:00:00 to Mar 2 01:00:00", "\x1b[2J": "not a time",
	} {
		if _, err := moment(text, day, time.UTC); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want that %s", text, err, want)
		}
	}
	short := span{noon(20 * time.Second), noon(50 * time.Second)}
	if got, err := moment("12:00", short, time.UTC); err != nil || !got.Equal(short.from) {
		t.Errorf("the minute in which it began is %v, %v", got, err)
	}
}

func TestCallsStandByHostOrByOperation(t *testing.T) {
	calls := []ledger.Call{{Host: "b", Key: "k"}, {Host: "a"}, {Host: "b"}, {Host: "a", Key: "k"}, {Host: "a", Key: "j"}}
	for _, c := range []struct {
		hosts []string
		by    bool
		want  []row
	}{
		{nil, false, []row{{"a", -1, 3}, {"a", 1, 0}, {"a", 3, 0}, {"a", 4, 0}, {"b", -1, 2}, {"b", 0, 0}, {"b", 2, 0}}},
		{[]string{"b", "c"}, false, []row{{"a", -1, 3}, {"a", 1, 0}, {"a", 3, 0}, {"a", 4, 0}, {"b", -1, 2}, {"b", 0, 0}, {"b", 2, 0}, {"c", -1, 0}}},
		{nil, true, []row{{"k", -1, 2}, {"k", 0, 0}, {"k", 3, 0}, {"j", -1, 1}, {"j", 4, 0}, {"", -1, 2}, {"", 1, 0}, {"", 2, 0}}},
	} {
		if got := arrange(calls, c.hosts, c.by); !reflect.DeepEqual(got, c.want) {
			t.Errorf("by operation %v: %v, want %v", c.by, got, c.want)
		}
	}
}

func TestTheOverviewHasNoMoreStepsThanColumns(t *testing.T) {
	for d := time.Second; d < 400*24*time.Hour; d = d*3/2 + 1 {
		for _, n := range []int{10, 48, 187} {
			step := steps(d, n)
			if int(d/step) > n || step < time.Second || step%time.Second != 0 {
				t.Errorf("%v on %d columns has steps of %v", d, n, step)
			}
		}
	}
}
