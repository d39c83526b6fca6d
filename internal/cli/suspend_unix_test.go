//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// job starts redial as a job of a shell, which says when it is stopped and continues it
// when a line is typed. It returns the number of the process. What the shell says begins on
// a line of its own: the process may have been stopped in the middle of a row, or of a letter.
func job(t *testing.T, args ...string) (*console, int) {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	number := filepath.Join(t.TempDir(), "pid")
	shell := `set -m
sh -c 'echo $$ >"$0"; exec "$@"' "$@"
printf '\r\n\r\nit is stopped\r\n'; read line; fg >/dev/null; echo "it ended with $?"`
	c := start(t, nil, "sh", append([]string{"-c", shell, "sh", number, path}, args...)...)
	c.waitFor("cut off")
	text, err := os.ReadFile(number)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return c, pid
}

func TestSuspendingGivesTheTerminalBackAndContinuingTakesItAgain(t *testing.T) {
	file := recorded(t, recordShop)
	for name, way := range map[string]struct {
		suspend func(*console, int)
		tidy    bool // it leaves the terminal as it was
	}{
		"ctrl+z":  {func(c *console, _ int) { c.press("\x1a") }, true},
		"SIGTSTP": {func(_ *console, pid int) { _ = syscall.Kill(pid, syscall.SIGTSTP) }, true},
		"SIGSTOP": {func(_ *console, pid int) { _ = syscall.Kill(pid, syscall.SIGSTOP) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			c, pid := job(t, "--db", file)
			way.suspend(c, pid)
			c.waitFor("it is stopped")
			if way.tidy {
				c.checkLeft()
			}
			c.resize(50, 10) // of which a process that is not in the foreground is told nothing
			c.press("\n")
			c.waitFor("50×10")
			c.resize(100, 30)
			c.waitFor("cut off")
			if text := c.text(); strings.Contains(text, "it is stopped") {
				t.Errorf("what others wrote is left on the screen:\n%s", text)
			}
			c.press("?")
			c.waitFor("half a page up")
			c.press("qq")
			c.waitFor("it ended with 0")
			c.wait()
			c.checkLeft()
		})
	}
}

func TestSuspendingWithoutAShellGoesOn(t *testing.T) {
	c := open(t, nil, "--db", recorded(t, recordShop))
	c.waitFor("cut off")
	c.press("\x1a")
	c.press("?")
	c.waitFor("half a page up")
	c.press("\x1a")
	c.waitFor("half a page up")
	c.press("qq")
	if code := c.wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	c.checkLeft()
}
