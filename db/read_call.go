package db

import (
	"context"
	"fmt"

	"redial/ledger"
)

// maxBodies is how many bytes of bodies one call is read with.
const maxBodies = 256 << 20

// Call returns one call whole: its attempts, waits, headers and bodies. One that is
// running, or was cut off, has its attempts and waits so far. An error that wraps
// [fs.ErrNotExist] says that the file has no such call.
func (d *DB) Call(ctx context.Context, id ledger.CallID) (c ledger.Call, err error) {
	err = d.reads.read(ctx, func(v *view) error {
		found, err := v.ended(ctx, id, &c)
		if err != nil || found {
			return err
		}
		sessions, err := v.sessions(ctx, []ledger.SessionID{id.Session()}, d.now())
		if err != nil {
			return err
		}
		for i := range sessions {
			calls, err := v.running(ctx, &sessions[i])
			if err != nil {
				return err
			}
			for _, running := range calls {
				if running.ID == id {
					c = running
					return nil
				}
			}
		}
		return absent(fmt.Sprintf("call %s is not in the file: `redial calls list` prints those that are", id))
	})
	return c, err
}

// ended reads a call that has ended, and reports whether there is one.
func (v *view) ended(ctx context.Context, id ledger.CallID, c *ledger.Call) (found bool, err error) {
	var last []byte
	known, err := v.knows(ctx, transportVersion)
	if err != nil {
		return false, err
	}
	found, err = v.one(ctx, selectCalls(known, `, `+limited("last", maxBlob), "call")+` WHERE id = ?`,
		values(int64(id)), func(r row) error {
			if r.tooLong(afterCall) {
				return errBlob
			}
			last = r.bytes(afterCall)
			*c, err = v.callOf(ctx, r)
			return err
		})
	if err != nil || !found {
		return found, err
	}
	if c.Previous, err = v.previous(ctx, id); err != nil {
		return true, err
	}
	bodies := bodyList{}
	if err := v.attempts(ctx, c, last, &bodies); err != nil {
		return true, err
	}
	if err := v.waits(ctx, c); err != nil {
		return true, err
	}
	return true, v.bodies(ctx, c, &bodies)
}

// attempts reads the attempts of a call: the earlier ones, and the one in its row.
func (v *view) attempts(ctx context.Context, c *ledger.Call, last []byte, bodies *bodyList) error {
	add := func(blob []byte) error {
		d := decode(blob, func(id int64) (string, error) { return v.text(ctx, id) })
		a, request, response := d.attempt(len(c.AttemptList) + 1)
		c.AttemptList = append(c.AttemptList, a)
		bodies.requests = append(bodies.requests, request)
		bodies.responses = append(bodies.responses, response)
		return d.end()
	}
	err := v.query(ctx, `SELECT `+limited("data", maxBlob)+` FROM attempt WHERE call = ? ORDER BY n LIMIT ?`,
		values(int64(c.ID), maxList), func(r row) error { return add(r.bytes(0)) })
	if err != nil || last == nil {
		return err
	}
	return add(last)
}

func (v *view) waits(ctx context.Context, c *ledger.Call) error {
	return v.query(ctx, `SELECT before, kind, start, planned, took, `+limited("rule", maxBlob)+` FROM wait WHERE call = ? ORDER BY n LIMIT ?`,
		values(int64(c.ID), maxList), func(r row) error {
			d := decode(r.bytes(5), nil)
			c.Waits = append(c.Waits, ledger.Wait{
				Before: int(r.int(0)), Kind: ledger.WaitKind(r.int(1)),
				Start: r.duration(2), Planned: r.duration(3), Took: r.duration(4), Rule: d.rule(),
			})
			return d.end()
		})
}

// bodyList says where the bodies of the attempts of a call are.
type bodyList struct{ requests, responses []bodyPlace }

// bodies reads the bodies of a call and gives them to its attempts.
func (v *view) bodies(ctx context.Context, c *ledger.Call, list *bodyList) error {
	left := maxBodies
	return v.query(ctx, `SELECT n, response, sha256, `+limited("data", maxBody)+` FROM body WHERE call = ? ORDER BY n LIMIT ?`,
		values(int64(c.ID), 2*maxList), func(r row) error {
			if r.tooLong(3) {
				return errBlob
			}
			data := r.bytes(3)
			if left -= len(data); left < 0 {
				return fmt.Errorf("call %s has more than %d MB of bodies", c.ID, maxBodies>>20)
			}
			places := list.requests
			if r.int(1) != 0 {
				places = list.responses
			}
			for i, place := range places {
				if int64(place) != r.int(0) {
					continue
				}
				b := &c.AttemptList[i].Request.Body
				if r.int(1) != 0 {
					b = &c.AttemptList[i].Response.Body
				}
				if data != nil {
					b.Data = data
				}
				copy(b.SHA256[:], r.bytes(2))
			}
			return nil
		})
}
