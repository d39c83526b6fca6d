package recorder

import "strings"

// looksJSON reports whether a text is a JSON object or array, to judge by its beginning.
func looksJSON(s string) bool {
	i := skipSpace(s, len(s)-len(strings.TrimPrefix(s, "\ufeff")))
	return i < len(s) && (s[i] == '{' || s[i] == '[')
}

// json redacts JSON: the values of fields that are named like secrets, whatever they are,
// and secrets in the texts of others. It reads from string to string and keeps no state in
// between, so that it does as much on JSON that is cut off, or has errors, or is one
// document after the other. Values that cannot hold a secret (true, false, null) stay.
func (r *redactor) json(s string, depth int) string {
	e := edit{src: s}
	for i := indexAny(s, `"`); i < len(s); {
		end, next := quoteEnd(s, i+1, '"', 0)
		if i >= e.done {
			r.jsonString(&e, i+1, end, depth)
		}
		name := s[i+1 : end]
		if i = next; isField(s, next) {
			i = r.jsonField(&e, name, skipSpace(s, next)+1)
		}
		i += indexAny(s[i:], `"`)
	}
	return e.result()
}

// isField reports whether a colon follows at i, so that what is before it is a name.
func isField(s string, i int) bool {
	i = skipSpace(s, i)
	return i < len(s) && s[i] == ':'
}

// jsonField redacts the value at i of a field if it is to be. It returns where to go on:
// behind the value, unless it is a name in its turn, as it may be where quotes are not in
// pairs.
func (r *redactor) jsonField(e *edit, name string, i int) int {
	value, secrecy := skipSpace(e.src, i), r.names.of(name)
	if value == len(e.src) || secrecy == open {
		return value
	}
	end := bareEnd(e.src, value)
	if text := strings.TrimSpace(e.src[value:end]); text != `""` && !isHarmless(text, secrecy) {
		e.replace(value, end, `"`+redacted+`"`)
	}
	if e.src[value] == '"' && isField(e.src, end) {
		return value
	}
	return end
}

// jsonString redacts secrets in the text of a string, src[from:to].
func (r *redactor) jsonString(e *edit, from, to, depth int) {
	plain := unescapeJSON(e.src[from:to])
	if clean := r.any(plain, depth+1); clean != plain {
		e.replace(from, to, escapeJSON(clean))
	}
}

// bareEnd returns where the JSON value at i ends. What is cut off goes to the end.
func bareEnd(s string, i int) int {
	if i == len(s) {
		return i
	}
	switch s[i] {
	case '"', '\'':
		_, next := quoteEnd(s, i+1, s[i], 0)
		return next
	case '{', '[':
		return nestedEnd(s, i)
	}
	return i + indexAny(s[i:], ",}]\r\n")
}

// nestedEnd returns where the object or array at i ends.
func nestedEnd(s string, i int) int {
	depth := 0
	for i < len(s) {
		switch s[i] {
		case '"':
			_, i = quoteEnd(s, i+1, '"', 0)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return i
}
