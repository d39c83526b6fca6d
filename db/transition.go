package db

import (
	"context"
	"database/sql/driver"

	"redial/ledger"
)

// transitionColumns are what addTransition writes.
const transitionColumns = `operation, settles, "from", "to", at, actor_kind, actor, code, reason, evidence, call, no_effect, due, finding, asked, result, error`

// transitionRead returns the statement whose rows transitionOf reads, up to its WHERE.
func transitionRead() string {
	return `SELECT t.n, o.service, o.key, t."from", t."to", t.at, t.actor_kind, t.actor, t.code, t.reason, t.evidence, t.call, ` +
		`t.no_effect, t.due, t.finding, t.asked, ` + limited("t.result", maxBlob) + `, t.error FROM transition t JOIN operation o ON o.id = t.operation`
}

func newTransitions(c *conn) *inserter {
	return newInserter(c, `INSERT INTO transition (`+transitionColumns+`)`, 17)
}

// addTransition appends a transition, at the latest when the transaction ends: those of
// many errands go in together. Nothing ever changes or removes one.
func (k *cache) addTransition(operation int64, t *ledger.Transition) {
	var settles driver.Value
	if t.From != t.To && (final(t.From) || final(t.To)) {
		settles = textNotNull(t.Service)
	}
	actor := actorValues(t.Actor)
	k.transitions.add(operation, settles, t.From.String(), t.To.String(), unixNano(t.At), actor[0], actor[1], t.Code.String(),
		textValue(t.Reason), textValue(t.Evidence), int64(t.Call), boolValue(t.NoEffect), timeValue(t.Due), wordValue(t.Finding),
		timeValue(t.Asked), resultValue(t.Result), textValue(t.Error))
}

// final reports whether a state is a final word.
func final(s ledger.OperationState) bool { return s == ledger.OpSucceeded || s == ledger.OpFailed }

// transitionOf reads a transition from a row of transitionRead.
func transitionOf(r row) (ledger.Transition, error) {
	if r.tooLong(16) {
		return ledger.Transition{}, errBlob
	}
	f := &fields{row: r}
	t := ledger.Transition{N: r.int(f.at()), Service: r.text(f.at()), Key: r.text(f.at())}
	t.From = take[ledger.OperationState](f)(ofWord[ledger.OperationState](r.text(f.at())))
	t.To = take[ledger.OperationState](f)(ofWord[ledger.OperationState](r.text(f.at())))
	t.At = r.time(f.at())
	t.Actor = take[ledger.Actor](f)(actorOf(r.text(f.at()), r.text(f.at())))
	t.Code = take[ledger.Code](f)(ofWord[ledger.Code](r.text(f.at())))
	t.Reason, t.Evidence, t.Call = r.text(f.at()), r.text(f.at()), ledger.CallID(r.int(f.at()))
	t.NoEffect, t.Due = r.int(f.at()) != 0, r.time(f.at())
	t.Finding = take[ledger.Verdict](f)(ofWord[ledger.Verdict](r.text(f.at())))
	t.Asked = r.time(f.at())
	t.Result = take[*ledger.Result](f)(resultOf(r.bytes(f.at())))
	t.Error = r.text(f.at())
	return t, f.err
}

// Transitions returns what became of an operation, oldest first. Results come without
// their bodies: the one that stands is in the operation. The error wraps
// [ledger.ErrNoOperation] if there is none.
func (d *DB) Transitions(ctx context.Context, id ledger.ID) (list []ledger.Transition, err error) {
	err = d.readOperations(ctx, func(v *view) error {
		list = nil
		row, err := v.number(ctx, `SELECT id FROM operation WHERE `+byID, idValues(id)...)
		if err != nil || row == 0 {
			return orNone(err, id)
		}
		list, err = v.transitions(ctx, transitionRead()+` WHERE t.operation = ? ORDER BY t.n LIMIT ?`, row, int64(maxList))
		return err
	}, func() error { return orNone(nil, id) })
	return list, err
}

// Settlements returns the transitions of a service to a final word, and back from one, that
// stand after a position, oldest first, at most limit of them; 0 stands for all. The N of
// the last one is the position to go on from. Positions count on for as long as the file
// lives; a file that takes its place begins anew.
func (d *DB) Settlements(ctx context.Context, service string, after int64, limit int) (list []ledger.Transition, err error) {
	if limit <= 0 {
		limit = maxList
	}
	err = d.readOperations(ctx, func(v *view) error {
		list, err = v.transitions(ctx, transitionRead()+` WHERE t.settles = ? AND t.n > ? ORDER BY t.n LIMIT ?`,
			textNotNull(service), after, int64(limit))
		return err
	}, nil)
	return list, err
}

func (v *view) transitions(ctx context.Context, text string, args ...driver.Value) (list []ledger.Transition, err error) {
	err = v.query(ctx, text, args, func(r row) error {
		t, err := transitionOf(r)
		list = append(list, t)
		return err
	})
	return list, err
}
