package recorder

import (
	"mime"
	"strings"
)

// boundary returns what separates the parts of a multipart body: what the media type says
// if the body has it, or what the body itself shows.
func boundary(s string, c content) (string, bool) {
	if b := "--" + c.params["boundary"]; b != "--" && strings.HasPrefix(c.media, "multipart/") {
		if nextBoundary(s, b, 0) < len(s) {
			return b, true
		}
	}
	if !strings.HasPrefix(s, "--") {
		return "", false
	}
	first := s[:indexAny(s, "\r\n")]
	if len(first) < 3 || len(first) > 80 {
		return "", false
	}
	rest := strings.TrimLeft(s[len(first):], "\r\n")
	if !hasFold(rest, "content-") {
		return "", false
	}
	return first, true
}

// multipart redacts a multipart body: the parts that are named like secrets, and secrets
// in the others.
func (r *redactor) multipart(s, boundary string, depth int) (string, bool) {
	e := edit{src: s}
	for from := 0; from < len(s); {
		to := nextBoundary(s, boundary, from)
		if clean := r.part(s[from:to], depth); clean != s[from:to] {
			e.replace(from, to, clean)
		}
		from = min(to+len(boundary), len(s))
	}
	return e.result(), true
}

// nextBoundary returns where the next line that is a boundary begins, the length of s if
// there is none.
func nextBoundary(s, boundary string, from int) int {
	for {
		at := strings.Index(s[from:], boundary)
		if at < 0 {
			return len(s)
		}
		if at += from; at == 0 || s[at-1] == '\n' {
			return at
		}
		from = at + 1
	}
}

// part redacts what is between two boundaries. A part whose content cannot be searched
// has the mark in place of it.
func (r *redactor) part(s string, depth int) string {
	at, gap := strings.Index(s, "\r\n\r\n"), 4
	if lf := strings.Index(s, "\n\n"); at < 0 || lf >= 0 && lf < at {
		at, gap = lf, 2
	}
	if at < 0 {
		return r.text(s, depth+1)
	}
	head, text := s[:at], s[at+gap:]
	body := strings.TrimRight(text, "\r\n")
	clean, ok := redacted, false
	if c, named := r.partContent(head); named {
		clean, ok = r.content(body, c, depth+1)
	}
	if !ok && body != "" {
		clean = redacted
	}
	return r.text(head, depth+1) + s[at:at+gap] + clean + text[len(body):]
}

// unfolded makes one line of a header that goes on in the next (RFC 822, section 3.1.1).
var unfolded = strings.NewReplacer("\r\n ", " ", "\r\n\t", " ", "\n ", " ", "\n\t", " ")

// partContent reads the head of a part. It reports false if the part's content is a
// secret, or cannot be read.
func (r *redactor) partContent(head string) (c content, ok bool) {
	for line := range strings.Lines(unfolded.Replace(head)) {
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "content-disposition":
			_, params, err := mime.ParseMediaType(value)
			if err != nil || r.names.of(params["name"]) != open {
				return c, false
			}
		case "content-type":
			c.media, c.params = mediaType(value)
		case "content-encoding":
			c.encoding = strings.ToLower(value)
		case "content-transfer-encoding":
			switch strings.ToLower(value) {
			case "", "7bit", "8bit", "binary":
			default:
				return c, false
			}
		}
	}
	return c, true
}
