package transport

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"redial/ledger"
)

// The replay gate's idempotency headers, as in net/http.
const (
	keyHeader  = "Idempotency-Key"
	xKeyHeader = "X-Idempotency-Key"
)

// Check returns the error with which every [Transport] refuses a request that no connection
// carries, such as one with a line break in a header; nil if there is none. It sends nothing.
// What only one protocol or server refuses is not found here.
func Check(r *http.Request) error {
	if err := checkTarget(r); err != nil {
		return err
	}
	return checkFields(r)
}

// checkTarget returns an error for a request that cannot be addressed at all.
func checkTarget(r *http.Request) error {
	switch {
	case r.URL == nil:
		return errors.New("redial: the request has no URL: set Request.URL")
	case !isHTTP(r):
		return nil
	case r.URL.Host == "":
		return errors.New("redial: the request's URL has no host: set URL.Host to the server to call")
	}
	return checkLine(r)
}

// checkLine returns an error for a control character in what net/http makes the request
// line and the Host header of. Over HTTP/1 net/http would refuse it only once it has a
// connection; over HTTP/2 it sends it, the server hangs up, and net/http tries on new
// connections without end. The path is not looked at, because [url.URL.EscapedPath]
// escapes what it has of them.
func checkLine(r *http.Request) error {
	field := ""
	switch u := r.URL; {
	case hasControl(u.RawQuery):
		field = "URL.RawQuery"
	case hasControl(u.Opaque):
		field = "URL.Opaque"
	case hasControl(u.Host):
		field = "URL.Host"
	case r.Host != u.Host && hasControl(r.Host):
		field = "Request.Host"
	default:
		return nil
	}
	// The text may be a secret, so it is not shown.
	return fmt.Errorf("redial: %s has a control character: escape it, as url.QueryEscape does", field)
}

// hasControl reports whether s has a control character of ASCII, the tab included.
func hasControl(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == 0x7f {
			return true
		}
	}
	return false
}

// checkFields returns an error for a method or a header that net/http would refuse. It is
// asked before a place in a window is taken, and after an error that may have come of it.
func checkFields(r *http.Request) error {
	if r.Method != "" && !isToken(r.Method) {
		return fmt.Errorf("redial: invalid method %q: a method is a word such as GET", r.Method)
	}
	for _, h := range []http.Header{r.Header, r.Trailer} {
		for name, values := range h {
			if !isToken(name) {
				return fmt.Errorf("redial: invalid header name %q: use letters, digits and hyphens", name)
			}
			for _, v := range values {
				if !isFieldValue(v) {
					// The value may be a secret, so it is not shown.
					return fmt.Errorf("redial: invalid value of header %q: it has a control character", name)
				}
			}
		}
	}
	return nil
}

// isHTTP reports whether the scheme is one that redial retries and holds windows for. Any
// other goes to Base once: it may have been registered there.
func isHTTP(r *http.Request) bool { return r.URL.Scheme == "http" || r.URL.Scheme == "https" }

// The characters of a token as two sets of bits: those below 64, and those from there to 127.
const (
	digitBits  = (1<<10 - 1) << '0'
	upperBits  = (1<<26 - 1) << ('A' - 64)
	lowerBits  = (1<<26 - 1) << ('a' - 64)
	tokenBelow = digitBits | 1<<'!' | 1<<'#' | 1<<'$' | 1<<'%' | 1<<'&' | 1<<'\'' | 1<<'*' | 1<<'+' | 1<<'-' | 1<<'.'
	tokenAbove = upperBits | lowerBits | 1<<('^'-64) | 1<<('_'-64) | 1<<('`'-64) | 1<<('|'-64) | 1<<('~'-64)
)

// isToken reports whether s is a token (RFC 9110, section 5.6.2).
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		set := uint64(tokenBelow)
		if c >= 64 {
			set = tokenAbove
		}
		if c >= 128 || set>>(c%64)&1 == 0 {
			return false
		}
	}
	return s != ""
}

// isFieldValue reports whether s may be the value of a header: no control characters but
// the tab.
func isFieldValue(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// legacyCancel returns the request's Cancel channel, nil without one. It is deprecated, but
// http.Client sets it for its Timeout, and net/http obeys it.
func legacyCancel(r *http.Request) <-chan struct{} {
	//lint:ignore SA1019 A caller that still uses it means it.
	return r.Cancel
}

// method returns the request's method, spelled out.
func method(r *http.Request) string {
	if r.Method == "" {
		return http.MethodGet
	}
	return r.Method
}

// hasBody reports whether the request has one that would have to be made again.
func hasBody(r *http.Request) bool { return r.Body != nil && r.Body != http.NoBody }

// key returns the idempotency key for the record, and whether it makes the request
// repeatable. As in net/http, a header that is there but has no values declares the
// request to be repeatable without sending anything. A header that is spelled in lower
// case names the operation without making it repeatable.
func (p *policy) key(h http.Header) (key string, repeatable bool) {
	for _, name := range p.keys {
		if values, ok := h[name]; ok && (len(values) == 0 || values[0] != "") {
			return first(values), true
		}
	}
	for _, name := range p.lowKeys {
		if v := first(h[name]); v != "" {
			return v, false
		}
	}
	return "", false
}

func first(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}

// muted returns headers with which net/http will not replay the request by itself: a key
// that means nothing here is spelled in lower case, where net/http does not look for it.
// On the wire the case of a name has no meaning. It returns h itself if that is not needed.
func muted(h http.Header) http.Header {
	_, a := h[keyHeader]
	_, b := h[xKeyHeader]
	if !a && !b {
		return h
	}
	h = h.Clone()
	for _, name := range []string{keyHeader, xKeyHeader} {
		if values := h[name]; len(values) > 0 {
			low := strings.ToLower(name)
			h[low] = append(h[low], values...)
		}
		delete(h, name)
	}
	return h
}

// appendFields appends a copy of each header line. The result is never nil.
func appendFields(buf []ledger.Field, h http.Header) []ledger.Field {
	if buf == nil {
		buf = []ledger.Field{}
	}
	if len(h) == 0 {
		return buf
	}
	for name, values := range h {
		for _, v := range values {
			buf = append(buf, ledger.Field{Name: name, Value: v})
		}
	}
	return buf
}
