package db

import (
	"strings"

	"redial/ledger"
)

// terms returns the terms of a filter that all have to hold.
func terms(x ledger.Expr) []*ledger.Term {
	switch x := x.(type) {
	case *ledger.Term:
		return []*ledger.Term{x}
	case ledger.And:
		var list []*ledger.Term
		for _, part := range x {
			list = append(list, terms(part)...)
		}
		return list
	}
	return nil
}

// narrow returns a condition that every operation meets which the query selects, so that
// most others need not be read. [ledger.Filter.MatchOperation] has the last word.
func (s *operationScan) narrow() condition {
	c := always()
	if s.query.Service != "" {
		c = test(`service = ?`, textNotNull(s.query.Service))
	}
	for _, t := range terms(s.query.Filter.Root) {
		c = allOf(c, s.term(t))
	}
	return c
}

// term is narrow for one term.
func (s *operationScan) term(t *ledger.Term) condition {
	switch t.Key {
	case ledger.KeyAttempts, ledger.KeySends:
		return test(`sends BETWEEN ? AND ?`, t.From, t.To)
	case ledger.KeyLast:
		if from, ok := timeValue(s.env.End.Add(-t.Duration)).(int64); ok {
			return test(`created >= ?`, from)
		}
	case ledger.KeyKey:
		if t.Regexp == nil && t.Text != "" && !strings.Contains(t.Text, "*") {
			return test(`key = ? COLLATE NOCASE`, t.Text)
		}
		return s.text(t, `key`)
	case ledger.KeyMethod:
		return s.text(t, `method`)
	case ledger.KeyError:
		return s.text(t, `last_error`)
	case ledger.KeyService:
		return s.text(t, `service`)
	case ledger.KeyURL:
		return s.url(t)
	case ledger.KeyAny:
		return anyOf(s.text(t, `key`), s.text(t, `name`), s.url(t))
	}
	return always()
}

// text narrows by a column of text. Of what is not plain ASCII SQLite does not know the
// upper and lower case.
func (s *operationScan) text(t *ledger.Term, column string) condition {
	if t.Regexp != nil || (ledger.Filter{Root: t}).MatchOperation(&ledger.Operation{}, s.env) {
		return always()
	}
	return test(`(`+column+` LIKE ? ESCAPE '\' OR typeof(`+column+`) = 'blob')`, like(t.Text))
}

// url narrows by the URL, which is matched without the userinfo that it may have.
func (s *operationScan) url(t *ledger.Term) condition {
	c := s.text(t, `url`)
	if c.sql == always().sql {
		return c
	}
	return anyOf(c, test(`instr(url, '@') > 0`))
}
