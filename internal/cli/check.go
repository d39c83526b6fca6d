package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"redial/db"
	"redial/ledger"
)

const checkHelp = `Check compares a file with bounds, for CI and cron: it says nothing and its exit code is 0
when all of them hold; otherwise it says which one does not hold, and its exit code is 1.

What waits for a person is counted: operations that are pending, as they may have happened
and nobody knows whether they did, or disputed, as evidence contradicts the final word.
Their age counts from when they were created. A call was sent twice when another one asked
for the same before it, without a key or with another one, or when it was on the wire twice
without a key: ` + "`redial calls list --filter duplicate:yes`" + ` lists both of each pair.`

// bounds are what a file is compared with.
type bounds struct {
	pending    uint64
	pendingAge durationValue
	duplicates uint64
	json       bool

	hasPending, hasDuplicates bool // whether the flag was given; 0 is a bound too
}

func (a *app) checkCommand() *cobra.Command {
	var b bounds
	check := &cobra.Command{
		Use:   "check",
		Short: "Fail when too many operations are pending or disputed, or for too long",
		Long:  checkHelp,
		Example: `  redial check --max-pending 0
  redial check --max-pending 20 --max-pending-age 15m --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b.hasPending = cmd.Flags().Changed("max-pending")
			b.hasDuplicates = cmd.Flags().Changed("max-duplicates")
			if !b.hasPending && !b.hasDuplicates && b.pendingAge == 0 {
				return usagef("%q needs a bound: --max-pending N, --max-pending-age DURATION, --max-duplicates N, or several", cmd.CommandPath())
			}
			return a.read(cmd.Context(), func(ctx context.Context, store *db.DB) error { return a.check(ctx, store, &b) })
		},
	}
	check.Flags().Uint64Var(&b.pending, "max-pending", 0, "at most `N` operations may be pending or disputed")
	check.Flags().Var(&b.pendingAge, "max-pending-age", "none may be pending or disputed that is older than a `DURATION` such as 15m or 2d")
	check.Flags().Uint64Var(&b.duplicates, "max-duplicates", 0, "at most `N` calls of the file may have been sent twice")
	check.Flags().BoolVar(&b.json, "json", false, "print the figures as one JSON object")
	return check
}

// figures are what was found, as scripts read it. A pointer is null where there is none.
type figures struct {
	Holds         bool     `json:"holds"`
	Pending       int64    `json:"pending"`
	Disputed      int64    `json:"disputed"`
	MaxPending    *uint64  `json:"max_pending"`
	PendingAge    *float64 `json:"pending_age_ms"`
	MaxPendingAge *float64 `json:"max_pending_age_ms"`
	OldestKey     *string  `json:"oldest_key"`
	OldestService *string  `json:"oldest_service"`
	Duplicates    int64    `json:"duplicates"`
	MaxDuplicates *uint64  `json:"max_duplicates"`
}

func (a *app) check(ctx context.Context, store *db.DB, b *bounds) error {
	counts, err := store.OperationCounts(ctx, "")
	if err != nil {
		return err
	}
	oldest, err := store.Operations(ctx, ledger.OperationQuery{States: []ledger.OperationState{ledger.OpPending, ledger.OpDisputed}, Limit: 1})
	if err != nil {
		return err
	}
	out := figures{Holds: true, Pending: counts.Pending, Disputed: counts.Disputed, MaxPendingAge: millisIf(time.Duration(b.pendingAge))}
	if b.hasPending {
		out.MaxPending = &b.pending
	}
	if out.Duplicates, err = store.Duplicates(ctx); err != nil {
		return err
	}
	if b.hasDuplicates {
		out.MaxDuplicates = &b.duplicates
	}
	var age time.Duration
	name := "-"
	if len(oldest) > 0 {
		o := &oldest[0]
		age = max(a.now().Sub(o.Created), 0)
		name = fullName(o.ID())
		out.PendingAge, out.OldestKey, out.OldestService = known(millis(age)), known(o.Key), known(o.Service)
	}
	broken := errors.Join(b.broken(counts.Pending+counts.Disputed, age, name), b.brokenBy(out.Duplicates))
	out.Holds = broken == nil
	if b.json {
		broken = errors.Join(a.printJSON(out), broken)
	}
	return broken
}

// broken returns an error for each bound that does not hold of how many operations wait for
// a person, and for how long.
func (b *bounds) broken(waiting int64, age time.Duration, oldest string) error {
	var many, old error
	if b.hasPending && waiting > 0 && uint64(waiting) > b.pending {
		many = fmt.Errorf("%s pending or disputed, more than %d (--max-pending): the oldest is %s, created %s ago",
			count(waiting, "operation"), b.pending, oldest, ledger.Age(age))
	}
	if bound := time.Duration(b.pendingAge); bound > 0 && waiting > 0 && age > bound {
		old = fmt.Errorf("an operation is pending or disputed for %s, longer than %s (--max-pending-age): the oldest is %s",
			ledger.Age(age), ledger.Age(bound), oldest)
	}
	return errors.Join(many, old)
}

// brokenBy returns an error if more calls were sent twice than may be.
func (b *bounds) brokenBy(duplicates int64) error {
	if !b.hasDuplicates || duplicates <= 0 || uint64(duplicates) <= b.duplicates {
		return nil
	}
	return fmt.Errorf("%s sent twice, more than %d (--max-duplicates): `redial calls list --filter duplicate:yes` lists both of each pair",
		count(duplicates, "call"), b.duplicates)
}
