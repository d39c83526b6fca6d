package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"redial/tui/filter"
)

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

const whole = `db = "~/checkout/redial.db"
theme = "light"

[columns]
wide = true
calls = ["note"]

[keys]
quit = "Q"
down = ["j", "down", "ctrl+n"]

[filters]
"sent twice" = "duplicate:yes"
slow = 'dur:>2s or waited:>1s'

[origins."https://Pay.example.test"]
headers.Authorization = "env:PAY_TOKEN"
headers.X-Tenant = "env:TENANT"
keys = { honoured = true, lifetime = "7d", header = "X-Key" }

[origins."http://orders.example.test:8080".keys]
honoured = false
`

func TestAFileSaysAllThatCanBeConfigured(t *testing.T) {
	c, err := parse("c.toml", whole, "/home/ana")
	if err != nil {
		t.Fatal(err)
	}
	if c.DB != "/home/ana/checkout/redial.db" || c.Theme != "light" || !c.Wide || !slices.Equal(c.Calls, []string{"note"}) {
		t.Errorf("%+v", c)
	}
	if got := c.Keys.Quit.Keys(); !slices.Equal(got, []string{"Q"}) {
		t.Errorf("quit: %q", got)
	}
	if got := c.Keys.Down.Keys(); !slices.Equal(got, []string{"j", "down", "ctrl+n"}) {
		t.Errorf("down: %q", got)
	}
	if got := c.Keys.Up.Keys(); !slices.Equal(got, []string{"k", "up"}) {
		t.Errorf("up: %q", got)
	}
	want := []filter.Saved{{Name: "sent twice", Expr: "duplicate:yes"}, {Name: "slow", Expr: "dur:>2s or waited:>1s"}}
	if !slices.Equal(c.Filters, want) {
		t.Errorf("filters: %+v", c.Filters)
	}
	if len(c.Origins) != 2 || c.Origins[0].Origin != "https://pay.example.test:443" || c.Origins[1].Origin != "http://orders.example.test:8080" {
		t.Fatalf("origins: %+v", c.Origins)
	}
	pay := c.Origins[0]
	if !slices.Equal(pay.Headers, []Header{{"Authorization", "PAY_TOKEN", 17}, {"X-Tenant", "TENANT", 18}}) {
		t.Errorf("headers: %+v", pay.Headers)
	}
	if p := pay.Keys; p == nil || !p.Honoured || p.Lifetime != 7*24*time.Hour || p.Header != "X-Key" || p.Line != 19 {
		t.Errorf("keys: %+v", p)
	}
	if p := c.Origins[1].Keys; p == nil || p.Honoured || p.Line != 21 {
		t.Errorf("keys: %+v", p)
	}
	for path, line := range map[string]int{
		"db": 1, "theme": 2, "columns.wide": 5, "keys.quit": 9, `filters."sent twice"`: 13,
		`origins."https://Pay.example.test".headers.Authorization`: 17, "keys.up": 0,
	} {
		if got := c.Line(path); got != line {
			t.Errorf("%s stands on line %d, want %d", path, got, line)
		}
	}
}

