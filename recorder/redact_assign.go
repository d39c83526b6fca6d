package recorder

import "strings"

// assigned is what follows a name in a text: name=value, "name": "value", Name: value.
type assigned struct {
	quoted bool // the name stands in quotes
	sign   byte // '=' or ':'
	spaced bool // there is a space on one side of the sign
	value  int  // where the value begins
}

// assignments redacts what is assigned to the name at src[from:to] if it is that of a
// secret, and what is assigned to the value, if that is a name in its turn: where quotes are
// not in pairs, it may be. It returns where to go on, 0 if that is right behind the name.
func (r *redactor) assignments(e *edit, from, to int) int {
	next := 0
	for {
		v := r.assignment(e, from, to)
		if v.next == 0 {
			return next
		}
		next, to = v.next, v.to
		for from = to; from > v.from && isName(e.src[from-1]); from-- {
		}
	}
}

// assignment redacts what is assigned to the name at src[from:to] if it is that of a
// secret. It returns where that is.
func (r *redactor) assignment(e *edit, from, to int) span {
	a, ok := parseAssigned(e.src, to)
	if !ok {
		return span{}
	}
	name := e.src[from:to]
	secrecy := r.names.of(name)
	if secrecy == open {
		return span{}
	}
	v := findValue(e.src, a, name, secrecy)
	if value := e.src[v.from:v.to]; !isMark(value) && !isHarmless(value, secrecy) {
		e.replace(v.from, v.to, redacted)
	}
	return v
}

// isMark reports whether a value is what a redaction left there, with or without the
// bracket at which a word ends. What only begins so is a value: a quote without an end
// reaches over whatever follows.
func isMark(value string) bool {
	return value == redacted || value == strings.TrimSuffix(redacted, "]")
}

// isHarmless reports whether a value can be no secret: it has no content, or is a number
// as short as a status code.
func isHarmless(value string, secrecy secrecy) bool {
	switch value {
	case "", "true", "false", "null", "nil", "None":
		return true
	}
	return secrecy == ambiguous && len(value) <= 3 && strings.Trim(value, "0123456789") == ""
}

// span is a value in a text: where it is without its quotes, and where to go on behind
// them; next is 0 if there is none.
type span struct{ from, to, next int }

// parseAssigned reads what stands between the end of a name and the value.
func parseAssigned(s string, i int) (a assigned, ok bool) {
	skip := skipBlank // what is on another line is only in JSON assigned
	if j, _, _ := quote(s, i); j > i {
		a.quoted = true
		i, skip = j, skipSpace
	}
	sign := skip(s, i)
	if sign == len(s) || s[sign] != '=' && s[sign] != ':' {
		return a, false
	}
	next := sign + 1
	switch a.sign = s[sign]; s[sign:min(sign+2, len(s))] {
	case "==", "::":
		return a, false
	case "=>":
		a.sign = ':'
		next++
	case ":=":
		a.sign = '='
		next++
	}
	a.value = skip(s, next)
	a.spaced = sign > i || a.value > next
	return a, a.value < len(s)
}

// findValue returns what is assigned to a secret's name; nothing if what stands there is
// prose about the secret.
func findValue(s string, a assigned, name string, secrecy secrecy) span {
	from := a.value
	start, char, level := quote(s, from)
	switch {
	case start > from && (secrecy == secret || a.quoted || a.sign == '='):
		to, next := quoteEnd(s, start, char, level)
		return span{start, to, next}
	case start > from:
		return span{}
	case a.quoted || (s[from] == '{' || s[from] == '[') && (secrecy == secret || a.sign == '='):
		return bare(from, bareEnd(s, from))
	case a.sign == '=' && !a.spaced:
		return bare(from, credentialEnd(s, from, wordEnd(s, from, "&")))
	case secrecy == ambiguous:
		return span{}
	case isHeaderLine(name, s[from:]):
		return bare(from, lineEnd(s, from))
	}
	end := wordEnd(s, from, "&,;)}]")
	if isCompound(name) || !a.spaced || isRandom(s[from:end]) {
		return bare(from, end)
	}
	return span{}
}

// schemes are the words that come before a credential and are none themselves (RFC 9110,
// section 11, and the schemes in use).
var schemes = [...]string{
	"bearer", "basic", "digest", "token", "negotiate", "ntlm", "apikey", "hawk", "dpop", "mac",
	"aws4-hmac-sha256", "oauth",
}

