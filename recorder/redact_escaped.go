package recorder

import (
	"strconv"
	"strings"
)

// unescaped redacts what shows only when the escapes of a text are undone: a quote can be
// written as \u0022 or &quot;, the slash of a URL as \/, the & of its query as \u0026. What
// is not redacted stays as it was written.
func (r *redactor) unescaped(s string, depth int) string {
	plain, at := unescapeText(s)
	if at == nil {
		return s
	}
	if depth == maxDepth {
		return mark(s)
	}
	inner := edit{src: plain}
	r.scan(&inner, depth+1)
	once := inner.result()
	if twice := r.unescaped(once, depth+1); twice != once {
		return twice // what was escaped twice is written with one escape less
	}
	e := edit{src: s}
	for _, c := range inner.changes {
		e.replace(int(at[c.from]), int(at[c.to]), c.with)
	}
	return e.result()
}

// unescapeText undoes the escapes of a text that stand for ASCII, be they those of JSON and
// of programs or those of HTML. It returns where in s each byte of the result comes from,
// and its end; nil if nothing is escaped.
func unescapeText(s string) (plain string, at []int32) {
	var out []byte
	for i := indexAny(s, `\&`); i < len(s); {
		c, size := unescapeByte(s[i:])
		if size > 1 && at == nil {
			out, at = make([]byte, 0, len(s)), make([]int32, 0, len(s)+1)
			for j := range i {
				out, at = append(out, s[j]), append(at, int32(j))
			}
		}
		if at != nil {
			out, at = append(out, c), append(at, int32(i))
		}
		i += size
	}
	if at != nil {
		at = append(at, int32(len(s)))
	}
	return string(out), at
}

// entities are the names of ASCII characters in HTML and XML.
var entities = [...]struct {
	name string
	char byte
}{{"&amp;", '&'}, {"&quot;", '"'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&apos;", '\''}}

// unescapeByte returns the ASCII character that s begins with, escaped or not, and how long
// it is in s.
func unescapeByte(s string) (char byte, size int) {
	switch {
	case s[0] == '\\' && isUnicodeEscape(s) && hexRune(s[2:6]) < 0x80:
		return byte(hexRune(s[2:6])), 6
	case s[0] == '\\' && len(s) > 3 && s[1] == 'x' && isHex(s[2]) && isHex(s[3]) && s[2] < '8':
		return byte(hexRune(s[2:4])), 4
	case strings.HasPrefix(s, `\/`):
		return '/', 2
	case strings.HasPrefix(s, "&#"):
		return unescapeNumber(s)
	case s[0] == '&':
		for _, e := range entities {
			if strings.HasPrefix(s, e.name) {
				return e.char, len(e.name)
			}
		}
	}
	return s[0], 1
}

// unescapeNumber is [unescapeByte] for a character that HTML gives by its number: &#34; or
// &#x22;.
func unescapeNumber(s string) (char byte, size int) {
	end := strings.IndexByte(s[:min(len(s), 12)], ';')
	if end < 0 {
		return s[0], 1
	}
	digits, base := s[2:end], 10
	if strings.HasPrefix(digits, "x") || strings.HasPrefix(digits, "X") {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseUint(digits, base, 7)
	if err != nil {
		return s[0], 1
	}
	return byte(n), end + 1
}
