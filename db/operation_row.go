package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"sync"

	"redial/ledger"
)

// The columns of the table operation: those of the intent, which are written once, and
// those that transitions change.
const (
	intentColumns = `service, key, name, ref, method, url, header, withheld, fingerprint, policy, budget, lookup, asks, undo, compensates, created`
	stateColumns  = `state, disputed, held, version, fence, owner, updated, moved, first_sent, last_sent, due, sends, doubts, lookups, not_found, ` +
		`failing, looked_up, finding, last_error, settled_kind, settled_by, result`
)

// intentValues returns the values of intentColumns. An intent that could not be kept as it
// is gives an error.
func intentValues(o *ledger.Operation) ([]driver.Value, error) {
	var j asJSON
	j.add("list of withheld headers", o.Withheld, o.Withheld == nil)
	j.add("policy", storedPolicy(o.Policy), emptyPolicy(&o.Policy))
	j.add("budget", storedBudget(o.Budget), o.Budget == ledger.Budget{})
	j.add("lookup", (*storedLookup)(o.Lookup), o.Lookup == nil)
	j.add("undo", (*storedUndo)(o.Undo), o.Undo == nil)
	return []driver.Value{
		textNotNull(o.Service), textNotNull(o.Key), textValue(o.Name), textValue(o.Ref), textValue(o.Method), textValue(o.URL),
		headerValue(o.Header), j.values[0], o.Fingerprint[:], j.values[1], j.values[2], j.values[3], boolValue(o.Asks), j.values[4],
		textValue(o.Compensates), unixNano(o.Created),
	}, j.err
}

// fits returns an error for a transition whose result could not be read again.
func fits(t *ledger.Transition) error {
	if t.Result == nil {
		return nil
	}
	if n := len(t.Result.Body); n > maxBody {
		return fmt.Errorf("the result's body has %d bytes, and at most %d can be kept", n, maxBody)
	}
	return headerFits("result", t.Result.Header)
}

// headerFits returns an error for a header that could not be read again.
func headerFits(of string, header []ledger.Field) error {
	if b, _ := headerValue(header).([]byte); len(b) > maxBlob || len(header) > maxList {
		return fmt.Errorf("the header of the %s takes %d bytes, and at most %d can be kept", of, len(b), maxBlob)
	}
	return nil
}

// emptyPolicy reports whether every field is zero.
func emptyPolicy(p *ledger.KeyPolicy) bool {
	return p.FingerprintHeaders == nil && p.Header == "" && !p.Quoted && !p.Honoured && p.Lifetime == 0 &&
		p.Conflict == 0 && p.Unprocessable == 0 && !p.Accepted && p.Replayed == ""
}

// heldValue returns what stands for Held and Ageless, which share a column.
func heldValue(o *ledger.Operation) int64 { return flag(o.Held) | flag(o.Ageless)<<1 }

// stateValues returns the values of stateColumns.
func stateValues(o *ledger.Operation) []driver.Value {
	settled := actorValues(o.SettledBy)
	return []driver.Value{
		o.State.String(), boolValue(o.Disputed), heldValue(o), o.Version, o.Fence, int64(o.Owner), unixNano(o.Updated), unixNano(o.Moved),
		timeValue(o.FirstSent), timeValue(o.LastSent), timeValue(o.Due), int64(o.Sends), int64(o.Doubts), int64(o.Lookups),
		int64(o.NotFound), int64(o.Failing), timeValue(o.LookedUp), wordValue(o.Finding), textValue(o.LastError),
		settled[0], settled[1], resultValue(o.Result),
	}
}

// placeholders returns so many question marks, separated by commas.
func placeholders(n int) string { return strings.TrimPrefix(strings.Repeat(", ?", n), ", ") }

// operationColumns returns the columns that operationOf reads. Blobs and JSON of a file from
// elsewhere can be longer than any memory.
var operationColumns = sync.OnceValue(func() string {
	columns := `id, ` + intentColumns + `, ` + stateColumns
	for _, name := range [...]string{"header", "withheld", "policy", "budget", "lookup", "undo", "result"} {
		columns = strings.Replace(columns, `, `+name, `, `+limited(name, maxBlob), 1)
	}
	return columns
})

// kept is an operation as it is in the file.
type keptOperation struct {
	ledger.Operation
	row int64
}

// fields are what operationOf takes from a row one after another.
type fields struct {
	row
	next int
	err  error // the first one
}

func (f *fields) at() int {
	f.next++
	return f.next - 1
}

// take keeps the first error.
func take[T any](f *fields) func(T, error) T {
	return func(v T, err error) T {
		if f.err == nil {
			f.err = err
		}
		return v
	}
}

