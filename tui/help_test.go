package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
)

func TestTheFiltersInHelpAreOnesThatTheScreenTakes(t *testing.T) {
	for key, parse := range map[string]func(string) (ledger.Filter, error){"1": ledger.ParseCallFilter, "3": ledger.ParseOperationFilter, "4": ledger.ParseCallFilter} {
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

func TestTheHelpIsSearched(t *testing.T) {
	onDash(t, story(), 110, 32, func(d *dash) {
		d.press("?", "/")
		d.write("TROUBLE")
		d.shows("Help · trouble", "next trouble", "previous trouble", "/ TROUBLE")
		d.hides("wide columns", "Marks")
		d.press("enter")
		d.shows("next trouble")
		d.hides("wide columns", "/ TROUBLE")
		d.press("esc")
		d.shows("wide columns", "Marks", "next trouble")
		d.press("/")
		d.write("nowhere")
		d.shows("nothing in the help has that in it")
		d.press("esc")
		d.shows("Marks")
		d.press("esc")
		d.hides("Everywhere")
	})
}

func TestWhatIsPastedIntoTheSearchOfTheHelpIsText(t *testing.T) {
	onDash(t, story(), 60, 16, func(d *dash) {
		d.press("?", "/")
		d.send(tea.PasteMsg{Content: "q\n\x1b[31mcopy"})
		d.shows("Help · ")
		if d.quit {
			t.Error("pasted text ended the dashboard")
		}
		d.press("esc", "esc", "esc")
		d.shows("12:04:3")
	})
}

func TestAGroupIsFoundByItsTitle(t *testing.T) {
	onDash(t, story(), 110, 32, func(d *dash) {
		d.press("?", "/")
		d.write("everywhere")
		d.shows("Everywhere", "theme", "commands")
		d.hides("next trouble")
	})
}