func TestWhatIsWrongIsSaidWithItsPlaceAndWhatToDo(t *testing.T) {
	for name, c := range map[string]struct{ file, want string }{
		"no TOML":                  {"theme = \"dark\"\nkeys", "c.toml:2:4: unexpected EOF; expected key separator '='"},
		"a key twice":              {"theme = \"dark\"\ntheme = \"light\"", "c.toml:2:1: Key 'theme' has already been defined."},
		"a table twice":            {"[keys]\n[keys]", "c.toml:2:2: Key 'keys' has already been defined."},
		"no UTF-8":                 {"theme = \"dark\"\n# \xff", "c.toml:2:3: the byte 0xff is no UTF-8: write the file as UTF-8 text"},
		"an unknown key":           {"theme = \"dark\"\n  colour = 1", "c.toml:2:3: colour is unknown: use columns, db, filters, keys, origins or theme"},
		"an unknown table":         {"[key]\nquit = \"Q\"", "c.toml:1:1: key is unknown: use columns"},
		"a control in a name":      {"\"a\\u001bb\" = 1", "c.toml:1:1: \"a\\x1bb\" is unknown"},
		"an unknown theme":         {`theme = "blue"`, `c.toml:1:9: theme is "blue": use auto, dark, light or none`},
		"a theme that is none":     {`theme = true`, `c.toml:1:9: theme is true: use auto, dark, light or none`},
		"a path that is not":       {`db = "redial.db"`, `c.toml:1:6: db is "redial.db": write the whole path of a file, from / or ~/ on`},
		"an empty path":            {`db = ""`, `c.toml:1:6: db is "": write the whole path`},
		"columns":                  {`columns = 3`, `c.toml:1:11: columns is 3: make it a table`},
		"an unknown column":        {`columns.calls = ["note", "size"]`, `c.toml:1:26: columns.calls[1] is "size": use note or service`},
		"wide":                     {`columns.wide = "yes"`, `c.toml:1:16: columns.wide is "yes": use true or false`},
		"a binding that is not":    {"[keys]\nteleport = [\"q\"]", "c.toml:2:1: keys.teleport is unknown: use up, down, page_up"},
		"a binding that is almost": {"[keys]\npagedown = [\"q\"]", "c.toml:2:1: keys.pagedown is unknown: did you mean page_down?"},
		"a hostile binding":        {"[keys]\n\"\\u001b[2J\" = [\"q\"]", `c.toml:2:1: keys."\x1b[2J" is unknown: use up, down`},
		"a key that is not":        {"[keys]\nquit = [\"Q\", \"ctrl+enter\"]", `c.toml:2:14: keys.quit[1] is "ctrl+enter": most terminals cannot tell it from enter: use another key`},
		"a key that is none":       {"[keys]\nquit = [\"Q\", 7]", `c.toml:2:14: keys.quit[1] is 7: make it a string`},
		"a hostile key":            {"[keys]\nquit = \"\\u001b\"", `c.toml:2:8: keys.quit is "\x1b": it is no character that a key types: use another key`},
		"no key":                   {"[keys]\nquit = []", "c.toml:2:8: keys.quit is empty: nothing else does what it does: give it a key"},
		"a key twice in a list":    {"[keys]\nquit = [\"Q\", \"Q\"]", `c.toml:2:14: keys.quit[1] is "Q": it is there twice: leave one out`},
		"a key of another": {"[keys]\nquit = [\"Q\"]\ndown = [\"j\", \"n\"]",
			`c.toml:3:14: keys.down clashes: "n" is also trouble (next trouble) in the calls: give one of them another key`},
		"a key of another, alone": {"[keys]\ndown = \"n\"", `c.toml:2:8: keys.down clashes: "n" is also trouble`},
		"a character for text":    {"keys.apply = \"a\"", `c.toml:1:14: keys.apply clashes: "a" types text in the filter: use a key that types nothing, such as enter or ctrl+t`},
		"keys in a list":          {"keys = [1]", "c.toml:1:8: keys is an array: make it a table"},
		"a filter":                {"[filters]\nbad = \"status:5xx attempts:many\"", `c.toml:2:28: filters.bad is wrong at "many": `},
		"a filter with an escape": {"[filters]\nbad = \"\\u0061ttempts:many\"", `c.toml:2:7: filters.bad is wrong at "many": `},
		"an empty filter":         {"[filters]\nbad = \" \"", `c.toml:2:7: filters.bad is empty: write a filter, such as status:5xx`},
		"a filter that is none":   {"[filters]\nbad = 5", `c.toml:2:7: filters.bad is 5: make it a string`},
		"a hostile name":          {"[filters]\n\"\\u202e\" = \"status:5xx\"", `c.toml:2:1: filters."\u202e" cannot be shown: give the filter a name of plain text`},
		"a long name":             {"[filters]\n" + strings.Repeat("a", 81) + " = \"status:5xx\"", "c.toml:2:1: filters." + strings.Repeat("a", 81) + " cannot be shown: give the filter a name of plain text, of at most 80 characters"},
		"a long filter":           {"[filters]\nbad = \"" + strings.Repeat("a ", 1001) + "\"", "c.toml:2:7: filters.bad has more than 2000 characters: "},
		"a control in a filter":   {"[filters]\nbad = \"/a\\u001b/\"", "c.toml:2:7: filters.bad has a character that cannot be typed: leave it out, or write * for it"},
		"an empty name":           {"[filters]\n\"\" = \"status:5xx\"", `c.toml:2:1: filters."" cannot be shown`},
		"an origin with a path":   {"[origins.\"https://a.test/x\"]", `c.toml:1:1: origins has a name that is no origin: the origin is scheme, host and port alone, as in [origins."https://api.example.test"]`},
		"an origin of no scheme":  {"[origins.\"a.test\"]", `c.toml:1:1: origins has a name that is no origin: the origin has to be http:// or https:// and a host`},
		"an origin twice":         {"[origins.\"https://a.test\"]\n[origins.\"https://A.test:443\"]", `c.toml:2:1: origins."https://A.test:443" is there twice: put all`},
		"an origin's key":         {"[origins.\"https://a.test\"]\nheader = 1", `c.toml:2:1: origins."https://a.test".header is unknown: use headers or keys`},
		"a header's name":         {"[origins.\"https://a.test\"]\nheaders.\"a b\" = \"env:A\"", `c.toml:2:1: origins."https://a.test".headers."a b" is no name of a header`},
		"a header twice":          {"[origins.\"https://a.test\".headers]\na = \"env:A\"\nA = \"env:B\"", `c.toml:3:1: origins."https://a.test".headers.A is there twice: upper and lower case mean the same header: leave one out`},
		"a lifetime":              {"[origins.\"https://a.test\".keys]\nlifetime = 24", `c.toml:2:12: origins."https://a.test".keys.lifetime is 24: use a string of a number with a unit`},
		"a lifetime of nothing":   {"[origins.\"https://a.test\".keys]\nlifetime = \"0s\"", `c.toml:2:12: origins."https://a.test".keys.lifetime is "0s": write for how long the API remembers a key`},
		"a key header":            {"[origins.\"https://a.test\".keys]\nheader = \"a b\"", `c.toml:2:10: origins."https://a.test".keys.header is "a b": write the name of a header`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := parse("c.toml", c.file, "/home/ana")
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
			if got != nil {
				t.Error("a part of the file is in force")
			}
		})
	}
}

