package demo

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// process is a child that ends when its input is closed.
type process struct {
	name    string
	command *exec.Cmd
	input   io.Closer
	errors  *tail

	said   chan []byte   // gets the first lines of its output; closed when there are none left
	exited chan struct{} // closed when it has ended and err is set
	err    error
}

// mostLines is how many lines a process has to say.
const mostLines = 2

// startProcess runs a program in a process group of its own, so that an interrupt from
// the terminal reaches the parent alone.
func startProcess(executable, name string, args ...string) (*process, error) {
	p := &process{
		name: name, command: exec.Command(executable, append([]string{name}, args...)...),
		errors: &tail{}, said: make(chan []byte, mostLines), exited: make(chan struct{}),
	}
	p.command.SysProcAttr = ownGroup()
	p.command.Stderr = p.errors
	input, err := p.command.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	output, err := p.command.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	if err := p.command.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	p.input = input
	go p.follow(output)
	return p, nil
}

// follow reads what the process says until it ends.
func (p *process) follow(output io.Reader) {
	lines := bufio.NewReader(output)
	for range mostLines {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		p.said <- line
	}
	close(p.said)
	// What else it says has no meaning, but must not fill the pipe.
	_, _ = io.Copy(io.Discard, lines)
	p.err = p.command.Wait()
	close(p.exited)
}

// hear waits for the next line that the process has to say and decodes it.
func (p *process) hear(ctx context.Context, into any) error {
	select {
	case line, ok := <-p.said:
		if !ok {
			return p.silence(ctx)
		}
		if err := json.Unmarshal(line, into); err != nil {
			return fmt.Errorf("understand %s: %w", p.name, err)
		}
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait for %s: %w", p.name, context.Cause(ctx))
	}
}

// silence returns why a process that has closed its output had nothing to say. It waits
// for its end, since what it has to complain of may still be on the way.
func (p *process) silence(ctx context.Context) error {
	select {
	case <-p.exited:
	case <-ctx.Done():
	}
	return fmt.Errorf("%s ended without a word%s", p.name, p.errors)
}

// end asks the process to end, and kills it when it takes longer than patience.
func (p *process) end(patience time.Duration) error {
	// It may have closed it already by ending.
	_ = p.input.Close()
	select {
	case <-p.exited:
		return p.failure()
	case <-time.After(patience):
	}
	_ = p.command.Process.Kill()
	<-p.exited
	return fmt.Errorf("%s did not end within %v and was killed", p.name, patience)
}

// failure returns how the process ended, nil if it ended well. It must have exited.
func (p *process) failure() error {
	if p.err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w%s", p.name, p.err, p.errors)
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// tailSize is enough for an error message and too little for a trouble.
const tailSize = 4096

// Write keeps the last bytes of p and of what was written before.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if over := len(t.text) - tailSize; over > 0 {
		t.text = append([]byte{}, t.text[over:]...)
	}
	return len(p), nil
}

// String returns what was kept, ready to be put behind an error; "" for nothing.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.TrimSpace(string(t.text))
	if text == "" {
		return ""
	}
	return ": " + text
}

// errTooSlow is why a start is given up.
var errTooSlow = errors.New("it did not answer in time")
