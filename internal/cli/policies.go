package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"redial/internal/cli/config"
	"redial/ledger"
	"redial/recorder"
)

// policies are what the configuration says of the idempotency keys of an origin. Its word
// counts before that of the service for what a person does from here; what a service does by
// itself goes by what it has declared.
type policies struct{ config *config.Config }

// of returns the policy for an operation, nil if there is none. One that promises that keys
// are honoured is none for a key that went out under another header.
func (p policies) of(o *ledger.Operation) *config.KeyPolicy {
	for i := range p.config.Origins {
		k := p.config.Origins[i].Keys
		if k == nil || p.config.Origins[i].Origin != originOf(o.URL) {
			continue
		}
		declared := ledger.KeyPolicy{Header: k.Header}
		if k.Honoured && !strings.EqualFold(declared.KeyHeader(), o.Policy.KeyHeader()) {
			return nil
		}
		return k
	}
	return nil
}

// apply returns the operation as it stands under the policy of its origin.
func (p policies) apply(o *ledger.Operation) ledger.Operation {
	under := *o
	if k := p.of(o); k != nil {
		under.Policy.Honoured = k.Honoured
		if k.Lifetime > 0 {
			under.Policy.Lifetime = k.Lifetime
		}
	}
	return under
}

// redacted returns an operation fit to be shown, under the policy of its origin.
func (p policies) redacted(o *ledger.Operation) ledger.Operation {
	under := p.apply(o)
	return recorder.RedactOperation(&under)
}

// credential returns what the configuration has for a header of what goes to a URL, nil for
// nothing.
func (p policies) credential(url, name string) *config.Header {
	for _, o := range p.config.Origins {
		for i, h := range o.Headers {
			if o.Origin == originOf(url) && strings.EqualFold(h.Name, name) {
				return &o.Headers[i]
			}
		}
	}
	return nil
}

// where names the place in the configuration where the policy for an operation stands.
func (p policies) where(o *ledger.Operation) string {
	return fmt.Sprintf("%s:%d", filepath.Base(p.config.Path), p.of(o).Line)
}

// byPolicy reports whether a policy has a say in a check.
func byPolicy(c ledger.Check) bool {
	return c.Name == ledger.CheckHonoured || c.Name == ledger.CheckKeyAge
}

// Checklist returns what has to hold before the operation is replayed, under the policy of
// its origin.
func (d *desk) Checklist(ctx context.Context, o *ledger.Operation, live []ledger.Session) []ledger.Check {
	under := d.policies.apply(o)
	checks := d.policies.named(o, &under, d.Desk.Checklist(ctx, &under, live))
	for i, c := range checks {
		for _, name := range d.credentials.missing(&o.Intent) {
			if h := d.policies.credential(o.URL, name); h != nil && !c.OK && c.Facts == "missing: "+name {
				checks[i].Facts += ", from $" + h.Variable
			}
		}
	}
	return checks
}

// named says in the checks of an operation, as it stands under its policy, where that
// policy is written.
func (p policies) named(o, under *ledger.Operation, checks []ledger.Check) []ledger.Check {
	k := p.of(o)
	for i := range checks {
		switch {
		case k == nil || checks[i].Name != ledger.CheckHonoured:
		case k.Honoured:
			checks[i].Facts = fmt.Sprintf("as %s says: %s, header %s", p.where(o), ledger.Age(under.Policy.Remembered()), under.Policy.KeyHeader())
		default:
			checks[i].Facts = p.where(o) + " says that it does not"
		}
	}
	return checks
}

// Ask asks a live session of the service.
func (d *desk) Ask(ctx context.Context, ask ledger.Ask) (string, error) {
	ask, err := d.declare(ctx, ask)
	if err != nil {
		return "", err
	}
	return d.Desk.Ask(ctx, ask)
}

// declare takes along with a replay what the configuration says of keys: whoever sends goes
// by what the service has declared. A check that the configuration makes hold is overridden
// in its name, and the record says so; one that it makes fail refuses the replay.
func (d *desk) declare(ctx context.Context, ask ledger.Ask) (ledger.Ask, error) {
	if ask.Kind != ledger.AskReplay {
		return ask, nil
	}
	o, err := d.store.Operation(ctx, ledger.ID{Service: ask.Service, Key: ask.Key})
	if err != nil || d.policies.of(&o) == nil {
		return ask, err
	}
	now, under := time.Now(), d.policies.apply(&o)
	declared, said := o.Checklist(ledger.Sender{}, now), false
	for i, c := range d.policies.named(&o, &under, under.Checklist(ledger.Sender{}, now)) {
		switch given := slices.Contains(ask.Despite, c.Name); {
		case !byPolicy(c) || given || c.OK == declared[i].OK:
		case !c.OK:
			return ask, fmt.Errorf("not sent: it does not hold that %s (%s)", c.Text, c.Facts)
		default:
			ask.Despite, said = append(slices.Clone(ask.Despite), c.Name), true
		}
	}
	if said {
		ask.Reason = strings.TrimPrefix(fmt.Sprintf("%s; %s says that this API honours keys", ask.Reason, d.policies.where(&o)), "; ")
	}
	return ask, nil
}
