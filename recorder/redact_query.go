package recorder

import (
	"net/url"
	"strings"
)

// query redacts a URL's query, or a form, in its encoded form.
func (r *redactor) query(s string, depth int) string {
	if s == "" {
		return ""
	}
	e := edit{src: s}
	for from := 0; from <= len(s); {
		to := from + indexAny(s[from:], "&")
		r.pair(&e, from, to, depth)
		from = to + 1
	}
	return e.result()
}

// pair redacts the parameter at src[from:to]. A semicolon separates parameters too, but
// not inside a secret: there it may be part of it.
func (r *redactor) pair(e *edit, from, to, depth int) {
	for from < to {
		end := from + indexAny(e.src[from:to], ";")
		value := from
		if i := strings.IndexByte(e.src[from:end], '='); i >= 0 {
			value = from + i + 1
			if value < to && r.names.of(e.src[from:value-1]) != open {
				e.replace(value, to, redacted)
				return
			}
		}
		if changed, ok := r.encoded(e.src[value:end], true, depth); ok {
			e.replace(value, end, changed)
		}
		from = end + 1
	}
}

// encoded redacts a URL-encoded text, and reports whether it had to.
func (r *redactor) encoded(s string, plus bool, depth int) (string, bool) {
	plain := unescapeURL(s, plus)
	if !suspicious(plain) {
		return s, false
	}
	if clean := r.any(plain, depth+1); clean != plain {
		return strings.ReplaceAll(url.QueryEscape(clean), url.QueryEscape(redacted), redacted), true
	}
	return s, false
}

// url redacts the URL that goes to src[to], and whose authority begins at authority.
func (r *redactor) url(e *edit, authority, to, depth int) {
	s := e.src
	end := authority + indexAny(s[authority:to], "/?#")
	if at := userinfo(s[authority:to], end-authority, to == len(s)); at > 0 {
		e.replace(authority, authority+at, redacted)
		end = max(end, authority+at)
		end += indexAny(s[end:to], "/?#")
	}
	host := max(authority, e.done)
	if name := hostname(s[host:end]); strings.ContainsAny(name, "&;,=") {
		end = host // it is none: the URL was cut off there
	} else if clean := r.text(name, depth+1); clean != name {
		e.replace(host, host+len(name), clean)
	}
	if clean := r.target(s[end:to], depth); clean != s[end:to] {
		e.replace(end, to, clean)
	}
}

// target redacts what comes behind the host of a URL: its path, and its query and fragment,
// which are read as parameters first. Then all of it is read as a text, since what looks like
// a URL may be none.
func (r *redactor) target(s string, depth int) string {
	e := edit{src: s}
	for at := indexAny(s, "?#"); at < len(s); {
		next := at + 1 + indexAny(s[at+1:], "#")
		if clean := r.query(s[at+1:next], depth+1); clean != s[at+1:next] {
			e.replace(at+1, next, clean)
		}
		at = next
	}
	return r.text(e.result(), depth+1)
}

// userinfo returns the length of the userinfo at the start of s, of which the first end
// bytes are the authority; 0 if there is none. A password that holds a slash ends the
// authority too early: then what stands for a port is none, and an @ comes later. If the
// text may be cut off at the end of s, the @ may be missing.
func userinfo(s string, end int, cut bool) int {
	if at := strings.LastIndexByte(s[:end], '@'); at >= 0 {
		return at
	}
	colon := strings.LastIndexByte(s[:end], ':')
	if colon < 0 || s[0] == '[' || isPort(s[colon+1:end]) {
		return 0
	}
	if end == len(s) && cut {
		return end
	}
	return max(strings.LastIndexByte(s, '@'), 0)
}

// hostname returns a host without its port.
func hostname(host string) string {
	if colon := strings.LastIndexByte(host, ':'); colon >= 0 && isPort(host[colon+1:]) {
		return host[:colon]
	}
	return host
}

func isPort(s string) bool { return len(s) <= 5 && strings.Trim(s, "0123456789") == "" }

// indexAny is strings.IndexAny with the length of s for none.
func indexAny(s, chars string) int {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return i
	}
	return len(s)
}
