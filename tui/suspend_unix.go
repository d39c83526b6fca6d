//go:build unix

package tui

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// stopsWithin is how long a process goes on at most after it was told to stop. One that has
// no shell that could continue it is not stopped at all, and must not wait for that.
const stopsWithin = 200 * time.Millisecond

// endsWithin is how long the library's renderer is given to end, before it is started
// again: it stops its clock a moment after it was told to, and one that was started again
// before that would never draw.
const endsWithin = 100 * time.Millisecond

// suspender gives the terminal back before the process is stopped, and takes it again when
// it is continued. The library's own tea.Suspend waits forever where nothing stops the process.
type suspender struct {
	keys     key.Binding
	failed   func(error)    // the terminal cannot be had
	stops    chan os.Signal // SIGTSTP, which would stop the process with its screen on the terminal
	resumes  chan os.Signal // SIGCONT
	resumed  chan struct{}  // SIGCONT while the terminal is given back
	released atomic.Bool    // the terminal is given back
	ignored  bool           // whoever started the process does not want it to be stopped
}

func newSuspender(keys key.Binding, failed func(error)) *suspender {
	return &suspender{
		keys: keys, failed: failed,
		stops: make(chan os.Signal, 1), resumes: make(chan os.Signal, 1), resumed: make(chan struct{}, 1),
		ignored: signal.Ignored(syscall.SIGTSTP),
	}
}

// filter makes of the key that suspends what suspends. It does so whatever has the focus.
func (s *suspender) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	if k, ok := msg.(tea.KeyPressMsg); ok && key.Matches(k, s.keys) {
		return s.without(s.stop)
	}
	return msg
}

// watch acts on signals, in a goroutine that goes starts, until the function that it returns
// is called.
func (s *suspender) watch(goes func(func()), send func(tea.Msg)) (end func()) {
	if !s.ignored {
		signal.Notify(s.stops, syscall.SIGTSTP)
	}
	signal.Notify(s.resumes, syscall.SIGCONT)
	done := make(chan struct{})
	goes(func() {
		for {
			select {
			case <-s.stops:
				send(s.without(s.stop))
			case <-s.resumes:
				s.resume(send)
			case <-done:
				return
			}
		}
	})
	return func() {
		signal.Stop(s.stops)
		signal.Stop(s.resumes)
		close(done)
	}
}

// resume lets stop return. A process that was stopped by SIGSTOP could not give the terminal
// back: it does so now, to take it again as whoever had it in the meantime left it.
func (s *suspender) resume(send func(tea.Msg)) {
	if !s.released.Load() {
		send(s.without(func() { time.Sleep(endsWithin) }))
		return
	}
	select {
	case s.resumed <- struct{}{}:
	default:
	}
}

// without is a message that gives the terminal back while do runs.
func (s *suspender) without(do func()) tea.Msg {
	return tea.Exec(outside(do), func(err error) tea.Msg {
		if err != nil {
			s.failed(fmt.Errorf("take the terminal again: %w", err))
		}
		return nil
	})()
}

// stop stops the process, with all others of its job, and returns when it is continued.
//
// It does so by SIGTTIN: a Go program that has listened to SIGTSTP once is not stopped by it
// any more. SIGSTOP would also stop a process that no shell could continue.
func (s *suspender) stop() {
	drain(s.resumed)
	s.released.Store(true)
	defer s.released.Store(false)
	if s.ignored || syscall.Kill(0, syscall.SIGTTIN) != nil {
		return
	}
	going := time.NewTimer(stopsWithin)
	defer going.Stop()
	select {
	case <-s.resumed:
	case <-going.C:
	}
	drain(s.stops)
}

// drain forgets what came too early.
func drain[T any](c chan T) {
	select {
	case <-c:
	default:
	}
}

// outside is a function as the library takes it to run with the terminal given back.
type outside func()

func (f outside) Run() error        { f(); return nil }
func (outside) SetStdin(io.Reader)  {}
func (outside) SetStdout(io.Writer) {}
func (outside) SetStderr(io.Writer) {}
