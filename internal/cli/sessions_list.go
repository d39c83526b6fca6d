package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"redial/db"
	"redial/ledger"
)

const sessionsListHelp = `List prints the sessions of a file, oldest first. How a session stands is one of

  live     it has given a sign of life within the last 10 seconds
  ended    it has ended and said so
  killed   its process is gone and never said so
  silent   it gives no sign of life, and nothing is known of its process

PENDING counts the operations of the session's service that are pending, whichever session
began them: it is the same for all sessions of a service.`

func (a *app) sessionsListCommand() *cobra.Command {
	var asJSON bool
	list := &cobra.Command{
		Use:   "list",
		Short: "List sessions, oldest first",
		Long:  sessionsListHelp,
		Example: `  redial sessions list
  redial sessions list --json | jq -r 'select(.live) | .service'`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.read(cmd.Context(), func(ctx context.Context, store *db.DB) error {
				return a.listSessions(ctx, store, asJSON)
			})
		},
	}
	list.Flags().BoolVar(&asJSON, "json", false, jsonUsage)
	return list
}

const jsonUsage = "print one JSON object a line"

func (a *app) listSessions(ctx context.Context, store *db.DB, asJSON bool) error {
	sessions, err := store.Sessions(ctx)
	if err != nil {
		return err
	}
	slices.Reverse(sessions)
	if asJSON {
		for i := range sessions {
			if err := a.printJSON(encodeSession(&sessions[i], a.now())); err != nil {
				return err
			}
		}
		return nil
	}
	if len(sessions) == 0 {
		a.say("no session has been recorded to %s yet", store.Path())
	}
	return a.printSessions(sessions)
}

func (a *app) printSessions(sessions []ledger.Session) error {
	t := a.out.table(column{"ID", true}, column{"NAME", false}, column{"SERVICE", false}, column{"VERSION", false},
		column{"HOST", false}, column{"PID", true}, column{"STARTED", false}, column{"LENGTH", true},
		column{"CALLS", true}, column{"NOT ENDED", true}, column{"PENDING", true}, column{"NOT WRITTEN", true}, column{"STATE", false})
	now := a.now()
	for i := range sessions {
		s := &sessions[i]
		missing := cell{strconv.FormatInt(s.Counters.NotWritten(), 10), plain}
		if s.Counters.NotWritten() > 0 {
			missing.style = bad
		}
		err := t.add(cell{text: s.ID.String()}, cell{text: label(s)}, cell{text: s.Service}, cell{text: orDash(s.Version)},
			cell{text: orDash(s.Host)}, cell{text: pid(s.PID)}, cell{text: a.moment(s.Started)},
			cell{text: took(s.End(now).Sub(s.Started))}, cell{text: strconv.FormatInt(s.Calls, 10)},
			cell{text: strconv.FormatInt(s.Running, 10)}, cell{text: strconv.FormatInt(s.Pending, 10)}, missing, condition(s, now))
		if err != nil {
			return err
		}
	}
	return t.end()
}

// label is the name of a session and whether it is pinned.
func label(s *ledger.Session) string {
	if s.Pinned {
		return strings.TrimSpace(s.Name + " (pinned)")
	}
	return orDash(s.Name)
}

// orDash stands a dash in for what is not known.
func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

func pid(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}
