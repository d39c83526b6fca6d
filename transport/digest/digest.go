package digest

import (
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"net/url"
	"strings"
	"sync"
)

// Digest has the credentials of one user for some origins, and remembers their nonces. It
// is safe for concurrent use and must not be copied after its first use. Its fields are
// read at the first request.
type Digest struct {
	// Username and Password are the user's, in UTF-8.
	Username string
	Password string `json:"-"`

	// Origins are those that may see credentials, such as https://api.example.test or
	// http://192.0.2.7:8080: a scheme and a host, and a port if it is not the scheme's own.
	// At least one is needed. Others are not answered, and their 401 is returned.
	Origins []string

	// Proxy is the function that the field Proxy of the base [http.Transport] has. With it
	// a 407 is answered if the proxy that it names for an http request is one of Origins:
	// only so is it known that the 407 comes from there. If nil, no 407 is answered.
	Proxy func(*http.Request) (*url.URL, error) `json:"-"`

	// AllowBasic allows the password to be sent readable to whom offers Basic and no digest
	// that can be answered. Without TLS everybody on the way can read it.
	AllowBasic bool

	// ExpectContinue keeps back the body of a request for which no credentials are known
	// until the server asks for it (Expect: 100-continue), so that it is not sent in vain.
	// How long a server that says nothing is waited for is
	// [http.Transport.ExpectContinueTimeout]; with 0 the body is sent at once.
	ExpectContinue bool

	// ChallengeHeader is another header that has the challenge of a 401, beside
	// WWW-Authenticate: some devices use X-WWW-Authenticate to keep browsers from asking.
	// If empty, there is none.
	ChallengeHeader string

	once    sync.Once
	err     error
	origins map[string]bool
	nonces  nonces

	random func() string // makes a cnonce; nil: from crypto/rand
}

// side is one of those that ask for credentials, and the headers in which it does: the
// server, or the proxy before it.
type side struct {
	status                       int
	challenge, credentials, info string
	origin                       string
	proxy                        bool
}

func serverSide(origin string) side {
	return side{http.StatusUnauthorized, "Www-Authenticate", "Authorization", "Authentication-Info", origin, false}
}

func proxySide(origin string) side {
	return side{http.StatusProxyAuthRequired, "Proxy-Authenticate", "Proxy-Authorization", "Proxy-Authentication-Info", origin, true}
}

// sides appends those that may see credentials with r.
func (d *Digest) sides(to []side, r *http.Request) []side {
	if o := originOf(r.URL); d.origins[o] {
		to = append(to, serverSide(o))
	}
	if d.Proxy == nil || r.URL.Scheme != "http" {
		return to
	}
	if u, err := d.Proxy(r); err == nil && u != nil {
		if o := originOf(u); d.origins[o] {
			to = append(to, proxySide(o))
		}
	}
	return to
}

// Authorize sets the credentials that r is to be sent with: those that answer the
// challenge, and beside them or without one those that a server accepted before. It returns
// an error if all that the server accepts is auth-int and the body cannot be read twice.
func (d *Digest) Authorize(r *http.Request, challenge *http.Response) error {
	if err := d.prepare(); err != nil {
		return err
	}
	var room [2]side
	for _, s := range d.sides(room[:0], r) {
		if present(r.Header, s.credentials) {
			continue
		}
		if err := d.authorize(r, s, challenge); err != nil {
			return err
		}
	}
	return nil
}

func (d *Digest) authorize(r *http.Request, s side, challenge *http.Response) error {
	var u use
	if challenge != nil && challenge.StatusCode == s.status {
		o, err := d.choose(r, challenge, s)
		if err != nil {
			return err
		}
		u = d.nonces.obtain(s, o, d.cnonce)
	} else if u = d.nonces.known(s, r.URL, d.cnonce); u.nonce == nil {
		if d.ExpectContinue && !s.proxy && hasBody(r) {
			r.Header.Set("Expect", "100-continue")
		}
		return nil
	}
	value, err := d.credentials(r, s, u)
	if err != nil {
		d.nonces.release(u.nonce)
		return err
	}
	r.Header.Set(s.credentials, value)
	return nil
}

// Answer takes in how a request was answered, and reports whether a challenge can be.
func (d *Digest) Answer(r *http.Request, resp *http.Response, legs int) (again bool, err error) {
	if d.prepare() != nil {
		return false, nil
	}
	var room [2]side
	for _, s := range d.sides(room[:0], r) {
		n := d.nonces.sent(s, r.Header)
		switch {
		case resp == nil:
			d.nonces.release(n)
		case resp.StatusCode == s.status:
			again, err = d.challenged(r, resp, s, n, legs)
		case resp.StatusCode == http.StatusProxyAuthRequired:
			d.nonces.release(n) // The server has not seen it.
		default:
			d.nonces.accept(n, next(resp.Header[s.info]))
		}
	}
	return again, err
}

// challenged reports whether the challenge of a response can be answered. n is the nonce
// that the request was sent with, nil without credentials.
func (d *Digest) challenged(r *http.Request, resp *http.Response, s side, n *nonce, legs int) (bool, error) {
	forgotten := d.nonces.refuse(n)
	if n == nil && present(r.Header, s.credentials) && legs == 0 {
		return false, nil // Another's credentials were refused.
	}
	o, err := d.choose(r, resp, s)
	switch {
	case err != nil:
		return false, err
	case legs == 0 || forgotten || o.stale:
		return true, nil
	}
	if s.proxy {
		return false, errProxied
	}
	return false, errRefused
}

// cnonce returns a new one.
func (d *Digest) cnonce() string {
	if d.random != nil {
		return d.random()
	}
	var b [16]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// present reports whether a header is there, in whatever case its name is spelled.
func present(h http.Header, name string) bool {
	for k := range h {
		if strings.EqualFold(k, name) {
			return true
		}
	}
	return false
}

func hasBody(r *http.Request) bool { return r.Body != nil && r.Body != http.NoBody }

// replayable reports whether the body can be read beforehand.
func replayable(r *http.Request) bool { return !hasBody(r) || r.GetBody != nil }
