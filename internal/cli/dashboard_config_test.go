package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheDashboardIsAsItIsConfigured(t *testing.T) {
	file := recorded(t, recordShop)
	conf := configure(t, "db = %q\n[keys]\nquit = 'Q'\nfilter = 'f'\n[filters]\n'mine alone' = 'status:5xx'\n", file)
	c := open(t, []string{conf})
	c.waitFor("Q quit")
	c.press("q")
	c.press("f")
	c.waitFor("keep the filter")
	c.waitFor("mine alone")
	c.press("\x1b")
	c.waitFor("Q quit")
	c.press("Q")
	if code := c.wait(); code != 0 {
		t.Errorf("exit code %d; it says:\n%s", code, c.text())
	}
	c.checkLeft()
}

func TestAMistakeInTheConfigurationLeavesNothingBehind(t *testing.T) {
	conf := configure(t, "theme = 'blue'\n")
	file := filepath.Join(t.TempDir(), "new.db")
	for name, args := range map[string][]string{"the dashboard": {"--db", file}, "the demo": {"demo", "--db", file}} {
		c := open(t, []string{conf}, args...)
		c.waitFor("none")
		if code := c.wait(); code != 1 {
			t.Errorf("%s: exit code %d", name, code)
		}
		if said := strings.Join(strings.Fields(c.text()), ""); !strings.Contains(said, `config.toml:1:9:themeis"blue":useauto,dark,lightornone`) {
			t.Errorf("%s says:\n%s", name, c.text())
		}
		if _, err := os.Stat(file); err == nil {
			t.Errorf("%s has made a file", name)
		}
	}
}
