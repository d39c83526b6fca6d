package tui

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	xterm "github.com/charmbracelet/x/term"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// childMode is the variable that makes this binary show the dashboard on its terminal.
const childMode = "REDIAL_TUI_CHILD"

func TestMain(m *testing.M) {
	if mode := os.Getenv(childMode); mode != "" {
		os.Exit(child(mode))
	}
	os.Exit(m.Run())
}

// child is a process with the dashboard, which crashes where mode says.
func child(mode string) int {
	o := Options{Zone: storyZone()}
	began := time.Now()
	o.Now = func() time.Time { return storyNow().Add(time.Since(began)) }
	err := o.complete()
	if err == nil {
		ctx, cancel := context.WithCancelCause(context.Background())
		defer cancel(nil)
		m := newModel(ctx, story(), o)
		g := &guard{model: m, cancel: cancel}
		for i := range m.tabs {
			if t := &m.tabs[i]; t.name == "Windows" {
				t.screen = &crashing{screen: t.screen, where: mode, guard: g}
			}
		}
		if mode == "run" {
			err = Run(ctx, story(), o)
		} else {
			err = run(ctx, g, o)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "redial:", err)
		return 1
	}
	return 0
}

// crashing is a screen that panics in one of its parts.
type crashing struct {
	screen
	where string
	guard *guard
}

func (c *crashing) Update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(tea.KeyPressMsg); ok {
		switch c.where {
		case "update":
			panic("boom in Update")
		case "command":
			return tea.Batch(func() tea.Msg { panic("boom in a command") })
		case "nested":
			inner := func() tea.Msg { panic("boom in a command of a command") }
			return tea.Batch(func() tea.Msg { return tea.BatchMsg{inner, inner} })
		case "goroutine":
			c.guard.goes(func() { panic("boom in a goroutine") })
		}
	}
	return c.screen.Update(msg)
}

func (c *crashing) View() []string {
	if c.where == "view" {
		panic("boom in View")
	}
	return c.screen.View()
}

// process is a child on a pseudo terminal that an emulator mirrors.
type process struct {
	*terminal
	cmd    *exec.Cmd
	tty    *os.File
	before *xterm.State
	stderr bytes.Buffer
}

func startProcess(t *testing.T, mode string) *process {
	t.Helper()
	ptmx, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(ptmx, &pty.Winsize{Rows: 32, Cols: 110}); err != nil {
		t.Fatal(err)
	}
	p := &process{terminal: &terminal{t: t, emu: vt.NewEmulator(110, 32), keys: ptmx}, tty: tty}
	if p.before, err = xterm.GetState(tty.Fd()); err != nil {
		t.Fatal(err)
	}
	p.cmd = exec.Command(os.Args[0])
	p.cmd.Env = append(os.Environ(), childMode+"="+mode, "TERM=xterm-256color", "COLORTERM=truecolor", "NO_COLOR=")
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = tty, tty, &p.stderr
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go p.answer()
	go func() {
		buf := make([]byte, 1<<16)
		for {
			n, err := ptmx.Read(buf)
			if err != nil {
				return
			}
			_, _ = p.mirror(buf[:n])
		}
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
		_ = ptmx.Close()
		_ = tty.Close()
		p.hangUp()
	})
	return p
}

// exits waits for the end of the process, and fails the test unless it left the terminal
// as it found it.
func (p *process) exits() int {
	p.t.Helper()
	done := make(chan error, 1)
	go func() { done <- p.cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(patience):
		p.t.Fatalf("the process does not end:\n%s", p.text())
	}
	after, err := xterm.GetState(p.tty.Fd())
	if err != nil {
		p.t.Fatal(err)
	}
	if !reflect.DeepEqual(p.before, after) {
		p.t.Errorf("the terminal was left with other settings:\n%+v\nbefore:\n%+v", after, p.before)
	}
	p.until("leaving the alternate screen", func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return !p.emu.IsAltScreen()
	})
	p.restored()
	return p.cmd.ProcessState.ExitCode()
}

func TestEveryWayOutLeavesTheTerminalAsItWas(t *testing.T) {
	for _, c := range []struct {
		name, mode string
		leave      func(*process)
		code       int
		says       string // on standard error
	}{
		{"q", "run", func(p *process) { p.types("q") }, 0, ""},
		{"ctrl+c", "run", func(p *process) { p.types("\x03") }, 0, ""},
		{"SIGTERM", "run", func(p *process) { _ = p.cmd.Process.Signal(syscall.SIGTERM) }, 1, "terminated"},
		{"SIGHUP", "run", func(p *process) { _ = p.cmd.Process.Signal(syscall.SIGHUP) }, 1, "hangup"},
		{"SIGINT", "run", func(p *process) { _ = p.cmd.Process.Signal(syscall.SIGINT) }, 1, "interrupt"},
		{"a panic in Update", "update", func(p *process) { p.types("4"); p.shows("[4 Windows]"); p.types("j") }, 1, "boom in Update"},
		{"a panic in View", "view", func(p *process) { p.types("4") }, 1, "boom in View"},
		{"a panic in a command", "command", func(p *process) { p.types("4"); p.shows("[4 Windows]"); p.types("j") }, 1, "boom in a command"},
		{"a panic in a command of a command", "nested", func(p *process) { p.types("4"); p.shows("[4 Windows]"); p.types("j") }, 1, "boom in a command of a command"},
		{"a panic in a goroutine", "goroutine", func(p *process) { p.types("4"); p.shows("[4 Windows]"); p.types("j") }, 1, "boom in a goroutine"},
		{"q while text is written", "run", func(p *process) { p.types("/abc"); p.shows("/ abc"); p.types("\x03") }, 0, ""},
		{"SIGTERM while something is asked", "run", func(p *process) {
			p.types("y")
			p.shows("Copy ·")
			_ = p.cmd.Process.Signal(syscall.SIGTERM)
		}, 1, "terminated"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := startProcess(t, c.mode)
			p.shows("following")
			c.leave(p)
			if code := p.exits(); code != c.code {
				t.Errorf("exit %d, want %d; it says %q", code, c.code, p.stderr.String())
			}
			if says := p.stderr.String(); !strings.Contains(says, c.says) || c.says == "" && says != "" {
				t.Errorf("it says %q, want %q in it", says, c.says)
			}
		})
	}
}

func TestARealTerminalIsFollowedThroughResizes(t *testing.T) {
	p := startProcess(t, "run")
	p.shows("following")
	for i := range 60 {
		size := [2]int{20 + i*7%150, 5 + i*5%50}
		p.resize(size[0], size[1])
	}
	p.resize(40, 10)
	p.shows("40×10")
	p.resize(100, 30)
	p.shows("following")
	p.types("q")
	if code := p.exits(); code != 0 {
		t.Errorf("exit %d: %s", code, p.stderr.String())
	}
}

func (p *process) resize(w, h int) {
	p.t.Helper()
	p.mu.Lock()
	p.emu.Resize(w, h)
	p.mu.Unlock()
	if err := pty.Setsize(p.keys.(*os.File), &pty.Winsize{Rows: uint16(h), Cols: uint16(w)}); err != nil {
		p.t.Fatal(err)
	}
	if err := p.cmd.Process.Signal(syscall.SIGWINCH); err != nil {
		p.t.Fatal(err)
	}
}
