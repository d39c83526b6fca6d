package hosts

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What stands in a route for a part of a path that differs from call to call.
const (
	number = "{n}"
	ident  = "{id}"
)

// longestRoute is how many bytes of a path are looked at.
const longestRoute = 512

// fold returns the route of a path: numbers and ids in it are replaced, so that the calls for
// one kind of thing count as one. /items/17 is /items/{n}.
func fold(path string) string {
	if len(path) > longestRoute {
		path = path[:longestRoute] + "…"
	}
	parts := strings.Split(path, "/")
	for i, p := range parts {
		parts[i] = foldPart(p)
	}
	return strings.Join(parts, "/")
}

// foldPart returns what stands for one part of a path.
func foldPart(s string) string {
	digits, letters, hex, others := 0, 0, 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case '0' <= c && c <= '9':
			digits++
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			hex++
			letters++
		case 'g' <= c|0x20 && c|0x20 <= 'z':
			letters++
		case c != '-' && c != '_':
			others++
		}
	}
	switch {
	case digits == 0 || others > 0:
		return s
	case digits == len(s):
		return number
	case letters == hex && len(s) >= 8 && digits >= 2, len(s) >= 20 && digits >= 4:
		return ident
	}
	return foldTail(s)
}

// foldTail replaces the number behind a dash: order-8841 is order-{n}, and v1 stays.
func foldTail(s string) string {
	end := strings.TrimRight(s, "0123456789")
	if end == s || end == "" || end[len(end)-1] != '-' && end[len(end)-1] != '_' {
		return s
	}
	return end + number
}

// filterOf returns the filter for the calls of a host, and of a method and route if there
// is one.
func filterOf(host, method, route string) string {
	text := "host:" + quote(host)
	if method == "" {
		return text
	}
	text += " method:" + quote(method)
	if strings.HasSuffix(route, "…") {
		return text + " path:" + quote(strings.TrimSuffix(wild(route), "…")+"*")
	}
	text += " path:" + quote(wild(route))
	for i := range strings.Count(wild(route), "*") { // a * also stands for a slash, which no part of a path has
		text += " -path:" + quote(deeper(wild(route), i))
	}
	return text
}

// wild returns a route as a pattern.
func wild(route string) string {
	return strings.NewReplacer(number, "*", ident, "*").Replace(route)
}

// deeper returns a pattern with one more part at its nth *.
func deeper(pattern string, n int) string {
	parts := strings.SplitAfter(pattern, "*")
	parts[n] += "/*"
	return strings.Join(parts, "")
}

// quote returns a value as it is written in a filter: in quotes where it needs them.
func quote(s string) string {
	plain := func(r rune) bool {
		return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("/._~:*-", r))
	}
	regexp := strings.HasPrefix(s, "/") && strings.HasSuffix(s, "/")
	if s != "" && !regexp && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
