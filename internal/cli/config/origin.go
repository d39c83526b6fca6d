package config

import (
	"errors"
	"net"
	"net/url"
	"strings"
)

// ParseOrigin reads an origin as it is typed, scheme and host and nothing else, and returns
// it as [OriginOf] does.
func ParseOrigin(text string) (string, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https":
		return "", errors.New("the origin has to be http:// or https:// and a host")
	case u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "":
		return "", errors.New("the origin is scheme, host and port alone")
	}
	return OriginOf(u), nil
}

// OriginOf returns scheme, host and port of a URL, always with the port and in one spelling.
func OriginOf(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// IsToken reports whether text can be the name of a header (RFC 9110, section 5.6.2).
func IsToken(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}

// Variable returns the name of the environment variable that a credential refers to as
// env:NAME.
func Variable(reference string) (name string, ok bool) {
	name, ok = strings.CutPrefix(reference, "env:")
	return name, ok && name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}
