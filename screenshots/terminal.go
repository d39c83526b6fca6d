package main

import (
	"context"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

const (
	quiet    = 100 * time.Millisecond // A screen that did not change for this long is at rest.
	patience = 30 * time.Second       // How long to wait for a text, or for rest.
	liveRest = time.Second            // How long to wait for the rest of a screen that may have none.
)

// terminal is a program that runs on a pseudo terminal, and the emulator that shows what it
// wrote. The pseudo terminal maps line feeds as the program asks for, as a real one does.
type terminal struct {
	cmd     *exec.Cmd
	tty     *os.File
	wait    sync.WaitGroup
	changed chan struct{} // Holds one token when the screen changed or the program ended.
	// patience is how long to wait for a text, or for rest.
	patience time.Duration

	mu     sync.Mutex
	screen *vt.Emulator
	last   time.Time // When the program last wrote.
	ended  bool      // The program closed its terminal.
	// inFrame is set while the screen shows a part of a frame, which may last on a busy
	// machine: a pseudo terminal takes only some kilobytes at once.
	inFrame bool
}

// startTerminal starts cmd on a terminal of the shot's size, whose colours are the theme's
// before the program's first question.
func startTerminal(cmd *exec.Cmd, shot shot) (*terminal, error) {
	screen := vt.NewEmulator(shot.cols, shot.rows)
	colours := themePalette(shot.theme)
	screen.SetDefaultBackgroundColor(colours.background)
	screen.SetDefaultForegroundColor(colours.foreground)
	// A mode that was once reset is one that the emulator says it knows. Of the first, the
	// program's frames arrive in brackets; of the second, it measures characters as we do.
	for _, mode := range []ansi.Mode{ansi.ModeSynchronizedOutput, ansi.ModeUnicodeCore} {
		if _, err := screen.WriteString(ansi.ResetMode(mode)); err != nil {
			return nil, fmt.Errorf("prepare terminal: %w", err)
		}
	}
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(shot.rows), Cols: uint16(shot.cols)})
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	t := &terminal{cmd: cmd, tty: tty, screen: screen, last: time.Now(), changed: make(chan struct{}, 1), patience: patience}
	screen.SetCallbacks(vt.Callbacks{
		EnableMode:  func(mode ansi.Mode) { t.inFrame = t.inFrame || mode == ansi.ModeSynchronizedOutput },
		DisableMode: func(mode ansi.Mode) { t.inFrame = t.inFrame && mode != ansi.ModeSynchronizedOutput },
	})
	t.wait.Go(t.show)
	t.wait.Go(t.answer)
	return t, nil
}

// show writes the program's output into the emulator until the program ends.
func (t *terminal) show() {
	buf := make([]byte, 32<<10)
	for {
		n, err := t.tty.Read(buf)
		t.mu.Lock()
		t.screen.Write(buf[:n])
		t.last = time.Now()
		t.ended = err != nil
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

// answer brings the emulator's answers to the program's questions, for example which
// background it has. The emulator does not go on before they are read, hence a goroutine.
func (t *terminal) answer() {
	buf := make([]byte, 1<<10)
	for {
		n, err := t.screen.Read(buf)
		if err != nil {
			return
		}
		// An answer to a program that ended has no reader.
		_, _ = t.tty.Write(buf[:n])
	}
}

// take presses the keys of a step and waits for what comes of them.
func (t *terminal) take(ctx context.Context, s step, live bool) error {
	for _, key := range strings.Fields(s.keys) {
		if err := t.press(key); err != nil {
			return err
		}
	}
	return t.settle(ctx, s.until, live)
}

// press sends a key, or types a word.
func (t *terminal) press(key string) error {
	if _, err := io.WriteString(t.tty, keyBytes(key)); err != nil {
		return fmt.Errorf("press %s: %w", key, err)
	}
	// The answer to a key may take a moment; until then the screen counts as moving.
	t.mu.Lock()
	t.last = time.Now()
	t.mu.Unlock()
	return nil
}

// settle waits until the text is on the screen, or anything at all where the text is "", and
// the screen is at rest. A live screen is taken as it is if it does not come to rest soon.
func (t *terminal) settle(ctx context.Context, text string, live bool) error {
	start := time.Now()
	for {
		m := t.moment(text)
		m.live, m.waited = live, time.Since(start)
		if done, problem := m.judge(); problem != "" {
			if text == "" {
				text = "anything"
			}
			return fmt.Errorf("%q %s; the screen is:\n%s", text, problem, t.text())
		} else if done {
			return nil
		}
		timer := time.NewTimer(quiet / 4)
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-t.changed:
			timer.Stop()
		case <-timer.C:
		}
	}
}

// moment looks for the text on the screen.
func (t *terminal) moment(text string) moment {
	t.mu.Lock()
	defer t.mu.Unlock()
	shown := t.screen.String()
	return moment{
		found:    strings.Contains(shown, text) && strings.TrimSpace(shown) != "",
		ended:    t.ended,
		inFrame:  t.inFrame,
		resting:  time.Since(t.last),
		patience: t.patience,
	}
}

// moment is what there is to know of a screen that is waited for.
type moment struct {
	found    bool          // The text is there.
	ended    bool          // The program has closed the terminal.
	inFrame  bool          // The program is in the middle of a frame.
	live     bool          // The screen may never rest.
	resting  time.Duration // How long the screen has not changed.
	waited   time.Duration
	patience time.Duration
}

// judge reports whether the wait is over, or why it is in vain.
func (m moment) judge() (done bool, problem string) {
	switch {
	case m.found && m.ended:
		return true, ""
	case m.found && !m.inFrame && m.resting >= quiet:
		return true, ""
	case m.found && !m.inFrame && m.live && m.waited >= liveRest:
		return true, ""
	case m.ended:
		return false, "was not on the screen when the program ended"
	case m.waited >= m.patience && !m.found:
		return false, fmt.Sprintf("did not appear within %v", m.patience)
	case m.waited >= m.patience:
		return false, fmt.Sprintf("is there, but the screen did not come to rest within %v", m.patience)
	}
	return false, ""
}

// text returns the screen without its colours, for messages.
func (t *terminal) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.screen.String()
}

// grid is what a terminal shows at one moment.
type grid struct {
	cols, rows int
	cells      []uv.Cell // Row by row. A wide character's second cell has the width 0.
	cursor     image.Point
	showCursor bool
}

// at returns the cell in a column and a row.
func (g grid) at(x, y int) uv.Cell {
	return g.cells[y*g.cols+x]
}

// grid copies the screen.
func (t *terminal) grid() grid {
	t.mu.Lock()
	defer t.mu.Unlock()
	g := grid{cols: t.screen.Width(), rows: t.screen.Height(), showCursor: !t.screen.CursorHidden()}
	position := t.screen.CursorPosition()
	g.cursor = image.Pt(position.X, position.Y)
	for y := range g.rows {
		for x := range g.cols {
			cell := t.screen.CellAt(x, y)
			if cell == nil {
				cell = &uv.EmptyCell
			}
			g.cells = append(g.cells, *cell)
		}
	}
	return g
}

// close ends the program and everything that was started for it. The program works on a copy
// of its data, so nothing is lost by not asking it.
func (t *terminal) close() {
	_ = t.cmd.Process.Kill()
	_ = t.cmd.Wait()
	_ = t.tty.Close()
	// The emulator's own Close races with its Read; closing the pipe between them does not.
	if pipe, ok := t.screen.InputPipe().(io.Closer); ok {
		_ = pipe.Close()
	}
	t.wait.Wait()
}
