package ledger

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// The bounds of a filter. They keep parsing and matching cheap whatever the text, and
// what is made of it within the limits of a store.
const (
	maxFilter      = 4096 // bytes
	maxFilterTerms = 200
	maxFilterDepth = 50 // parentheses and negations within each other
)

// ParseFilter reads a filter:
//
//	host:api.example.test status:5xx (attempts:>1 or waited:>1s) -key:order-* /items/
//
// Terms beside each other must all match; "or" binds less tightly; "-" and "not" negate
// the term or the parenthesis that follows. A term is key:value, or a word or a regular
// expression between slashes, which is looked for in URL and idempotency key. Values
// with spaces or parentheses stand in quotes. The keys, and what each compares, are the
// [Key] constants. Empty text is the zero Filter but for its Text.
//
// The error is always a *[FilterError].
func ParseFilter(text string) (Filter, error) {
	if len(text) > maxFilter {
		return Filter{}, span{maxFilter, len(text)}.wrong("a filter has at most %d bytes, this one has %d", maxFilter, len(text))
	}
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)) {
			return Filter{}, span{i, i + 1}.wrong("the byte %#x is not UTF-8", text[i])
		}
	}
	p := parser{scanner: scanner{text: text}}
	root, err := p.parse()
	if err != nil {
		return Filter{}, err
	}
	return Filter{Text: text, Root: root}, nil
}

// parser reads an expression with one token of lookahead.
type parser struct {
	scanner scanner
	last    token // the one before tok
	tok     token
	depth   int
	terms   int
}

// parse reads the whole text.
func (p *parser) parse() (Expr, error) {
	if err := p.next(); err != nil || p.tok.kind == tokenEnd {
		return nil, err
	}
	x, err := p.or()
	if err == nil && p.tok.kind == tokenClose {
		err = p.tok.wrong("this parenthesis closes none that was opened")
	}
	return x, err
}

// next moves to the next token.
func (p *parser) next() (err error) {
	p.last = p.tok
	p.tok, err = p.scanner.next()
	return err
}

// or reads terms up to a closing parenthesis or the end of the text.
func (p *parser) or() (Expr, error) {
	var parts Or
	for {
		x, err := p.and()
		if err != nil {
			return nil, err
		}
		parts = append(parts, x)
		if p.tok.kind != tokenOr {
			break
		}
		if err := p.next(); err != nil {
			return nil, err
		}
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	return parts, nil
}

// and reads terms up to an "or", a closing parenthesis or the end of the text.
func (p *parser) and() (Expr, error) {
	var parts And
	for {
		x, err := p.not()
		if err != nil {
			return nil, err
		}
		parts = append(parts, x)
		if p.tok.kind == tokenAnd {
			if err := p.next(); err != nil {
				return nil, err
			}
			continue
		}
		if slices.Contains([]tokenKind{tokenEnd, tokenClose, tokenOr}, p.tok.kind) {
			break
		}
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	return parts, nil
}

// not reads one term or parenthesis with what negates it.
func (p *parser) not() (Expr, error) {
	negations, before := 0, p.depth
	for p.tok.kind == tokenNot {
		negations++
		if err := p.deeper(); err != nil {
			return nil, err
		}
		if err := p.next(); err != nil {
			return nil, err
		}
	}
	x, err := p.operand()
	if err != nil {
		return nil, err
	}
	for range negations {
		x = Not{X: x}
	}
	p.depth = before
	return x, nil
}

// deeper counts a level, at the token that opens it.
func (p *parser) deeper() error {
	if p.depth++; p.depth > maxFilterDepth {
		return p.tok.wrong("parentheses and negations stand in each other at most %d deep", maxFilterDepth)
	}
	return nil
}

// operand reads one term or parenthesis.
func (p *parser) operand() (Expr, error) {
	switch p.tok.kind {
	case tokenOpen:
		return p.group()
	case tokenTerm:
		if p.terms++; p.terms > maxFilterTerms {
			return nil, p.tok.wrong("a filter has at most %d terms", maxFilterTerms)
		}
		x, err := parseTerm(p.tok)
		if err != nil {
			return nil, err
		}
		return x, p.next()
	}
	return nil, p.missing()
}

// group reads a parenthesis.
func (p *parser) group() (Expr, error) {
	opened := p.tok
	if err := p.deeper(); err != nil {
		return nil, err
	}
	if err := p.next(); err != nil {
		return nil, err
	}
	x, err := p.or()
	if err != nil {
		return nil, err
	}
	if p.tok.kind != tokenClose {
		return nil, opened.wrong("this parenthesis is not closed")
	}
	p.depth--
	return x, p.next()
}

// missing says what lacks a term where the current token cannot be one.
func (p *parser) missing() error {
	switch before := p.last.kind; {
	case before == tokenOpen && p.tok.kind == tokenClose:
		return span{p.last.start, p.tok.end}.wrong("there is nothing between these parentheses")
	case before == tokenOpen && p.tok.kind == tokenEnd:
		return p.last.wrong("this parenthesis is not closed")
	case before == tokenOr, before == tokenAnd, before == tokenNot:
		return p.last.wrong("%q needs a term behind it", p.word(p.last))
	case p.tok.kind == tokenClose:
		return p.tok.wrong("this parenthesis closes none that was opened")
	}
	return p.tok.wrong("%q needs a term before it", p.word(p.tok))
}

// word returns a token as it was written.
func (p *parser) word(t token) string { return p.scanner.text[t.start:t.end] }
