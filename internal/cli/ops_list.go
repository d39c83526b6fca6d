package cli

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"redial/db"
	"redial/ledger"
)

const opsListHelp = `List prints the operations of a file, oldest first. Where an operation stands is one of

  prepared      a plan that nobody has sent yet
  sending       written down and sent, or about to be
  backing-off   it waits for its next send
  checking      it may have happened, and is being looked up
  pending       it may have happened, and a person is needed
  succeeded     it happened
  failed        it did not happen, or was undone
  disputed      evidence contradicts the final word

A filter picks operations, in the language of ` + "`redial calls list`" + `:

  state:pending   key:order-*   service:checkout   host:api.example.test   method:POST
  sends:>1        error:*504*   last:24h           status:201              path:/orders/*

A word alone is looked for in URL, key and name. last:24h asks for what was created in the
24 hours before now, for a recording too.`

func (a *app) opsListCommand() *cobra.Command {
	var asJSON, open bool
	var expression filterValue
	list := &cobra.Command{
		Use:   "list",
		Short: "List operations, oldest first",
		Long:  opsListHelp,
		Example: `  redial ops list --open
  redial ops list --filter 'state:pending service:checkout'
  redial ops list --json | jq -r 'select(.state == "pending") | .key'`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			filter, err := ledger.ParseOperationFilter(string(expression))
			if err != nil {
				return filterError(string(expression), err, cmd)
			}
			q := ledger.OperationQuery{Filter: filter, Open: open, Zone: a.zone}
			return a.read(cmd.Context(), func(ctx context.Context, store *db.DB) error {
				if asJSON {
					return store.EachOperation(ctx, q, func(o *ledger.Operation) error {
						return a.printJSON(encodeOperation(o))
					})
				}
				return a.listOperations(ctx, store, q)
			})
		},
	}
	list.Flags().Var(&expression, "filter", "list only operations that match `EXPR`")
	list.Flags().BoolVar(&open, "open", false, "list only operations that are not settled")
	list.Flags().BoolVar(&asJSON, "json", false, jsonUsage)
	return list
}

func (a *app) listOperations(ctx context.Context, store *db.DB, q ledger.OperationQuery) error {
	t := a.out.table(column{"SERVICE", false}, column{"KEY", false}, column{"STATE", false}, column{"CREATED", false},
		column{"SENDS", true}, column{"LOOKUPS", true}, column{"NAME", false}, column{"METHOD", false},
		column{"URL", false}, column{"LAST ERROR", false})
	n := 0
	err := store.EachOperation(ctx, q, func(o *ledger.Operation) error {
		n++
		o = shown(o)
		return t.add(cell{text: orDash(o.Service)}, cell{text: o.Key}, standing(o.State), cell{text: a.moment(o.Created)},
			cell{text: strconv.Itoa(o.Sends)}, cell{text: strconv.Itoa(o.Lookups)}, cell{text: orDash(o.Name)},
			cell{text: o.Method}, cell{text: o.URL}, cell{text: orDash(o.LastError)})
	})
	if err != nil {
		return err
	}
	switch {
	case n > 0:
	case q.Filter.Root != nil:
		a.say("no operation in %s matches %s", store.Path(), q.Filter.Text)
	case q.Open:
		a.say("no operation in %s is open", store.Path())
	default:
		a.say("no operation has been recorded to %s yet", store.Path())
	}
	return t.end()
}
