package cli

import (
	"slices"
	"strings"
	"time"

	"redial/db"
	"redial/internal/cli/config"
)

// settings returns every value that is in force.
func (a *app) settings(c *config.Config, f *dashboardFlags) []settingJSON {
	all := []settingJSON{
		a.fileSetting(c), a.themeSetting(c, f), a.personSetting(f),
		readOnlySetting(f),
		written(c, "columns.wide", c.Wide),
		written(c, "columns.calls", orAll(c.Calls)),
	}
	for _, e := range c.Keys.Entries() {
		all = append(all, written(c, "keys."+e.Name, e.Key.Keys()))
	}
	for _, s := range c.Filters {
		all = append(all, written(c, config.FilterPath(s.Name), s.Expr))
	}
	all = append(all, a.originSettings(c, f)...)
	for _, r := range f.resolves {
		all = append(all, settingJSON{Name: "resolve", Value: r, From: "flag"})
	}
	return all
}

func orAll(columns []string) []string {
	if columns == nil {
		return config.Columns()
	}
	return columns
}

// written returns a value that only the file can change.
func written(c *config.Config, path string, value any) settingJSON {
	s := settingJSON{Name: path, Value: value, From: "default"}
	if line := c.Line(path); line > 0 {
		s.at(c, line)
	}
	return s
}

// at says that the value comes from a line of the file.
func (s *settingJSON) at(c *config.Config, line int) { s.From, s.File, s.Line = "file", &c.Path, &line }

func (a *app) fileSetting(c *config.Config) settingJSON {
	s := settingJSON{Name: "db", Value: a.db, From: "flag"}
	switch variable := "REDIAL_DB"; {
	case a.db != "":
	case a.getenv(variable) != "":
		s.Value, s.From, s.Variable = a.getenv(variable), "environment", &variable
	case c.DB != "":
		s.Value = c.DB
		s.at(c, c.Line("db"))
	default:
		s.Value, s.From = nil, "default"
		if path, err := db.DefaultPath(); err == nil {
			s.Value = path
		}
		if variable := "XDG_DATA_HOME"; strings.HasPrefix(a.getenv(variable), "/") {
			s.From, s.Variable = "environment", &variable
		}
	}
	return s
}

func (a *app) themeSetting(c *config.Config, f *dashboardFlags) settingJSON {
	s := settingJSON{Name: "theme", Value: "auto", From: "default"}
	switch variable := "NO_COLOR"; {
	case a.getenv(variable) != "":
		s.Value, s.From, s.Variable = "none", "environment", &variable
	case f.theme != "":
		s.Value, s.From = string(f.theme), "flag"
	case c.Theme != "":
		s.Value = c.Theme
		s.at(c, c.Line("theme"))
	}
	return s
}

func readOnlySetting(f *dashboardFlags) settingJSON {
	s := settingJSON{Name: "read-only", Value: f.readOnly, From: "default"}
	if f.readOnly {
		s.From = "flag"
	}
	return s
}

func (a *app) personSetting(f *dashboardFlags) settingJSON {
	s := settingJSON{Name: "as", Value: a.person(f.as), From: "default"}
	switch variable := "USER"; {
	case strings.TrimSpace(f.as) != "":
		s.From = "flag"
	case a.getenv(variable) != "":
		s.From, s.Variable = "environment", &variable
	}
	return s
}

// originSettings returns the credentials and key policies of origins: those of flags first,
// which take the place of the file's for the same header.
func (a *app) originSettings(c *config.Config, f *dashboardFlags) (all []settingJSON) {
	given, _ := parseCredentials(f.headers, a.environ) // which has been checked
	for i, h := range given {
		_, reference, _ := strings.Cut(f.headers[i], "env:")
		all = append(all, a.reference(config.OriginPath(plainOrigin(h.origin), "headers", h.name), strings.TrimSpace(reference)))
	}
	for _, o := range c.Origins {
		for _, h := range o.Headers {
			if slices.ContainsFunc(given, func(g credential) bool { return g.origin == o.Origin && strings.EqualFold(g.name, h.Name) }) {
				continue
			}
			s := a.reference(config.OriginPath(o.Written, "headers", h.Name), h.Variable)
			s.at(c, h.Line)
			all = append(all, s)
		}
		for _, name := range []string{"honoured", "lifetime", "header"} {
			path := config.OriginPath(o.Written, "keys", name)
			if c.Line(path) > 0 {
				all = append(all, written(c, path, map[string]any{
					"honoured": o.Keys.Honoured, "lifetime": briefly(o.Keys.Lifetime), "header": o.Keys.Header,
				}[name]))
			}
		}
	}
	return all
}

// briefly writes a duration as people do, such as 24h.
func briefly(d time.Duration) string {
	text := d.String()
	for _, none := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, none) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// reference returns a value that is the name of a variable. What that holds is not shown.
func (a *app) reference(name, variable string) settingJSON {
	set := a.getenv(variable) != ""
	return settingJSON{Name: name, Value: "env:" + variable, From: "flag", Variable: &variable, Set: &set}
}