// credentialEnd returns where a value ends whose first word is s[from:end]: there, unless
// that word only names a scheme. Behind one the credential may be of several words, so
// that the rest of the line belongs to it.
func credentialEnd(s string, from, end int) int {
	word := s[from:end]
	if end == len(s) || s[end] != ' ' && s[end] != '\t' {
		return end
	}
	for _, scheme := range schemes {
		if strings.EqualFold(word, scheme) {
			return lineEnd(s, end)
		}
	}
	return end
}

// lineEnd returns where the line ends that goes on at i, be it at an escaped line break or
// at the escaped quote behind a text that is quoted.
func lineEnd(s string, i int) int {
	for i += indexAny(s[i:], "\r\n\\"); i < len(s) && s[i] == '\\'; i += indexAny(s[i:], "\r\n\\") {
		end := i
		for i < len(s) && s[i] == '\\' {
			i++
		}
		if i < len(s) && strings.IndexByte("rn\"'`", s[i]) >= 0 {
			return end
		}
	}
	return i
}

func bare(from, to int) span { return span{from, to, to} }

// quote reads an opening quote at i, which may be escaped any number of times. It returns
// where the quoted text begins, i if there is no quote.
func quote(s string, i int) (start int, char byte, level int) {
	j := i
	for j < len(s) && s[j] == '\\' {
		j++
	}
	if j == len(s) || s[j] != '"' && s[j] != '\'' && s[j] != '`' {
		return i, 0, 0
	}
	return j + 1, s[j], j - i
}

// quoteEnd returns where the text behind an opening quote ends, and where its closing
// quote does, which is escaped as often as the opening one. A text that is cut off goes to
// the end.
func quoteEnd(s string, i int, char byte, level int) (end, next int) {
	slashes := 0
	for ; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			slashes++
			continue
		case s[i] == char && (slashes == level || level == 0 && slashes%2 == 0):
			return i - level, i + 1
		}
		slashes = 0
	}
	return len(s), len(s)
}

// wordEnd returns where a value without quotes ends: at a space, or at a character that
// cannot be in it. Quotes that begin inside it belong to it, as in u'text'.
func wordEnd(s string, i int, stops string) int {
	from := i
	for ; i < len(s); i++ {
		c := s[i]
		switch {
		case isSpace(c) || c == '<' || c == '>' || c == '\\' || strings.IndexByte(stops, c) >= 0:
			return i
		case c == '"' || c == '\'' || c == '`':
			if i-from > 2 || strings.Trim(s[from:i], "bBfFrRuU") != "" {
				return i
			}
			_, next := quoteEnd(s, i+1, c, 0)
			return next
		}
	}
	return i
}

// isHeaderLine reports whether a name and its value are a header line whose whole value is
// secret, and not prose such as "authorization: denied".
func isHeaderLine(name, rest string) bool {
	joined, _ := normalise(name)
	if !strings.HasSuffix(joined, "authorization") && !strings.HasSuffix(joined, "cookie") {
		return false
	}
	line := rest[:min(len(rest), maxTag)]
	line = line[:indexAny(line, "\r\n")]
	return isUpper(name[0]) || isCompound(name) || strings.IndexByte(line, '=') >= 0
}

// isCompound reports whether a name is put together as only identifiers are.
func isCompound(name string) bool {
	for i := 1; i < len(name); i++ {
		if strings.IndexByte("-_", name[i]) >= 0 || isUpper(name[i]) && !isUpper(name[i-1]) {
			return true
		}
	}
	return false
}

// isRandom reports whether a word is no prose: "token: 400 Bad Request" and "token: x509:
// unknown authority" are errors about a token.
func isRandom(word string) bool {
	letters, digits := 0, 0
	for i := range len(word) {
		if isLetter(word[i]) {
			letters++
		} else if isDigit(word[i]) {
			digits++
		}
	}
	return digits > 0 && (letters > 0 || digits == len(word) && digits >= 6) &&
		!strings.HasSuffix(word, ":") && !strings.Contains(word, "://")
}

// skipBlank returns the first position from i on that is no space in the line.
func skipBlank(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	return i
}

// skipSpace returns the first position from i on that is no space.
func skipSpace(s string, i int) int {
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	return i
}
