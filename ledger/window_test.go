package ledger_test

import (
	"testing"
	"time"

	"redial/ledger"
)

// A window is full when whoever comes now would have to wait.
func TestFullWindow(t *testing.T) {
	now := time.Date(2026, time.November, 30, 14, 5, 0, 0, time.UTC)
	soon, past := now.Add(time.Second), now.Add(-time.Second)
	for name, c := range map[string]struct {
		window ledger.Window
		want   bool
	}{
		"room":                     {ledger.Window{Limit: 3, Used: 2, Opens: soon}, false},
		"no room":                  {ledger.Window{Limit: 3, Used: 3, Opens: soon}, true},
		"over":                     {ledger.Window{Limit: 3, Used: 3, Opens: past}, false},
		"somebody waits":           {ledger.Window{Limit: 3, Used: 1, Opens: soon, Waiting: 1}, true},
		"paused":                   {ledger.Window{Paused: soon}, true},
		"was paused":               {ledger.Window{Paused: past}, false},
		"sliding, room":            {ledger.Window{Kind: ledger.SlidingWindow, Limit: 3, Used: 2, Opens: soon}, false},
		"cell rate, burst used up": {ledger.Window{Kind: ledger.GCRAWindow, Limit: 10, Used: 2, Opens: soon}, true},
		"cell rate, one left":      {ledger.Window{Kind: ledger.GCRAWindow, Limit: 10, Used: 2, Opens: past}, false},
	} {
		if got := c.window.Full(now); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
