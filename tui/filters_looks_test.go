package tui

import (
	"fmt"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
)

func TestWhatIsOfferedLooksAsItDidAtThreeSizesInThreeThemes(t *testing.T) {
	for name, do := range map[string]func(*dash){
		"filters":  func(d *dash) { d.press("/", "down", "down") },
		"values":   func(d *dash) { d.press("/"); d.write("outcome:"); d.press("tab") },
		"wrong":    func(d *dash) { d.press("/"); d.write("(status:5xx stat") },
		"commands": func(d *dash) { d.press(":"); d.write("at") },
		"search":   func(d *dash) { d.press("?", "/"); d.write("sent") },
	} {
		for _, size := range sizes() {
			for _, theme := range []string{"dark", "light", "none"} {
				t.Run(fmt.Sprintf("%s/%dx%d/%s", name, size[0], size[1], theme), func(t *testing.T) {
					onDashWith(t, story(), Options{Theme: theme, Now: still}, size[0], size[1], func(d *dash) {
						do(d)
						golden.RequireEqual(d.t, d.frame())
					})
				})
			}
		}
	}
}
