package cli

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"redial/db"
	"redial/ledger"
	"redial/tui/phrase"
)

func (a *app) callsShowCommand() *cobra.Command {
	var asJSON bool
	show := &cobra.Command{
		Use:   "show ID",
		Short: "Show one call with its attempts and waits",
		Long:  "Show prints one call: its attempts, the waits between them with the rule behind each, and why it was sent again or not.",
		Example: `  redial calls show 3-1207
  redial calls show 3-1207 --json | jq '.attempt_list[].phases_ms'`,
		Args:              oneArgument("a call id"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := ledger.ParseCallID(args[0])
			if err != nil {
				return usagef("%v", err)
			}
			return a.read(cmd.Context(), func(ctx context.Context, store *db.DB) error {
				c, err := store.Call(ctx, id)
				switch {
				case err != nil:
					return err
				case asJSON:
					return a.printJSON(encodeCallDetail(&c))
				}
				return a.printCall(&c)
			})
		},
	}
	show.Flags().BoolVar(&asJSON, "json", false, jsonUsage)
	return show
}

func (a *app) printCall(c *ledger.Call) error {
	facts := []fact{
		{"call", cell{c.ID.String(), heading}},
		{"request", cell{text: c.Method + " " + c.URL()}},
		{"key", cell{text: orDash(c.Key)}},
		{"started", cell{text: a.moment(c.Started)}},
		{"took", cell{text: tookOr(c.Took, "-")}},
		{"waited", cell{text: tookOr(c.Waited, "-")}},
		{"result", result(c)},
		{"attempts", cell{text: fmt.Sprintf("%d, put on a connection %s", c.Attempts, times(wireSends(c)))}},
		{"policy", cell{text: orDash(c.Policy)}},
	}
	if c.Previous != 0 {
		facts = append(facts, fact{"redirected from", cell{text: "call " + c.Previous.String()}})
	}
	if c.Duplicate.Kind != ledger.NoDuplicate {
		facts = append(facts, fact{"sent twice", cell{sentTwice(c), bad}})
	}
	if c.Error != "" {
		facts = append(facts, fact{"error", cell{c.Error, bad}})
	}
	if err := a.printFacts(facts); err != nil {
		return err
	}
	fmt.Fprintln(a.out)
	if err := a.printTimeline(c); err != nil {
		return err
	}
	if len(c.AttemptList) == 0 {
		return nil
	}
	fmt.Fprintln(a.out)
	return a.printPhases(c)
}

// sentTwice says in what way a call was sent twice.
func sentTwice(c *ledger.Call) string {
	switch other := c.Duplicate.Other.String(); c.Duplicate.Kind {
	case ledger.WireTwice:
		return "on the wire, without a key"
	case ledger.TwoKeys:
		return "with two keys, here and by call " + other
	default:
		return "without a key, here and by call " + other
	}
}

func times(n *int) string {
	switch {
	case n == nil:
		return "an unknown number of times"
	case *n == 0:
		return "never"
	case *n == 1:
		return "once"
	}
	return fmt.Sprintf("%d times", *n)
}

// printTimeline writes the attempts and waits of a call in the order in which they began.
func (a *app) printTimeline(c *ledger.Call) error {
	t := a.out.table(column{"AT", true}, column{"WHAT", false}, column{"TOOK", true},
		column{"RESULT", false}, column{"BECAUSE", false})
	for e := range phrase.Story(c) {
		var err error
		if w := e.Wait; w != nil {
			lasted := tookOr(w.Took, "of "+took(w.Planned))
			err = t.add(offset(w.Start), cell{"  " + w.Kind.String(), faint}, cell{text: lasted},
				cell{text: ""}, cell{text: w.Rule.Words(w.Kind)})
		} else {
			attempt := e.Attempt
			err = t.add(offset(attempt.Start), cell{text: fmt.Sprintf("%d %s", attempt.N, attempt.Reason)},
				cell{text: tookOr(attempt.Took, "-")}, attemptResult(attempt), cell{text: ledger.Explain(c, attempt)})
		}
		if err != nil {
			return err
		}
	}
	return t.end()
}

// offset writes a moment within a call.
func offset(d time.Duration) cell { return cell{text: fmt.Sprintf("+%.3fs", d.Seconds())} }

// printPhases writes where the time of each attempt went, and over which connection.
func (a *app) printPhases(c *ledger.Call) error {
	t := a.out.table(column{"ATTEMPT", true}, column{"DNS", true}, column{"CONNECT", true}, column{"TLS", true},
		column{"SEND", true}, column{"WAIT", true}, column{"RECEIVE", true}, column{"SENT", true},
		column{"RECEIVED", true}, column{"CONNECTION", false}, column{"ERROR", false})
	for i := range c.AttemptList {
		attempt := &c.AttemptList[i]
		p := attempt.Phases
		row := []cell{{text: strconv.Itoa(attempt.N)}}
		for _, d := range []time.Duration{p.DNS, p.Connect, p.TLS, p.Send, p.Wait, p.Receive} {
			row = append(row, cell{text: tookOr(d, "-")})
		}
		row = append(row, cell{text: fmt.Sprintf("%d B", attempt.BytesSent)},
			cell{text: fmt.Sprintf("%d B", attempt.BytesReceived)},
			cell{text: connection(attempt)}, cell{orDash(attempt.Err), plain})
		if err := t.add(row...); err != nil {
			return err
		}
	}
	return t.end()
}

func connection(t *ledger.Attempt) string {
	switch {
	case t.Remote == "":
		return "-"
	case t.Reused:
		return t.Remote + " reused"
	}
	return t.Remote + " new"
}
