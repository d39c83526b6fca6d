package cli

import (
	"context"
	"errors"
	"fmt"

	"redial/ledger"
)

const sendHelp = `A live session of its service is asked first, and sends with its own credentials. If there
is none, or none answers within 2 seconds, redial sends from here. Credentials are never on
record: what the service sent is then taken from the environment, for one origin alone, as
in --header 'https://api.example.test Authorization: env:TOKEN'. An interrupt leaves the
operation on record.`

func lookupDeed() deed {
	return deed{
		verb: "lookup", short: "Ask the server whether an operation happened",
		long:    "Lookup asks the server whether an operation happened, and keeps the answer as evidence.\nIt changes nothing at the server.\n\n" + sendHelp,
		example: "  redial ops lookup order-8841\n  redial ops lookup --filter state:pending --limit 20",
		sends:   true,
		bars: func(o *ledger.Operation) error {
			if !o.CanLookUp() {
				return errors.New("there is no way to ask the server: no lookup was declared for it")
			}
			return nil
		},
		do: func(ctx context.Context, c *clerk, o *ledger.Operation) (string, error) {
			answer, err := c.send(ctx, o, ledger.AskLookup)
			if err != nil {
				return "", err
			}
			after, err := c.store.Operation(ctx, o.ID())
			if err == nil && after.Lookups > o.Lookups && after.Finding == ledger.LookupFailed {
				if c.sent() {
					answer += c.withheld(o)
				}
				err = errors.New(answer)
			}
			return answer, err
		},
	}
}

func replayDeed() deed {
	return deed{
		verb: "replay", short: "Send an operation once more, with the same key and the same bytes",
		long: `Replay sends an operation that is pending once more, with the same key and the same bytes,
if the checklist allows it: the bytes are the same, nobody else sends it, the credentials
are there, and, unless overridden with --despite, the API honours keys, the key is young
enough, and it was looked up lately and not found. The exit code is 1 unless the operation
has succeeded afterwards.

` + sendHelp,
		example: `  redial ops replay order-8841
  redial ops replay order-8841 --yes --header 'https://api.example.test Authorization: env:TOKEN'
  redial ops replay order-8841 --despite looked-up --reason 'their lookup is down'`,
		states: []ledger.OperationState{ledger.OpPending}, only: "pending can be replayed",
		asks: true, sends: true, checked: true,
		will: func(*ledger.Operation) string { return "The same bytes are sent once more, with the same key." },
		do: func(ctx context.Context, c *clerk, o *ledger.Operation) (string, error) {
			answer, err := c.send(ctx, o, ledger.AskReplay)
			if err != nil {
				return "", err
			}
			after, err := c.store.Operation(ctx, o.ID())
			if err == nil && after.State != ledger.OpSucceeded {
				err = fmt.Errorf("it was sent, and %s", answer)
			}
			return answer, err
		},
	}
}

func compensateDeed() deed {
	states := []ledger.OperationState{ledger.OpPending, ledger.OpSucceeded}
	return deed{
		verb: "compensate", short: "Undo an operation at the server, as the service has declared",
		long: `Compensate undoes an operation at the server as the service has declared. That is an
operation of its own, with a key of its own, and is done once however often it is asked
for; only where that failed it is done anew. The first one becomes failed when that has
succeeded and a lookup finds nothing.

` + sendHelp,
		example: "  redial ops compensate order-8841 --reason 'ordered twice'",
		states:  states, only: words(states) + " can be undone",
		asks: true, sends: true, undoes: true,
		bars: func(o *ledger.Operation) error {
			if o.Undo == nil {
				return errors.New("it cannot be undone: the service has not declared how")
			}
			return nil
		},
		will: func(o *ledger.Operation) string {
			return fmt.Sprintf("It is undone at the server: %s %s.", o.Undo.Method, o.Fill(o.Undo.URL))
		},
		do: func(ctx context.Context, c *clerk, o *ledger.Operation) (string, error) {
			return c.send(ctx, o, ledger.AskUndo)
		},
	}
}
