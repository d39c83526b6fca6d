package config

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"redial/internal/settings"
)

// readFile reads a configuration of that text from a file.
func readFile(t *testing.T, text []byte) (*Config, error) {
	t.Helper()
	folder := t.TempDir()
	file := filepath.Join(folder, "redial", "config.toml")
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return Read(env("XDG_CONFIG_HOME", folder))
}

func TestAFileThatIsNoConfigurationIsRefusedInOneLine(t *testing.T) {
	random := make([]byte, 4096)
	for i := range random {
		random[i] = byte(i * i >> 3)
	}
	for name, c := range map[string]struct {
		text []byte
		want string
	}{
		"a megabyte":           {bytes.Repeat([]byte("theme = 1\n"), 100_000), ":1:1: the file is longer than 256 KiB: that is no configuration"},
		"a long comment":       {[]byte("#" + strings.Repeat("x", maxSize)), ":1:1: the file is longer than 256 KiB"},
		"zeros":                {make([]byte, 4096), ":1:1: "},
		"noise":                {random, "config.toml:"},
		"a program":            {[]byte("\x7fELF\x02\x01\x01\x00"), ":1:1: "},
		"a database":           {[]byte("SQLite format 3\x00"), ":1:16: "},
		"UTF-16":               {[]byte("\xff\xfet\x00h\x00"), ":1:1: the byte 0xff is no UTF-8"},
		"carriage returns":     {[]byte("theme = 'dark'\rcolour = 1\r"), ":1:"},
		"an escape sequence":   {[]byte("theme = 'dark'\n\x1b[2J"), ":2:1: the control character 0x1b may not stand here: leave it out"},
		"tables without end":   {bytes.Repeat([]byte("[a"), 1000), ":1:"},
		"brackets without end": {append([]byte("theme = "), bytes.Repeat([]byte("["), 100_000)...), ":1:"},
		"tables in tables":     {append([]byte("keys = "), bytes.Repeat([]byte("{a="), 50_000)...), ":1:"},
		"names in names":       {append(append([]byte("[keys"), bytes.Repeat([]byte(".a"), 50_000)...), ']'), ":1:"},
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			c2, err := readFile(t, c.text)
			if err == nil || c2 != nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("%+v, %.300v, want %q", c2, err, c.want)
			}
			if text := err.Error(); strings.Contains(text, "\n") || len(text) > 2000 {
				t.Errorf("it says %d bytes: %.300q", len(text), text)
			}
			if took := time.Since(began); took > time.Minute {
				t.Errorf("it took %s", took)
			}
		})
	}
}

func TestAByteOrderMarkIsNoPartOfTheFirstKey(t *testing.T) {
	c, err := readFile(t, []byte("\xef\xbb\xbftheme = \"dark\"\r\nkeys.quit = \"Q\"\r\n"))
	if err != nil || c.Theme != "dark" || c.Keys.Quit.Keys()[0] != "Q" || c.Line("keys.quit") != 2 {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestAFileThatMayNotBeReadIsSaid(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Log("root may read everything, so only the message is checked")
	}
	err := unreadable("/etc/c.toml", &os.PathError{Op: "open", Path: "/etc/c.toml", Err: os.ErrPermission}, "mend it")
	if want := "read configuration /etc/c.toml: permission denied: mend it"; !errors.Is(err, os.ErrPermission) || err.Error() != strings.Replace(want, "permission denied", os.ErrPermission.Error(), 1) {
		t.Errorf("%v, want %s", err, want)
	}
}

// FuzzParse looks for a text that makes it crash, or whose error stands outside of it.
func FuzzParse(f *testing.F) {
	f.Add(whole)
	f.Add("keys = { quit = \"Q\" }\n[filters]\n'a.b' = '''\nstatus:5xx'''\n\"\\u0041\" = \"\"\"\\\n x\"\"\"")
	f.Add("[[origins]]\n[keys]\nquit = [ # c\n 'Q', ]\n")
	f.Add("a.\"b\\\"]\".c = {x = [1, {y = 2}], z = 1979-05-27T07:32:00Z}")
	f.Fuzz(func(t *testing.T, text string) {
		_, err := parse("c.toml", text, "/home/ana")
		var wrong *settings.Error
		switch {
		case err == nil:
		case !errors.As(err, &wrong):
			t.Errorf("%q: %v is no error with a place", text, err)
		case wrong.Line < 1 || wrong.Column < 1 || wrong.Line > strings.Count(text, "\n")+1:
			t.Errorf("%q: %v", text, err)
		}
	})
}
