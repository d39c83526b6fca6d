package tui

import (
	"time"

	"redial/ledger"
)

// pendingStory is the story with operations that are not settled.
func pendingStory() *fakeStore {
	f := story()
	f.lives = map[ledger.ID][]ledger.Transition{}
	pay := f.tells("charge card", "order-8102", "https://pay.example.test/charges", 51*time.Hour, true)
	pay.sent(0, "written down, then sent").unknown(5*time.Second, "closed after 412 B written").
		lookup(7*time.Second, ledger.FoundNothing, "GET /charges: 404").pends(time.Minute, ledger.CodeBudgetSpent, "the budget is spent").
		step(2*time.Hour, ledger.Transition{To: ledger.OpFailed, Code: ledger.CodeDenied, Actor: person("ana"), Reason: "support says it is not there"}).
		lookup(50*time.Hour, ledger.FoundMatching, "GET /charges: 200, amount 129.00").
		step(50*time.Hour, ledger.Transition{To: ledger.OpDisputed, Code: ledger.CodeContradicted, Actor: reconciler(), Reason: "a lookup contradicts the final word: found"}).ends()
	f.tells("create order", "order-8790", "https://orders.example.test/orders", 6*time.Hour+12*time.Minute, true).
		sent(0, "written down, then sent").unknown(5*time.Second, "no answer came in 5s").
		pends(6*time.Second, ledger.CodeLookupFailed, "the lookup failed").ends()
	f.tells("charge card", "order-8840", "https://pay.example.test/charges", 4*time.Minute+15*time.Second, true).
		sent(0, "written down, then sent").unknown(5*time.Second, "connection closed after 412 B written").
		lookup(7*time.Second, ledger.FoundNothing, "GET /charges?key=order-8840: 404").
		lookup(10*time.Second, ledger.LookupFailed, "GET /charges?key=order-8840: 500").
		pends(10*time.Second, ledger.CodeLookupFailed, "the lookup failed: 500").
		step(40*time.Second, ledger.Transition{Code: ledger.CodeNote, Actor: person("ana"), Reason: "asked pay support"}).ends()
	stock := f.tells("reserve stock", "order-8843", "https://stock.example.test/reserve", 41*time.Second, false)
	stock.o.Lookup, stock.o.Undo = nil, nil
	stock.sent(0, "written down, then sent").unknown(time.Second, "half of the answer arrived").pends(2*time.Second, ledger.CodeNoLookup, "there is no lookup").ends()
	f.tells("create order", "order-8844", "https://orders.example.test/orders", 2*time.Second, true).
		sent(0, "written down, then sent").unknownUntil(time.Second, "timed out after 5s", 3200*ms).ends()
	f.tells("create order", "order-8700", "https://orders.example.test/orders", 30*time.Hour, true).
		sent(0, "written down, then sent").unknown(time.Second, "no answer").pends(time.Minute, ledger.CodeBudgetSpent, "the budget is spent").
		step(time.Hour, ledger.Transition{To: ledger.OpSucceeded, Code: ledger.CodeConfirmed, Actor: person("ana"), Reason: "seen in the vendor's list"}).ends()
	return f
}

func person(name string) ledger.Actor { return ledger.Actor{Kind: ledger.Person, Name: name} }

func reconciler() ledger.Actor { return ledger.Actor{Kind: ledger.Reconciler} }

// fate tells what became of an operation.
type fate struct {
	f    *fakeStore
	o    ledger.Operation
	from time.Time
	rows []ledger.Transition
}

func (f *fakeStore) tells(name, key, url string, age time.Duration, honoured bool) *fate {
	t := &fate{f: f, from: storyNow().Add(-age)}
	t.o.Intent = ledger.Intent{
		Service: "checkout", Key: key, Name: name, Ref: key, Method: "POST", URL: url,
		Header: []ledger.Field{{Name: "Content-Type", Value: "application/json"}},
		Body:   []byte(`{"order":"` + key + `","amount":12900,"currency":"EUR"}`),
		Policy: ledger.KeyPolicy{Honoured: honoured},
		Lookup: &ledger.Lookup{URL: url + "?key={key}", Settle: 30 * time.Second},
		Undo:   &ledger.Undo{Method: "DELETE", URL: url + "/{key}"},
	}
	t.o.Fingerprint = t.o.Sum()
	return t
}

func (t *fate) step(at time.Duration, tr ledger.Transition) *fate {
	tr.At = t.from.Add(at)
	if tr.Actor.Kind == ledger.NoActor {
		tr.Actor.Kind = ledger.Service
	}
	if err := t.o.Apply(&tr); err != nil {
		panic(err)
	}
	t.rows = append(t.rows, tr)
	return t
}

func (t *fate) sent(at time.Duration, reason string) *fate {
	return t.step(at, ledger.Transition{To: ledger.OpSending, Code: ledger.CodeSent, Reason: reason})
}

func (t *fate) unknown(at time.Duration, why string) *fate { return t.unknownUntil(at, why, 0) }

func (t *fate) unknownUntil(at time.Duration, why string, due time.Duration) *fate {
	tr := ledger.Transition{To: ledger.OpChecking, Code: ledger.CodeNoAnswer, Reason: why, Error: why}
	if due > 0 {
		tr.Due = t.from.Add(due)
	}
	return t.step(at, tr)
}

func (t *fate) lookup(at time.Duration, v ledger.Verdict, evidence string) *fate {
	return t.step(at, ledger.Transition{Code: ledger.CodeLookedUp, Actor: reconciler(), Finding: v, Asked: t.from.Add(at), Reason: "looked up: " + v.String(), Evidence: evidence})
}

func (t *fate) pends(at time.Duration, c ledger.Code, why string) *fate {
	return t.step(at, ledger.Transition{To: ledger.OpPending, Code: c, Actor: reconciler(), Reason: why})
}

func (t *fate) ends() {
	t.f.ops = append(t.f.ops, t.o)
	t.f.lives[t.o.ID()] = t.rows
}
