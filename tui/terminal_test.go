package tui

import (
	"bytes"
	"context"
	"image/color"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
)

// terminal is an emulated terminal with the dashboard on it.
type terminal struct {
	t    *testing.T
	mu   sync.Mutex
	emu  *vt.Emulator
	raw  bytes.Buffer // all that was written to it
	keys io.Writer    // what is typed
	done chan error   // how Run ended
}

// patience is how long something may take on a busy machine.
const patience = 20 * time.Second

// onTerminal starts the dashboard on a terminal of 110×32.
func onTerminal(t *testing.T, store Store, o Options, background color.Color) *terminal {
	t.Helper()
	term := &terminal{t: t, emu: vt.NewEmulator(110, 32), done: make(chan error, 1)}
	term.emu.SetDefaultBackgroundColor(background)
	in, keys := io.Pipe()
	term.keys = keys
	go term.answer()
	o.Input, o.Output, o.Width, o.Height = in, term, 110, 32
	o.Zone = storyZone()
	if o.Environ == nil {
		o.Environ = []string{"TTY_FORCE=1", "TERM=xterm-256color", "COLORTERM=truecolor"}
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() { term.done <- Run(ctx, store, o) }()
	t.Cleanup(func() {
		cancel()
		_ = in.Close()
		term.hangUp()
	})
	return term
}

// answer types what the terminal answers to questions. It reads on when nobody listens
// any more, since the emulator would wait for it.
func (term *terminal) answer() {
	answers := make(chan string, 1000)
	go func() {
		for a := range answers {
			_, _ = io.WriteString(term.keys, a)
		}
	}()
	defer close(answers)
	buf := make([]byte, 4096)
	for {
		n, err := term.emu.Read(buf)
		if err != nil {
			return
		}
		answers <- string(buf[:n])
	}
}

// hangUp ends what the terminal answers. The emulator's own Close would race with it.
func (term *terminal) hangUp() {
	if c, ok := term.emu.InputPipe().(io.Closer); ok {
		_ = c.Close()
	}
}

// Write takes what the program writes to something that is no tty, where it relies on
// LF being mapped.
func (term *terminal) Write(p []byte) (int, error) {
	_, err := term.mirror(bytes.ReplaceAll(bytes.ReplaceAll(p, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n")))
	return len(p), err
}

// mirror shows bytes as they are.
func (term *terminal) mirror(p []byte) (int, error) {
	term.mu.Lock()
	defer term.mu.Unlock()
	term.raw.Write(p)
	return term.emu.Write(p)
}

// text returns what is on the screen.
func (term *terminal) text() string {
	term.mu.Lock()
	defer term.mu.Unlock()
	return term.emu.String()
}

// written returns how many bytes were written, and those from an offset on.
func (term *terminal) written(from int) (int, string) {
	term.mu.Lock()
	defer term.mu.Unlock()
	return term.raw.Len(), string(term.raw.Bytes()[from:])
}

// until waits until a condition holds.
func (term *terminal) until(what string, ok func() bool) {
	term.t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-deadline.C:
			term.t.Fatalf("%s did not come:\n%s", what, term.text())
		case <-tick.C:
		}
	}
}

// shows waits until a text is on the screen.
func (term *terminal) shows(text string) {
	term.t.Helper()
	term.until(text, func() bool { return strings.Contains(term.text(), text) })
}

// types sends bytes as a keyboard or a mouse would.
func (term *terminal) types(s string) {
	term.t.Helper()
	if _, err := io.WriteString(term.keys, s); err != nil {
		term.t.Fatal(err)
	}
}

// ends waits for the end of Run.
func (term *terminal) ends() error {
	term.t.Helper()
	select {
	case err := <-term.done:
		return err
	case <-time.After(patience):
		term.t.Fatal("the dashboard does not end")
		return nil
	}
}

// restored fails the test unless the terminal is as it was.
func (term *terminal) restored() {
	term.t.Helper()
	term.mu.Lock()
	defer term.mu.Unlock()
	if term.emu.IsAltScreen() {
		term.t.Error("the alternate screen is still there")
	}
	if term.emu.CursorHidden() {
		term.t.Error("the cursor is still hidden")
	}
	all := term.raw.String()
	for on, off := range map[string]string{"\x1b[?1002h": "\x1b[?1002l", "\x1b[?1006h": "\x1b[?1006l", "\x1b[?2004h": "\x1b[?2004l"} {
		if strings.LastIndex(all, on) > strings.LastIndex(all, off) {
			term.t.Errorf("mode %q is still on", on)
		}
	}
}
