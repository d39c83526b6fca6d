package cli

import (
	"context"
	"errors"
	"fmt"

	"redial/ledger"
)

func confirmDeed() deed {
	states := []ledger.OperationState{ledger.OpPending, ledger.OpDisputed}
	return deed{
		verb: "confirm", short: "Write down that an operation happened",
		long: `Confirm settles an operation that is pending or disputed: it happened. Nothing is sent.
The service that waits for it learns of it. Redial looks it up once more, if it can be
looked up; what contradicts you makes it disputed.`,
		example: `  redial ops confirm order-8841 --reason 'found in their back office' --evidence 'their no. 77120'`,
		states:  states, only: words(states) + " can be confirmed",
		asks: true, reasoned: true, proven: true, settles: true,
		will: func(o *ledger.Operation) string {
			return fmt.Sprintf("Nothing is sent. It is written down that it happened: %s → %s.", o.State, ledger.OpSucceeded)
		},
		do: func(ctx context.Context, c *clerk, o *ledger.Operation) (string, error) {
			return now(c.Settle(ctx, o, true, c.flags.reason, c.flags.evidence))
		},
	}
}

func failDeed() deed {
	states := []ledger.OperationState{ledger.OpPending, ledger.OpDisputed, ledger.OpPrepared}
	return deed{
		verb: "fail", short: "Write down that an operation did not happen",
		long: `Fail settles an operation that is pending or disputed: it did not happen. One that is
prepared, and was never sent, is cancelled. Nothing is sent. The service that waits for it
learns of it. Redial looks it up once more, if it can be looked up; what contradicts you
makes it disputed.`,
		example: `  redial ops fail order-8841 --reason 'they have no such order, and their day is closed'`,
		states:  states, only: words(states) + " can be failed",
		asks: true, reasoned: true, proven: true, settles: true,
		will: func(o *ledger.Operation) string {
			if o.State == ledger.OpPrepared {
				return "Nothing is sent. The plan is cancelled, and is never sent."
			}
			return fmt.Sprintf("Nothing is sent. It is written down that it did not happen: %s → %s.", o.State, ledger.OpFailed)
		},
		do: func(ctx context.Context, c *clerk, o *ledger.Operation) (string, error) {
			if o.State == ledger.OpPrepared {
				return now(c.Cancel(ctx, o, c.flags.reason))
			}
			return now(c.Settle(ctx, o, false, c.flags.reason, c.flags.evidence))
		},
	}
}

func reopenDeed() deed {
	states := []ledger.OperationState{ledger.OpSucceeded, ledger.OpFailed}
	return deed{
		verb: "reopen", short: "Take back the final word that a person spoke",
		long: `Reopen makes an operation pending again that a person has settled. Redial says whether the
service has read the settlement, and may have acted on it; it learns that it was taken back.`,
		example: `  redial ops reopen order-8841 --reason 'that was another order'`,
		states:  states, only: words(states) + " can be reopened",
		asks: true, reasoned: true, settles: true,
		bars: func(o *ledger.Operation) error {
			if o.SettledBy.Kind != ledger.Person {
				return fmt.Errorf("it was made %s by the %s, and only what a person settled can be reopened", o.State, o.SettledBy)
			}
			return nil
		},
		will: func(o *ledger.Operation) string {
			return fmt.Sprintf("Nothing is sent. The word of %s is taken back: %s → %s.", o.SettledBy, o.State, ledger.OpPending)
		},
		do: func(ctx context.Context, c *clerk, o *ledger.Operation) (string, error) {
			answer, err := now(c.Reopen(ctx, o, c.flags.reason))
			if err != nil {
				return "", err
			}
			read, err := c.reading(ctx, o)
			return answer + "; the word: " + read, err
		},
	}
}

func noteDeed() deed {
	return deed{
		verb: "note", short: "Add a note to an operation", takes: "TEXT",
		long: `Note adds what you know to the life of an operation. It changes nothing else, and there is
no question to answer.`,
		example: `  redial ops note order-8841 'asked their support, ticket 5512'`,
		bars:    func(*ledger.Operation) error { return nil },
		will:    func(*ledger.Operation) string { return "Nothing is sent. A note is added." },
		do: func(ctx context.Context, c *clerk, o *ledger.Operation) (string, error) {
			if c.flags.reason == "" {
				return "", errors.New("the note is empty, so nothing was written")
			}
			_, err := c.Note(ctx, o.ID(), c.flags.reason)
			return "noted", err
		},
	}
}

// now says where an operation stands after a step, if that was made.
func now(o ledger.Operation, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return "it is " + o.State.String(), nil
}
