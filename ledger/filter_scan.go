package ledger

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokenKind is what a token of the language is.
type tokenKind uint8

const (
	tokenEnd tokenKind = iota // the end of the text
	tokenOpen
	tokenClose
	tokenOr
	tokenAnd
	tokenNot
	tokenTerm
)

// token is one word of a filter. A term has its key, if it has one, and its value.
type token struct {
	span
	kind  tokenKind
	key   span   // without the colon; empty for a bare word
	name  string // what stands there
	value literal
}

// literal is a value as it was written.
type literal struct {
	span        // with its quotes or slashes
	text string // without them
	form form
}

// form is how a value was written.
type form uint8

const (
	plain   form = iota
	quoted       // "…"
	slashed      // /…/
)

// scanner cuts a filter into tokens.
type scanner struct {
	text string
	pos  int
}

// next returns the token at the position and moves behind it.
func (s *scanner) next() (token, error) {
	s.pos += len(s.text[s.pos:]) - len(strings.TrimLeftFunc(s.text[s.pos:], unicode.IsSpace))
	t := token{span: span{s.pos, s.pos + 1}}
	switch s.peek() {
	case 0:
		if s.pos == len(s.text) {
			t.end = s.pos
			return t, nil
		}
	case '(':
		t.kind = tokenOpen
	case ')':
		t.kind = tokenClose
	case '-':
		t.kind = tokenNot
	}
	if t.kind != tokenEnd {
		s.pos++
		return t, nil
	}
	return s.term(t)
}

// peek returns the byte at the position, 0 at the end of the text.
func (s *scanner) peek() byte {
	if s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

// term reads a term or one of the words or, and, not.
func (s *scanner) term(t token) (token, error) {
	t.kind = tokenTerm
	t.key = s.key()
	t.name = s.text[t.key.start:t.key.end]
	var err error
	t.value, err = s.literal()
	t.end = s.pos
	if t.name == "" && t.value.form == plain {
		switch strings.ToLower(t.value.text) {
		case "or":
			t.kind = tokenOr
		case "and":
			t.kind = tokenAnd
		case "not":
			t.kind = tokenNot
		}
	}
	return t, err
}

// key reads a word and its colon. Without a colon, or where the two begin a URL, it
// stays where it is and returns an empty span.
func (s *scanner) key() span {
	k := span{s.pos, s.pos}
	for k.end < len(s.text) && isKeyByte(s.text[k.end]) {
		k.end++
	}
	rest := s.text[k.end:]
	if k.end == k.start || !strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "://") {
		return span{s.pos, s.pos}
	}
	s.pos = k.end + 1
	return k
}

// isKeyByte reports whether b can stand in a key. Digits and points cannot, so that a
// host with its port is a bare word.
func isKeyByte(b byte) bool {
	return 'a' <= b|0x20 && b|0x20 <= 'z' || b == '_' || b == '-'
}

// literal reads a value in one of its three forms. It may be empty.
func (s *scanner) literal() (literal, error) {
	switch s.peek() {
	case '"':
		return s.quoted()
	case '/':
		if end := s.closingSlash(); end > 0 {
			l := literal{span{s.pos, end + 1}, s.text[s.pos+1 : end], slashed}
			s.pos = end + 1
			return l, nil
		}
	}
	l := literal{span: span{s.pos, s.pos}}
	for l.end < len(s.text) && !s.ends(l.end) {
		if s.text[l.end] == '"' {
			return l, span{l.end, l.end + 1}.wrong(`a quote begins a value and stands around all of it; within one it is \"`)
		}
		_, size := utf8.DecodeRuneInString(s.text[l.end:])
		l.end += size
	}
	l.text = s.text[l.start:l.end]
	s.pos = l.end
	return l, nil
}

// ends reports whether a value ends at i: with the text, at a space or at a parenthesis.
func (s *scanner) ends(i int) bool {
	if i == len(s.text) || s.text[i] == '(' || s.text[i] == ')' {
		return true
	}
	r, _ := utf8.DecodeRuneInString(s.text[i:])
	return unicode.IsSpace(r)
}

// closingSlash returns where the regular expression that begins at the position ends: at
// the first slash without a backslash, if that ends the value. Otherwise it returns 0,
// and the slashes are those of a path.
func (s *scanner) closingSlash() int {
	for i := s.pos + 1; i < len(s.text); i++ {
		switch s.text[i] {
		case '\\':
			i++
		case '/':
			if s.ends(i + 1) {
				return i
			}
			return 0
		}
	}
	return 0
}

// quoted reads a value in quotes, in which a backslash takes the next character as it is.
func (s *scanner) quoted() (literal, error) {
	var b strings.Builder
	for i := s.pos + 1; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == '\\' && i+1 < len(s.text):
			i++
			b.WriteByte(s.text[i])
		case c != '"':
			b.WriteByte(c)
		case !s.ends(i + 1):
			_, size := utf8.DecodeRuneInString(s.text[i+1:])
			return literal{}, span{i + 1, i + 1 + size}.wrong("a space belongs between a closing quote and what follows it")
		default:
			l := literal{span{s.pos, i + 1}, b.String(), quoted}
			s.pos = i + 1
			return l, nil
		}
	}
	return literal{}, span{s.pos, s.pos + 1}.wrong("this quote is not closed")
}
