package db

import (
	"bytes"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"time"

	"redial/ledger"
)

// The forms in which parts of an intent are stored. Each is the type of package ledger with
// names that stay as they are in files, whatever becomes of the fields' names there. Zero
// fields are left out.
type (
	storedPolicy struct {
		Header             string         `json:"header,omitzero"`
		Quoted             bool           `json:"quoted,omitzero"`
		Honoured           bool           `json:"honoured,omitzero"`
		Lifetime           time.Duration  `json:"lifetime,omitzero"`
		Conflict           ledger.Meaning `json:"conflict,omitzero"`
		Unprocessable      ledger.Meaning `json:"unprocessable,omitzero"`
		Accepted           bool           `json:"accepted,omitzero"`
		Replayed           string         `json:"replayed,omitzero"`
		FingerprintHeaders []string       `json:"fingerprint_headers,omitzero"`
	}
	storedBudget struct {
		Sends          int           `json:"sends,omitzero"`
		For            time.Duration `json:"for,omitzero"`
		AttemptTimeout time.Duration `json:"attempt_timeout,omitzero"`
		Base           time.Duration `json:"base,omitzero"`
		Max            time.Duration `json:"max,omitzero"`
	}
	storedLookup struct {
		Method   string         `json:"method,omitzero"`
		URL      string         `json:"url,omitzero"`
		Header   []ledger.Field `json:"header,omitzero"`
		Found    []int          `json:"found,omitzero"`
		NotFound []int          `json:"not_found,omitzero"`
		Match    []ledger.Match `json:"match,omitzero"`
		Count    string         `json:"count,omitzero"`
		Settle   time.Duration  `json:"settle,omitzero"`
		Times    int            `json:"times,omitzero"`
	}
	storedUndo struct {
		Method string `json:"method,omitzero"`
		URL    string `json:"url,omitzero"`
		Body   []byte `json:"body,omitzero"`
	}
)

// asJSON appends what stands for a value in the file: NULL for nothing.
type asJSON struct {
	values []driver.Value
	err    error
}

// add appends a value, or NULL if it is absent.
func (j *asJSON) add(what string, v any, absent bool) {
	if absent || j.err != nil {
		j.values = append(j.values, nil)
		return
	}
	text, err := json.Marshal(v)
	switch {
	case err != nil:
		j.err = err
	case bytes.Contains(text, []byte(`\ufffd`)): // what stands for bytes that are no UTF-8
		j.err = fmt.Errorf("the %s has text that is not UTF-8, which could not be kept as it is", what)
	case len(text) > maxBlob:
		j.err = fmt.Errorf("the %s takes %d bytes, and at most %d are kept", what, len(text), maxBlob)
	}
	j.values = append(j.values, string(text))
}

// fromJSON reads what asJSON wrote into a value, and reports whether there was any.
func fromJSON(text []byte, into any) (bool, error) {
	if text == nil {
		return false, nil
	}
	if err := json.Unmarshal(text, into); err != nil {
		return false, fmt.Errorf("%w: %w", errBlob, err)
	}
	return true, nil
}

// headerValue returns what stands for the fields of a header: NULL for nil.
func headerValue(fields []ledger.Field) driver.Value {
	if fields == nil {
		return nil
	}
	var e encoder
	e.reset()
	e.fields(fields)
	return e.buf
}

// fields appends fields in their order.
func (e *encoder) fields(fields []ledger.Field) {
	e.uint(uint64(len(fields)))
	for _, f := range fields {
		e.literal(f.Name)
		e.literal(f.Value)
	}
}

func (d *decoder) fields() []ledger.Field {
	fields := make([]ledger.Field, 0, d.count(2, maxList))
	for range cap(fields) {
		fields = append(fields, ledger.Field{Name: d.literal(), Value: d.literal()})
	}
	return fields
}

// headerOf reads what headerValue returned.
func headerOf(blob []byte) ([]ledger.Field, error) {
	if blob == nil {
		return nil, nil
	}
	d := decode(blob, nil)
	fields := d.fields()
	return fields, d.end()
}

// What a result has besides its status. Each is its own value.
const (
	resultHeader = 1 << iota // is not nil, and follows
	resultBody               // is not nil; it is in operation_body
	resultDropped
	resultReplayed
	resultFound
)

// resultValue returns what stands for a result without its body: NULL for nil.
func resultValue(r *ledger.Result) driver.Value {
	if r == nil {
		return nil
	}
	var e encoder
	var has mask
	has.set(resultHeader, r.Header != nil)
	has.set(resultBody, r.Body != nil)
	has.set(resultDropped, r.Dropped)
	has.set(resultReplayed, r.Replayed)
	has.set(resultFound, r.Found)
	e.reset()
	e.uint(uint64(has))
	e.int(int64(r.Status))
	if r.Header != nil {
		e.fields(r.Header)
	}
	return e.buf
}

// resultOf reads what resultValue returned.
func resultOf(blob []byte) (*ledger.Result, error) {
	if blob == nil {
		return nil, nil
	}
	d := decode(blob, nil)
	has := d.uint()
	r := &ledger.Result{
		Status: int(d.int()), Dropped: has&resultDropped != 0, Replayed: has&resultReplayed != 0, Found: has&resultFound != 0,
	}
	if has&resultHeader != 0 {
		r.Header = d.fields()
	}
	return r, d.end()
}

// coded is a code of package ledger, which is stored as its word.
type coded interface {
	~uint8
	String() string
}

// wordValue returns what stands for a code: NULL for none.
func wordValue[T coded](code T) driver.Value {
	if s := code.String(); s != "" {
		return s
	}
	return nil
}

// ofWord returns the code whose word it is.
func ofWord[T coded](word string) (T, error) {
	for code := T(0); ; code++ {
		switch code.String() {
		case "?": // beyond the last one
			return 0, errBlob
		case word:
			return code, nil
		}
	}
}

// The words for kinds of actors. A person's is not the one that is shown, which is a name.
const (
	actorService    = "service"
	actorReconciler = "reconciler"
	actorPerson     = "person"
)

// actorValues returns what stands for an actor: its kind and its name.
func actorValues(a ledger.Actor) [2]driver.Value {
	switch a.Kind {
	case ledger.Service:
		return [2]driver.Value{actorService, textValue(a.Name)}
	case ledger.Reconciler:
		return [2]driver.Value{actorReconciler, textValue(a.Name)}
	case ledger.Person:
		return [2]driver.Value{actorPerson, textValue(a.Name)}
	}
	return [2]driver.Value{nil, textValue(a.Name)}
}

// actorOf reads what actorValues returned.
func actorOf(kind, name string) (a ledger.Actor, err error) {
	a.Name = name
	switch kind {
	case "":
	case actorService:
		a.Kind = ledger.Service
	case actorReconciler:
		a.Kind = ledger.Reconciler
	case actorPerson:
		a.Kind = ledger.Person
	default:
		err = errBlob
	}
	return a, err
}

// boolValue returns what stands for a truth value.
func boolValue(b bool) driver.Value { return flag(b) }
