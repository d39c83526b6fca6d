package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"redial/ledger"
	"redial/recorder"
)

const opsHelp = `An operation is one business intent with an outside effect, such as "create order 8841",
with one idempotency key through all its sends. One that may have happened, and of which
nobody knows whether it did, is pending: redial only looks it up, and a person decides.

  redial ops list --filter state:pending            what waits for a person
  redial ops show order-8841                        what became of one of them
  redial ops lookup order-8841                      ask the server whether it is there
  redial ops replay order-8841                      send the same bytes once more
  redial ops confirm order-8841 --reason TEXT       write down that it happened
  redial ops fail order-8841 --reason TEXT          write down that it did not`

func (a *app) opsCommand() *cobra.Command {
	ops := &cobra.Command{
		Use:   "ops",
		Short: "List operations; look them up, replay or settle those that are pending",
		Long:  opsHelp,
		Example: `  redial ops list --open
  redial ops show checkout/order-8841
  redial ops replay order-8841 --header 'https://api.example.test Authorization: env:TOKEN'`,
		Args: onlyCommands,
		RunE: needsCommand,
	}
	ops.AddCommand(a.opsListCommand(), a.opsShowCommand())
	for _, d := range deeds() {
		ops.AddCommand(a.actCommand(d))
	}
	return ops
}

// deeds are what people can do to operations.
func deeds() []deed {
	return []deed{lookupDeed(), replayDeed(), compensateDeed(), confirmDeed(), failDeed(), reopenDeed(), noteDeed()}
}

// standing says in a word where an operation stands, and how that looks.
func standing(s ledger.OperationState) cell {
	switch s {
	case ledger.OpSucceeded:
		return cell{s.String(), good}
	case ledger.OpFailed, ledger.OpDisputed:
		return cell{s.String(), bad}
	case ledger.OpPending:
		return cell{s.String(), doubt}
	case ledger.OpNone:
		return cell{"-", faint}
	}
	return cell{text: s.String()}
}

// fullName returns the name by which exactly one operation is meant.
func fullName(id ledger.ID) string { return id.Service + "/" + id.Key }

// shown returns what may be shown of an operation.
func shown(o *ledger.Operation) *ledger.Operation {
	redacted := recorder.RedactOperation(o)
	return &redacted
}

// count writes a number with its noun: "1 operation", "2 operations".
func count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
