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
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

const (
	quiet    = 100 * time.Millisecond // A screen that did not change for this long is at rest.
	patience = 20 * time.Second       // How long to wait for a text, or for rest.
	liveRest = time.Second            // How long to wait for the rest of a screen that may have none.
)

// terminal is a program that runs on a pseudo terminal, and the emulator that shows what it
// wrote. The pseudo terminal maps line feeds as the program asks for, as a real one does.
type terminal struct {
	cmd     *exec.Cmd
	tty     *os.File
	wait    sync.WaitGroup
	changed chan struct{} // Holds one token when the screen changed or the program ended.

	mu     sync.Mutex
	screen *vt.Emulator
	last   time.Time // When the program last wrote.
	ended  bool      // The program closed its terminal.
}

// startTerminal starts cmd on a terminal of the shot's size, whose colours are the theme's
// before the program's first question.
func startTerminal(cmd *exec.Cmd, shot shot) (*terminal, error) {
	screen := vt.NewEmulator(shot.cols, shot.rows)
	colours := themePalette(shot.theme)
	screen.SetDefaultBackgroundColor(colours.background)
	screen.SetDefaultForegroundColor(colours.foreground)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(shot.rows), Cols: uint16(shot.cols)})
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	t := &terminal{cmd: cmd, tty: tty, screen: screen, last: time.Now(), changed: make(chan struct{}, 1)}
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

// press sends a key, or types a text. The empty string presses nothing.
func (t *terminal) press(keys string) error {
	if keys == "" {
		return nil
	}
	if _, err := io.WriteString(t.tty, keyBytes(keys)); err != nil {
		return fmt.Errorf("press %s: %w", keys, err)
	}
	// The answer to a key may take a moment; until then the screen counts as moving.
	t.mu.Lock()
	t.last = time.Now()
	t.mu.Unlock()
	return nil
}

// settle waits until the text is on the screen and the screen is at rest. A live screen is
// taken as it is if it does not come to rest soon.
func (t *terminal) settle(ctx context.Context, text string, live bool) error {
	start := time.Now()
	for {
		found, since, ended := t.state(text)
		waited := time.Since(start)
		switch {
		case found && (ended || since >= quiet):
			return nil
		case found && live && waited >= liveRest:
			return nil
		case ended:
			return fmt.Errorf("the program ended before %q was on its screen, which was:\n%s", text, t.text())
		case waited >= patience && !found:
			return fmt.Errorf("%q did not appear within %v; the screen is:\n%s", text, patience, t.text())
		case waited >= patience:
			return fmt.Errorf("the screen did not come to rest within %v; it is:\n%s", patience, t.text())
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

// state reports whether the text is on the screen, for how long the screen has not changed,
// and whether the program has ended.
func (t *terminal) state(text string) (found bool, since time.Duration, ended bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Contains(t.screen.String(), text), time.Since(t.last), t.ended
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
