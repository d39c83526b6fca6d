package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// patience is how long a screen is waited for.
const patience = 2 * time.Minute

// terminal is the real binary on a pseudo terminal, whose screen can be asked.
type terminal struct {
	command *exec.Cmd
	pty     *os.File
	started time.Time

	mu      sync.Mutex // guards the rest
	emu     *vt.Emulator
	written int64     // bytes
	at      time.Time // when the last of them came
	closed  bool
	changed chan struct{}
}

// start starts the dashboard.
func start(ctx context.Context, width, height int, binary string, args ...string) (*terminal, error) {
	t := &terminal{emu: vt.NewEmulator(width, height), changed: make(chan struct{}, 1)}
	t.command = exec.CommandContext(ctx, binary, args...)
	t.command.Env = append(os.Environ(), "TERM=xterm-256color", "COLORTERM=truecolor", "NO_COLOR=", "TZ=UTC")
	t.started = time.Now()
	var err error
	if t.pty, err = pty.StartWithSize(t.command, &pty.Winsize{Rows: uint16(height), Cols: uint16(width)}); err != nil {
		return nil, fmt.Errorf("start the dashboard: %w", err)
	}
	go io.Copy(t.pty, t.emu) // the answers to the program's questions go back to it
	go t.read()
	return t, nil
}

// read mirrors what the program writes.
func (t *terminal) read() {
	buf := make([]byte, 1<<16)
	for {
		n, err := t.pty.Read(buf)
		now := time.Now()
		t.mu.Lock()
		if n > 0 {
			t.emu.Write(buf[:n])
			t.written += int64(n)
			t.at = now
		}
		t.closed = err != nil
		t.mu.Unlock()
		select {
		case t.changed <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// screen returns what is on the screen, and when it came there.
func (t *terminal) screen() (text string, at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.emu.String(), t.at
}

// bytes returns how many bytes were written so far.
func (t *terminal) bytes() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.written
}

// until waits until the screen is as it should be, and returns how long after since it was.
func (t *terminal) until(since time.Time, what string, is func(screen string) bool) (time.Duration, error) {
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for {
		text, at := t.screen()
		if is(text) {
			return max(at.Sub(since), 0), nil
		}
		t.mu.Lock()
		closed := t.closed
		t.mu.Unlock()
		if closed {
			return 0, fmt.Errorf("the dashboard ended while %s was waited for:\n%s", what, text)
		}
		select {
		case <-t.changed:
		case <-deadline.C:
			return 0, fmt.Errorf("%s did not come:\n%s", what, text)
		}
	}
}

// press types keys and waits until the screen is as it should be.
func (t *terminal) press(keys, what string, is func(screen string) bool) (time.Duration, error) {
	since := time.Now()
	if _, err := io.WriteString(t.pty, keys); err != nil {
		return 0, fmt.Errorf("press %q: %w", keys, err)
	}
	return t.until(since, what, is)
}

// quiet waits until nothing has been written for a while.
func (t *terminal) quiet(long time.Duration) {
	for n := t.bytes(); ; {
		time.Sleep(long)
		m := t.bytes()
		if m == n {
			return
		}
		n = m
	}
}

// end leaves the dashboard.
func (t *terminal) end() {
	io.WriteString(t.pty, "\x03")
	done := make(chan struct{})
	go func() {
		t.command.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		t.command.Process.Kill()
		<-done
	}
	t.pty.Close()
	t.emu.Close()
}

// shows returns the condition that all these texts are on the screen.
func shows(texts ...string) func(string) bool {
	return func(screen string) bool {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	}
}
