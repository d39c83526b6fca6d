package cli

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"redial/db"
	"redial/ledger"
	"redial/tui/visible"
)

const callsListHelp = `List prints every call of a file, oldest first: of all sessions, and those that still run
as well.

A filter picks calls. It is made of tests that must all hold:

  host:api.example.test   method:POST   path:/orders/*   key:order-*   service:checkout
  status:503  status:5xx  attempts:>1   sends:>=2        dur:>2s       waited:>1s
  url:/orders             error:refused running:yes      last:5m       at:14:05..14:10
  outcome:answered|not-sent|unknown     wait:window|backoff|retry-after|bandwidth
  duplicate:yes|no|no-key|two-keys|wire-twice            session:3

Operations have states, and calls have none: redial ops list --filter state:pending.

A word alone is looked for in URL and key, /…/ is a regular expression, "or" joins
alternatives, "-" or "not" in front turns a test around, and parentheses group.`

const callsListExample = `  redial calls list --filter 'status:5xx attempts:>1'
  redial calls list --filter 'outcome:unknown or (waited:>1s -host:quota.example.test)'
  redial calls list --json | jq -r 'select(.status == 503) | .url'`

func (a *app) callsListCommand() *cobra.Command {
	var asJSON bool
	var expression filterValue
	list := &cobra.Command{
		Use:     "list",
		Short:   "List calls, oldest first",
		Long:    callsListHelp,
		Example: callsListExample,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			filter, err := ledger.ParseCallFilter(string(expression))
			if err != nil {
				return filterError(string(expression), err, cmd)
			}
			return a.read(cmd.Context(), func(ctx context.Context, store *db.DB) error {
				if asJSON {
					return a.eachCall(ctx, store, filter, func(c *ledger.Call) error {
						return a.printJSON(encodeCall(c))
					})
				}
				return a.listCalls(ctx, store, filter)
			})
		},
	}
	list.Flags().Var(&expression, "filter", "list only calls that match `EXPR`")
	list.Flags().BoolVar(&asJSON, "json", false, jsonUsage)
	return list
}

// filterValue is a flag with a filter. A second one would take the place of the first in
// silence.
type filterValue string

func (v *filterValue) Set(text string) error {
	if *v != "" {
		return errors.New("there is another --filter before it: put both into one, with a space between them")
	}
	*v = filterValue(text)
	return nil
}

func (v *filterValue) Type() string   { return "filter" }
func (v *filterValue) String() string { return string(*v) }

// How much of a filter that is wrong is shown, in cells: before what is wrong in it, of
// that itself, and behind it.
const (
	shownBefore = 60
	shownWrong  = 60
	shownBehind = 40
)

// filterError shows the expression with a mark below the part that is wrong.
func filterError(expression string, err error, cmd *cobra.Command) error {
	var wrong *ledger.FilterError
	if !errors.As(err, &wrong) {
		return usagef("--filter: %v", err)
	}
	before, part := visible.Text(expression[:wrong.Start]), visible.Text(expression[wrong.Start:wrong.End])
	before = ansi.TruncateLeft(before, ansi.StringWidth(before)-shownBefore, "…")
	part = ansi.Truncate(part, shownWrong, "…")
	rest := ansi.Truncate(visible.Text(expression[wrong.End:]), shownBehind, "…")
	mark := strings.Repeat(" ", ansi.StringWidth(before)) + strings.Repeat("^", max(1, ansi.StringWidth(part)))
	help := "redial calls list"
	if strings.HasPrefix(cmd.CommandPath(), "redial ops") {
		help = "redial ops list"
	}
	usage := usagef("--filter: %s; `%s --help` explains filters", wrong.Msg, help)
	usage.below = []string{"  " + before + part + rest, "  " + mark}
	return usage
}

func (a *app) listCalls(ctx context.Context, store *db.DB, filter ledger.Filter) error {
	t := a.out.table(column{"ID", true}, column{"STARTED", false}, column{"TOOK", true}, column{"WAITED", true},
		column{"ATTEMPTS", true}, column{"RESULT", false}, column{"METHOD", false}, column{"KEY", false}, column{"URL", false})
	n := 0
	err := a.eachCall(ctx, store, filter, func(c *ledger.Call) error {
		n++
		return t.add(cell{text: c.ID.String()}, cell{text: a.moment(c.Started)}, cell{text: tookOr(c.Took, "-")},
			cell{text: tookOr(c.Waited, "-")}, cell{text: strconv.Itoa(c.Attempts)}, result(c),
			cell{text: c.Method}, cell{text: orDash(c.Key)}, cell{text: c.URL()})
	})
	if err != nil {
		return err
	}
	if n == 0 && filter.Root == nil {
		a.say("no call has been recorded to %s yet", store.Path())
	} else if n == 0 {
		a.say("no call in %s matches %s", store.Path(), filter.Text)
	}
	return t.end()
}
