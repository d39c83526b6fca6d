package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"redial/tui/draw"
)

func TestDurationsSayEnoughInFewCharacters(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                              "0s",
		-time.Hour:                     "0s",
		999:                            "999ns",
		420 * time.Microsecond:         "420µs",
		84 * time.Millisecond:          "84ms",
		2670 * time.Microsecond:        "3ms",
		999_999_999:                    "1.00s",
		time.Second:                    "1.00s",
		4129 * time.Millisecond:        "4.13s",
		9_999_999_999:                  "10.0s",
		14_190 * time.Millisecond:      "14.2s",
		59_999 * time.Millisecond:      "1m 00s",
		time.Minute + 5*time.Second:    "1m 05s",
		6*time.Hour + 12*time.Minute:   "6h 12m",
		14*day + 3*time.Hour:           "14d 03h",
		time.Hour - time.Nanosecond:    "1h 00m",
		24*time.Hour - time.Nanosecond: "1d 00h",
	} {
		got := took(d)
		if got != want {
			t.Errorf("%d ns are %q, want %q", d, got, want)
		}
		if d >= time.Microsecond && d < time.Minute && got != "1m 00s" && got != draw.Took(d) {
			t.Errorf("%d ns are %q, and %q on the dashboard", d, got, draw.Took(d))
		}
	}
}

func TestDurationFlagsTakeGoDurationsAndDays(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"500ms": 500 * time.Millisecond, "10s": 10 * time.Second, "1h30m": 90 * time.Minute,
		"14d": 14 * day, "1d12h": 36 * time.Hour, "0d1s": time.Second, "1.5h": 90 * time.Minute,
	} {
		if got, err := parseDuration(text); err != nil || got != want {
			t.Errorf("%q is %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "d", "-1d", "1.5d", "10", "0", "0s", "0d", "-3s", "d5s", "1d-25h", "1d1d", "2w", "99999d", "9999999h", " 1s"} {
		if got, err := parseDuration(text); err == nil {
			t.Errorf("%q is taken for %v", text, got)
		}
	}
}

func TestTimesAreLocalWithTheirOffset(t *testing.T) {
	a := &app{zone: time.FixedZone("", 5*3600+1800)}
	at := time.Date(2026, 11, 29, 19, 30, 0, 250_000_000, time.UTC)
	if got := a.moment(at); got != "2026-11-30 01:00:00.250 +05:30" {
		t.Errorf("it is %s", got)
	}
}

// columnsOf writes a table of two columns and returns its lines.
func columnsOf(t *testing.T, keys ...string) []string {
	t.Helper()
	var out bytes.Buffer
	o := newOutput(&out, nil)
	table := o.table(column{"KEY", false}, column{"TOOK", true}, column{"URL", false})
	for _, k := range keys {
		if err := table.add(cell{text: k}, cell{text: "84ms"}, cell{text: "|"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := table.end(); err != nil {
		t.Fatal(err)
	}
	if err := o.Flush(); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

func TestColumnsStayStraight(t *testing.T) {
	keys := []string{"order-1", "注文-八八四一", "e\u0301te\u0301", "👩‍👩‍👧", "a\tb\rc", "\x1b[31mred", "", "ﾉ｀Д´ ノ", "x\xffy"}
	lines := columnsOf(t, keys...)
	if len(lines) != len(keys)+1 {
		t.Fatalf("%d lines for %d rows", len(lines), len(keys))
	}
	want := ansi.StringWidth(lines[1])
	for _, line := range lines[1:] {
		if got := ansi.StringWidth(line); got != want || !strings.HasSuffix(line, "  84ms  |") {
			t.Errorf("%q is %d wide, want %d", line, got, want)
		}
	}
}

func TestOneLongCellDoesNotWidenTheTable(t *testing.T) {
	lines := columnsOf(t, "short", strings.Repeat("k", 500))
	if got := ansi.StringWidth(lines[1]); got > widestColumn+20 {
		t.Errorf("the row of a short key is %d wide", got)
	}
	if !strings.Contains(lines[2], strings.Repeat("k", 500)) {
		t.Error("the long key is cut")
	}
}

func TestRowsBeyondTheSampleAreAlignedAsFarAsTheyFit(t *testing.T) {
	keys := make([]string, sampleRows+2)
	for i := range keys {
		keys[i] = "order-1"
	}
	keys[sampleRows] = "order-1000000"
	lines := columnsOf(t, keys...)
	if last := len(lines) - 1; lines[last] != lines[1] || !strings.Contains(lines[last-1], "order-1000000") {
		t.Errorf("%q and %q", lines[1], lines[last-1:])
	}
}

func TestAPathCanBePastedIntoAShell(t *testing.T) {
	for path, want := range map[string]string{
		"/tmp/redial-demo-1/demo.db": "/tmp/redial-demo-1/demo.db",
		"/tmp/my files/a.db":         "'/tmp/my files/a.db'",
		"it's $HOME":                 `'it'\''s $HOME'`,
		"~/a":                        "'~/a'",
		"":                           "''",
	} {
		if got := quote(path); got != want {
			t.Errorf("%q is quoted as %s, want %s", path, got, want)
		}
	}
}
