package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/user"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"redial/db"
	"redial/internal/cli/config"
	"redial/ledger"
	"redial/recorder"
	"redial/tui"
)

const themeUsage = "colours of the dashboard: `auto|light|dark|none`; auto asks the terminal, as it does if nothing is configured"

// themeValue is a flag that names a theme; "" leaves the choice to the configuration.
type themeValue string

func (v *themeValue) Set(text string) error {
	if themes := []string{"auto", "light", "dark", "none"}; !slices.Contains(themes, text) {
		return fmt.Errorf("there is no such theme: it is one of %s", strings.Join(themes, ", "))
	}
	*v = themeValue(text)
	return nil
}

func (v *themeValue) Type() string   { return "theme" }
func (v *themeValue) String() string { return string(*v) }

// dashboardFlags are what the dashboard is told.
type dashboardFlags struct {
	theme    themeValue
	readOnly bool
	as       string
	headers  []string
	resolves []string
}

func (f *dashboardFlags) register(flags *pflag.FlagSet) {
	flags.Var(&f.theme, "theme", themeUsage)
	flags.BoolVar(&f.readOnly, "read-only", false, "nothing can be sent or settled")
	flags.StringVar(&f.as, "as", "", "the `NAME` of who acts, for the record; $USER, or the account's name, if not given")
	flags.StringArrayVar(&f.headers, "header", nil, "a credential from the environment for one origin, as `'ORIGIN NAME: env:VARIABLE'`, for what is sent from here; can be repeated")
	flags.StringArrayVar(&f.resolves, "resolve", nil, "connect to this address for that host and port, as `HOST:PORT:ADDRESS`; can be repeated")
}

// parse reads what is said of sending from here.
func (f *dashboardFlags) parse(a *app) (c credentials, hosts resolutions, err error) {
	if c, err = a.credentials(f.headers); err == nil {
		hosts, err = parseResolutions(f.resolves)
	}
	return c, hosts, err
}

// colours returns the theme that the dashboard is told, "" for one that suits the terminal.
func (f *dashboardFlags) colours(c *config.Config) string {
	if name := cmp.Or(string(f.theme), c.Theme); name != "auto" {
		return name
	}
	return ""
}

// person returns the name of who acts: as given, else that of the environment or of the
// process's user.
func (a *app) person(given string) string {
	return cmp.Or(strings.TrimSpace(given), a.account(), "somebody")
}

// account returns the name of who runs this: $USER, or that of the process's user where it is
// empty; "" if neither is known.
func (a *app) account() string {
	name := a.getenv("USER")
	if name == "" {
		if u, err := user.Current(); err == nil {
			name = u.Username
		}
	}
	return name
}

// dashboard opens the dashboard on the file of this run, which is created if need be. A
// terminal is looked for first, so that a mistake leaves no file behind.
func (a *app) dashboard(ctx context.Context, f *dashboardFlags) error {
	if err := a.checkTerminal(); err != nil {
		return err
	}
	if _, _, err := f.parse(a); err != nil {
		return err
	}
	file, err := a.file()
	if err != nil {
		return err
	}
	store, err := openFor(file, f.readOnly)
	if err != nil {
		return a.opening(err)
	}
	open := ""
	if file != "" || a.getenv("REDIAL_DB") != "" {
		open = store.Path() // a service need not have the same environment
	}
	return errors.Join(a.show(ctx, store, open, f), store.Close())
}

// openFor opens a file for the dashboard. One that is there and is only looked at is left as
// it is, so that it can be in a place that nobody may write to.
func openFor(path string, readOnly bool) (*db.DB, error) {
	if readOnly {
		if store, err := db.OpenExisting(path); err == nil {
			return store, nil
		}
	}
	return db.Open(path)
}

// show runs the dashboard until the user leaves it; a service records to the same file
// with db.Open(open). A signal that ends it is an error.
func (a *app) show(ctx context.Context, store *db.DB, open string, f *dashboardFlags) error {
	conf, err := a.config()
	if err != nil {
		return err
	}
	o := tui.Options{
		File: store.Path(), Open: open, Theme: f.colours(conf), Input: a.in, Output: a.out.file, Environ: a.environ,
		Now: a.now, Zone: a.zone, ReadOnly: f.readOnly, Keys: conf.Keys, SavedFilters: conf.Filters,
		Wide: conf.Wide, Columns: conf.Calls,
		Redact: tui.Redact{Operation: policies{conf}.redacted, Transition: recorder.RedactTransition},
	}
	if file := historyFile(a.getenv); file != "" {
		o.History = &history{file: file}
	}
	c, hosts, err := f.parse(a)
	if err != nil {
		return err
	}
	if !f.readOnly {
		d := newDesk(store, a.person(f.as), c, hosts, policies{conf})
		o.Actions, o.Own, o.Keeper = d, d.session, store
		defer d.close()
	}
	o.Export = func(ctx context.Context, format string, filter ledger.Filter, sessions []ledger.SessionID, file string) (int, error) {
		return a.exportShown(ctx, store, format, filter, sessions, file)
	}
	defer a.lean()()
	err = tui.Run(ctx, store, o)
	if err != nil && strings.Contains(err.Error(), "\n") {
		return crashError{err}
	}
	return err
}

// lean lets memory be collected sooner than usual, unless GOGC says when: a dashboard stands
// beside a service for days, and has processor time to spare. It returns what undoes that.
func (a *app) lean() (undo func()) {
	const percent = 40 // that the memory in use may grow by; it is 100 if nobody says so
	if a.getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(percent)
	return func() { debug.SetGCPercent(before) }
}

// crashError is the end of a dashboard that crashed, with the stack below the message.
type crashError struct{ error }

func (e crashError) Error() string {
	first, _, _ := strings.Cut(e.error.Error(), "\n")
	return first
}

func (e crashError) Unwrap() error { return e.error }

func (e crashError) details() []string {
	_, stack, _ := strings.Cut(e.error.Error(), "\n")
	return strings.Split(strings.ReplaceAll(strings.TrimSpace(stack), "\t", "    "), "\n")
}

// checkTerminal returns an error when the dashboard has nothing that it can draw on.
func (a *app) checkTerminal() error {
	instead := "for a list without one, use `redial calls list`"
	switch {
	case !a.out.terminal():
		return errors.New("the dashboard needs a terminal, and standard output is none: " + instead)
	case !isTerminal(a.in):
		return errors.New("the dashboard needs a terminal, and standard input is none: " + instead)
	case a.getenv("TERM") == "dumb":
		return errors.New("the dashboard needs a terminal that can place its text, and TERM is dumb: " + instead)
	}
	return nil
}
