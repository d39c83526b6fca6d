package recorder

import (
	"encoding/base64"
	"encoding/json"
	"strings"
)

// suspicious reports whether s holds any of what leads to a secret in a text.
func suspicious(s string) bool {
	for i := range len(s) {
		switch s[i] {
		case ':', '=', '%', '<', '\\', '&':
			return true
		case 'e':
			if strings.HasPrefix(s[i:], jwtStart) {
				return true
			}
		case 'B', 'b':
			if hasFold(s[i:], "bearer") || hasFold(s[i:], "basic") {
				return true
			}
		}
	}
	return false
}

// any redacts a text that may be JSON. What only looks like it is read as a text as well.
func (r *redactor) any(s string, depth int) string {
	if !looksJSON(s) {
		return r.text(s, depth)
	}
	if json.Valid([]byte(s)) {
		return r.json(s, depth)
	}
	return r.text(r.json(s, depth), depth)
}

// text redacts a text of no known form: URLs, credentials, JWTs, and what is assigned to
// the name of a secret, be it as name=value, "name": "value", a header line or an element.
// It is read as it stands, and as it is meant where characters of it are escaped.
func (r *redactor) text(s string, depth int) string {
	if !suspicious(s) {
		return s
	}
	if depth > maxDepth {
		return mark(s)
	}
	e := edit{src: s}
	r.scan(&e, depth)
	return r.unescaped(e.result(), depth)
}

// scan redacts a text as it stands.
func (r *redactor) scan(e *edit, depth int) {
	s := e.src
	for i := 0; i < len(s); {
		end := runEnd(s, i)
		switch {
		case end > i:
			i = r.run(e, i, end, depth)
		case s[i] == '<':
			i = r.element(e, i, depth)
		case strings.HasPrefix(s[i:], "//"):
			i = r.authority(e, i, depth)
		case s[i] == '\\' && i+1 < len(s) && strings.IndexByte("nrt", s[i+1]) >= 0:
			i += 2 // not part of the name that follows
		default:
			i++
		}
	}
}

// run redacts what the run of name characters at src[from:to] leads to, and returns where
// to go on.
func (r *redactor) run(e *edit, from, to, depth int) int {
	s := e.src
	if strings.HasPrefix(s[to:], "://") {
		end := to + 3 + indexAny(s[to+3:], " \t\r\n\"'`<>\\")
		r.url(e, to+3, end, depth)
		return end
	}
	if at := jwt(s[from:to]); at >= 0 {
		end := to
		for end < len(s) && s[end] == '=' {
			end++
		}
		e.replace(from+at, end, redacted)
		return max(end, r.assignments(e, from, to)) // it may end in a name
	}
	if token, end := credential(s, from, to); end > token {
		e.replace(token, end, redacted)
		return max(end, r.assignments(e, token, end)) // the same
	}
	if end := r.assignments(e, from, to); end > 0 {
		return end
	}
	if strings.IndexByte(s[from:to], '%') >= 0 {
		if clean, ok := r.encoded(s[from:to], false, depth); ok {
			e.replace(from, to, clean)
		}
	}
	return to
}

// authority redacts the URL without a scheme that two slashes at src[from] may begin, if it
// has userinfo, and returns where to go on.
func (r *redactor) authority(e *edit, from, depth int) int {
	s := e.src
	if from >= e.noUser {
		end := from + 2 + indexAny(s[from+2:], " \t\r\n\"'`<>\\")
		if strings.IndexByte(s[from+2:end], '@') >= 0 {
			r.url(e, from+2, end, depth)
			return end
		}
		e.noUser = end
	}
	if e.noUser < len(s) || strings.ContainsAny(s[from+2:], "/?#") {
		return from + 2
	}
	r.url(e, from+2, len(s), depth) // its userinfo may be cut off
	return len(s)
}

// runEnd returns the end of the run of characters at i that can make up a name, encoded
// or not, or a token; i if there is none.
func runEnd(s string, i int) int {
	for i < len(s) {
		switch c := s[i]; {
		case isName(c):
			i++
		case c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			i += 3
		case c == '\\' && isUnicodeEscape(s[i:]):
			i += 6
		default:
			return i
		}
	}
	return i
}

// isName reports whether c can be in a name or a token: in a word, or between two.
func isName(c byte) bool {
	switch c {
	case '_', '-', '.', '+', '~', '$', '[', ']':
		return true
	}
	return isWord(c)
}

// jwtStart is how the base64 of a JSON object begins, and so every JWT.
const jwtStart = "eyJ"

// jwt returns where in a run a JWT begins, -1 if there is none. One that is cut before its
// first dot is only a header, and tells nothing.
func jwt(run string) int {
	dot := -1 // the first one behind from
	for from := 0; len(run) >= len("eyJ0IjoxfQ."); {
		at := strings.Index(run[from:], jwtStart)
		if at < 0 {
			return -1
		}
		at += from
		if dot < at {
			if dot = strings.IndexByte(run[at:], '.'); dot < 0 {
				return -1
			}
			dot += at
		}
		if (at == 0 || !isWord(run[at-1])) && dot-at > len(jwtStart) {
			return at
		}
		from = at + len(jwtStart)
	}
	return -1
}

// credential returns where the token behind the word at s[from:to] is, if that word is the
// name of an authentication scheme and what follows is no prose.
func credential(s string, from, to int) (token, end int) {
	bearer := to-from == len("bearer") && hasFold(s[from:], "bearer")
	if !bearer && (to-from != len("basic") || !hasFold(s[from:], "basic")) {
		return 0, 0
	}
	for token = to; token < len(s) && isSpace(s[token]); token++ {
	}
	if token == to {
		return 0, 0
	}
	end = token
	for end < len(s) && (isWord(s[end]) || strings.IndexByte("-._~+/=", s[end]) >= 0) {
		end++
	}
	if bearer && isProse(s[token:end]) || !bearer && !isBasic(s[token:end]) {
		return 0, 0
	}
	return token, end
}

// isProse reports whether what follows the word bearer is a word, and not a token.
func isProse(s string) bool {
	s = strings.TrimRight(s, "=.")
	for i := range len(s) {
		if s[i] < 'a' || s[i] > 'z' {
			return false
		}
	}
	return len(s) <= 14
}

// isBasic reports whether s is user and password as in basic authentication, or the
// beginning of that.
func isBasic(s string) bool {
	s = strings.TrimRight(s, "=.")
	plain, err := base64.RawStdEncoding.DecodeString(s[:len(s)/4*4])
	return err == nil && strings.IndexByte(string(plain), ':') >= 0
}

// hasFold reports whether s begins with prefix, which is in lower case.
func hasFold(s, prefix string) bool {
	if len(s) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if lower(s[i]) != prefix[i] {
			return false
		}
	}
	return true
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
