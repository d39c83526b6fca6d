package transport

import (
	"errors"
	"net/url"
	"strings"
)

// pathPattern is a pattern for the path of a URL, in the language of [http.ServeMux]:
// /orders/{id} has one segment in the place of {id}; /orders/ and /orders/{rest...} are
// all that is below; /orders/{$} is that path with its slash alone. Segments are compared
// decoded, so that no spelling of a path slips past its pattern.
type pathPattern struct {
	segments []string // "{" is any one segment that is not empty; the rest are decoded
	open     bool     // more may follow
}

var errPathPattern = errors.New("a path pattern begins with a slash, as in /orders/{id}, /orders/ or /files/{rest...}")

// parsePath reads a pattern.
func parsePath(pattern string) (pathPattern, error) {
	p := pathPattern{}
	rest, ok := strings.CutPrefix(pattern, "/")
	if !ok {
		return p, errPathPattern
	}
	segments := strings.Split(rest, "/")
	for i, s := range segments {
		last := i == len(segments)-1
		name, isName := strings.CutPrefix(s, "{")
		switch {
		case last && (s == "" || isName && strings.HasSuffix(name, "...}") && plainName(name[:len(name)-4])):
			p.open = true
			return p, nil
		case last && s == "{$}":
			s = ""
		case isName && strings.HasSuffix(name, "}") && plainName(name[:len(name)-1]):
			s = "{"
		case strings.ContainsAny(s, "{}?#"):
			return p, errPathPattern
		default:
			decoded, err := url.PathUnescape(s)
			if err != nil || decoded == "{" {
				return p, errPathPattern
			}
			s = decoded
		}
		p.segments = append(p.segments, s)
	}
	return p, nil
}

// plainName reports whether s can stand between braces.
func plainName(s string) bool { return s != "" && !strings.ContainsAny(s, "{}$.*") }

// match reports whether a path, escaped as in a URL, is one of the pattern's.
func (p *pathPattern) match(path string) bool {
	if path == "" {
		path = "/"
	}
	rest, ok := strings.CutPrefix(path, "/")
	if !ok {
		return false
	}
	more := true
	for _, want := range p.segments {
		if !more {
			return false
		}
		var segment string
		if segment, rest, more = strings.Cut(rest, "/"); !sameSegment(want, segment) {
			return false
		}
	}
	return more == p.open
}

// sameSegment reports whether a segment of a path is what the pattern has in its place.
func sameSegment(want, segment string) bool {
	if want == "{" {
		return segment != ""
	}
	if strings.IndexByte(segment, '%') >= 0 {
		if decoded, err := url.PathUnescape(segment); err == nil {
			segment = decoded
		}
	}
	return segment == want
}
