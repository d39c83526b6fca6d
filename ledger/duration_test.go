package ledger

import (
	"strings"
	"testing"
	"time"
)

func TestParseDurationReadsGoDurationsAndDays(t *testing.T) {
	const day = 24 * time.Hour
	for s, want := range map[string]time.Duration{
		"0": 0, "0s": 0, "150ms": 150 * time.Millisecond, "2s": 2 * time.Second, "2h30m": 150 * time.Minute, "1.5s": 1500 * time.Millisecond,
		"1µs": time.Microsecond, "14d": 14 * day, "1d12h": 36 * time.Hour, "0d": 0, "65535d": 65535 * day,
	} {
		if got, err := ParseDuration(s); err != nil || got != want {
			t.Errorf("%q: %v, %v, want %v", s, got, err, want)
		}
	}
}

func TestParseDurationRefusesWhatIsNone(t *testing.T) {
	for _, s := range []string{
		"", "5", "s", "d", "-1s", "+1s", "-14d", "1.5d", "14dd", "14d-1h", "1h14d", "14 d", "99999999999h", "65536d", "65535d2000000h", "1y",
		strings.Repeat("9", 5000),
	} {
		if got, err := ParseDuration(s); err == nil {
			t.Errorf("%.20q was read as %v", s, got)
		} else if len(err.Error()) > 200 {
			t.Errorf("%.20q: the error has %d bytes", s, len(err.Error()))
		}
	}
}
