package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"time"

	"redial/internal/cli/config"
	"redial/tui/visible"
)

// The exit codes that scripts rely on.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// Run runs one command line and returns its exit code. A cancelled ctx ends any command
// soon. Environ has the form of [os.Environ].
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, environ []string) int {
	a := &app{
		in: stdin, out: newOutput(stdout, environ), err: newOutput(stderr, environ),
		environ: environ, now: time.Now, zone: time.Local,
	}
	root := a.rootCommand()
	root.SetArgs(append([]string{}, args...)) // Never nil, which would mean os.Args.
	root.SetIn(stdin)
	root.SetOut(a.out)
	root.SetErr(a.err)
	err := root.ExecuteContext(ctx)
	if flushed := a.out.Flush(); flushed != nil && (err == nil || errors.Is(err, flushed)) {
		err = fmt.Errorf("write to standard output: %w", flushed)
		if errors.Is(flushed, syscall.EPIPE) {
			err = nil // Whoever reads has had enough, as in `| head`.
		}
	}
	return a.finish(err)
}

// errSaid is a failure of which everything has been said already.
var errSaid = errors.New("it failed, as was said")

// app is what the commands of one run share.
type app struct {
	in       io.Reader
	out, err *output
	environ  []string
	now      func() time.Time
	zone     *time.Location
	db       string // value of --db; "" when it is not given

	conf *config.Config // nil: not read yet
}

// finish reports err, if it is worth a line, and returns the exit code for it.
func (a *app) finish(err error) int {
	code := exitFailed
	var usage *usageError
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errSaid):
		return exitFailed
	case errors.As(err, &usage):
		code = exitUsage
	case errors.Is(err, context.Canceled):
		err = errors.New("interrupted before it was done")
	}
	a.sayEach(err)
	a.err.Flush()
	return code
}

// say writes one line to standard error, with every control made visible.
func (a *app) say(format string, values ...any) {
	fmt.Fprintln(a.err, visible.Text("redial: "+fmt.Sprintf(format, values...)))
	a.err.Flush()
}

// sayEach writes a line for err, or one for each that it joins.
func (a *app) sayEach(err error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok && strings.Contains(err.Error(), "\n") {
		for _, e := range joined.Unwrap() {
			a.sayEach(e)
		}
		return
	}
	a.say("%v", err)
	if more, ok := err.(interface{ details() []string }); ok {
		for _, line := range more.details() {
			fmt.Fprintln(a.err, visible.Text(line))
		}
	}
}

// getenv returns the value of an environment variable, "" for none.
func (a *app) getenv(name string) string { return getenv(a.environ, name) }

// getenv returns the value that the last entry for name has in environ, as the shell
// and the standard library see it.
func getenv(environ []string, name string) string {
	value := ""
	for _, entry := range environ {
		if n, v, ok := strings.Cut(entry, "="); ok && n == name {
			value = v
		}
	}
	return value
}

// exists reports whether there is something at path.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