// operationOf reads an operation, without bodies, from a row of operationColumns. What it
// has in JSON is left for detailsOf.
func operationOf(r row) (keptOperation, error) {
	f := &fields{row: r}
	for _, limited := range [...]int{7, 8, 10, 11, 12, 14, len(r) - 1} {
		if r.tooLong(limited) {
			return keptOperation{}, errBlob
		}
	}
	o := keptOperation{row: r.int(f.at())}
	i := &o.Intent
	i.Service, i.Key, i.Name, i.Ref, i.Method, i.URL = r.text(f.at()), r.text(f.at()), r.text(f.at()), r.text(f.at()), r.text(f.at()), r.text(f.at())
	i.Header = take[[]ledger.Field](f)(headerOf(r.bytes(f.at())))
	f.next++ // withheld
	if n := copy(i.Fingerprint[:], r.bytes(f.at())); n != len(i.Fingerprint) {
		f.err = errBlob
	}
	f.next += 3 // policy, budget and lookup
	i.Asks = r.int(f.at()) != 0
	f.next++ // undo
	i.Compensates = r.text(f.at())
	o.Created = r.time(f.at())

	o.State = take[ledger.OperationState](f)(ofWord[ledger.OperationState](r.text(f.at())))
	o.Disputed = r.int(f.at()) != 0
	held := r.int(f.at())
	o.Held, o.Ageless = held&1 != 0, held&2 != 0
	o.Version, o.Fence, o.Owner = r.int(f.at()), r.int(f.at()), ledger.SessionID(r.int(f.at()))
	o.Updated, o.Moved, o.FirstSent, o.LastSent, o.Due = r.time(f.at()), r.time(f.at()), r.time(f.at()), r.time(f.at()), r.time(f.at())
	o.Sends, o.Doubts, o.Lookups, o.NotFound = int(r.int(f.at())), int(r.int(f.at())), int(r.int(f.at())), int(r.int(f.at()))
	o.Failing, o.LookedUp = int(r.int(f.at())), r.time(f.at())
	o.Finding = take[ledger.Verdict](f)(ofWord[ledger.Verdict](r.text(f.at())))
	o.LastError = r.text(f.at())
	o.SettledBy = take[ledger.Actor](f)(actorOf(r.text(f.at()), r.text(f.at())))
	o.Result = take[*ledger.Result](f)(resultOf(r.bytes(f.at())))
	return o, f.err
}

// detailsOf reads into an operation what its row has in JSON.
func detailsOf(r row, i *ledger.Intent) error {
	var lookup storedLookup
	var undo storedUndo
	_, err := fromJSON(r.bytes(8), &i.Withheld)
	_, err2 := fromJSON(r.bytes(10), (*storedPolicy)(&i.Policy))
	_, err3 := fromJSON(r.bytes(11), (*storedBudget)(&i.Budget))
	hasLookup, err4 := fromJSON(r.bytes(12), &lookup)
	hasUndo, err5 := fromJSON(r.bytes(14), &undo)
	if hasLookup {
		i.Lookup = (*ledger.Lookup)(&lookup)
	}
	if hasUndo {
		i.Undo = (*ledger.Undo)(&undo)
	}
	return errors.Join(err, err2, err3, err4, err5)
}

// byID selects the operation that idValues name.
const byID = `key = ?1 COLLATE NOCASE AND key = ?1 AND service = ?2`

func idValues(id ledger.ID) []driver.Value {
	return []driver.Value{textNotNull(id.Key), textNotNull(id.Service)}
}

// operation reads one operation, with bodies, and reports whether there is one.
func (c *conn) operation(ctx context.Context, id ledger.ID) (o keptOperation, found bool, err error) {
	found, err = c.one(ctx, `SELECT `+operationColumns()+` FROM operation WHERE `+byID,
		idValues(id), func(r row) error {
			if o, err = operationOf(r); err == nil {
				err = detailsOf(r, &o.Intent)
			}
			return err
		})
	if found && err == nil {
		err = c.operationBodies(ctx, &o)
	}
	return o, found, err
}

// operationBodies adds the exact bytes of the request and of the result.
func (c *conn) operationBodies(ctx context.Context, o *keptOperation) error {
	return c.query(ctx, `SELECT id & 1, `+limited("data", maxBody)+` FROM operation_body WHERE id BETWEEN ? AND ?`, values(o.row<<1, o.row<<1|1), func(r row) error {
		data := r.bytes(1)
		if data == nil {
			data = []byte{}
		}
		switch {
		case r.tooLong(1):
			return errBlob
		case r.int(0) == 0:
			o.Body = data
		case o.Result != nil:
			o.Result.Body = data
		}
		return nil
	})
}

// addOperation inserts an operation and its first transition, and reports whether there was
// none with its key.
func (k *cache) addOperation(o *ledger.Operation, intent []driver.Value, t *ledger.Transition) (added bool, err error) {
	done, err := k.c.exec(`INSERT INTO operation (`+intentColumns+`, `+stateColumns+`) VALUES (`+placeholders(38)+`) ON CONFLICT DO NOTHING`,
		append(intent[:len(intent):len(intent)], stateValues(o)...)...)
	if err != nil {
		return false, err
	}
	n, err := done.RowsAffected()
	if err != nil || n == 0 {
		return false, err
	}
	row, err := done.LastInsertId()
	if err == nil && o.Body != nil {
		err = k.setBody(row<<1, o.Body)
	}
	if err != nil {
		return false, err
	}
	k.added[o.Service]++
	k.addTransition(row, t)
	return true, nil
}

// ledgerDone writes, at the end of a transaction, what was kept until then: the transitions,
// and how many operations were added.
func (k *cache) ledgerDone() error {
	err := k.transitions.flush()
	for service, n := range k.added {
		if err == nil {
			_, err = k.c.exec(`INSERT INTO operation_total (service, n) VALUES (?, ?) ON CONFLICT (service) DO UPDATE SET n = n + excluded.n`,
				textNotNull(service), n)
		}
	}
	clear(k.added)
	return err
}

// saveOperation writes what a transition has made of an operation, and the transition.
func (k *cache) saveOperation(o *keptOperation, t *ledger.Transition) error {
	_, err := k.c.exec(`UPDATE operation SET (`+stateColumns+`) = (`+placeholders(22)+`) WHERE id = ?`,
		append(stateValues(&o.Operation), o.row)...)
	if err == nil && t.Result != nil && o.Result == t.Result && t.Result.Body != nil {
		err = k.setBody(o.row<<1|1, t.Result.Body)
	}
	k.addTransition(o.row, t)
	return err
}

func (k *cache) setBody(id int64, data []byte) error {
	_, err := k.c.exec(`INSERT OR REPLACE INTO operation_body (id, data) VALUES (?, ?)`, id, data)
	return err
}
