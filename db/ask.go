package db

import (
	"context"
	"database/sql/driver"
	"fmt"

	"redial/ledger"
)

// Ask writes what a person asks of a live service, as open, and returns its number. The
// error wraps [ledger.ErrNoOperation] if there is no such operation.
func (d *DB) Ask(ctx context.Context, a ledger.Ask) (id int64, err error) {
	if d.writer == nil {
		return 0, d.errReading()
	}
	if a.At.IsZero() {
		a.At = d.now()
	}
	var j asJSON
	j.add("list of checks", a.Despite, a.Despite == nil)
	if j.err != nil {
		return 0, j.err
	}
	c := func() *conn { return d.writer.c }
	refusal, err := d.writer.errand(ctx, func(ctx context.Context) (refusal, err error) {
		service, key := textNotNull(a.Service), textNotNull(a.Key)
		row, err := c().number(ctx, `SELECT id FROM operation WHERE `+byID, key, service)
		if err != nil || row == 0 {
			return orNone(nil, ledger.ID{Service: a.Service, Key: a.Key}), err
		}
		done, err := c().exec(`INSERT INTO ask (service, key, kind, by, at, version, despite, reason, state, taken) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
			service, key, a.Kind.String(), textValue(a.By), timeValue(a.At), a.Version, j.values[0], textValue(a.Reason), ledger.AskOpen.String())
		if err != nil {
			return nil, err
		}
		id, err = done.LastInsertId()
		return nil, err
	})
	if err != nil || refusal != nil {
		return 0, orRefusal(err, refusal)
	}
	return id, nil
}

// orRefusal returns err, or else what refused.
func orRefusal(err, refusal error) error {
	if err != nil {
		return err
	}
	return refusal
}

// Asked returns an ask as it stands. Its Gone says that the session that claimed it is not
// live any more. An error that wraps [fs.ErrNotExist] says that there is none.
func (d *DB) Asked(ctx context.Context, id int64) (a ledger.Ask, err error) {
	list, err := d.asks(ctx, `WHERE id = ?`, id)
	if err == nil && len(list) == 0 {
		err = errUnknownAsk(id)
	}
	if err != nil {
		return a, err
	}
	return list[0], nil
}

// Asks returns what was asked for an operation, oldest first.
func (d *DB) Asks(ctx context.Context, id ledger.ID) ([]ledger.Ask, error) {
	return d.asks(ctx, `WHERE service = ? AND key = ? ORDER BY id LIMIT ?`, textNotNull(id.Service), textNotNull(id.Key), int64(maxList))
}

func errUnknownAsk(id int64) error { return absent(fmt.Sprintf("ask %d is not in the file", id)) }

func (d *DB) asks(ctx context.Context, clause string, args ...driver.Value) (list []ledger.Ask, err error) {
	err = d.readOperations(ctx, func(v *view) error {
		list = nil
		err := v.asks(ctx, clause, args, func(a ledger.Ask) { list = append(list, a) })
		for i := range list {
			if a := &list[i]; err == nil && a.State == ledger.AskClaimed {
				var by []known
				by, err = v.sessions(ctx, []ledger.SessionID{a.Taken}, d.now())
				a.Gone = err == nil && (len(by) == 0 || !by[0].Live(d.now()))
			}
		}
		return err
	}, nil)
	return list, err
}

// asks calls each with every ask that a clause selects.
func (c *conn) asks(ctx context.Context, clause string, args []driver.Value, each func(ledger.Ask)) error {
	return c.query(ctx, `SELECT id, service, key, kind, by, at, version, `+limited("despite", maxBlob)+`, reason, state, taken, answer FROM ask `+clause, args, func(r row) error {
		if r.tooLong(7) {
			return errBlob
		}
		f := &fields{row: r}
		a := ledger.Ask{ID: r.int(f.at()), Service: r.text(f.at()), Key: r.text(f.at())}
		a.Kind = take[ledger.AskKind](f)(ofWord[ledger.AskKind](r.text(f.at())))
		a.By, a.At, a.Version = r.text(f.at()), r.time(f.at()), r.int(f.at())
		take[bool](f)(fromJSON(r.bytes(f.at()), &a.Despite))
		a.Reason = r.text(f.at())
		a.State = take[ledger.AskState](f)(ofWord[ledger.AskState](r.text(f.at())))
		a.Taken, a.Answer = ledger.SessionID(r.int(f.at())), r.text(f.at())
		each(a)
		return f.err
	})
}

// Withdraw takes an ask back if nobody has claimed it, and returns it as it stands then:
// withdrawn, or in whatever state somebody else has brought it to.
func (d *DB) Withdraw(ctx context.Context, id int64) (ledger.Ask, error) {
	a, _, err := d.changeAsk(ctx, `WHERE id = ?`, []driver.Value{id}, func(a *ledger.Ask) bool {
		changes := a.State == ledger.AskOpen
		if changes {
			a.State = ledger.AskWithdrawn
		}
		return changes
	})
	if err == nil && a.ID == 0 {
		err = errUnknownAsk(id)
	}
	return a, err
}

// ClaimAsk gives an open ask of the service to the session, the oldest first; nil if there
// is none.
func (d *DB) ClaimAsk(ctx context.Context, service string, by ledger.SessionID) (*ledger.Ask, error) {
	const open = `WHERE service = ? AND state = 'open' AND (state = 'open' OR state = 'claimed') ORDER BY id LIMIT 1`
	args := []driver.Value{textNotNull(service)}
	if list, err := d.asks(ctx, open, args...); err != nil || len(list) == 0 {
		return nil, err // which spares the writer most of the questions
	}
	a, claimed, err := d.changeAsk(ctx, open, args, func(a *ledger.Ask) bool {
		a.State, a.Taken = ledger.AskClaimed, d.writer.number(by)
		return true
	})
	if err != nil || !claimed {
		return nil, err
	}
	return &a, nil
}

// AnswerAsk ends an ask that the session has claimed, as done or refused.
func (d *DB) AnswerAsk(ctx context.Context, id int64, by ledger.SessionID, state ledger.AskState, answer string) error {
	if state != ledger.AskDone && state != ledger.AskRefused {
		return fmt.Errorf("answer ask %d: %s is no answer", id, state)
	}
	a, answered, err := d.changeAsk(ctx, `WHERE id = ?`, []driver.Value{id}, func(a *ledger.Ask) bool {
		if a.State != ledger.AskClaimed || a.Taken != d.writer.number(by) {
			return false
		}
		a.State, a.Answer = state, answer
		return true
	})
	switch {
	case err != nil:
		return err
	case a.ID == 0:
		return errUnknownAsk(id)
	case !answered:
		return fmt.Errorf("answer ask %d: it is %s, and session %d has not claimed it", id, a.State, by)
	}
	return nil
}

// changeAsk writes what edit makes of the ask that a clause selects, unless edit reports
// that it changes nothing. It returns the ask as it is then, zero if there is none.
func (d *DB) changeAsk(ctx context.Context, clause string, args []driver.Value, edit func(*ledger.Ask) bool) (a ledger.Ask, changed bool, err error) {
	if d.writer == nil {
		return a, false, d.errReading()
	}
	_, err = d.writer.errand(ctx, func(ctx context.Context) (refusal, err error) {
		c := d.writer.c
		if err := c.asks(ctx, clause, args, func(there ledger.Ask) { a = there }); err != nil || a.ID == 0 || !edit(&a) {
			return nil, err
		}
		changed = true
		_, err = c.exec(`UPDATE ask SET state = ?, taken = ?, answer = ? WHERE id = ?`, a.State.String(), int64(a.Taken), textValue(a.Answer), a.ID)
		return nil, err
	})
	if err != nil {
		return ledger.Ask{}, false, err
	}
	return a, changed, nil
}
