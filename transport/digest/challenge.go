package digest

import "strings"

// challenge is one of those that a WWW-Authenticate or Proxy-Authenticate header has.
type challenge struct {
	scheme string
	params []param
}

// param is a parameter of a challenge.
type param struct {
	name  string
	raw   string // as it stood there, without its quotes
	value string // what it means: raw without the escapes of a quoted string
}

// Beyond these, what a header has is not looked at.
const (
	maxText       = 64 << 10 // of all lines together
	maxChallenges = 32
	maxParams     = 32 // of one challenge
)

// parse returns the challenges of header lines (RFC 9110, section 11.6.1). Challenges and
// their parameters are both separated by commas, so that only what follows a word says
// which it is: a parameter if that is an equals sign, else the next challenge. Lines are
// read as one list, as section 5.3 has it, but a string that does not end ends with its line.
func parse(lines []string) []challenge {
	var all []challenge
	left := maxText
	for _, line := range lines {
		p := parser{text: line[:min(len(line), left)], all: all}
		left -= len(p.text)
		for p.item() {
		}
		all = p.all
	}
	return all
}

// parser reads one line.
type parser struct {
	text string
	at   int
	all  []challenge
}

// item reads the next parameter or scheme. It reports false at the end.
func (p *parser) item() bool {
	p.skip(" \t,")
	if p.at == len(p.text) {
		return false
	}
	if p.param() {
		return true
	}
	word := p.token()
	switch {
	case word == "":
		p.junk()
	case p.beginsChallenge():
		if len(p.all) < maxChallenges {
			p.all = append(p.all, challenge{scheme: word})
		} else {
			p.at = len(p.text)
		}
		p.credentials()
	default:
		p.junk()
	}
	return true
}

// beginsChallenge reports whether the word that was just read is a scheme: it begins an
// element of the list, or a parameter follows. Anything else is what is left of a value
// that should have been quoted.
func (p *parser) beginsChallenge() bool {
	before := strings.TrimRight(p.text[:p.at-tokenBefore(p.text[:p.at])], " \t")
	if before == "" || strings.HasSuffix(before, ",") {
		return true
	}
	ahead := parser{text: p.text, at: p.at}
	ahead.skip(" \t")
	return ahead.at > p.at && ahead.param()
}

// credentials skips the token68 that a scheme may have in place of parameters.
func (p *parser) credentials() {
	ahead := parser{text: p.text, at: p.at}
	ahead.skip(" \t")
	if ahead.at > p.at && !ahead.param() {
		p.junk()
	}
}

// param reads a parameter, if there is one. It belongs to the last challenge.
func (p *parser) param() bool {
	from := p.at
	name := p.token()
	p.skip(" \t")
	if name == "" || p.at == len(p.text) || p.text[p.at] != '=' {
		p.at = from
		return false
	}
	p.at++
	p.skip(" \t")
	raw, quoted := p.value()
	if len(p.all) == 0 {
		return true
	}
	c := &p.all[len(p.all)-1]
	if name = strings.ToLower(name); len(c.params) < maxParams && c.param(name) == nil {
		q := param{name: name, raw: raw, value: raw}
		if quoted {
			q.value = unescape(raw)
		}
		c.params = append(c.params, q)
	}
	return true
}

// value reads a value. Without quotes it goes to the next comma or space, whatever is in
// it: some servers quote nothing.
func (p *parser) value() (raw string, quoted bool) {
	from := p.at
	if p.at < len(p.text) && p.text[p.at] == '"' {
		to := p.quoted()
		return p.text[from+1 : to], true
	}
	for p.at < len(p.text) && strings.IndexByte(" \t,", p.text[p.at]) < 0 {
		p.at++
	}
	return p.text[from:p.at], false
}

// quoted skips a quoted string and returns where what is in it ends.
func (p *parser) quoted() (end int) {
	for p.at++; p.at < len(p.text); p.at++ {
		switch p.text[p.at] {
		case '\\':
			p.at = min(p.at+1, len(p.text)-1)
		case '"':
			p.at++
			return p.at - 1
		}
	}
	return len(p.text)
}

// junk skips what cannot be understood, up to the next comma.
func (p *parser) junk() {
	for p.at < len(p.text) && p.text[p.at] != ',' {
		if p.text[p.at] == '"' {
			p.quoted()
		} else {
			p.at++
		}
	}
}

func (p *parser) skip(chars string) {
	for p.at < len(p.text) && strings.IndexByte(chars, p.text[p.at]) >= 0 {
		p.at++
	}
}

func (p *parser) token() string {
	from := p.at
	p.at += tokenLength(p.text[from:])
	return p.text[from:p.at]
}

// tokenLength returns how much of the beginning of s is a token (RFC 9110, section 5.6.2).
func tokenLength(s string) int {
	n := 0
	for n < len(s) && isTokenChar(s[n]) {
		n++
	}
	return n
}

// tokenBefore returns how much of the end of s is a token.
func tokenBefore(s string) int {
	n := 0
	for n < len(s) && isTokenChar(s[len(s)-1-n]) {
		n++
	}
	return n
}

func isTokenChar(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c != 0 && strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0
}

// clone returns a copy that does not keep the whole header in memory; of nil an empty one.
func (p *param) clone() param {
	if p == nil {
		return param{}
	}
	return param{p.name, strings.Clone(p.raw), strings.Clone(p.value)}
}

// param returns the parameter of a name in lower case, nil without one.
func (c *challenge) param(name string) *param {
	for i := range c.params {
		if c.params[i].name == name {
			return &c.params[i]
		}
	}
	return nil
}

// value returns what the parameter of a name means, "" without one.
func (c *challenge) value(name string) string {
	if p := c.param(name); p != nil {
		return p.value
	}
	return ""
}

// unescape removes the backslashes of a quoted string.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		out = append(out, s[i])
	}
	return string(out)
}

// escape writes what a quoted string has in it.
func escape(s string) string {
	if !strings.ContainsAny(s, `"\`) {
		return s
	}
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s)
}
