package theme

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
)

func TestAThemeHasNoMoreColoursThanTheTerminal(t *testing.T) {
	for _, c := range []struct {
		name    string
		profile colorprofile.Profile
		want    string // name of the theme
		has     string // what the sequence of an error has
	}{
		{"dark", colorprofile.TrueColor, "dark", "38;2;"},
		{"light", colorprofile.TrueColor, "light", "38;2;"},
		{"dark", colorprofile.Unknown, "dark", "38;2;"},
		{"dark", colorprofile.ANSI, "dark", "91"},
		{"light", colorprofile.ANSI, "light", "31"},
		{"dark", colorprofile.ASCII, "none", "\x1b[1m"},
		{"light", colorprofile.NoTTY, "none", "\x1b[1m"},
		{"none", colorprofile.TrueColor, "none", "\x1b[1m"},
	} {
		th := New(c.name, c.profile)
		if th.Name != c.want || !strings.Contains(th.Bad.On(false), c.has) {
			t.Errorf("%s on %v is %s with errors as %q", c.name, c.profile, th.Name, th.Bad.On(false))
		}
		if th.Text.On(true) == th.Text.On(false) {
			t.Errorf("%s on %v does not tell the selected row from others", c.name, c.profile)
		}
	}
}

func TestTheThemesGoRound(t *testing.T) {
	name := "dark"
	for _, want := range []string{"light", "none", "dark"} {
		if name = Next(name); name != want {
			t.Errorf("%s comes, want %s", name, want)
		}
	}
	if Next("pink") != "dark" || Known("pink") || !Known("none") {
		t.Error("a theme that is not there is known")
	}
}
