package cli

import (
	"time"

	"github.com/spf13/cobra"

	"redial/ledger"
)

func (a *app) sessionsCommand() *cobra.Command {
	sessions := &cobra.Command{
		Use:   "sessions",
		Short: "List the runs of services that were recorded, and prune them",
		Long:  "A session is one run of a service that records: from its start until it ended or was killed.",
		Example: `  redial sessions list
  redial sessions show 3
  redial sessions prune --older-than 14d --dry-run`,
		Args: onlyCommands,
		RunE: needsCommand,
	}
	sessions.AddCommand(a.sessionsListCommand(), a.sessionsShowCommand(), a.sessionsPruneCommand())
	return sessions
}

// condition says in a word how a session stands, and how that looks.
func condition(s *ledger.Session, now time.Time) cell {
	switch {
	case s.Live(now):
		return cell{"live", good}
	case !s.Ended.IsZero():
		return cell{"ended", plain}
	case s.Dead:
		return cell{"killed", bad}
	}
	return cell{"silent", doubt}
}
