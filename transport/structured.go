package transport

import (
	"encoding/base64"
	"strings"
)

// maxField is how long a structured field may be, all of its lines together. Longer ones
// are ignored.
const maxField = 4 << 10

// bareItem is a value of a structured field (RFC 9651, section 3.3).
type bareItem struct {
	kind byte   // i integer, d decimal, s string, t token, b bytes, ? boolean, @ date, % display string
	text string // of a string or token
	n    int64  // of an integer, boolean or date
}

// parameter is one of an item's parameters, or a member of a dictionary.
type parameter struct {
	key   string
	value bareItem
}

// sfParser reads structured fields, as far as they have no inner lists. Its work grows with
// the length of the field only.
type sfParser struct {
	rest   string
	params []parameter // of the item that was read last; a key that comes again replaces the first
}

// join returns the lines of a field as one. It reports false for what is too long.
func joinField(lines []string) (string, bool) {
	n := 0
	for _, l := range lines {
		n += len(l) + 2
	}
	return strings.Join(lines, ", "), n <= maxField
}

// parseList calls f for each item of a list. It reports whether the field is well-formed; if
// it is not, what f was called for is void.
func parseList(field string, f func(value bareItem, params []parameter)) bool {
	p := sfParser{rest: strings.Trim(field, " ")}
	for p.rest != "" {
		v, ok := p.item()
		if !ok {
			return false
		}
		f(v, p.params)
		if !p.comma() {
			return false
		}
	}
	return true
}

// parseDictionary returns the members of a dictionary, without their parameters.
func parseDictionary(field string) ([]parameter, bool) {
	p := sfParser{rest: strings.Trim(field, " ")}
	var members []parameter
	for p.rest != "" {
		key, ok := p.key()
		if !ok {
			return nil, false
		}
		v := bareItem{kind: '?', n: 1}
		if p.skip("=") {
			if v, ok = p.bare(); !ok {
				return nil, false
			}
		}
		if !p.parameters() || !p.comma() {
			return nil, false
		}
		members = append(members, parameter{key, v})
	}
	return members, true
}

// comma reads what stands between two members. A comma at the end is an error.
func (p *sfParser) comma() bool {
	p.rest = strings.TrimLeft(p.rest, " \t")
	if p.rest == "" {
		return true
	}
	if !p.skip(",") {
		return false
	}
	p.rest = strings.TrimLeft(p.rest, " \t")
	return p.rest != ""
}

func (p *sfParser) skip(prefix string) (ok bool) {
	p.rest, ok = strings.CutPrefix(p.rest, prefix)
	return ok
}

// item reads a value and its parameters.
func (p *sfParser) item() (bareItem, bool) {
	v, ok := p.bare()
	return v, ok && p.parameters()
}

func (p *sfParser) parameters() bool {
	p.params = p.params[:0]
	for p.skip(";") {
		p.rest = strings.TrimLeft(p.rest, " ")
		key, ok := p.key()
		if !ok {
			return false
		}
		v := bareItem{kind: '?', n: 1}
		if p.skip("=") {
			if v, ok = p.bare(); !ok {
				return false
			}
		}
		p.params = append(p.params, parameter{key, v})
	}
	return true
}

// find returns a parameter; of several with the same key the last counts.
func find(params []parameter, key string) (v bareItem, ok bool) {
	for i := len(params) - 1; i >= 0; i-- {
		if params[i].key == key {
			return params[i].value, true
		}
	}
	return v, false
}

func (p *sfParser) key() (string, bool) {
	for i := range len(p.rest) {
		c := p.rest[i]
		if lower(c) || c == '*' || i > 0 && (digit(c) || c == '_' || c == '-' || c == '.') {
			continue
		}
		return p.cut(i), i > 0
	}
	return p.cut(len(p.rest)), p.rest != ""
}

// cut takes the next n bytes.
func (p *sfParser) cut(n int) string {
	s := p.rest[:n]
	p.rest = p.rest[n:]
	return s
}

func (p *sfParser) bare() (bareItem, bool) {
	if p.rest == "" {
		return bareItem{}, false
	}
	switch c := p.rest[0]; {
	case digit(c) || c == '-':
		return p.number()
	case c == '"':
		p.cut(1)
		return p.text('s')
	case c == '*' || lower(c) || c >= 'A' && c <= 'Z':
		return p.token(), true
	case c == ':':
		return p.bytes()
	case c == '?':
		return p.boolean()
	case c == '@':
		p.cut(1)
		v, ok := p.number()
		return bareItem{kind: '@', n: v.n}, ok && v.kind == 'i'
	case p.skip(`%"`):
		return p.text('%')
	}
	return bareItem{}, false
}

// number reads an integer of at most 15 digits, or a decimal of at most 12 and 3.
func (p *sfParser) number() (v bareItem, ok bool) {
	minus := p.skip("-")
	i := 0
	for ; i < len(p.rest) && digit(p.rest[i]); i++ {
		if i == 15 {
			return v, false
		}
		v.n = v.n*10 + int64(p.rest[i]-'0')
	}
	p.cut(i)
	v.kind = 'i'
	if minus {
		v.n = -v.n
	}
	if i == 0 || !p.skip(".") {
		return v, i > 0
	}
	v.kind = 'd'
	j := 0
	for j < len(p.rest) && digit(p.rest[j]) {
		j++
	}
	p.cut(j)
	return v, i <= 12 && j >= 1 && j <= 3
}

// text reads a string, or a display string, whose percent encoding is left as it is.
func (p *sfParser) text(kind byte) (bareItem, bool) {
	var b strings.Builder
	for i := 0; i < len(p.rest); i++ {
		switch c := p.rest[i]; {
		case c == '"':
			p.cut(i + 1)
			return bareItem{kind: kind, text: b.String()}, true
		case c < ' ' || c >= 0x7f:
			return bareItem{}, false
		case c == '\\' && kind == 's':
			if i++; i == len(p.rest) || p.rest[i] != '"' && p.rest[i] != '\\' {
				return bareItem{}, false
			}
			b.WriteByte(p.rest[i])
		default:
			b.WriteByte(c)
		}
	}
	return bareItem{}, false
}

func (p *sfParser) token() bareItem {
	i := 1
	for i < len(p.rest) && (isToken(p.rest[i:i+1]) || p.rest[i] == ':' || p.rest[i] == '/') {
		i++
	}
	return bareItem{kind: 't', text: p.cut(i)}
}

func (p *sfParser) bytes() (bareItem, bool) {
	p.cut(1)
	i := strings.IndexByte(p.rest, ':')
	if i < 0 {
		return bareItem{}, false
	}
	s := strings.TrimRight(p.cut(i), "=")
	p.cut(1)
	_, err := base64.RawStdEncoding.DecodeString(s)
	return bareItem{kind: 'b'}, err == nil
}

func (p *sfParser) boolean() (bareItem, bool) {
	switch {
	case p.skip("?0"):
		return bareItem{kind: '?'}, true
	case p.skip("?1"):
		return bareItem{kind: '?', n: 1}, true
	}
	return bareItem{}, false
}

func digit(c byte) bool { return c >= '0' && c <= '9' }
func lower(c byte) bool { return c >= 'a' && c <= 'z' }
