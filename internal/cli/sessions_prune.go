package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"redial/db"
	"redial/ledger"
	"redial/tui/draw"
)

const sessionsPruneHelp = `Prune takes recorded sessions out of a file: those that ended longer ago than --older-than
says, and then the oldest ones until no more of the file is in use than --max-size says.

Some stay whatever the flags say: sessions that are live, or silent and may go on; those that
are pinned; and those that have a part in an operation that is not settled. Operations stay,
with all that became of them, settled or not: they are what keeps a key from being used twice.

A service can go on recording to the file meanwhile. The file keeps its size: what becomes
free is used for what is recorded next.`

// pruneFlags are what the command is told.
type pruneFlags struct {
	olderThan         durationValue
	maxSize           sizeValue
	dryRun, yes, json bool
}

func (a *app) sessionsPruneCommand() *cobra.Command {
	var f pruneFlags
	prune := &cobra.Command{
		Use:   "prune",
		Short: "Take old sessions out of the file",
		Long:  sessionsPruneHelp,
		Example: `  redial sessions prune --older-than 14d --dry-run
  redial sessions prune --older-than 14d --max-size 512MB --yes`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.olderThan == 0 && f.maxSize == 0 {
				return usagef("nothing says what is to go: --older-than 14d, --max-size 512MB, or both")
			}
			return a.pruneSessions(cmd.Context(), &f)
		},
	}
	flags := prune.Flags()
	flags.Var(&f.olderThan, "older-than", "sessions that ended longer ago than this `DURATION`, as 14d or 36h")
	flags.Var(&f.maxSize, "max-size", "the oldest sessions, until no more than this `SIZE` is in use, as 512MB")
	flags.BoolVar(&f.dryRun, "dry-run", false, "only say what would go")
	flags.BoolVar(&f.yes, "yes", false, "do not ask")
	flags.BoolVar(&f.json, "json", false, jsonUsage)
	return prune
}

// pruneSessions says what goes, asks, and does it. The file is read first, since to open it
// for writing would make one that is missing.
func (a *app) pruneSessions(ctx context.Context, f *pruneFlags) error {
	rule := ledger.PruneRule{OlderThan: time.Duration(f.olderThan), MaxSize: int64(f.maxSize)}
	var plan ledger.PrunePlan
	err := a.read(ctx, func(ctx context.Context, store *db.DB) (err error) {
		plan, err = store.PrunePlan(ctx, rule)
		return err
	})
	if err != nil {
		return err
	}
	does := len(plan.Go) > 0 && !f.dryRun
	if does && !f.yes && !isTerminal(a.in) {
		return errors.New("nothing was done: there is no terminal to ask on, and --yes was not given")
	}
	if !f.json {
		if err := a.printPlan(&plan); err != nil {
			return err
		}
	}
	if !does {
		return a.pruneResult(&plan, f, nil)
	}
	if !f.yes {
		if err := a.askPrune(ctx, &plan); err != nil {
			return err
		}
	}
	var pruned []ledger.SessionID
	err = a.change(ctx, func(ctx context.Context, store *db.DB) (err error) {
		ids := make([]ledger.SessionID, len(plan.Go))
		for i := range plan.Go {
			ids[i] = plan.Go[i].Session.ID
		}
		pruned, err = store.Prune(ctx, ids, a.pruneProgress(&plan))
		return err
	})
	return errors.Join(a.pruneResult(&plan, f, pruned), err)
}

// tellEach is how often a person is told how far pruning is.
const tellEach = 2 * time.Second

// pruneProgress returns what tells a person how far pruning is, nil if nobody looks on.
func (a *app) pruneProgress(plan *ledger.PrunePlan) func(gone int64) {
	if !a.err.terminal() {
		return nil
	}
	told := a.now()
	return func(gone int64) {
		if now := a.now(); now.Sub(told) >= tellEach {
			told = now
			a.say("%d of %s are gone; ctrl+c breaks it off, and what is left can be pruned later", gone, count(plan.Calls(), "call"))
		}
	}
}

