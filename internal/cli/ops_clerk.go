package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"redial/db"
	"redial/ledger"
	"redial/operation"
)

// clerk does one deed to operations, for the person of this run.
type clerk struct {
	*desk
	app   *app
	deed  *deed
	flags *actFlags
}

func newClerk(a *app, d *deed, f *actFlags, store *db.DB) *clerk {
	return &clerk{newDesk(store, f.as, f.credentials, f.hosts, f.policies), a, d, f}
}

// actOn does the deed to one operation, after its checks and, unless that is to be left
// out, the person's yes. It returns what came of it in words.
func (c *clerk) actOn(ctx context.Context, id ledger.ID) (string, error) {
	o, err := c.store.Operation(ctx, id)
	if err != nil {
		return "", err
	}
	if err := c.app.refuses(ctx, c.store, c.deed, &o); err != nil {
		return "", err
	}
	live, err := c.live(ctx, o.Service)
	if err != nil {
		return "", err
	}
	if err := c.approve(ctx, &o, live); err != nil {
		return "", err
	}
	return c.deed.do(ctx, c, &o)
}

// live returns the live sessions of a service.
func (c *clerk) live(ctx context.Context, service string) (live []ledger.Session, err error) {
	sessions, err := c.store.Sessions(ctx)
	for _, s := range sessions {
		if s.Service == service && s.Live(c.app.now()) {
			live = append(live, s)
		}
	}
	return live, err
}

// approve returns an error unless everything holds that has to, and the person says yes.
// Live are the sessions that would send; with none, it would be sent from here.
func (c *clerk) approve(ctx context.Context, o *ledger.Operation, live []ledger.Session) error {
	checks := c.checks(ctx, o, live)
	if failing := ledger.Failing(checks, c.flags.despite); len(failing) > 0 {
		return c.refusal(o, failing, live)
	}
	if !c.deed.asks || c.flags.yes {
		return nil
	}
	return c.question(ctx, o, checks, live)
}

// checks returns the checklist of the deed, nil if it has none.
func (c *clerk) checks(ctx context.Context, o *ledger.Operation, live []ledger.Session) []ledger.Check {
	switch {
	case c.deed.checked:
		return c.Checklist(ctx, o, live)
	case c.deed.undoes:
		return c.undoChecks(o, live)
	}
	return nil
}

// undoChecks returns what has to hold before an operation is undone. What undoes it may be
// at another origin, where credentials of its own go: what is given for that.
func (c *clerk) undoChecks(o *ledger.Operation, live []ledger.Session) []ledger.Check {
	check := ledger.Check{Text: "the credentials are there", OK: true, Facts: "no credentials are needed"}
	in := c.toSend(o)
	missing := c.flags.credentials.missing(&in)
	elsewhere := originOf(in.URL) != originOf(o.URL)
	switch {
	case len(o.Withheld) == 0:
	case len(live) > 0:
		check.Facts = "from " + o.Service
	case elsewhere && len(missing) == len(in.Withheld):
		check.OK, check.Facts = false, fmt.Sprintf("it is undone at %s, where what it was sent with must not go, and nothing is given for that", plainOrigin(in.URL))
	case !elsewhere && len(missing) > 0:
		check.OK, check.Facts = false, "missing: "+missing[0]
	default:
		check.Facts = "from the environment"
	}
	return []ledger.Check{check}
}

// toSend returns the intent that credentials are for: the one that undoes the operation where
// that is what is done, else its own.
func (c *clerk) toSend(o *ledger.Operation) ledger.Intent {
	in := o.Intent
	if c.deed.undoes && o.Undo != nil {
		in.URL = o.Fill(o.Undo.URL)
	}
	return in
}

// refusal says which checks do not hold, and what can be done about it.
func (c *clerk) refusal(o *ledger.Operation, failing []ledger.Check, live []ledger.Session) error {
	var texts []string
	for _, f := range failing {
		texts = append(texts, fmt.Sprintf("%s (%s)", f.Text, f.Facts))
	}
	advice := override(failing)
	if len(live) == 0 {
		advice += c.withheld(o)
	}
	return fmt.Errorf("nothing was sent, as this does not hold: %s%s", strings.Join(texts, "; "), advice)
}

// withheld says how to give this process a credential that it misses, "" if it has all.
func (c *clerk) withheld(o *ledger.Operation) string {
	in := c.toSend(o)
	missing := c.flags.credentials.missing(&in)
	if len(missing) == 0 {
		return ""
	}
	if h := c.policies.credential(in.URL, missing[0]); h != nil {
		return fmt.Sprintf("; set %s, which %s:%d names for it", h.Variable, c.policies.config.Path, h.Line)
	}
	return fmt.Sprintf("; give it with --header '%s %s: env:NAME'", plainOrigin(in.URL), missing[0])
}

// send has something done about an operation by a live session of its service, or from
// here if there is none or none answers.
func (c *clerk) send(ctx context.Context, o *ledger.Operation, kind ledger.AskKind) (string, error) {
	ask := ledger.Ask{Service: o.Service, Key: o.Key, Kind: kind, Version: o.Version, Despite: c.flags.despite, Reason: c.flags.reason}
	live, err := c.live(ctx, o.Service)
	if err != nil {
		return "", err
	}
	if len(live) > 0 {
		answer, err := c.Ask(ctx, ask)
		if !errors.Is(err, operation.ErrNobody) {
			return answer, err
		}
		c.app.say("%s: no live session of %s answers, so it is done from here", fullName(o.ID()), o.Service)
		if err := c.approve(ctx, o, nil); err != nil {
			return "", err
		}
	}
	if kind == ledger.AskLookup && o.Lookup == nil {
		return "", fmt.Errorf("it can only be looked up by %s itself, which has a function for it: nothing was sent", o.Service)
	}
	return c.Here(ctx, ask)
}

// interrupted ends what was begun, and says how the operation is on record.
func (c *clerk) interrupted(id ledger.ID) error {
	err := c.close()
	ctx, cancel := context.WithTimeout(context.Background(), enrolPatience)
	defer cancel()
	o, read := c.store.Operation(ctx, id)
	if err = errors.Join(err, read); err != nil {
		return fmt.Errorf("interrupted; it is on record: %w", err)
	}
	return fmt.Errorf("interrupted; it is on record, and is %s: `redial ops show %s` tells more", o.State, quote(fullName(id)))
}
