package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"redial/db"
	"redial/internal/cli/export"
	"redial/ledger"
)

const exportHelp = `Export writes calls for other tools, as they were recorded: what was redacted stays so.

  har    HTTP Archive 1.2, for browsers' tools and proxies: an entry for each attempt.
         What HAR has no place for stands in fields that begin with _, such as _call,
         _attempt, _reason, _outcome, _decision, _operationKey and _waits. A body that is
         not text is in base64, and _encoding or encoding says so.
  csv    a line for each call, for spreadsheets. A text that would be a formula there has
         an apostrophe before it, and control characters are shown as marks.
  jsonl  an object a line for each call, as ` + "`redial calls show --json`" + ` prints it, with
         headers and bodies
  curl   a command for each call, safe to paste. What was redacted comes from environment
         variables. Beware: to run them all sends all of it again.

It goes to standard output, or to a new file that only you can read. --filter takes what
` + "`redial calls list --help`" + ` explains.`

const exportExample = `  redial export har --filter 'status:5xx last:1h' -o errors.har
  redial export csv --session 3 > calls.csv
  redial export curl --filter 'key:order-8841'`

// exportFlags are what is to be exported, and where to.
type exportFlags struct {
	filter  filterValue
	session string
	file    string
	force   bool
}

func (a *app) exportCommand() *cobra.Command {
	formats := []string{"har", "csv", "jsonl", "curl"}
	var f exportFlags
	cmd := &cobra.Command{
		Use:       "export har|csv|jsonl|curl",
		Short:     "Write calls for other tools: HAR, CSV, JSON lines, curl",
		Long:      exportHelp,
		Example:   exportExample,
		Args:      oneArgument("a format: " + strings.Join(formats, ", ")),
		ValidArgs: formats,
		RunE: func(cmd *cobra.Command, args []string) error {
			format, ok := formatNamed(args[0])
			if !ok {
				return usagef("unknown format %q: it is one of %s", args[0], strings.Join(formats, ", "))
			}
			filter, err := f.selects(cmd)
			if err != nil {
				return err
			}
			return a.read(cmd.Context(), func(ctx context.Context, store *db.DB) error {
				return a.export(ctx, store, format, filter, &f)
			})
		},
	}
	cmd.Flags().Var(&f.filter, "filter", "export only calls that match `EXPR`")
	cmd.Flags().StringVar(&f.session, "session", "", "export only calls of the session with this `ID`")
	cmd.Flags().VarP((*fileValue)(&f.file), "output", "o", "write to this `FILE`, which must not be there yet")
	cmd.Flags().BoolVar(&f.force, "force", false, "overwrite the file if it is there")
	return cmd
}

// selects returns the filter that picks what is exported.
func (f *exportFlags) selects(cmd *cobra.Command) (ledger.Filter, error) {
	filter, err := ledger.ParseCallFilter(string(f.filter))
	if err != nil {
		return filter, filterError(string(f.filter), err, cmd)
	}
	if f.force && f.file == "" {
		return filter, usagef("--force is about the file of -o, and there is none")
	}
	if f.session == "" {
		return filter, nil
	}
	id, err := ledger.ParseSessionID(f.session)
	if err != nil {
		return filter, usagef("--session: %v", err)
	}
	return ofSessions(filter, []ledger.SessionID{id})
}

// ofSessions returns a filter for calls of these sessions alone.
func ofSessions(filter ledger.Filter, ids []ledger.SessionID) (ledger.Filter, error) {
	if len(ids) == 0 {
		return filter, nil
	}
	var tests []string
	for _, id := range ids {
		tests = append(tests, "session:"+id.String())
	}
	own, err := ledger.ParseCallFilter(strings.Join(tests, " or "))
	if err != nil || filter.Root == nil {
		return own, err
	}
	return ledger.Filter{Text: "(" + own.Text + ") (" + filter.Text + ")", Root: ledger.And{own.Root, filter.Root}}, nil
}

// exportShown writes what a dashboard shows to a new file.
func (a *app) exportShown(ctx context.Context, store *db.DB, name string, filter ledger.Filter, sessions []ledger.SessionID, file string) (int, error) {
	format, ok := formatNamed(name)
	if !ok {
		return 0, fmt.Errorf("there is no format %q", name)
	}
	filter, err := ofSessions(filter, sessions)
	if err != nil {
		return 0, err
	}
	return a.exportFile(ctx, store, format, filter, file, false)
}

// formatNamed returns the format of that name.
func formatNamed(name string) (export.Format, bool) {
	info, _ := debug.ReadBuildInfo()
	version := ""
	if info != nil {
		version = info.Main.Version
	}
	for _, f := range []export.Format{export.HAR(version, escapeControls), export.CSV(), jsonLines(), export.Curl()} {
		if f.Name == name {
			return f, true
		}
	}
	return export.Format{}, false
}

// export writes the calls to where they are to go.
func (a *app) export(ctx context.Context, store *db.DB, format export.Format, filter ledger.Filter, f *exportFlags) error {
	if f.file == "" {
		n, err := a.exportTo(ctx, store, format, filter, a.out)
		if err == nil && n == 0 {
			a.sayNothing(store, filter)
		}
		return err
	}
	n, err := a.exportFile(ctx, store, format, filter, f.file, f.force)
	if err != nil {
		return err
	}
	if n == 0 {
		a.sayNothing(store, filter)
	} else {
		a.say("wrote %s to %s", plural(n, "call"), f.file)
	}
	return nil
}

// exportFile writes the calls to a file, which is there whole or not at all.
func (a *app) exportFile(ctx context.Context, store *db.DB, format export.Format, filter ledger.Filter, file string, force bool) (int, error) {
	out, err := createExport(file, force, store.Path())
	if err != nil {
		return 0, err
	}
	n, err := a.exportTo(ctx, store, format, filter, out)
	if err != nil {
		out.discard()
		return n, err
	}
	return n, out.keep()
}

func (a *app) sayNothing(store *db.DB, filter ledger.Filter) {
	if filter.Root == nil {
		a.say("no call has been recorded to %s yet", store.Path())
		return
	}
	a.say("no call in %s matches %s", store.Path(), filter.Text)
}

// exportTo writes the calls one after the other, and returns how many there were. One that
// is pruned meanwhile is left out.
func (a *app) exportTo(ctx context.Context, store *db.DB, format export.Format, filter ledger.Filter, to io.Writer) (n int, err error) {
	w := format.New(to)
	err = a.eachCall(ctx, store, filter, func(c *ledger.Call) error {
		if format.Whole {
			whole, err := store.Call(ctx, c.ID)
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				return err
			}
			c = &whole
		}
		n++
		return w.Call(c)
	})
	if err != nil {
		return n, err
	}
	return n, w.Close()
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
