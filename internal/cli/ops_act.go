package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"redial/db"
	"redial/ledger"
	"redial/operation"
	"redial/tui/visible"
)

// deed is something that a person can do to an operation: look it up, replay it, settle it.
type deed struct {
	verb, short, long, example string

	states []ledger.OperationState       // in which it can be done; nil: in any
	only   string                        // in words what it can be done to, for those that it cannot
	bars   func(*ledger.Operation) error // says what else keeps an operation from it; nil: nothing does

	asks     bool   // whether the person is asked before it is done
	sends    bool   // to the server, with credentials perhaps
	reasoned bool   // a reason has to be given
	proven   bool   // evidence can be given
	undoes   bool   // it sends what undoes the operation, and not the operation or its lookup
	checked  bool   // the checklist has to hold, or be overridden
	settles  bool   // it makes or takes back a final word, which the service may read
	takes    string // what its last argument is, where that is no key; "" for most

	will func(*ledger.Operation) string // what it does, in a sentence; needed where it asks
	do   func(context.Context, *clerk, *ledger.Operation) (string, error)
}

// applies reports whether the deed can be done to an operation as it stands.
func (d *deed) applies(o *ledger.Operation) bool {
	return (d.states == nil || slices.Contains(d.states, o.State)) && (d.bars == nil || d.bars(o) == nil)
}

// refuses returns why a deed cannot be done to an operation as it stands, nil if it can.
func (a *app) refuses(ctx context.Context, store *db.DB, d *deed, o *ledger.Operation) error {
	switch {
	case d.applies(o):
		return nil
	case d.states == nil || slices.Contains(d.states, o.State):
		return d.bars(o)
	case o.Settled():
		return fmt.Errorf("it is %s, by %s, since %s, and only what is %s", o.State, orDash(o.SettledBy.String()), a.moment(o.Moved), d.only)
	case o.Owner != 0:
		return fmt.Errorf("it is %s, and only what is %s", operation.Driving(ctx, store, o, a.moment(o.Moved)), d.only)
	}
	return fmt.Errorf("it is %s, and only what is %s", o.State, d.only)
}

// act does a deed to everything that the command line names, each answered in a line. What
// is wrong with the command line is said before anything is done.
func (a *app) act(ctx context.Context, d *deed, f *actFlags, args []string) error {
	keys, err := f.settle(a, d, args)
	if err != nil {
		return err
	}
	var todo []target
	failed := false
	err = a.read(ctx, func(ctx context.Context, store *db.DB) error {
		picked, err := a.pick(ctx, store, d, f, keys)
		if err != nil {
			return err
		}
		todo, err = a.sift(ctx, store, d, f, picked)
		failed = len(todo) < len(picked)
		return err
	})
	if err != nil {
		return err
	}
	if len(todo) > 0 {
		err = a.change(ctx, func(ctx context.Context, store *db.DB) error {
			failed = !a.actOnEach(ctx, d, f, store, todo) || failed
			return nil
		})
	}
	if err == nil && failed {
		err = errSaid
	}
	return err
}

// sift returns the targets that the deed can be done to, and says of each other one why it
// cannot. It is done before the file is opened for writing, so that what is refused changes
// nothing. An error is one of the command line as a whole.
func (a *app) sift(ctx context.Context, store *db.DB, d *deed, f *actFlags, picked []target) ([]target, error) {
	var todo []target
	var found []ledger.Operation
	for _, t := range picked {
		if t.unclear != nil {
			a.say("%v", t.unclear)
			continue
		}
		o, err := store.Operation(ctx, t.id)
		if err != nil {
			return nil, err
		}
		o.Body, o.Result = nil, nil
		found = append(found, o)
		if err := a.refuses(ctx, store, d, &o); err != nil {
			a.sayOf(t.name, err)
			continue
		}
		todo = append(todo, t)
	}
	return todo, f.credentials.fit(found, d.undoes)
}

// sayOf says in a line of its own what went wrong with one operation.
func (a *app) sayOf(name string, err error) { a.say("%s: %v", name, err) }

// actOnEach does a deed to one target after the other, and reports whether all went well.
// An interrupt ends it.
func (a *app) actOnEach(ctx context.Context, d *deed, f *actFlags, store *db.DB, todo []target) bool {
	c := newClerk(a, d, f, store)
	well := true
	for i, t := range todo {
		answer, err := c.actOn(ctx, t.id)
		switch {
		case ctx.Err() != nil && err != nil:
			a.sayOf(t.name, c.interrupted(t.id))
			if left := int64(len(todo) - i - 1); left > 0 {
				a.say("%s more: not begun", count(left, "operation"))
			}
			return false
		case err != nil:
			well = false
			a.sayOf(t.name, err)
		default:
			fmt.Fprintln(a.out, visible.Text(t.name+": "+answer))
			a.out.Flush()
		}
	}
	if err := c.close(); err != nil {
		a.say("%v", err)
		well = false
	}
	return well
}

func (a *app) actCommand(d deed) *cobra.Command {
	var f actFlags
	use := d.verb + " KEY..."
	if d.takes != "" {
		use += " " + d.takes
	}
	c := &cobra.Command{
		Use: use, Short: d.short, Long: d.long + "\n\n" + actHelp, Example: d.example,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.act(cmd.Context(), &d, f.of(cmd), args) },
	}
	f.register(c.Flags(), &d)
	return c
}

const actHelp = `KEY is the idempotency key of an operation, or service/KEY where several services use that
key. In place of keys, --filter picks operations, oldest first and at most --limit of them.
Each is answered in a line; the exit code is 1 when any of them fails.`

// errNoReason says that a command needs a reason.
func errNoReason(d *deed) error {
	return usagef("\"redial ops %s\" needs --reason TEXT: it is kept with the operation, for whoever asks later", d.verb)
}

// words joins alternatives: "pending or succeeded".
func words(states []ledger.OperationState) string {
	names := make([]string, len(states))
	for i, s := range states {
		names[i] = s.String()
	}
	return strings.Join(names, " or ")
}
