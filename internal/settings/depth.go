package settings

import "strings"

// deepest is how many tables and arrays may stand in each other. No setting needs more than
// a few, and the TOML library takes time with the square of it.
const deepest = 32

// tooDeep returns where a text has more tables and arrays in each other than that, -1 for
// nowhere. The text need not be TOML.
func tooDeep(text string) int {
	l := &locator{text: text}
	depth, dots := 0, 0
	for l.at < len(l.text) {
		switch l.text[l.at] {
		case '"', '\'':
			l.quoted()
			continue
		case '#':
			l.until("\n")
			continue
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '.':
			dots++
		}
		if strings.IndexByte("\n,={[", l.text[l.at]) >= 0 {
			dots = 0
		}
		if depth > deepest || dots > deepest {
			return l.at
		}
		l.next(1)
	}
	return -1
}
