package db

import (
	"context"

	"redial/ledger"
)

// WithLists returns those of the calls with these ids that have ended, each with its
// attempts and waits but without headers and bodies. They are in the order of the ids;
// what the file does not have is left out.
func (d *DB) WithLists(ctx context.Context, ids []ledger.CallID) (list []ledger.Call, err error) {
	err = d.reads.read(ctx, func(v *view) error {
		list = nil
		known, err := v.knows(ctx, transportVersion)
		if err != nil {
			return err
		}
		for _, id := range ids {
			c, found, err := v.listed(ctx, known, id)
			if err != nil {
				return err
			}
			if found {
				list = append(list, c)
			}
		}
		return nil
	})
	return list, err
}

// listed reads a call with its lists.
func (v *view) listed(ctx context.Context, known bool, id ledger.CallID) (c ledger.Call, found bool, err error) {
	var last []byte
	found, err = v.one(ctx, selectCalls(known, `, `+limited("last", maxBlob), "call")+` WHERE id = ?`,
		values(int64(id)), func(r row) (err error) {
			if r.tooLong(afterCall) {
				return errBlob
			}
			last = r.bytes(afterCall)
			c, err = v.callOf(ctx, r)
			return err
		})
	if err != nil || !found {
		return c, false, err
	}
	if err := v.attempts(ctx, &c, last, &bodyList{}); err != nil {
		return c, false, err
	}
	for i := range c.AttemptList {
		a := &c.AttemptList[i]
		a.Request, a.Response = ledger.Message{}, ledger.Message{}
	}
	return c, true, v.waits(ctx, &c)
}
