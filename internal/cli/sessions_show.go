package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"redial/db"
	"redial/ledger"
)

func (a *app) sessionsShowCommand() *cobra.Command {
	var asJSON bool
	show := &cobra.Command{
		Use:   "show ID",
		Short: "Show one session, and what is missing from its recording",
		Long:  "Show prints what is known of one session: the process, its times, how many calls are in the file, and how many could not be written and why.",
		Example: `  redial sessions show 3
  redial sessions show 3 --json`,
		Args:              oneArgument("a session id"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := ledger.ParseSessionID(args[0])
			if err != nil {
				return usagef("%v", err)
			}
			return a.read(cmd.Context(), func(ctx context.Context, store *db.DB) error {
				s, err := store.Session(ctx, id)
				switch {
				case err != nil:
					return err
				case asJSON:
					return a.printJSON(encodeSession(&s, a.now()))
				}
				return a.printSession(&s)
			})
		},
	}
	show.Flags().BoolVar(&asJSON, "json", false, jsonUsage)
	return show
}

func (a *app) printSession(s *ledger.Session) error {
	now := a.now()
	facts := []fact{
		{"session", cell{text: s.ID.String()}},
		{"name", cell{text: label(s)}},
		{"service", cell{text: s.Service}},
		{"version", cell{text: orDash(s.Version)}},
		{"process", cell{text: fmt.Sprintf("pid %s on %s", pid(s.PID), orDash(s.Host))}},
		{"started", cell{text: a.moment(s.Started)}},
		{"last seen", cell{text: a.moment(s.LastSeen)}},
	}
	if !s.Ended.IsZero() {
		facts = append(facts, fact{"ended", cell{text: a.moment(s.Ended)}})
	}
	facts = append(facts,
		fact{"length", cell{text: took(s.End(now).Sub(s.Started))}},
		fact{"state", condition(s, now)},
		fact{"calls", cell{text: fmt.Sprintf("%d recorded, %d not ended", s.Calls, s.Running)}},
		fact{"pending", cell{text: count(s.Pending, "operation") + " of the service"}},
		fact{"not written", notWritten(s.Counters)})
	if err := a.printFacts(facts); err != nil {
		return err
	}
	return a.printGaps(s.Gaps)
}

// notWritten says how many calls are missing, and why.
func notWritten(c ledger.Counters) cell {
	if c.NotWritten() == 0 {
		return cell{text: "0"}
	}
	return cell{fmt.Sprintf("%d: %d found the queue full, %d the store did not take or lost",
		c.NotWritten(), c.QueueFull, c.StoreFailed), bad}
}

func (a *app) printGaps(gaps []ledger.Gap) error {
	if len(gaps) == 0 {
		return nil
	}
	fmt.Fprintln(a.out)
	t := a.out.table(column{"MISSING FROM", false}, column{"TO", false}, column{"LASTED", true},
		column{"CALLS", true}, column{"BECAUSE", false})
	for _, g := range gaps {
		err := t.add(cell{text: a.moment(g.From)}, cell{text: a.moment(g.To)},
			cell{text: took(g.To.Sub(g.From))}, cell{text: fmt.Sprint(g.Calls)}, cell{text: g.Reason})
		if err != nil {
			return err
		}
	}
	return t.end()
}
