package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

const marker = "/m/"

var stamp = regexp.MustCompile(marker + `(\d{13})`)

// dashboard runs the real binary on a pseudo terminal and returns how long after their end
// calls appeared on it.
func dashboard(ctx context.Context, binary, path string, length time.Duration) ([]time.Duration, error) {
	if err := waitFor(ctx, path); err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, binary, "--db", path)
	command.Env = append(os.Environ(), "TERM=xterm-256color", "COLORTERM=truecolor")
	terminal, err := pty.StartWithSize(command, &pty.Winsize{Rows: 40, Cols: 160})
	if err != nil {
		return nil, err
	}
	defer terminal.Close()
	defer command.Process.Kill()
	screen := vt.NewEmulator(160, 40)
	var input sync.Mutex
	go func() { // the answers to the program's questions go back to it
		buf := make([]byte, 256)
		for {
			n, err := screen.Read(buf)
			if err != nil {
				return
			}
			input.Lock()
			terminal.Write(buf[:n])
			input.Unlock()
		}
	}()
	ages, err := observe(terminal, screen, time.Now().Add(length-time.Second))
	input.Lock()
	defer input.Unlock()
	io.WriteString(terminal, "q")
	return ages, err
}

// observe reads the screen until the deadline. The first second is the start of the
// program and does not count.
func observe(terminal io.Reader, screen *vt.Emulator, deadline time.Time) ([]time.Duration, error) {
	var ages []time.Duration
	begun, newest := time.Now(), int64(0)
	buf := make([]byte, 1<<16)
	for time.Now().Before(deadline) {
		n, err := terminal.Read(buf)
		if err != nil {
			return nil, fmt.Errorf("read the dashboard's screen: %w", err)
		}
		screen.Write(buf[:n])
		now, before := time.Now(), newest
		for _, found := range stamp.FindAllStringSubmatch(screen.String(), -1) {
			ended, _ := strconv.ParseInt(found[1], 10, 64)
			newest = max(newest, ended)
			if ended > before && now.Sub(begun) > time.Second {
				ages = append(ages, now.Sub(time.UnixMilli(ended)))
			}
		}
	}
	return ages, nil
}

// waitFor waits until the writer has made the file.
func waitFor(ctx context.Context, path string) error {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		if _, err := os.Stat(path); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the writer made no file: %w", ctx.Err())
		case <-tick.C:
		}
	}
}

func report(rate int, ages []time.Duration) {
	if len(ages) == 0 {
		fmt.Println("no call appeared")
		return
	}
	slices.Sort(ages)
	at := func(q float64) time.Duration { return ages[int(q*float64(len(ages)-1))].Round(time.Millisecond) }
	const base = 100 * time.Millisecond
	fmt.Printf("at %d attempts/s: %d rows seen; ended → on screen p50 %v, p99 %v, max %v; p99 is %.2f × two ticks of 50 ms\n",
		rate, len(ages), at(0.5), at(0.99), at(1), float64(at(0.99))/float64(base))
}
