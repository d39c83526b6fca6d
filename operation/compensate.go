package operation

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"

	"redial/ledger"
)

// Compensate undoes an operation of the service as its Undo says. That is an operation of
// its own, with a key of its own; it is done once however often it is asked for. Only one that
// failed, and so did nothing, is followed by another one. The first operation becomes failed
// when the undoing succeeded and a lookup finds nothing any more: until then it stays what it
// is.
func (ops *Operations) Compensate(ctx context.Context, key string) (*Result, error) {
	service, err := ops.name(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotWritten, err)
	}
	first, err := ops.store.Operation(ctx, ledger.ID{Service: service, Key: key})
	if err != nil {
		return nil, err
	}
	return ops.undo(ctx, &first, nil)
}

// undo undoes an operation because a person asked, or the service if asked is nil.
func (ops *Operations) undo(ctx context.Context, first *ledger.Operation, asked *ledger.Ask) (*Result, error) {
	in, err := undoing(first)
	if err != nil {
		return nil, err
	}
	there, err := ops.undone(ctx, first)
	if err != nil {
		return nil, err
	}
	in.Key = there.Key
	withheld, err := ops.toUndo(first, &in)
	if err != nil {
		return nil, err
	}
	r := newRun(&in, ledger.Service)
	r.reason, r.withheld, r.asked = ledger.Compensate, withheld, asked
	result, err := ops.do(ctx, in, r)
	if there.State == ledger.OpSucceeded {
		ops.compensated(context.WithoutCancel(ctx), &there) // what was not found gone then may be by now
	}
	return result, err
}

// toUndo returns the credentials that an undoing is sent with, as they are given for its own
// URL. What the first operation was sent with goes to its origin alone: for another one the
// intent lists what is given for that.
func (ops *Operations) toUndo(first *ledger.Operation, in *ledger.Intent) (http.Header, error) {
	given := http.Header(ops.credentials(&ledger.Operation{Intent: *in}))
	to, err := url.Parse(in.URL)
	if err != nil || to.Host == "" {
		return nil, fmt.Errorf("operation %s cannot be undone: %q, the URL of its Undo, has no host", first.Key, first.Undo.URL)
	}
	names := missing(in, given)
	if sameOrigin(to, first.URL) {
		if len(names) > 0 {
			return nil, fmt.Errorf("operation %s cannot be undone here: %s was withheld from the record and is not known to this process", first.Key, names[0])
		}
		return given, nil
	}
	if len(names) > 0 && len(names) == len(in.Withheld) {
		return nil, fmt.Errorf("operation %s cannot be undone here: it is undone at %s://%s, and %s for that origin is not known to this process; what the operation itself was sent with must not go there",
			first.Key, to.Scheme, to.Host, names[0])
	}
	in.Withheld = slices.Sorted(maps.Keys(given))
	return given, nil
}

// undoing makes the intent that undoes an operation.
func undoing(first *ledger.Operation) (in ledger.Intent, err error) {
	switch {
	case first.Undo == nil:
		return in, fmt.Errorf("operation %s cannot be undone: its Undo was not declared", first.Key)
	case first.State != ledger.OpPending && first.State != ledger.OpSucceeded:
		return in, fmt.Errorf("operation %s is %s: only what is pending or succeeded can be undone", first.Key, first.State)
	}
	in = ledger.Intent{
		Service: first.Service, Name: "undo " + first.Name, Ref: first.Ref,
		Method: first.Undo.Method, URL: first.Fill(first.Undo.URL), Withheld: first.Withheld,
		Policy: first.Policy, Budget: first.Budget, Compensates: first.Key,
	}
	if first.Undo.Body != nil {
		in.Body = []byte(first.FillText(string(first.Undo.Body)))
	}
	to, err := url.Parse(in.URL)
	elsewhere := err == nil && !sameOrigin(to, first.URL)
	for _, f := range first.Header {
		if f.Name == "Content-Type" && in.Body == nil || f.Name == "Host" && elsewhere {
			continue
		}
		in.Header = append(in.Header, f)
	}
	in.Fingerprint = in.Sum()
	return in, err
}

// undone returns the operation that undoes another one, with nothing but its key if that was
// not begun: the same each time, until it has failed. What has the key for another reason is
// left alone.
func (ops *Operations) undone(ctx context.Context, first *ledger.Operation) (ledger.Operation, error) {
	for n := 1; ; n++ {
		suffix := "-undo"
		if n > 1 {
			suffix = fmt.Sprintf("-undo-%d", n)
		}
		key := first.Key[:min(len(first.Key), 255-len(suffix))] + suffix
		there, err := ops.store.Operation(ctx, ledger.ID{Service: first.Service, Key: key})
		switch {
		case errors.Is(err, ledger.ErrNoOperation):
			return ledger.Operation{Intent: ledger.Intent{Key: key}}, nil
		case err != nil:
			return there, err
		case there.Compensates == first.Key && there.State != ledger.OpFailed:
			return there, nil
		}
	}
}

// undoFor undoes an operation because a person asked.
func (ops *Operations) undoFor(o ledger.Operation, ask ledger.Ask) (string, error) {
	if ask.Version != o.Version {
		return "", fmt.Errorf("nothing was done: %s", ops.moved(ops.life, &o))
	}
	_, err := ops.undo(ops.life, &o, &ask)
	if errors.Is(err, ErrFailed) || errors.Is(err, ErrPending) { // which the life of the first one has no trace of
		err = fmt.Errorf("the undo is an operation of its own: %w; `redial ops show` with its key tells more", err)
	}
	if err != nil {
		return "", err
	}
	now, err := ops.store.Operation(ops.life, o.ID())
	if err != nil {
		return "", err
	}
	if now.State == ledger.OpFailed {
		return "undone, and a lookup finds nothing any more", nil
	}
	return fmt.Sprintf("the server took it back; the operation stays %s until a lookup finds nothing any more", now.State), nil
}

// compensated looks the first operation up when the one that undoes it has succeeded, and
// ends it if nothing is there any more. A success alone does not prove that: the original
// may still land.
func (ops *Operations) compensated(values context.Context, undo *ledger.Operation) {
	if undo.Compensates == "" || undo.State != ledger.OpSucceeded {
		return
	}
	first, err := ops.store.Operation(ops.life, ledger.ID{Service: undo.Service, Key: undo.Compensates})
	if err != nil || !first.CanLookUp() {
		return
	}
	r := newRun(&first.Intent, ledger.Reconciler)
	r.withheld = ops.credentials(&first)
	for n := 0; n < first.LookupTimes(); {
		f, _ := ops.lookUp(values, &first, r)
		next, err := ops.add(first, f, r.actor)
		if err != nil || f.Verdict != ledger.FoundNothing {
			return
		}
		if first = next; first.Counts(f.Asked) {
			n++
		}
		if n < first.LookupTimes() && !ops.sleep(time.Until(nextLookup(&first, time.Now())), nil) {
			return
		}
	}
	t := ledger.Transition{To: ledger.OpFailed, Code: ledger.CodeCompensated, At: time.Now(), Actor: r.actor,
		Finding: ledger.FoundNothing, Reason: "undone by " + undo.Key + ", and a lookup finds nothing any more"}
	ops.store.Move(ops.life, first.ID(), ledger.Seen{Version: first.Version}, t)
}
