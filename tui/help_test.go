package tui

import (
	"testing"

	"redial/ledger"
)

func TestTheFiltersInHelpAreOnesThatTheScreenTakes(t *testing.T) {
	for key, parse := range map[string]func(string) (ledger.Filter, error){"1": ledger.ParseCallFilter, "3": ledger.ParseFilter, "4": ledger.ParseCallFilter} {
		onDash(t, pendingStory(), 110, 32, func(d *dash) {
			d.press(key)
			for _, text := range d.model.examples() {
				if _, err := parse(text); err != nil {
					t.Errorf("screen %s: %q: %v", key, text, err)
				}
			}
		})
	}
}
