package recorder

import "strings"

// maxTag is how long a tag may be. It bounds the search for the end of what is none.
const maxTag = 4096

// element redacts an XML or HTML element at src[i]: all that is in one that is named like a
// secret, and the value or the text of a field whose name attribute is.
func (r *redactor) element(e *edit, i, depth int) int {
	s := e.src
	size := strings.IndexByte(s[i:min(i+maxTag, len(s))], '>')
	if size < 0 {
		return i + 1
	}
	tag, end := s[i+1:i+size], i+size+1
	name := tag[:indexAny(tag, " \t\r\n/")]
	field, _, _ := attribute(tag, "name")
	ofElement, ofField := r.elementSecrecy(name, s[:i]), r.names.of(field)
	secrecy := max(ofElement, ofField)
	if secrecy == open {
		return i + 1
	}
	if clean := redactAttributes(r.text(tag, depth+1), secrecy); clean != tag {
		e.replace(i+1, i+1+len(tag), clean)
	}
	content := textEnd(s, end)
	if ofElement != open {
		content = contentEnd(e, end, name)
	}
	if strings.HasSuffix(tag, "/") || ofElement == open && content < len(s) && !strings.HasPrefix(s[content:], "</") {
		return end // it has no content, and what follows is not its own
	}
	if !isHarmless(strings.TrimSpace(s[end:content]), secrecy) {
		e.replace(end, content, redacted)
	}
	return content
}

// elementSecrecy returns the secrecy of what is in an element of this name, with before in
// front of it. The code of an error, as AWS and others give it, says what went wrong.
func (r *redactor) elementSecrecy(name, before string) secrecy {
	if _, local, ok := strings.Cut(name, ":"); ok {
		name = local
	}
	if name == "Code" {
		before = before[max(0, len(before)-256):]
		if at := strings.LastIndex(before, "<Error>"); at >= 0 && !strings.Contains(before[at:], "</Error>") {
			return open
		}
	}
	return r.names.of(name)
}

// contentEnd returns where what is in the element ends that begins at i: at its end tag.
// Without one the element is cut off, or it is prose such as "<token> expected". Where that
// would take too long to find out, it is all that follows.
func contentEnd(e *edit, i int, name string) int {
	s := e.src
	text := textEnd(s, i)
	if strings.HasPrefix(s[text:], "</") {
		return text
	}
	at, ok := e.index(text, "</"+name)
	if !ok {
		return len(s)
	}
	if at >= 0 {
		return at
	}
	if strings.TrimSpace(s[i:text]) == "" {
		return len(s)
	}
	return text
}

// textEnd returns where the text that begins at i ends, CDATA sections included: at a tag.
func textEnd(s string, i int) int {
	const start, end = "<![CDATA[", "]]>"
	for i += indexAny(s[i:], "<"); strings.HasPrefix(s[i:], start); i += indexAny(s[i:], "<") {
		at := strings.Index(s[i:], end)
		if at < 0 {
			return len(s)
		}
		i += at + len(end)
	}
	return i
}

// redactAttributes redacts what a field holds.
func redactAttributes(tag string, secrecy secrecy) string {
	for _, name := range []string{"value", "content"} {
		if value, from, to := attribute(tag, name); !isHarmless(value, secrecy) {
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
