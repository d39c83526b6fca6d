package digest

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// credentials returns the value of the header that answers the offer of u's nonce (RFC
// 7616, section 3.4).
func (d *Digest) credentials(r *http.Request, s side, u use) (string, error) {
	o := u.offer
	if o.basic {
		return "Basic " + base64.StdEncoding.EncodeToString([]byte(d.Username+":"+d.Password)), nil
	}
	a := answer{offer: o, method: r.Method, uri: target(r, s.proxy), count: fmt.Sprintf("%08x", u.count), cnonce: u.cnonce}
	if a.method == "" {
		a.method = http.MethodGet
	}
	switch {
	case o.auth:
		a.qop = "auth"
	case o.authInt:
		a.qop = "auth-int"
		if !replayable(r) {
			return "", errAuthInt
		}
		var err error
		if a.body, err = bodyHash(r, &o.algorithm); err != nil {
			return "", err
		}
	}
	return a.header(d.Username, d.Password), nil
}

// target returns what the request line has: a proxy is asked for the whole URI.
func target(r *http.Request, proxy bool) string {
	uri := r.URL.RequestURI()
	if proxy && r.URL.Opaque == "" {
		host := r.Host
		if host == "" {
			host = r.URL.Host
		}
		uri = r.URL.Scheme + "://" + host + uri
	}
	return uri
}

// bodyHash returns the hash of a copy of the body.
func bodyHash(r *http.Request, a *algorithm) (string, error) {
	h := a.new()
	if hasBody(r) {
		body, err := r.GetBody()
		if err == nil && body == nil {
			err = errors.New("GetBody returned neither a body nor an error")
		}
		if err == nil {
			_, err = io.Copy(h, &patient{body, r.Context()})
			body.Close()
		}
		if err != nil {
			return "", fmt.Errorf("redial: hash the request body: %w", err)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// patient reads a body until the context ends: a large one takes a while.
type patient struct {
	io.Reader
	ctx context.Context
}

func (p *patient) Read(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	return p.Reader.Read(b)
}

// answer is what credentials are made of.
type answer struct {
	*offer
	method string
	uri    string
	qop    string // "" for RFC 2069
	count  string // nc
	cnonce string
	body   string // the body's hash, for auth-int
}

// response returns the digest (RFC 7616, sections 3.4.1 to 3.4.3).
func (a *answer) response(user, password string) string {
	sum := a.algorithm.sum
	a1 := sum(user, a.realm.value, password)
	if a.algorithm.session {
		a1 = sum(a1, a.nonce.value, a.cnonce)
	}
	a2 := sum(a.method, a.uri)
	if a.qop == "auth-int" {
		a2 = sum(a.method, a.uri, a.body)
	}
	if a.qop == "" {
		return sum(a1, a.nonce.value, a2)
	}
	return sum(a1, a.nonce.value, a.count, a.cnonce, a.qop, a2)
}

// header returns the whole value. What the server sent goes back to it as it came.
func (a *answer) header(user, password string) string {
	var b strings.Builder
	b.WriteString("Digest ")
	switch {
	case a.userhash:
		fmt.Fprintf(&b, `username="%s"`, a.algorithm.sum(user, a.realm.value))
	case a.utf8 && !isASCII(user):
		b.WriteString("username*=UTF-8''" + extended(user))
	default:
		fmt.Fprintf(&b, `username="%s"`, escape(user))
	}
	fmt.Fprintf(&b, `, realm="%s", nonce="%s", uri="%s"`, a.realm.echo(), a.nonce.echo(), escape(a.uri))
	fmt.Fprintf(&b, `, response="%s"`, a.response(user, password))
	if a.spelled != "" {
		b.WriteString(", algorithm=" + a.spelled)
	}
	if a.qop != "" {
		fmt.Fprintf(&b, `, qop=%s, nc=%s`, a.qop, a.count)
	}
	if a.qop != "" || a.algorithm.session {
		fmt.Fprintf(&b, `, cnonce="%s"`, escape(a.cnonce))
	}
	if a.opaque != nil {
		fmt.Fprintf(&b, `, opaque="%s"`, a.opaque.echo())
	}
	if a.userhash {
		b.WriteString(", userhash=true")
	}
	return b.String()
}

// echo returns the parameter as it goes back in a quoted string.
func (p *param) echo() string {
	if p.raw == p.value { // It was not quoted, or has nothing to be escaped.
		return escape(p.value)
	}
	return p.raw
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// extended writes text as an ext-value has it (RFC 8187, section 3.2.1).
func extended(text string) string {
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		if isTokenChar(c) && c != '*' && c != '\'' && c != '%' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