// TestASecretInTheFileIsRefusedAndNotShown writes secrets where a reference belongs.
func TestASecretInTheFileIsRefusedAndNotShown(t *testing.T) {
	for _, value := range []string{`"Bearer s3cr3t"`, `"env:s3cr3t value"`, `"env:"`, `["s3cr3t"]`, `{ s3cr3t = "s3cr3t" }`, `"""s3cr3t"""`, `'s3cr3t'`, `s3cr3t`, `"s3cr3t`, `"\s3cr3t"`} {
		_, err := parse("c.toml", "[origins.\"https://a.test\".headers]\nAuthorization = "+value, "")
		if err == nil || !strings.HasPrefix(err.Error(), "c.toml:2:") || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%s: %v", value, err)
		}
	}
}

func TestASecretInAnOriginIsNotShown(t *testing.T) {
	for _, origin := range []string{"https://ana:s3cr3t@a.test", "https://a.test?token=s3cr3t", "s3cr3t", "https://a.test/s3cr3t", "s3cr3t://a.test"} {
		_, err := parse("c.toml", "\n[origins.\""+origin+"\"]\nheaders.a = \"env:A\"", "")
		if err == nil || !strings.HasPrefix(err.Error(), "c.toml:2:1: origins has a name that is no origin: ") || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%s: %v", origin, err)
		}
	}
}

func TestTheFileIsWhereTheEnvironmentSays(t *testing.T) {
	for name, c := range map[string]struct {
		getenv func(string) string
		want   string
	}{
		"the folder for it":    {env("XDG_CONFIG_HOME", "/etc/ana", "HOME", "/home/ana"), "/etc/ana/redial/config.toml"},
		"home":                 {env("HOME", "/home/ana"), "/home/ana/.config/redial/config.toml"},
		"an empty folder":      {env("XDG_CONFIG_HOME", "", "HOME", "/home/ana"), "/home/ana/.config/redial/config.toml"},
		"a relative folder":    {env("XDG_CONFIG_HOME", "etc", "HOME", "/home/ana"), "/home/ana/.config/redial/config.toml"},
		"no home":              {env(), ""},
		"a relative home":      {env("HOME", "ana"), ""},
		"a folder and no home": {env("XDG_CONFIG_HOME", "/etc/ana"), "/etc/ana/redial/config.toml"},
	} {
		if got := Path(c.getenv); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestWithoutAFileEverythingIsAsItIsByItself(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, getenv := range map[string]func(string) string{
		"no file": env("XDG_CONFIG_HOME", folder), "no folder": env("XDG_CONFIG_HOME", "/nowhere"),
		"a file in its place": env("XDG_CONFIG_HOME", file), "nothing at all": env(),
	} {
		c, err := Read(getenv)
		if err != nil || c.Found || c.Keys == nil || c.Keys.Quit.Keys()[0] != "q" {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
}

// TestWhatTheManualShowsCanBeWritten reads the configuration that README.md and the
// documentation of the package show, and the mistake that README.md shows.
func TestWhatTheManualShowsCanBeWritten(t *testing.T) {
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(readme), "\n## Configuration\n")
	_, block, _ := strings.Cut(section, "```toml\n")
	block, _, found := strings.Cut(block, "```")
	c, err := parse("c.toml", block, "/home/ana")
	if !found || err != nil || c.Theme != "dark" || c.Line("keys.down") == 0 || len(c.Filters) != 1 || len(c.Origins) != 1 {
		t.Fatalf("%+v, %v", c, err)
	}
	wrong := strings.Replace(block, `["j", "down", "ctrl+n"]`, `["j", "n"]`, 1)
	if _, err := parse("/home/ana/.config/redial/config.toml", wrong, "/home/ana"); err == nil || !strings.Contains(section, "\nredial: "+err.Error()+"\n") {
		t.Errorf("README.md does not show %v", err)
	}

	source, err := os.ReadFile("config.go")
	if err != nil {
		t.Fatal(err)
	}
	doc, _, _ := strings.Cut(string(source), "\npackage config")
	var shown []string
	for line := range strings.Lines(doc) {
		if text, ok := strings.CutPrefix(line, "//\t"); ok {
			shown = append(shown, text)
		}
	}
	if c, err := parse("c.toml", strings.Join(shown, ""), "/home/ana"); err != nil || len(c.Origins) != 1 {
		t.Errorf("%+v, %v", c, err)
	}
}
