package cli

import (
	"strconv"

	"github.com/spf13/cobra"

	"redial/ledger"
)

func (a *app) callsCommand() *cobra.Command {
	calls := &cobra.Command{
		Use:   "calls",
		Short: "List recorded calls, or show one with its attempts and waits",
		Long:  "A call is one request that a service asked for, with all its attempts and all its waits.",
		Example: `  redial calls list --filter 'outcome:unknown'
  redial calls show 3-1207`,
		Args: onlyCommands,
		RunE: needsCommand,
	}
	calls.AddCommand(a.callsListCommand(), a.callsShowCommand())
	return calls
}

// result says in a word or a number how a call went or what it is doing.
func result(c *ledger.Call) cell {
	switch {
	case c.State != ledger.Ended:
		return cell{c.State.String(), doubt}
	case c.NotThere:
		return cell{text: strconv.Itoa(c.Status)}
	case c.Outcome == ledger.Answered:
		return status(c.Status)
	}
	return cell{c.Outcome.String(), bad}
}

// attemptResult says how an attempt went.
func attemptResult(t *ledger.Attempt) cell {
	switch t.Outcome {
	case ledger.NoOutcome:
		return cell{"-", faint}
	case ledger.Answered:
		return status(t.Status)
	}
	return cell{t.Outcome.String(), bad}
}

func status(code int) cell {
	c := cell{text: strconv.Itoa(code)}
	switch {
	case code >= 500:
		c.style = bad
	case code >= 400:
		c.style = doubt
	}
	return c
}
