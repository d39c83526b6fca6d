package recorder

import (
	"strings"

	"redial/ledger"
)

// redacted stands in place of every secret.
const redacted = "[redacted]"

// maxDepth is how many layers of encoding are searched: JSON in a string in JSON, a URL in
// a parameter of a URL. What is wrapped deeper is redacted unseen.
const maxDepth = 5

// redactor removes secrets from the recorded copy of calls. It keeps caches and is not safe
// for concurrent use.
//
// A secret is known by the name it goes by (of a header, a parameter, a field, an element)
// or by its form: userinfo in a URL, a bearer or basic token, a JWT. What has neither is
// not recognised: a password in the path of a URL, a key in a message of a binary protocol.
type redactor struct {
	names   *names
	headers map[string]*header
	lost    bool // a part of the body could not be unpacked, and is gone
}

func newRedactor(o Options) *redactor {
	return &redactor{names: newNames(o.RedactFields), headers: newHeaders(o.RedactHeaders)}
}

// call redacts a call in place. Its lists must be the caller's own; strings and the Data of
// bodies are replaced where they change, and never written to.
func (r *redactor) call(c *ledger.Call) {
	c.Path = r.path(c.Path)
	c.Query = r.text(r.query(c.Query, 0), 0) // whatever else it may be
	c.Error = r.text(c.Error, 0)
	for i := range c.AttemptList {
		a := &c.AttemptList[i]
		a.Err = r.text(a.Err, 0)
		r.message(&a.Request)
		r.message(&a.Response)
	}
}

// path redacts the path of a request, which an opaque URL can make anything else: an
// authority with userinfo and a path, with or without the slashes before it.
func (r *redactor) path(p string) string {
	if p == "" || p[0] == '/' || strings.IndexByte(p, '@') < 0 {
		return r.reference(p)
	}
	if scheme := strings.Index(p, "://"); scheme >= 0 && scheme < strings.IndexByte(p, '@') {
		return r.text(p, 0)
	}
	e := edit{src: p}
	r.url(&e, 0, len(p), 0)
	return e.result()
}

// message redacts headers and body. The body is first, since the headers say what it is.
func (r *redactor) message(m *ledger.Message) {
	if m.Body.Data != nil {
		r.body(m)
	}
	for i := range m.Header {
		r.header(&m.Header[i])
	}
}

// strip removes from a call whatever could hold a secret.
func strip(c *ledger.Call) {
	c.Path, c.Query, c.Error = mark(c.Path), mark(c.Query), mark(c.Error)
	for i := range c.AttemptList {
		a := &c.AttemptList[i]
		a.Err = mark(a.Err)
		for _, m := range []*ledger.Message{&a.Request, &a.Response} {
			m.Header = nil
			discard(&m.Body)
		}
	}
}

// mark returns the mark in place of any text.
func mark(s string) string {
	if s == "" {
		return ""
	}
	return redacted
}

// discard keeps of a body only its size and its hash.
func discard(b *ledger.Body) {
	b.Data, b.Truncated = nil, b.Size > 0
}
