package cli_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// patience is how long a test waits for what must come. It only ends a test that fails.
const patience = 60 * time.Second

// program builds the real program, once for all tests.
var program = sync.OnceValues(func() (string, error) {
	path := filepath.Join(os.Getenv(buildFolder), "redial")
	out, err := exec.Command("go", "build", "-o", path, "redial").CombinedOutput()
	if err != nil {
		return "", errors.New(string(out))
	}
	return path, nil
})

// console is the real program on a pseudo terminal, and what a person would see there.
type console struct {
	t         *testing.T
	cmd       *exec.Cmd
	near, far *os.File    // of the pseudo terminal; the program has the far end
	before    *term.State // of the terminal, when the program started
	exited    chan error
	drawing   sync.WaitGroup

	mu     sync.Mutex
	screen *vt.Emulator
	raw    bytes.Buffer // every byte that the program wrote
}

// open starts redial on a terminal of 100×30. Environ is added to a clean environment.
func open(t *testing.T, environ []string, args ...string) *console {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return start(t, environ, path, args...)
}

// start starts any program as open starts redial.
func start(t *testing.T, environ []string, path string, args ...string) *console {
	t.Helper()
	return startAs(t, controllingTerminal(), environ, path, args...)
}

// startAs is start with what the process is to be.
func startAs(t *testing.T, as *syscall.SysProcAttr, environ []string, path string, args ...string) *console {
	t.Helper()
	near, far, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	c := &console{t: t, near: near, far: far, screen: vt.NewEmulator(100, 30), exited: make(chan error, 1)}
	c.resize(100, 30)
	if c.before, err = term.GetState(far.Fd()); err != nil {
		t.Fatal(err)
	}
	c.cmd = exec.Command(path, args...)
	c.cmd.Env = append([]string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH"), "TZ=UTC", "TERM=xterm-256color"}, environ...)
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = far, far, far
	c.cmd.SysProcAttr = as
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { c.exited <- c.cmd.Wait() }()
	c.drawing.Go(c.draw)
	c.drawing.Go(c.answer)
	t.Cleanup(c.close)
	return c
}

// draw brings what the program writes to the screen.
func (c *console) draw() {
	buf := make([]byte, 32<<10)
	for {
		n, err := c.near.Read(buf)
		c.mu.Lock()
		c.raw.Write(buf[:n])
		c.put(buf[:n])
		c.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// put writes to the screen. A program that has not heard yet that the terminal has shrunk may
// scroll a region that is not there any more, which a terminal leaves alone and this one
// panics at; what comes after it draws everything anew.
func (c *console) put(text []byte) {
	defer func() { _ = recover() }()
	_, _ = c.screen.Write(text)
}

// answer brings the screen's answers to the program's questions.
func (c *console) answer() {
	buf := make([]byte, 1<<10)
	for {
		n, err := c.screen.Read(buf)
		if err != nil {
			return
		}
		_, _ = c.near.Write(buf[:n])
	}
}

func (c *console) close() {
	_ = c.cmd.Process.Kill()
	_ = c.far.Close()
	_ = c.near.Close()
	if pipe, ok := c.screen.InputPipe().(io.Closer); ok {
		_ = pipe.Close()
	}
	c.drawing.Wait()
}

// text returns what is on the screen.
func (c *console) text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.screen.String()
}

// written returns every byte that the program wrote so far.
func (c *console) written() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.raw.String()
}

// waitFor waits until the text is on the screen.
func (c *console) waitFor(text string) {
	c.t.Helper()
	c.until("does not show "+text, func() bool { return strings.Contains(c.text(), text) })
}

func (c *console) until(trouble string, done func() bool) {
	c.t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for end := time.After(patience); !done(); {
		select {
		case <-tick.C:
		case <-end:
			c.t.Fatalf("the screen %s:\n%s", trouble, c.text())
		}
	}
}

func (c *console) press(keys string) {
	c.t.Helper()
	if _, err := io.WriteString(c.near, keys); err != nil {
		c.t.Fatal(err)
	}
}

func (c *console) resize(width, height int) {
	c.t.Helper()
	c.mu.Lock()
	c.screen.Resize(width, height)
	c.mu.Unlock()
	if err := pty.Setsize(c.near, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}); err != nil {
		c.t.Fatal(err)
	}
}

// wait waits for the end of the program and returns its exit code.
func (c *console) wait() int {
	c.t.Helper()
	select {
	case err := <-c.exited:
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			c.t.Fatal(err)
		}
	case <-time.After(patience):
		c.t.Fatalf("the program does not end:\n%s", c.text())
	}
	return c.cmd.ProcessState.ExitCode()
}

// checkLeft checks that the terminal is as it was before the program: its settings, the
// main screen, a cursor, and every mode that was switched on switched off again.
func (c *console) checkLeft() {
	c.t.Helper()
	after, err := term.GetState(c.far.Fd())
	if err != nil {
		c.t.Fatal(err)
	}
	if !reflect.DeepEqual(after, c.before) {
		c.t.Errorf("the terminal's settings are %+v, and were %+v", after, c.before)
	}
	c.until("is left in another mode", func() bool { return len(c.modesLeft()) == 0 })
}

// modesLeft returns the modes that are not as they were before, as far as the output has
// arrived: a cursor is shown, lines wrap at the edge, and all others are off.
func (c *console) modesLeft() (left []string) {
	const wraps, cursor = "7", "25"
	on := map[string]bool{wraps: true, cursor: true}
	for _, m := range regexp.MustCompile(`\x1b\[\?([0-9;]+)([hl])`).FindAllStringSubmatch(c.written(), -1) {
		for mode := range strings.SplitSeq(m[1], ";") {
			on[mode] = m[2] == "h"
		}
	}
	for mode, isOn := range on {
		if isOn != (mode == wraps || mode == cursor) {
			left = append(left, mode)
		}
	}
	return left
}
