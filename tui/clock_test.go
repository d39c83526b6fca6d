package tui

import (
	"fmt"
	"testing"
	"time"
)

// The clock of the machine that recorded, or of the one that looks, may be wrong by years.
func TestAClockThatIsFarOffHarmsNothing(t *testing.T) {
	for _, at := range []time.Time{
		{}, time.Unix(0, 0), storyNow().Add(-24 * time.Hour), storyNow().Add(-2 * time.Second), storyNow().Add(time.Hour),
		storyNow().AddDate(1, 0, 0), storyNow().AddDate(400, 0, 0), time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC),
	} {
		t.Run(fmt.Sprint(at.Year(), " ", at.Unix()), func(t *testing.T) {
			for name, keys := range places() {
				began := time.Now()
				o := Options{Theme: "dark", Now: func() time.Time { return at.Add(time.Since(began)) }}
				onEverything(t, everything(), o, 110, 32, func(d *dash) {
					began = time.Now()
					d.begins(keys)
					harmless(d.t, d.frame(), nil, 110, 32)
					d.pass(3 * time.Second)
					d.press("j", "n", "G", "enter")
					harmless(d.t, d.frame(), nil, 110, 32)
					if d.t.Failed() {
						d.t.Fatalf("%s is\n%s", name, d.text())
					}
				})
			}
		})
	}
}
