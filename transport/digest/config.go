package digest

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"unicode/utf8"
)

// Validate returns an error that names the first field that cannot be, or nil.
func (d *Digest) Validate() error {
	if d == nil {
		return errors.New("redial: Auth is a nil *digest.Digest: leave Auth nil, or give it a Digest")
	}
	return d.prepare()
}

// prepare works out what the fields amount to, at its first call.
func (d *Digest) prepare() error {
	d.once.Do(func() { d.err = d.check() })
	return d.err
}

func (d *Digest) check() error {
	switch {
	case d.Username == "":
		return invalid("Username", `""`, "set the name of the user")
	case !utf8.ValidString(d.Username) || hasControl(d.Username):
		return invalid("Username", "not printable text", "use UTF-8 without control characters")
	case d.AllowBasic && strings.Contains(d.Username, ":"):
		return invalid("Username", fmt.Sprintf("%q", d.Username), "Basic cannot have a colon in it; leave AllowBasic false")
	case d.ChallengeHeader != "" && tokenLength(d.ChallengeHeader) != len(d.ChallengeHeader):
		return invalid("ChallengeHeader", fmt.Sprintf("%q", d.ChallengeHeader), "use the name of a header, such as X-WWW-Authenticate")
	case len(d.Origins) == 0:
		return invalid("Origins", "empty", "name each origin that may see the credentials, such as https://api.example.test")
	}
	d.origins = make(map[string]bool, len(d.Origins))
	for i, text := range d.Origins {
		o, ok := parseOrigin(text)
		if !ok {
			// What stands there may be a password in a URL, so it is not shown.
			return invalid(fmt.Sprintf("Origins[%d]", i), "not an origin", "use a scheme and a host alone, such as https://api.example.test or http://192.0.2.7:8080")
		}
		d.origins[o] = true
	}
	return nil
}

// invalid returns the one-line error for a field that cannot be.
func invalid(field, value, advice string) error {
	return fmt.Errorf("redial: Digest.%s is %s: %s", field, value, advice)
}

// parseOrigin returns an origin as originOf does, if text is one.
func parseOrigin(text string) (string, bool) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Opaque != "" ||
		u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.ForceQuery || strings.Contains(text, "#") ||
		strings.ContainsAny(u.Host, "* ") || strings.HasSuffix(u.Host, ":") {
		return "", false
	}
	return originOf(u), true
}

// originOf returns scheme, host and port, in one spelling (RFC 6454, section 6.1, but for
// the port, which is always there).
func originOf(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + net.JoinHostPort(strings.ToLower(strings.TrimSuffix(u.Hostname(), ".")), port)
}

// String says for whom and where the credentials are, without the password.
func (d *Digest) String() string {
	if d == nil {
		return "digest of nobody"
	}
	return fmt.Sprintf("digest of %q for %d origins", d.Username, len(d.Origins))
}

// Format prints what String returns, whatever the verb, so that no password is printed.
func (d *Digest) Format(s fmt.State, _ rune) { io.WriteString(s, d.String()) }

// LogValue is what String returns, for package slog.
func (d *Digest) LogValue() slog.Value { return slog.StringValue(d.String()) }

// hasControl reports whether s has a control character of ASCII, which no header may have.
func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}
