package recorder

import (
	"strings"

	"redial/ledger"
)

// maxHeaders bounds how many header names are remembered: they can come from the network.
const maxHeaders = 1024

// header is what is known of the headers of one name.
type header struct {
	secret bool
	value  string // the last one
	result string // what became of it; most headers say the same again and again
}

func newHeaders(extra []string) map[string]*header {
	headers := make(map[string]*header)
	for _, name := range extra {
		headers[strings.ToLower(name)] = &header{secret: true}
	}
	return headers
}

// header redacts one header line. All of a secret header's value goes: cookies and
// credentials have no part that is known to be harmless.
func (r *redactor) header(f *ledger.Field) {
	h := r.headers[f.Name]
	if h == nil {
		h = r.learn(f.Name)
	}
	switch {
	case h.secret:
		f.Value = mark(f.Value)
	case f.Value != "" && f.Value == h.value:
		f.Value = h.result
	default:
		h.value = f.Value
		f.Value = r.reference(f.Value)
		h.result = f.Value
	}
}

// learn decides about a header name that was not seen before.
func (r *redactor) learn(name string) *header {
	if asked := r.headers[strings.ToLower(name)]; asked != nil && asked.secret {
		r.headers[strings.Clone(name)] = asked
		return asked
	}
	h := &header{secret: r.names.of(name) == secret}
	if len(r.headers) < maxHeaders {
		r.headers[strings.Clone(name)] = h
	}
	return h
}

// reference redacts the value of a header, which can be a URL without its scheme.
func (r *redactor) reference(value string) string {
	if strings.HasPrefix(value, "//") {
		e := edit{src: value}
		r.url(&e, 2, len(value), 0)
		return e.result()
	}
	return r.text(value, 0)
}
