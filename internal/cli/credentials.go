package cli

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"redial/ledger"
)

// credential is a header that may be sent to one origin and to no other.
type credential struct{ origin, name, value string }

// credentials are what --header gives. They are read from the environment, never from the
// command line, which a shell keeps and everybody on the machine can see.
type credentials []credential

const headerForm = "it looks like 'https://api.example.test Authorization: env:TOKEN'"

// parseCredentials reads what --header was given. No error tells what was given as a value.
func parseCredentials(list, environ []string) (all credentials, err error) {
	for _, text := range list {
		where, line, ok := strings.Cut(strings.TrimSpace(text), " ")
		name, value, colon := strings.Cut(line, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || !colon || !isToken(name) {
			return nil, usagef("--header: %s", headerForm)
		}
		o, err := parseOrigin(where)
		if err != nil {
			return nil, err
		}
		variable, ok := strings.CutPrefix(value, "env:")
		if !ok || !isVariable(variable) {
			return nil, usagef("--header: the value of %s has to be env:NAME, a variable of the environment: a secret on the command line would be kept in the shell's history", name)
		}
		secret := getenv(environ, variable)
		switch {
		case secret == "":
			return nil, usagef("--header: the environment variable %s is empty or not set, so nothing was sent", variable)
		case strings.ContainsFunc(secret, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }):
			return nil, usagef("--header: the environment variable %s has a line break or another control in it, which a header cannot carry", variable)
		}
		all = append(all, credential{o, name, secret})
	}
	return all, nil
}

// parseOrigin reads an origin as it is typed: scheme and host, and nothing else.
func parseOrigin(text string) (string, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return "", usagef("--header: the origin has to be http:// or https:// and a host: %s", headerForm)
	case u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "":
		return "", usagef("--header: the origin is scheme, host and port alone: %s", headerForm)
	}
	return origin(u), nil
}

// origin returns scheme, host and port of a URL, always with the port and in one spelling.
func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// originOf returns the origin that a URL goes to, "" if it is none.
func originOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return ""
	}
	return origin(u)
}

// plainOrigin is originOf as people write it, without the port that the scheme has anyhow.
func plainOrigin(raw string) string {
	o := originOf(raw)
	for scheme, port := range map[string]string{"http://": ":80", "https://": ":443"} {
		if plain, ok := strings.CutSuffix(o, port); ok && strings.HasPrefix(o, scheme) {
			return plain
		}
	}
	return o
}

// of returns the value for a header of an operation, "" if none was given.
func (all credentials) of(in *ledger.Intent, name string) []string {
	var values []string
	for _, c := range all {
		if strings.EqualFold(c.name, name) && c.origin == originOf(in.URL) {
			values = append(values, c.value)
		}
	}
	return values
}

// fill puts into a header what was withheld from the record of an operation, as far as it
// was given for the origin that the operation goes to.
func (all credentials) fill(_ context.Context, in ledger.Intent, h http.Header) error {
	for _, name := range in.Withheld {
		if values := all.of(&in, name); len(values) > 0 {
			h[name] = values
		}
	}
	return nil
}

// missing returns the names of what was withheld from the record of an operation and was
// not given.
func (all credentials) missing(in *ledger.Intent) (names []string) {
	for _, name := range in.Withheld {
		if len(all.of(in, name)) == 0 {
			names = append(names, name)
		}
	}
	return names
}

// fit returns an error for a credential that none of the operations has a use for, when they
// are undone or not: most likely it is for another origin, or the wrong one.
func (all credentials) fit(ops []ledger.Operation, undone bool) error {
	if len(ops) == 0 {
		return nil
	}
	for _, c := range all {
		used := slices.ContainsFunc(ops, func(o ledger.Operation) bool {
			ours := c.origin == originOf(o.URL) || undone && o.Undo != nil && c.origin == originOf(o.Fill(o.Undo.URL))
			return ours && slices.ContainsFunc(o.Withheld, func(name string) bool { return strings.EqualFold(name, c.name) })
		})
		if !used {
			return usagef("--header: %s for %s is of no use here, as %s", c.name, plainOrigin(c.origin), wants(&ops[0]))
		}
	}
	return nil
}

// wants says what an operation needs.
func wants(o *ledger.Operation) string {
	if len(o.Withheld) == 0 {
		return fmt.Sprintf("%s was sent without credentials", fullName(o.ID()))
	}
	return fmt.Sprintf("%s goes to %s with %s", fullName(o.ID()), plainOrigin(o.URL), strings.Join(o.Withheld, ", "))
}

// isToken reports whether text can be the name of a header (RFC 9110, section 5.6.2).
func isToken(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}

// isVariable reports whether text can be the name of an environment variable.
func isVariable(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}
