package recorder

import (
	"slices"

	"redial/ledger"
)

// RedactOperation returns what may be shown of an operation: without its exact bytes, and
// with the same secrets redacted as in calls, in its URL, its headers, its errors and the
// answer that is kept. The operation itself is left as it is, since a replay needs it so:
// the copy must not be sent, nor its fingerprint be compared.
func RedactOperation(o *ledger.Operation) ledger.Operation {
	r := newRedactor(Options{})
	shown := *o
	shown.Body = nil
	shown.Name, shown.Ref = r.text(o.Name, 0), r.text(o.Ref, 0)
	shown.URL = r.text(o.URL, 0)
	shown.Header = r.fields(o.Header)
	shown.LastError = r.text(o.LastError, 0)
	shown.Result = r.answer(o.Result)
	if l := o.Lookup; l != nil {
		lookup := *l
		lookup.URL, lookup.Header = r.text(l.URL, 0), r.fields(l.Header)
		shown.Lookup = &lookup
	}
	if u := o.Undo; u != nil {
		shown.Undo = &ledger.Undo{Method: u.Method, URL: r.text(u.URL, 0)}
	}
	return shown
}

// RedactTransition returns what may be shown of a transition, redacted in the same way. The
// transition itself is left as it is.
func RedactTransition(t *ledger.Transition) ledger.Transition {
	r := newRedactor(Options{})
	shown := *t
	shown.Reason, shown.Evidence, shown.Error = r.text(t.Reason, 0), r.text(t.Evidence, 0), r.text(t.Error, 0)
	shown.Result = r.answer(t.Result)
	return shown
}

// answer redacts an answer that is kept, as the response of a call is redacted.
func (r *redactor) answer(a *ledger.Result) *ledger.Result {
	if a == nil {
		return nil
	}
	shown := *a
	m := ledger.Message{Header: slices.Clone(a.Header)}
	m.Body.Data, m.Body.Size = a.Body, int64(len(a.Body))
	r.message(&m)
	shown.Header, shown.Body = m.Header, m.Body.Data
	return &shown
}

// fields returns redacted copies of header lines.
func (r *redactor) fields(list []ledger.Field) []ledger.Field {
	list = slices.Clone(list)
	for i := range list {
		r.header(&list[i])
	}
	return list
}
