package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"redial/db"
	"redial/tui"
)

const themeUsage = "colours of the dashboard: `light|dark|none`; asked from the terminal if not given"

// themeValue is a flag that names a theme; "" leaves the choice to the dashboard.
type themeValue string

func (v *themeValue) Set(text string) error {
	if themes := []string{"light", "dark", "none"}; !slices.Contains(themes, text) {
		return fmt.Errorf("there is no such theme: it is one of %s", strings.Join(themes, ", "))
	}
	*v = themeValue(text)
	return nil
}

func (v *themeValue) Type() string   { return "theme" }
func (v *themeValue) String() string { return string(*v) }

// dashboard opens the dashboard on the file of this run, which is created if need be. A
// terminal is looked for first, so that a mistake leaves no file behind.
func (a *app) dashboard(ctx context.Context, theme string) error {
	if err := a.checkTerminal(); err != nil {
		return err
	}
	store, err := db.Open(a.db)
	if err != nil {
		return err
	}
	open := ""
	if a.db != "" || a.getenv("REDIAL_DB") != "" {
		open = store.Path() // a service need not have the same environment
	}
	return errors.Join(a.show(ctx, store, open, theme), store.Close())
}

// show runs the dashboard until the user leaves it; a service records to the same file
// with db.Open(open). A signal that ends it is an error.
func (a *app) show(ctx context.Context, store *db.DB, open, theme string) error {
	err := tui.Run(ctx, store, tui.Options{
		File: store.Path(), Open: open, Theme: theme, Input: a.in, Output: a.out.file, Environ: a.environ,
		Now: a.now, Zone: a.zone,
	})
	if err != nil && strings.Contains(err.Error(), "\n") {
		return crashError{err}
	}
	return err
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