// printPlan prints what goes, and on standard error what stays and why.
func (a *app) printPlan(plan *ledger.PrunePlan) error {
	t := a.out.table(column{"ID", true}, column{"NAME", false}, column{"SERVICE", false}, column{"STARTED", false},
		column{"LENGTH", true}, column{"CALLS", true}, column{"ABOUT", true})
	now := a.now()
	for i := range plan.Go {
		p := &plan.Go[i]
		err := t.add(cell{text: p.Session.ID.String()}, cell{text: orDash(p.Session.Name)}, cell{text: p.Session.Service},
			cell{text: a.moment(p.Session.Started)}, cell{text: took(p.Session.End(now).Sub(p.Session.Started))},
			cell{text: strconv.FormatInt(p.Session.Calls, 10)}, cell{text: draw.Bytes(p.Bytes)})
		if err != nil {
			return err
		}
	}
	if err := t.end(); err != nil {
		return err
	}
	for i := range plan.Stay {
		a.say("session %s stays: %s", plan.Stay[i].Session.ID, plan.Stay[i].Why)
	}
	return nil
}

// askPrune asks for a yes.
func (a *app) askPrune(ctx context.Context, plan *ledger.PrunePlan) error {
	if err := a.out.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(a.err, "Type yes to prune %s with %s: ", count(int64(len(plan.Go)), "session"), count(plan.Calls(), "call"))
	dropTyped(a.in)
	if err := a.err.Flush(); err != nil {
		return err
	}
	yes, err := readYes(ctx, a.in)
	if err == nil && !yes {
		err = errDeclined
	}
	return err
}

// prunedJSON is what became of a session that a rule takes.
type prunedJSON struct {
	sessionJSON
	Bytes  int64   `json:"bytes"`
	Pruned bool    `json:"pruned"`
	Stays  *string `json:"stays"` // why; null: it goes
}

// pruneResult says what was done. pruned has the sessions that have gone.
func (a *app) pruneResult(plan *ledger.PrunePlan, f *pruneFlags, pruned []ledger.SessionID) error {
	gone := map[ledger.SessionID]bool{}
	for _, id := range pruned {
		gone[id] = true
	}
	if f.json {
		for _, list := range [][]ledger.Prunable{plan.Go, plan.Stay} {
			for i := range list {
				p := &list[i]
				err := a.printJSON(prunedJSON{encodeSession(&p.Session, a.now()), p.Bytes, gone[p.Session.ID], known(p.Why)})
				if err != nil {
					return err
				}
			}
		}
		return nil
	}
	switch sum := count(int64(len(plan.Go)), "session") + " with " + count(plan.Calls(), "call") + ", about " + draw.Bytes(plan.Bytes()); {
	case len(plan.Go) == 0:
		a.say("nothing goes: %s are in use", draw.Bytes(plan.Used))
	case f.dryRun:
		a.say("%s, would go of %s in use", sum, draw.Bytes(plan.Used))
	case len(pruned) == len(plan.Go):
		a.say("%s, went; the file keeps its size, and uses the room for what is recorded next", sum)
	default:
		a.say("%d of %s went; the others must stay by now, or are left for the next time", len(pruned), count(int64(len(plan.Go)), "session"))
	}
	return nil
}

// sizeValue is a flag that takes a number of bytes.
type sizeValue int64

func (v *sizeValue) Set(text string) error {
	number := strings.TrimRight(text, "KMGTiBkmgtb")
	unit, ok := map[string]float64{
		"": 1, "B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30, "TIB": 1 << 40,
		"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40,
	}[strings.ToUpper(text[len(number):])]
	n, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || n*unit < 1 || n*unit > 1<<60 {
		return errors.New("not a size, which looks like 512MB, 2GB or 300MiB")
	}
	*v = sizeValue(n * unit)
	return nil
}

func (v *sizeValue) Type() string { return "size" }

func (v *sizeValue) String() string {
	if *v == 0 {
		return ""
	}
	return draw.Bytes(int64(*v))
}
