package cli_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"redial/db"
	"redial/ledger"
	"redial/tui/visible/hostile"
)

// life is what is to become of an operation of a recording: its steps, the first of which
// makes it. Each comes a second after the one before.
type life struct {
	in    ledger.Intent
	steps []ledger.Transition
}

// intent returns the intent to order something.
func intent(service, key string) ledger.Intent {
	in := ledger.Intent{
		Service: service, Key: key, Name: "create order", Ref: "8841", Method: "POST",
		URL:    "https://shop:hunter2@api.example.test/orders?token=hunter2",
		Header: []ledger.Field{{Name: "Content-Type", Value: "application/json"}}, Withheld: []string{"Authorization"},
		Body: []byte(`{"card":"4111111111111111"}`), Policy: ledger.KeyPolicy{Honoured: true},
		Lookup: &ledger.Lookup{URL: "https://api.example.test/orders/{key}"},
	}
	in.Fingerprint = in.Sum()
	return in
}

// The steps that the lives are made of.
func step(to ledger.OperationState, code ledger.Code, reason string) ledger.Transition {
	return ledger.Transition{To: to, Code: code, Reason: reason, Actor: ledger.Actor{Kind: ledger.Service}}
}

func sent() ledger.Transition {
	return step(ledger.OpSending, ledger.CodeSent, "written down, then sent")
}

func lost() ledger.Transition {
	t := step(ledger.OpChecking, ledger.CodeNoAnswer, "no answer: read: connection reset by peer")
	t.Call, t.Error = ledger.NewCallID(1, 3), t.Reason
	return t
}

func lookedUp() ledger.Transition {
	return ledger.Transition{Code: ledger.CodeLookedUp, Finding: ledger.FoundNothing, Reason: "looked up: not-found",
		Evidence: "GET /orders/order-8841: 404 Not Found", Actor: ledger.Actor{Kind: ledger.Reconciler}}
}

func stuck() ledger.Transition {
	t := step(ledger.OpPending, ledger.CodeNotHonoured, "not found, and the server is not declared to honour keys")
	t.Actor, t.Error = ledger.Actor{Kind: ledger.Reconciler}, t.Reason
	return t
}

func answered() ledger.Transition {
	t := step(ledger.OpSucceeded, ledger.CodeAnswered, "answered with 201 Created")
	t.Evidence, t.Result = "201 Created", &ledger.Result{Status: 201, Body: []byte(`{"id":7}`)}
	return t
}

func said(to ledger.OperationState, code ledger.Code) ledger.Transition {
	return ledger.Transition{To: to, Code: code, Reason: "their support says so", Evidence: "ticket 5512", Actor: ledger.Actor{Kind: ledger.Person, Name: "mia"}}
}

// recordOperations records operations in every state, in two services that have a key in
// common. What they are is fixed to the nanosecond.
func recordOperations(store *db.DB) error {
	if err := recordShop(store); err != nil {
		return err
	}
	plan, contradicted := step(ledger.OpPrepared, ledger.CodePlanned, "planned"), said(ledger.OpDisputed, ledger.CodeContradicted)
	contradicted.Actor = ledger.Actor{Kind: ledger.Reconciler}
	busy := step(ledger.OpBackingOff, ledger.CodeThrottled, "answered with 429 Too Many Requests")
	busy.NoEffect = true
	for _, l := range []life{
		{intent("checkout", "order-8841"), []ledger.Transition{sent(), lost(), lookedUp(), stuck()}},
		{intent("checkout", "order-8842"), []ledger.Transition{sent(), answered()}},
		{intent("stock", "order-8841"), []ledger.Transition{sent(), lost()}},
		{intent("stock", "a/b"), []ledger.Transition{plan}},
		{intent("checkout", "order-8843"), []ledger.Transition{sent(), busy}},
		{intent("checkout", "order-8844"), []ledger.Transition{sent(), lost(), stuck(), said(ledger.OpFailed, ledger.CodeDenied)}},
		{intent("checkout", "order-8845"), []ledger.Transition{sent(), lost(), stuck(), said(ledger.OpFailed, ledger.CodeDenied), contradicted}},
		{intent("checkout", "order-8846"), []ledger.Transition{sent()}},
	} {
		if err := live(store, l, noon()); err != nil {
			return err
		}
	}
	return nil
}

// live records one operation, which begins at a time.
func live(store *db.DB, l life, at time.Time) error {
	ctx := context.Background()
	var o ledger.Operation
	var err error
	for i, t := range l.steps {
		t.At = at.Add(time.Duration(i) * time.Second)
		t.Asked = t.At
		switch {
		case i == 0:
			o, err = store.Create(ctx, l.in, t, 1)
		case t.To == ledger.OpNone:
			o, err = store.Add(ctx, o.ID(), t)
		default:
			o, err = store.Move(ctx, o.ID(), o.Seen(), t)
		}
		if err != nil {
			return fmt.Errorf("step %d of %s: %w", i+1, l.in.Key, err)
		}
	}
	return nil
}

// recordHostileOperations records an operation for each hostile string, with the string in
// every field that can come from elsewhere.
func recordHostileOperations(store *db.DB) error {
	if _, err := store.Enrol(context.Background(), ledger.Session{Service: "shop", Started: noon(), LastSeen: noon()}); err != nil {
		return err
	}
	var failed error
	for i, bad := range hostile.Strings() {
		in := intent("service"+bad, fmt.Sprintf("order-%d", i))
		in.Name, in.Ref, in.Method, in.URL, in.Compensates = bad, bad, bad, bad, bad
		in.Header, in.Lookup = []ledger.Field{{Name: bad, Value: bad}}, nil
		valid := strings.ToValidUTF8(bad, "?") // these are refused otherwise
		in.Withheld, in.Policy.Header, in.Undo = []string{valid}, valid, &ledger.Undo{Method: valid, URL: valid}
		lost, note, stuck := lost(), said(ledger.OpNone, ledger.CodeNote), stuck()
		lost.Error, lost.Reason, lost.Evidence = bad, bad, bad
		note.Actor.Name, note.Reason, note.Evidence = "who"+bad, bad, bad
		failed = errors.Join(failed, live(store, life{in, []ledger.Transition{sent(), lost, note, stuck}}, noon()))
	}
	return failed
}
