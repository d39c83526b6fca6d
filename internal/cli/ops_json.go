package cli

import (
	"encoding/hex"

	"redial/ledger"
	"redial/recorder"
)

// operationJSON is an operation as scripts read it. A pointer is null where a value is
// unknown or there is none.
type operationJSON struct {
	Key         string  `json:"key"`
	Service     *string `json:"service"`
	Name        *string `json:"name"`
	State       string  `json:"state"`
	Method      string  `json:"method"`
	URL         string  `json:"url"`
	Fingerprint *string `json:"fingerprint"`
	Created     *string `json:"created"`
	Updated     *string `json:"updated"`
	KeyExpires  *string `json:"key_expires"`
	Sends       int     `json:"sends"`
	Lookups     int     `json:"lookups"`
	LastError   *string `json:"last_error"`
	Owner       *string `json:"owner"`
}

// operationDetailJSON is an operation with its life.
type operationDetailJSON struct {
	operationJSON
	SettlementRead   *string          `json:"settlement_read"`    // of the last word of a person: yes, no, nobody (reads any), unknown
	SettlementReadAt *string          `json:"settlement_read_at"` // when the service read it
	Transitions      []transitionJSON `json:"transitions"`
}

// transitionJSON is a step in the life of an operation. Where nothing moved, as with
// lookups and notes, From and To are the same.
type transitionJSON struct {
	From     *string `json:"from"`
	To       *string `json:"to"`
	At       *string `json:"at"`
	Actor    *string `json:"actor"`
	Code     *string `json:"code"`
	Reason   *string `json:"reason"`
	Evidence *string `json:"evidence"`
	Call     *string `json:"call"`
}

func encodeOperation(o *ledger.Operation) operationJSON {
	o = shown(o)
	out := operationJSON{
		Key: o.Key, Service: known(o.Service), Name: known(o.Name), State: o.State.String(), Method: o.Method, URL: o.URL,
		Created: stamp(o.Created), Updated: stamp(o.Updated), KeyExpires: stamp(o.KeyExpires()),
		Sends: o.Sends, Lookups: o.Lookups, LastError: known(o.LastError),
	}
	if o.Fingerprint != [32]byte{} {
		out.Fingerprint = known(hex.EncodeToString(o.Fingerprint[:]))
	}
	if o.Owner != 0 {
		out.Owner = known(o.Owner.String())
	}
	return out
}

func encodeOperationDetail(o *ledger.Operation, rows []ledger.Transition, read ledger.Reading) operationDetailJSON {
	out := operationDetailJSON{operationJSON: encodeOperation(o), Transitions: []transitionJSON{},
		SettlementRead: known(read.State.String()), SettlementReadAt: stamp(read.At)}
	for i := range rows {
		row := recorder.RedactTransition(&rows[i])
		t := transitionJSON{
			From: known(row.From.String()), To: known(row.To.String()), At: stamp(row.At), Actor: known(row.Actor.String()),
			Code: known(row.Code.String()), Reason: known(row.Reason), Evidence: known(row.Evidence),
		}
		if row.Call != 0 {
			t.Call = known(row.Call.String())
		}
		out.Transitions = append(out.Transitions, t)
	}
	return out
}
