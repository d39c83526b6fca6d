package cli

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"redial/internal/cli/config"
	"redial/ledger"
)

// credential is a header that may be sent to one origin and to no other.
type credential struct {
	origin, name, value string
	standing            bool // it is configured, and not given for what is done now
}

// credentials are what --header gives, and what is configured. They are read from the
// environment, never from the command line, which a shell keeps and everybody on the machine
// can see.
type credentials []credential

const headerForm = "it looks like 'https://api.example.test Authorization: env:TOKEN'"

// parseCredentials reads what --header was given. No error tells what was given as a value.
func parseCredentials(list, environ []string) (all credentials, err error) {
	for _, text := range list {
		where, line, ok := strings.Cut(strings.TrimSpace(text), " ")
		name, value, colon := strings.Cut(line, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || !colon || !config.IsToken(name) {
			return nil, usagef("--header: %s", headerForm)
		}
		o, err := config.ParseOrigin(where)
		if err != nil {
			return nil, usagef("--header: %v: %s", err, headerForm)
		}
		variable, ok := config.Variable(value)
		if !ok {
			return nil, usagef("--header: the value of %s has to be env:NAME, a variable of the environment: a secret on the command line would be kept in the shell's history", name)
		}
		secret := getenv(environ, variable)
		if secret == "" {
			return nil, usagef("--header: the environment variable %s is empty or not set, so nothing was sent", variable)
		}
		if wrong := checkSecret(secret); wrong != "" {
			return nil, usagef("--header: the environment variable %s %s", variable, wrong)
		}
		all = append(all, credential{origin: o, name: name, value: secret})
	}
	return all, nil
}

// checkSecret returns what is wrong with the value of an environment variable that is to be
// a header's, "" for nothing.
func checkSecret(secret string) string {
	if strings.ContainsFunc(secret, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
		return "has a line break or another control in it, which a header cannot carry"
	}
	return ""
}

// configured adds the credentials that the configuration has, where the command line gives
// none for the same header. A variable that is not set gives none: it may be set only where
// it is needed.
func (all credentials) configured(c *config.Config, environ []string) (credentials, error) {
	given := len(all)
	for _, o := range c.Origins {
		for _, h := range o.Headers {
			same := func(given credential) bool { return given.origin == o.Origin && strings.EqualFold(given.name, h.Name) }
			secret := getenv(environ, h.Variable)
			if secret == "" || slices.ContainsFunc(all[:given], same) {
				continue
			}
			if wrong := checkSecret(secret); wrong != "" {
				return nil, fmt.Errorf("%s:%d: the environment variable %s %s", c.Path, h.Line, h.Variable, wrong)
			}
			all = append(all, credential{origin: o.Origin, name: h.Name, value: secret, standing: true})
		}
	}
	return all, nil
}

// originOf returns the origin that a URL goes to, "" if it is none.
func originOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return ""
	}
	return config.OriginOf(u)
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
		if c.standing {
			continue
		}
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
