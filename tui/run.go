package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"redial/ledger"
	"redial/tui/filter"
	"redial/tui/keys"
	"redial/tui/theme"
)

// Options set up the dashboard. The zero value is a dashboard on the process's terminal.
type Options struct {
	File  string // path of the file, as it is shown
	Open  string // what db.Open takes to open the file, as a service without calls is told
	Theme string // light, dark or none; "" asks the terminal

	Actions  Actions // what can be done to operations; nil: nothing
	ReadOnly bool    // nothing can be done, whatever Actions are
	Redact   Redact  // how operations are made fit to be shown
	Export   Export  // writes calls for other tools; nil: nothing does

	Keeper Keeper // what can be done to recorded sessions; nil: nothing

	// Own returns the session that this process is while it sends by itself, 0 for none. It
	// is not shown: whoever acts wants to see the service. If nil, there is none.
	Own func() ledger.SessionID

	Input   io.Reader // keys and answers of the terminal; nil: standard input
	Output  io.Writer // the terminal; nil: standard output
	Environ []string  // as os.Environ returns it; nil: that of the process

	Now  func() time.Time // nil: time.Now
	Zone *time.Location   // of the times that are shown; nil: local time
	Keys *keys.Map        // nil: keys.Default()

	// SavedFilters are offered where a filter is written, in this order.
	SavedFilters []filter.Saved

	Wide    bool     // begin with wide columns in place of side panes
	Columns []string // which of the optional columns of calls are shown; nil: all

	// History keeps the filters that were used. If nil, they are forgotten at the end; a
	// dashboard that is ReadOnly offers them and adds none.
	History History

	// Width and Height are the size of an Output that is no terminal and cannot be asked.
	Width, Height int
}

// ErrNoTerminal is what Run returns without a terminal to draw on or to read keys from.
var ErrNoTerminal = errors.New("the dashboard needs a terminal")

// Run shows the dashboard until the user leaves it, and then returns nil. It returns an
// error that wraps the context's cause when ctx ends or a signal ends the process, and
// one with the stack when the dashboard crashes. Whichever way it ends, the terminal is
// left as it was found, and so it is while the process is suspended. Nothing is written to
// it before Run is sure that it is one.
func Run(ctx context.Context, store Store, o Options) error {
	if err := o.complete(); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	defer stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	return run(ctx, &guard{model: newModel(ctx, store, o), cancel: cancel}, o)
}

// run lets the program run, and says why it ended.
func run(ctx context.Context, g *guard, o Options) error {
	suspend := newSuspender(o.Keys.Suspend, g.cancel)
	program := tea.NewProgram(g, append(programOptions(ctx, o), tea.WithFilter(suspend.filter))...)
	end := suspend.watch(g.goes, program.Send)
	_, err := program.Run()
	end()
	var c *crash
	switch cause := context.Cause(ctx); {
	case errors.As(cause, &c):
		return c
	case ctx.Err() != nil:
		return fmt.Errorf("the dashboard was ended: %w", cause)
	case err != nil:
		return fmt.Errorf("run the dashboard: %w", err)
	}
	return nil
}

// complete fills in what was left out, and checks that there is a terminal.
func (o *Options) complete() error {
	if o.Theme != "" && !theme.Known(o.Theme) {
		return fmt.Errorf("there is no theme %q: it is dark, light or none", o.Theme)
	}
	if o.Input == nil {
		o.Input = os.Stdin
	}
	if o.Output == nil {
		o.Output = os.Stdout
	}
	if f, ok := o.Input.(term.File); ok && !term.IsTerminal(f.Fd()) {
		return fmt.Errorf("%w, and standard input is none: run redial in a terminal, or use `redial calls list`", ErrNoTerminal)
	}
	if f, ok := o.Output.(term.File); ok && !term.IsTerminal(f.Fd()) {
		return fmt.Errorf("%w, and standard output is none: run redial in a terminal, or use `redial calls list`", ErrNoTerminal)
	}
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Zone == nil {
		o.Zone = time.Local
	}
	if o.Keys == nil {
		o.Keys = keys.Default()
	}
	return nil
}

func programOptions(ctx context.Context, o Options) []tea.ProgramOption {
	opts := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithoutSignalHandler(),
		tea.WithInput(o.Input), tea.WithOutput(o.Output), tea.WithEnvironment(o.Environ),
	}
	if noColor(o.Environ) {
		opts = append(opts, tea.WithColorProfile(colorprofile.ASCII))
	}
	if o.Width > 0 && o.Height > 0 {
		opts = append(opts, tea.WithWindowSize(o.Width, o.Height))
	}
	return opts
}

// noColor reports whether NO_COLOR is set to anything at all. The colour library only
// understands a boolean.
func noColor(environ []string) bool {
	return slices.ContainsFunc(environ, func(s string) bool {
		value, ok := strings.CutPrefix(s, "NO_COLOR=")
		return ok && value != ""
	})
}
