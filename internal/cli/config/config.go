// Package config reads what the user has configured: the file redial/config.toml in
// $XDG_CONFIG_HOME, or in ~/.config if that is not set.
//
//	db = "~/checkout/redial.db"           # the file, where neither --db nor $REDIAL_DB names one
//	theme = "dark"                        # auto, dark, light or none
//
//	[columns]
//	wide = true                           # begin with wide columns in place of side panes
//	calls = ["service", "note"]           # those of the optional columns that are shown
//
//	[keys]                                # by the names that `redial config` lists
//	quit = ["Q"]
//	down = ["j", "down", "ctrl+n"]
//
//	[filters]                             # offered by these names where a filter is written
//	"sent twice" = "duplicate:yes"
//
//	[origins."https://pay.example.test"]
//	headers.Authorization = "env:PAY_TOKEN" # as --header gives it, for what is sent from here
//	keys = { honoured = true, lifetime = "24h" } # what its contract says of idempotency keys
//
// Nothing is guessed. What is not known, or cannot be what it says, is an error that names
// the line and the column, and then nothing of the file is in force. There are no secrets
// in it: a credential is the name of a variable of the environment.
package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"redial/internal/settings"
	"redial/tui/filter"
	"redial/tui/keys"
)

// Config is what a file says. Zero values are what it does not say.
type Config struct {
	Path  string // of the file, whether there is one or not; "" if no folder is known for it
	Found bool   // there is one

	DB      string // whole path of the file with the recording
	Theme   string // auto, dark, light or none
	Wide    bool
	Calls   []string  // optional columns of the calls; nil: all of them
	Keys    *keys.Map // with what the file changes; never nil
	Changed []string  // names of the bindings that the file changes
	Filters []filter.Saved
	Origins []Origin

	lines map[string]int // where what the file says stands, by its path
}

// Origin is what the file says of one origin.
type Origin struct {
	Origin  string // scheme, host and port, in the one spelling of [ParseOrigin]
	Written string // as it stands in the file
	Headers []Header
	Keys    *KeyPolicy // nil: it says nothing of keys
}

// Header is a header whose value is in the environment.
type Header struct {
	Name, Variable string
	Line           int // where it stands
}

// KeyPolicy is what the contract of an API says about idempotency keys.
type KeyPolicy struct {
	Header   string        // that carries them; "" is Idempotency-Key
	Honoured bool          // the API does the work once for a key
	Lifetime time.Duration // for how long it remembers one; 0: what the service has declared, or 24 hours
	Line     int           // where it stands
}

// Line returns the line on which the file says something, by a path such as keys.quit; 0
// if it does not.
func (c *Config) Line(path string) int { return c.lines[path] }

// FilterPath returns the path of a saved filter.
func FilterPath(name string) string { return settings.Join("filters", name) }

// OriginPath returns the path of what is said of an origin, as it is written there: headers
// or keys, and the name of one of them.
func OriginPath(written, table, name string) string {
	return settings.Join(settings.Join(settings.Join("origins", written), table), name)
}

// Columns are the optional columns of the calls.
func Columns() []string { return []string{"service", "note"} }

// Path returns where the file is, "" if there is no folder for it. Getenv looks up the
// environment. A relative XDG_CONFIG_HOME counts as not set (XDG Base Directory
// Specification 0.8).
func Path(getenv func(string) string) string {
	folder := getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(folder) {
		home := getenv("HOME")
		if !filepath.IsAbs(home) {
			return ""
		}
		folder = filepath.Join(home, ".config")
	}
	return filepath.Join(folder, "redial", "config.toml")
}

// Read reads the file that the environment leads to. Without one everything is as it is by
// itself.
func Read(getenv func(string) string) (*Config, error) {
	path := Path(getenv)
	none := &Config{Path: path, Keys: keys.Default()}
	if path == "" {
		return none, nil
	}
	text, err := load(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		return none, nil
	case err != nil:
		return nil, err
	}
	return parse(path, text, getenv("HOME"))
}

// maxSize is how long a file may be: far longer than anyone writes one.
const maxSize = 256 << 10

// load returns the text of a file. What is no regular file is not opened, since a pipe
// would never end.
func load(path string) (string, error) {
	advice := "mend it, or let XDG_CONFIG_HOME name another folder"
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, link := os.Lstat(path); link == nil { // whoever made it wants something to hold
			return "", fmt.Errorf("read configuration %s: it is a link to a file that does not exist: %s", path, advice)
		}
	}
	if err != nil {
		return "", unreadable(path, err, advice)
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("read configuration %s: it is no file but a %s: %s", path, kind(info.Mode()), advice)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", unreadable(path, err, advice)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err != nil {
		return "", unreadable(path, err, advice)
	}
	if len(text) > maxSize {
		return "", &settings.Error{File: path, Line: 1, Column: 1, Text: "the file is longer than 256 KiB: that is no configuration"}
	}
	return string(text), nil
}

func unreadable(path string, err error, advice string) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return fmt.Errorf("read configuration %s: %w: %s", path, err, advice)
}

func kind(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "folder"
	case m&fs.ModeNamedPipe != 0:
		return "pipe"
	}
	return "device"
}
