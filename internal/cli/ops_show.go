package cli

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"redial/db"
	"redial/ledger"
	"redial/recorder"
)

func (a *app) opsShowCommand() *cobra.Command {
	var asJSON bool
	show := &cobra.Command{
		Use:   "show KEY",
		Short: "Show one operation and everything that became of it",
		Long: `Show prints one operation: what it is to do, where it stands, and every step of its life
with who made it, why, and on what evidence. The bytes that it sends are never shown, and
secrets in its URL and in errors are redacted.

KEY is its idempotency key, or service/KEY where several services use that key.`,
		Example: `  redial ops show order-8841
  redial ops show checkout/order-8841 --json | jq '.transitions[].reason'`,
		Args:              oneArgument("the key of an operation"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.read(cmd.Context(), func(ctx context.Context, store *db.DB) error {
				id, err := find(ctx, store, args[0])
				if err != nil {
					return err
				}
				o, err := store.Operation(ctx, id)
				if err != nil {
					return err
				}
				rows, err := store.Transitions(ctx, id)
				if err != nil {
					return err
				}
				read, err := store.Reading(ctx, id)
				switch {
				case err != nil:
					return err
				case asJSON:
					return a.printJSON(encodeOperationDetail(&o, rows, read))
				}
				return a.printOperation(shown(&o), rows, read)
			})
		},
	}
	show.Flags().BoolVar(&asJSON, "json", false, jsonUsage)
	return show
}

// printOperation prints an operation that has been redacted, and its life.
func (a *app) printOperation(o *ledger.Operation, rows []ledger.Transition, read ledger.Reading) error {
	if err := a.printFacts(append(a.intentFacts(o), a.progressFacts(o, read)...)); err != nil {
		return err
	}
	fmt.Fprintln(a.out)
	return a.printTransitions(rows)
}

// intentFacts are what an operation is to do.
func (a *app) intentFacts(o *ledger.Operation) []fact {
	facts := []fact{
		{"operation", cell{o.Key, heading}},
		{"service", cell{text: orDash(o.Service)}},
		{"name", cell{text: orDash(o.Name)}},
		{"request", cell{text: o.Method + " " + o.URL}},
	}
	if o.Ref != "" {
		facts = append(facts, fact{"reference", cell{text: o.Ref}})
	}
	if o.Compensates != "" {
		facts = append(facts, fact{"undoes", cell{text: o.Compensates}})
	}
	if len(o.Withheld) > 0 {
		facts = append(facts, fact{"withheld", cell{text: strings.Join(o.Withheld, ", ")}})
	}
	honoured := "not declared"
	if o.Policy.Honoured {
		honoured = "declared: " + ledger.Age(o.Policy.Remembered()) + ", header " + o.Policy.KeyHeader()
	}
	return append(facts, fact{"honoured", cell{text: honoured}},
		fact{"fingerprint", cell{text: hex.EncodeToString(o.Fingerprint[:])}})
}

// progressFacts are what has become of an operation.
func (a *app) progressFacts(o *ledger.Operation, read ledger.Reading) []fact {
	state := standing(o.State)
	if o.Disputed && o.State != ledger.OpDisputed {
		state.text += ", and was disputed"
	}
	facts := []fact{
		{"state", state},
		{"created", cell{text: a.moment(o.Created)}},
		{"updated", cell{text: a.moment(o.Updated)}},
		{"key expires", cell{text: a.momentOr(o.KeyExpires(), "-")}},
		{"sends", cell{text: sendsText(o)}},
		{"lookups", cell{text: a.lookupsText(o)}},
	}
	if !o.Due.IsZero() {
		facts = append(facts, fact{"next step", cell{text: a.moment(o.Due)}})
	}
	if o.Owner != 0 {
		facts = append(facts, fact{"owner", cell{text: "session " + o.Owner.String()}})
	}
	if o.SettledBy.Kind != ledger.NoActor {
		facts = append(facts, fact{"settled by", cell{text: o.SettledBy.String()}})
	}
	if o.SettledBy.Kind == ledger.Person {
		facts = append(facts, fact{"reader", cell{text: read.Words(orDash(o.Service), a.moment(read.At))}})
	}
	if o.Result != nil {
		facts = append(facts, fact{"answer", status(o.Result.Status)})
	}
	if o.LastError != "" {
		facts = append(facts, fact{"last error", cell{o.LastError, bad}})
	}
	return facts
}

func sendsText(o *ledger.Operation) string {
	if o.Doubts == 0 {
		return fmt.Sprint(o.Sends)
	}
	return fmt.Sprintf("%d, %d in doubt", o.Sends, o.Doubts)
}

func (a *app) lookupsText(o *ledger.Operation) string {
	if o.LookedUp.IsZero() {
		return fmt.Sprint(o.Lookups)
	}
	return fmt.Sprintf("%d, the last at %s: %s", o.Lookups, a.moment(o.LookedUp), o.Finding)
}

// momentOr is moment, with a word for no time.
func (a *app) momentOr(t time.Time, none string) string {
	if t.IsZero() {
		return none
	}
	return a.moment(t)
}

// printTransitions writes the life of an operation, oldest first.
func (a *app) printTransitions(rows []ledger.Transition) error {
	t := a.out.table(column{"AT", false}, column{"FROM", false}, column{"TO", false}, column{"BY", false},
		column{"CODE", false}, column{"CALL", true}, column{"REASON", false}, column{"EVIDENCE", false})
	for i := range rows {
		row := recorder.RedactTransition(&rows[i])
		call := "-"
		if row.Call != 0 {
			call = row.Call.String()
		}
		err := t.add(cell{text: a.moment(row.At)}, standing(row.From), standing(row.To), cell{text: orDash(row.Actor.String())},
			cell{text: orDash(row.Code.String())}, cell{text: call}, cell{text: orDash(row.Reason)}, cell{text: orDash(row.Evidence)})
		if err != nil {
			return err
		}
	}
	return t.end()
}
