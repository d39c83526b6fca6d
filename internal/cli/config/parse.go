package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"redial/internal/settings"
	"redial/ledger"
	"redial/tui/filter"
	"redial/tui/keys"
	"redial/tui/visible"
)

// parse makes a Config of a file's text. Home is what ~ stands for.
func parse(path, text, home string) (*Config, error) {
	c := &Config{Path: path, Found: true, Keys: keys.Default(), lines: map[string]int{}}
	err := settings.Read(path, text, func(r *settings.Reader, tree settings.Tree) error {
		if err := r.Take(tree, c.fields(home)); err != nil {
			return err
		}
		return c.checkKeys(r)
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

func (c *Config) fields(home string) settings.Fields {
	return settings.Fields{
		"db":    c.noted(db(&c.DB, home)),
		"theme": c.noted(settings.OneOf(&c.Theme, same("auto", "dark", "light", "none"))),
		"columns": settings.Table(settings.Fields{
			"wide":  c.noted(settings.Boolean(&c.Wide)),
			"calls": c.noted(settings.List(&c.Calls, settings.Choice(same(Columns()...)))),
		}),
		"keys":    settings.Each(c.binding),
		"filters": settings.Each(c.filter),
		"origins": settings.Each(c.origin),
	}
}

// same returns names that stand for themselves.
func same(names ...string) map[string]string {
	all := map[string]string{}
	for _, n := range names {
		all[n] = n
	}
	return all
}

// noted remembers where a value stands.
func (c *Config) noted(f settings.Field) settings.Field {
	return func(r *settings.Reader, at string, value any) error {
		c.lines[at], _ = r.Place(at)
		return f(r, at, value)
	}
}

// db takes a path that does not depend on the folder in which redial is started.
func db(to *string, home string) settings.Field {
	return func(r *settings.Reader, at string, value any) error {
		if err := settings.Text(to)(r, at, value); err != nil {
			return err
		}
		if rest, ok := strings.CutPrefix(*to, "~/"); ok && filepath.IsAbs(home) {
			*to = filepath.Join(home, rest)
		}
		if !filepath.IsAbs(*to) || strings.ContainsRune(*to, 0) {
			return r.Not(at, value, "write the whole path of a file, from / or ~/ on")
		}
		return nil
	}
}

// binding takes the keys of a binding: a list, or one alone.
func (c *Config) binding(name string) settings.Field {
	return c.noted(func(r *settings.Reader, at string, value any) error {
		list := []string{}
		if one, ok := value.(string); ok {
			list = []string{one}
		} else if err := settings.List(&list, settings.Text)(r, at, value); err != nil {
			return err
		}
		err := c.Keys.Set(name, list)
		var wrong *keys.KeyError
		switch {
		case errors.As(err, &wrong):
			if _, ok := value.(string); !ok {
				at = settings.Element(at, wrong.Index)
			}
			return r.Wrong(at, fmt.Sprintf("is %q", wrong.Key), wrong.Text)
		case errors.Is(err, keys.ErrNoKey):
			return r.Wrong(at, "is empty", err.Error())
		case err != nil:
			return r.Key(at, "is unknown", c.likely(name, err.Error()))
		}
		c.Changed = append(c.Changed, name)
		return nil
	})
}

// likely names the binding that was most likely meant; without one it returns all.
func (c *Config) likely(name, all string) string {
	best, least := "", 3
	for _, e := range c.Keys.Entries() {
		if len(name) > len(e.Name)+least {
			continue
		}
		if d := distance(name, e.Name); d < least {
			best, least = e.Name, d
		}
	}
	if best == "" {
		return all
	}
	return "did you mean " + best + "?"
}

// distance returns in how many letters two words differ: how many have to be changed, put
// in or left out (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// checkKeys looks whether all keys fit together, which only shows when they are known.
func (c *Config) checkKeys(r *settings.Reader) error {
	err := c.Keys.Check(c.Changed...)
	var clash *keys.ConflictError
	if errors.As(err, &clash) {
		at := "keys." + clash.Name
		for _, e := range c.Keys.Entries() {
			if i := slices.Index(e.Key.Keys(), clash.Key); e.Name == clash.Name && i >= 0 {
				return r.Element(at, i, "clashes", err.Error())
			}
		}
	}
	return err
}

// filter takes a filter of that name.
func (c *Config) filter(name string) settings.Field {
	return c.noted(func(r *settings.Reader, at string, value any) error {
		var text string
		if err := settings.Text(&text)(r, at, value); err != nil {
			return err
		}
		line := strings.Join(strings.Split(text, "\n"), " ") // as it would be typed
		if err := checkSaved(r, at, name, line); err != nil {
			return err
		}
		parsed, err := ledger.ParseFilter(text)
		var wrong *ledger.FilterError
		switch {
		case errors.As(err, &wrong):
			return r.Inside(at, text, wrong.Start, fmt.Sprintf("is wrong at %q", part(text, wrong)), wrong.Msg)
		case err != nil:
			return r.Not(at, value, err.Error())
		case parsed.Root == nil:
			return r.Wrong(at, "is empty", "write a filter, such as status:5xx")
		}
		c.Filters = append(c.Filters, filter.Saved{Name: name, Expr: line})
		return nil
	})
}

// checkSaved returns an error for a filter that nobody could have written on the dashboard.
func checkSaved(r *settings.Reader, at, name, line string) error {
	switch {
	case strings.TrimSpace(name) == "" || visible.Text(name) != name || utf8.RuneCountInString(name) > filter.LongestName:
		return r.Key(at, "cannot be shown", fmt.Sprintf("give the filter a name of plain text, of at most %d characters", filter.LongestName))
	case visible.Text(line) != line:
		return r.Wrong(at, "has a character that cannot be typed", "leave it out, or write * for it")
	case utf8.RuneCountInString(line) > filter.Longest:
		return r.Wrong(at, fmt.Sprintf("has more than %d characters", filter.Longest), "nobody could write it on a line: make it shorter")
	}
	return nil
}

// part returns what is wrong in an expression, or what stands around it.
func part(text string, wrong *ledger.FilterError) string {
	if wrong.Start < wrong.End && wrong.End <= len(text) {
		return text[wrong.Start:wrong.End]
	}
	return text
}

// origin takes what is said of one origin.
func (c *Config) origin(written string) settings.Field {
	return func(r *settings.Reader, at string, value any) error {
		o := Origin{Written: written}
		var err error
		if o.Origin, err = ParseOrigin(written); err != nil {
			// It may have a password or a token in it, so it is not shown.
			wrong := r.Key(at, "has a name that is no origin", err.Error()+`, as in [origins."https://api.example.test"]`)
			wrong.Field = "origins"
			return wrong
		}
		if slices.ContainsFunc(c.Origins, func(other Origin) bool { return other.Origin == o.Origin }) {
			return r.Key(at, "is there twice", "put all that is said of an origin into one table")
		}
		keys := func(r *settings.Reader, at string, value any) error {
			o.Keys = new(KeyPolicy)
			o.Keys.Line, _ = r.Place(at)
			return c.policy(o.Keys)(r, at, value)
		}
		err = settings.Table(settings.Fields{"headers": settings.Each(c.header(&o)), "keys": keys})(r, at, value)
		c.Origins = append(c.Origins, o)
		return err
	}
}

// header takes a credential. What it says instead of a reference may be a secret, so no
// error shows it.
func (c *Config) header(o *Origin) func(string) settings.Field {
	return func(name string) settings.Field {
		return c.noted(func(r *settings.Reader, at string, value any) error {
			text, _ := value.(string)
			variable, ok := Variable(text)
			twice := slices.ContainsFunc(o.Headers, func(h Header) bool { return strings.EqualFold(h.Name, name) })
			switch {
			case !IsToken(name):
				return r.Key(at, "is no name of a header", "write one such as Authorization")
			case !ok:
				return r.Wrong(at, "is not env:NAME", "name a variable of the environment: a secret in a file is copied along with it, and read by whoever reads it")
			case twice:
				return r.Key(at, "is there twice", "upper and lower case mean the same header: leave one out")
			}
			o.Headers = append(o.Headers, Header{name, variable, c.Line(at)})
			return nil
		})
	}
}

func (c *Config) policy(p *KeyPolicy) settings.Field {
	header := func(r *settings.Reader, at string, value any) error {
		if err := settings.Text(&p.Header)(r, at, value); err != nil {
			return err
		}
		if !IsToken(p.Header) {
			return r.Not(at, value, "write the name of a header, such as Idempotency-Key")
		}
		return nil
	}
	lifetime := func(r *settings.Reader, at string, value any) error {
		if err := settings.Duration(&p.Lifetime)(r, at, value); err != nil {
			return err
		}
		if p.Lifetime <= 0 {
			return r.Not(at, value, `write for how long the API remembers a key, such as "24h"`)
		}
		return nil
	}
	return settings.Table(settings.Fields{
		"honoured": c.noted(settings.Boolean(&p.Honoured)), "lifetime": c.noted(lifetime), "header": c.noted(header),
	})
}
