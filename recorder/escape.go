package recorder

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unescapeURL decodes percent-encoding, and + as a space if plus is set. Unlike the
// standard library it does not stop at what is not well-formed, but leaves it as it is.
func unescapeURL(s string, plus bool) string {
	if strings.IndexByte(s, '%') < 0 && (!plus || strings.IndexByte(s, '+') < 0) {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			out = append(out, unhex(s[i+1])<<4|unhex(s[i+2]))
			i += 2
		case c == '+' && plus:
			out = append(out, ' ')
		default:
			out = append(out, c)
		}
	}
	return string(out)
}

// unescapeJSON decodes the escapes of a JSON string. What is not well-formed stays.
func unescapeJSON(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		if s[i] != '\\' || i+1 == len(s) {
			out = append(out, s[i])
			i++
			continue
		}
		if r, n := unescapeRune(s[i:]); n > 0 {
			out = utf8.AppendRune(out, r)
			i += n
			continue
		}
		if at := strings.IndexByte(`"\/bfnrt`, s[i+1]); at >= 0 {
			out = append(out, "\"\\/\b\f\n\r\t"[at])
		} else {
			out = append(out, s[i], s[i+1])
		}
		i += 2
	}
	return string(out)
}

// unescapeRune decodes a \u escape, or a pair of them, at the start of s. It returns how
// long it is, 0 if there is none.
func unescapeRune(s string) (rune, int) {
	if !isUnicodeEscape(s) {
		return 0, 0
	}
	r := hexRune(s[2:6])
	if utf16.IsSurrogate(r) && isUnicodeEscape(s[6:]) {
		if pair := utf16.DecodeRune(r, hexRune(s[8:12])); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return r, 6
}

// isUnicodeEscape reports whether s begins with an escape such as \u0070.
func isUnicodeEscape(s string) bool {
	return len(s) >= 6 && s[0] == '\\' && s[1] == 'u' &&
		isHex(s[2]) && isHex(s[3]) && isHex(s[4]) && isHex(s[5])
}

func hexRune(s string) (r rune) {
	for i := range len(s) {
		r = r<<4 | rune(unhex(s[i]))
	}
	return r
}

// escapeJSON returns s as it stands between the quotes of a JSON string.
func escapeJSON(s string) string {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return redacted
	}
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(out.String()), `"`), `"`)
}

func isHex(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

func unhex(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
