package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"redial/ledger"
)

// operations is where operations are found.
type operations interface {
	EachOperation(context.Context, ledger.OperationQuery, func(*ledger.Operation) error) error
	Operation(context.Context, ledger.ID) (ledger.Operation, error)
	OperationByKey(context.Context, string) ([]ledger.Operation, error)
}

// find returns the one operation that a person means by KEY or service/KEY. Both keys and
// names of services may have slashes in them, so every reading is tried, and more than
// one that fits is an error: nothing is done to what may be the wrong operation.
func find(ctx context.Context, from operations, arg string) (ledger.ID, error) {
	same, err := from.OperationByKey(ctx, arg)
	if err != nil {
		return ledger.ID{}, err
	}
	var fits []ledger.ID
	for i := range same {
		fits = append(fits, same[i].ID())
	}
	for i := range len(arg) {
		if arg[i] != '/' {
			continue
		}
		keys, err := from.OperationByKey(ctx, arg[i+1:])
		if err != nil {
			return ledger.ID{}, err
		}
		for n := range keys {
			if keys[n].Service == arg[:i] {
				fits = append(fits, keys[n].ID())
			}
		}
	}
	switch len(fits) {
	case 0:
		return ledger.ID{}, unclear(fmt.Sprintf("no operation has the key %q: `redial ops list` prints those that are there", arg))
	case 1:
		return fits[0], nil
	}
	return ledger.ID{}, ambiguous(arg, fits)
}

// ambiguous names the operations that a key can mean.
func ambiguous(arg string, fits []ledger.ID) error {
	const most = 8
	var names []string
	for _, id := range fits[:min(len(fits), most)] {
		names = append(names, fullName(id))
	}
	if len(fits) > most {
		names = append(names, fmt.Sprintf("or %d more", len(fits)-most))
	}
	return unclear(fmt.Sprintf("%q can mean %d operations, say which one: %s", arg, len(fits), strings.Join(names, ", ")))
}

// unclear is why a key does not tell which operation is meant.
type unclear string

func (u unclear) Error() string { return string(u) }

// target is an operation that something is to be done to.
type target struct {
	name    string // as it is called in what is said
	id      ledger.ID
	unclear error // it is not known which operation is meant; the rest is empty then
}

// pick returns what a command line is about: the operations that keys name, or at most
// limit of those that a filter selects and the deed can be done to, oldest first.
func (a *app) pick(ctx context.Context, from operations, d *deed, f *actFlags, keys []string) ([]target, error) {
	if f.filter.Root == nil {
		return pickKeys(ctx, from, keys)
	}
	var picked []target
	more := int64(0)
	q := ledger.OperationQuery{Filter: f.filter, States: d.states, Zone: a.zone}
	err := from.EachOperation(ctx, q, func(o *ledger.Operation) error {
		switch {
		case !d.applies(o):
		case uint64(len(picked)) == f.limit:
			more++
		default:
			picked = append(picked, target{name: fullName(o.ID()), id: o.ID()})
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case len(picked) == 0:
		a.say("no operation that `redial ops %s` applies to matches %s", d.verb, f.filter.Text)
	case more > 0:
		a.say("%s more would match and are left as they are: --limit is %d", count(more, "operation"), f.limit)
	}
	return picked, nil
}

// pickKeys finds an operation for each key, once.
func pickKeys(ctx context.Context, from operations, keys []string) ([]target, error) {
	var picked []target
	seen := map[ledger.ID]bool{}
	for _, key := range keys {
		id, err := find(ctx, from, key)
		var why unclear
		switch {
		case errors.As(err, &why):
			picked = append(picked, target{unclear: err})
		case err != nil:
			return nil, err
		case !seen[id]:
			seen[id] = true
			picked = append(picked, target{name: fullName(id), id: id})
		}
	}
	return picked, nil
}
