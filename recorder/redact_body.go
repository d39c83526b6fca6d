package recorder

import (
	"mime"
	"strings"

	"redial/ledger"
)

// content is what is known of a body, or of a part of one, before it is looked at.
type content struct {
	media    string            // media type in lower case, "" unknown
	params   map[string]string // its parameters
	encoding string            // content encoding in lower case, "" for none
}

// body redacts a body. One whose secrets cannot be looked for is not kept: a compression
// that the standard library cannot undo, an archive, UTF-16, a multipart body without a
// boundary.
func (r *redactor) body(m *ledger.Message) {
	data := string(m.Body.Data)
	r.lost = false
	switch clean, ok := r.content(data, describeContent(m.Header), 0); {
	case !ok:
		discard(&m.Body)
	case clean != data:
		m.Body.Data = []byte(clean)
		m.Body.Truncated = m.Body.Truncated || r.lost
	}
}

// content redacts a body or a part of one. It reports false if it cannot.
func (r *redactor) content(s string, c content, depth int) (string, bool) {
	if depth > maxDepth {
		return "", false
	}
	if pack := packing(s, c); pack != nil {
		return r.packed(s, c, pack, depth)
	}
	if hidesText(s, c) {
		return "", false
	}
	if boundary, ok := boundary(s, c); ok {
		return r.multipart(s, boundary, depth)
	} else if strings.HasPrefix(c.media, "multipart/") {
		return "", false
	}
	if c.media == "application/x-www-form-urlencoded" && !looksJSON(s) {
		s = r.query(s, depth)
	}
	if strings.HasSuffix(c.media, "json") && !looksJSON(s) {
		s = r.json(s, depth)
	}
	return r.any(s, depth), true
}

// describeContent reads what a message's headers say of its body.
func describeContent(headers []ledger.Field) content {
	var c content
	for _, f := range headers {
		switch {
		case strings.EqualFold(f.Name, "Content-Type"):
			c.media, c.params = mediaType(f.Value)
		case strings.EqualFold(f.Name, "Content-Encoding"):
			c.encoding = strings.ToLower(strings.TrimSpace(f.Value))
		}
	}
	return c
}

// mediaType parses a media type, and makes do with the type alone if the rest is wrong.
func mediaType(value string) (media string, params map[string]string) {
	media, params, err := mime.ParseMediaType(value)
	if err != nil {
		media, _, _ = strings.Cut(value, ";")
		media = strings.ToLower(strings.TrimSpace(media))
	}
	return media, params
}

// opaque is how formats begin that hold text which cannot be searched: archives and other
// compressions.
var opaque = [...]string{"PK\x03\x04", "\xfd7zXZ\x00", "BZh", "7z\xbc\xaf\x27\x1c", "Rar!\x1a"}

// hidesText reports whether a body holds text in a form that cannot be searched.
func hidesText(s string, c content) bool {
	for _, start := range opaque {
		if strings.HasPrefix(s, start) {
			return true
		}
	}
	return isForeign(c.params["charset"]) || isWide(s)
}

// foreign are charsets in which ASCII is written as something else, without punctuation.
// Others that begin so are meant as well: UTF-16LE, EBCDIC-CP-US.
var foreign = [...]string{"utf16", "utf32", "utf7", "ucs2", "ucs4", "iso10646", "csunicode", "ebcdic", "ibm037", "cp037", "ibm1047", "cp1047"}

// isForeign reports whether a text in a charset cannot be read as ASCII.
func isForeign(charset string) bool {
	name := strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(charset))
	for _, f := range foreign {
		if strings.HasPrefix(name, f) {
			return true
		}
	}
	return name == "unicode"
}

// isWide reports whether s looks like a text of two bytes or more to a character.
func isWide(s string) bool {
	if strings.HasPrefix(s, "\xff\xfe") || strings.HasPrefix(s, "\xfe\xff") {
		return true
	}
	if len(s) < 4 {
		return false
	}
	little := s[1] == 0 && s[3] == 0 && isPrintable(s[0]) && isPrintable(s[2])
	big := s[0] == 0 && s[2] == 0 && isPrintable(s[1]) && isPrintable(s[3])
	return little || big
}

func isPrintable(c byte) bool { return c >= ' ' && c < 0x7f || isSpace(c) }
