package db

import (
	"context"

	"redial/ledger"
)

// callColumns are the columns that callOf reads, without those of the table duplicate: those
// of the table call, and the beginning of the first attempt where that tells whether the
// call failed.
const callColumns = `id, started, took, host, method, scheme, path, query, status, outcome, attempts, sends, waited, waits, key, error, policy, ` +
	`CASE WHEN status IN (404, 410) THEN substr(coalesce((SELECT a.data FROM attempt a WHERE a.call = id AND a.n = 1), last), 1, 32) END`

// afterCall is the first column behind those that callOf reads.
const afterCall = 20

// selectCalls returns the start of a statement for calls, up to its WHERE: what callOf reads
// and more columns, from the table call as it is to be read. A file from before duplicates
// were found has none.
func selectCalls(known bool, more, call string) string {
	if !known {
		return `SELECT ` + callColumns + `, NULL, NULL` + more + ` FROM ` + call
	}
	return `SELECT ` + callColumns + `, other, kind` + more + ` FROM ` + call + ` LEFT JOIN duplicate ON duplicate.call = id`
}

// callOf makes a call, without its lists, of a row.
func (v *view) callOf(ctx context.Context, r row) (c ledger.Call, err error) {
	c = ledger.Call{
		ID:        ledger.CallID(r.int(0)),
		Started:   r.time(1),
		Took:      r.duration(2),
		Status:    int(r.int(8)),
		Outcome:   ledger.Outcome(r.int(9)),
		Attempts:  int(r.int(10)),
		WireSends: int(r.int(11)),
		Waited:    r.duration(12),
		WaitedFor: ledger.WaitKinds(r.int(13)),
		Key:       r.text(14),
		NotThere:  reasonOf(r.bytes(17)) == ledger.LookUp,
		Duplicate: duplicateOf(r, 18),
	}
	for _, t := range [...]struct {
		into   *string
		column int
	}{{&c.Host, 3}, {&c.Method, 4}, {&c.Scheme, 5}, {&c.Path, 6}, {&c.Query, 7}, {&c.Error, 15}, {&c.Policy, 16}} {
		if id, ok := r[t.column].(int64); !ok {
			*t.into = r.text(t.column)
		} else if *t.into, err = v.text(ctx, id); err != nil {
			return c, err
		}
	}
	return c, nil
}

// reasonOf returns why an attempt was made, from the beginning of its row; First if that
// does not tell.
func reasonOf(begins []byte) ledger.Reason {
	if len(begins) == 0 {
		return ledger.First
	}
	d := decode(begins, nil)
	mask := d.uint()
	if mask&attemptN != 0 {
		d.int()
	}
	return ledger.Reason(d.code(mask, attemptReason))
}

// running returns the calls of a session that have not ended, oldest first. If the
// process is gone they are cut off.
func (v *view) running(ctx context.Context, s *known) (calls []ledger.Call, err error) {
	first, last := rowsOf(s.ID)
	err = v.query(ctx, `SELECT call, `+limited("data", maxBlob)+` FROM live WHERE call BETWEEN ? AND ? ORDER BY call LIMIT ?`,
		values(first, last, maxList), func(r row) error {
			d := decode(r.bytes(1), nil)
			c := d.call()
			c.ID = ledger.CallID(r.int(0))
			if s.gone {
				c.State = ledger.CutOff
			}
			c.Summarise()
			calls = append(calls, c)
			return d.end()
		})
	return calls, err
}

// maxBlob is how many bytes of a row with attempts and waits are read.
const maxBlob = 16 << 20
