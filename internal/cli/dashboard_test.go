package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"redial/db"
)

// recorded makes a recording and returns its file.
func recorded(t *testing.T, fill func(*db.DB) error) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "recorded.db")
	if err := withStore(file, fill); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestDashboardMakesItsFileAndGreets(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new", "redial.db")
	c := open(t, []string{"REDIAL_DB=" + file})
	c.waitFor("Nothing is recorded yet")
	c.waitFor(filepath.Base(file))
	c.waitFor(`db.Open("/`) // the service may have no REDIAL_DB
	c.press("q")
	if code := c.wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	c.checkLeft()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	folder, err := os.Stat(filepath.Dir(file))
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 || folder.Mode().Perm() != 0o700 {
		t.Errorf("the file is %v and its folder %v", info.Mode(), folder.Mode())
	}
}

func TestEveryWayOutLeavesTheTerminalAsItWas(t *testing.T) {
	file := recorded(t, recordShop)
	for name, way := range map[string]struct {
		leave func(*console)
		code  int
	}{
		"q":       {func(c *console) { c.press("q") }, 0},
		"ctrl+c":  {func(c *console) { c.press("\x03") }, 0},
		"SIGTERM": {func(c *console) { _ = c.cmd.Process.Signal(syscall.SIGTERM) }, 1},
		"SIGINT":  {func(c *console) { _ = c.cmd.Process.Signal(syscall.SIGINT) }, 1},
		"SIGHUP":  {func(c *console) { _ = c.cmd.Process.Signal(syscall.SIGHUP) }, 1},
		"SIGQUIT": {func(c *console) { _ = c.cmd.Process.Signal(syscall.SIGQUIT) }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			c := open(t, nil, "--db", file)
			c.waitFor("cut off")
			way.leave(c)
			if code := c.wait(); code != way.code {
				t.Errorf("exit code %d, want %d; it says:\n%s", code, way.code, c.text())
			}
			c.checkLeft()
		})
	}
}

func TestDashboardFollowsTheSizeOfTheTerminal(t *testing.T) {
	c := open(t, nil, "--db", recorded(t, recordShop))
	c.waitFor("cut off")
	for _, size := range [][2]int{{60, 16}, {20, 5}, {1, 1}, {200, 60}, {4, 24}, {80, 1}} {
		c.resize(size[0], size[1])
	}
	c.resize(90, 25)
	c.waitFor("cut off")
	c.press("q")
	if code := c.wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	c.checkLeft()
}

// colours finds sequences that select a colour.
var colours = regexp.MustCompile(`\x1b\[(?:[0-9;:]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])[0-9;:]*m`)

func TestNoColorWithAnyValueMeansNoColour(t *testing.T) {
	file := recorded(t, recordShop)
	for _, variant := range []struct {
		environ  []string
		coloured bool
	}{
		{nil, true},
		{[]string{"NO_COLOR="}, true},
		{[]string{"NO_COLOR=1"}, false},
		{[]string{"NO_COLOR=yes"}, false},
		{[]string{"NO_COLOR=0"}, false},
		{[]string{"NO_COLOR=false"}, false},
		{[]string{"NO_COLOR=1", "COLORTERM=truecolor", "CLICOLOR_FORCE=1"}, false},
	} {
		t.Run(strings.Join(variant.environ, " "), func(t *testing.T) {
			shown := open(t, variant.environ, "--db", file)
			shown.waitFor("cut off")
			shown.press("q")
			shown.wait()
			if got := colours.MatchString(shown.written()); got != variant.coloured {
				t.Errorf("the dashboard has colours: %v", got)
			}
			listed := open(t, variant.environ, "calls", "list", "--db", file)
			listed.waitFor("order-8841")
			listed.wait()
			if got := strings.Contains(listed.written(), "\x1b"); got != variant.coloured {
				t.Errorf("the list has styles: %v", got)
			}
		})
	}
}

func TestADumbTerminalGetsOneLineAndPlainLists(t *testing.T) {
	file := recorded(t, recordShop)
	c := open(t, []string{"TERM=dumb"}, "--db", file)
	if code := c.wait(); code != 1 {
		t.Errorf("exit code %d", code)
	}
	c.waitFor("TERM is dumb")
	listed := open(t, []string{"TERM=dumb"}, "calls", "list", "--db", file)
	listed.waitFor("order-8841")
	listed.wait()
	for _, text := range []string{c.written(), listed.written()} {
		if strings.Contains(text, "\x1b") {
			t.Errorf("an escape sequence reaches a terminal that knows none: %q", text)
		}
	}
}
