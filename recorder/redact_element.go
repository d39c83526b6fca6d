package recorder

import "strings"

// maxTag is how long a tag may be. It bounds the search for the end of what is none.
const maxTag = 4096

// element redacts an XML or HTML element at src[i]: the content of one that is named like
// a secret, and the value of a field whose name attribute is.
func (r *redactor) element(e *edit, i, depth int) int {
	s := e.src
	size := strings.IndexByte(s[i:min(i+maxTag, len(s))], '>')
	if size < 0 {
		return i + 1
	}
	tag, end := s[i+1:i+size], i+size+1
	name := tag[:indexAny(tag, " \t\r\n/")]
	if _, local, ok := strings.Cut(name, ":"); ok {
		name = local
	}
	field, _, _ := attribute(tag, "name")
	element := r.names.of(name) != open && !strings.EqualFold(name, "code")
	if !element && (field == "" || r.names.of(field) == open) {
		return i + 1
	}
	if clean := redactAttributes(r.text(tag, depth+1)); clean != tag {
		e.replace(i+1, i+1+len(tag), clean)
	}
	if !element || strings.HasSuffix(tag, "/") {
		return end
	}
	content := contentEnd(s, end)
	if strings.TrimSpace(s[end:content]) != "" {
		e.replace(end, content, redacted)
	}
	return content
}

// contentEnd returns where the text of an element ends that begins at i.
func contentEnd(s string, i int) int {
	const start, end = "<![CDATA[", "]]>"
	if !strings.HasPrefix(s[skipSpace(s, i):], start) {
		return i + indexAny(s[i:], "<")
	}
	if at := strings.Index(s[i:], end); at >= 0 {
		return i + at + len(end)
	}
	return len(s)
}

// redactAttributes redacts what a field holds.
func redactAttributes(tag string) string {
	for _, name := range []string{"value", "content"} {
		if value, from, to := attribute(tag, name); value != "" {
			tag = tag[:from] + redacted + tag[to:]
		}
	}
	return tag
}

// attribute returns an attribute of a tag and where it stands; "" if there is none.
func attribute(tag, name string) (value string, from, to int) {
	for at := 0; at < len(tag); at++ {
		if !isSpace(tag[at]) || !hasFold(tag[at+1:], name) {
			continue
		}
		sign := skipSpace(tag, at+1+len(name))
		if sign == len(tag) || tag[sign] != '=' {
			continue
		}
		start, char, _ := quote(tag, skipSpace(tag, sign+1))
		if char == 0 {
			end := start + indexAny(tag[start:], " \t\r\n/")
			return tag[start:end], start, end
		}
		end := start + indexAny(tag[start:], string(char))
		return tag[start:end], start, end
	}
	return "", 0, 0
}
