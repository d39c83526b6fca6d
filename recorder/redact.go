package recorder

import "redial/ledger"

type redactor struct{}

func newRedactor(Options) *redactor { return &redactor{} }

func (r *redactor) call(c *ledger.Call) { strip(c) }

// strip removes from a call whatever could hold a secret.
func strip(c *ledger.Call) {
	c.Query, c.Error = mark(c.Query), mark(c.Error)
	for i := range c.AttemptList {
		a := &c.AttemptList[i]
		a.Err = mark(a.Err)
		for _, m := range []*ledger.Message{&a.Request, &a.Response} {
			m.Header = nil
			m.Body.Truncated = m.Body.Size > 0
			m.Body.Data = nil
		}
	}
}

const redacted = "[redacted]"

func mark(s string) string {
	if s == "" {
		return ""
	}
	return redacted
}
