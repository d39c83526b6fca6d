// Package policy reads from a TOML file what a transport is to do: when to send again, by
// which route, on what budget, and within which windows and bandwidths. A service can then
// be calmed down without being built again.
//
// A file says no more than the fields of [transport.Transport] do, by the same names in
// lower case; what is a function there, such as an advisor of one's own, is not in it. What
// it leaves out has the same default. Durations are strings such as "200ms", "4.5s" or
// "14d". Nothing is guessed: a key that is not known, a value of another type, or one that
// the transport would refuse is an [Error] that says where in the file it stands, and then
// nothing of the file is in force.
//
//	[retry]                       # for all requests that no route fits
//	preset = "safe"               # safe, strict, article or off; what follows changes it
//	attempts = 3
//	base = "200ms"
//	max = "30s"
//	multiplier = 2
//	jitter = "full"               # none, full, equal or decorrelated
//	attempt_timeout = "5s"
//	share_deadline = true
//	limit = "1m"
//	max_retry_after = "1m"
//	statuses = [408, 429, 503]
//	errors = ["connect", "lost"]  # dns, connect, timeout, lost
//	in_flight = { header = "X-Conflict", value = "in-flight" } # of a 409
//	key_header = "Idempotency-Key"
//	repeat = "by-method-or-key"   # by-method, by-key, always (routes only) or never
//	strict = false
//	advisors = ["github"]         # github, grpc, stripe-should-retry, x-should-retry
//
//	[budget]                      # of each host
//	burst = 100
//	ratio = 0.2
//	per_second = 10
//	off = false
//
//	[[routes]]                    # the first that fits counts
//	name = "search"
//	methods = ["POST"]
//	host = "*.example.test"
//	path = "/search/{index}"
//	retry = { repeat = "always" } # changes what [retry] says; with a preset, that
//	budget = { burst = 10 }       # of its own
//
//	[[windows]]
//	host = "api.example.test"     # without it, every host apart
//	path = "/orders/"
//	kind = "gcra"                 # fixed, sliding or gcra
//	limit = 3
//	per = "4.5s"
//	burst = 2                     # of a gcra
//
//	[[bandwidth]]                 # in bytes a second
//	host = "files.example.test"   # without it, all hosts together
//	up = 65_536
//	down = 1_048_576
//
// Above the first table, no_pause = true keeps one call's answer from concerning others.
package policy

import (
	"errors"
	"fmt"
	"io"
	"os"

	"redial/internal/settings"
	"redial/transport"
)

// Config is what a file says. The zero value sends once and holds no window.
type Config struct {
	Retry     transport.Retry
	Routes    []transport.Route
	Budget    transport.Budget
	Windows   []transport.Window
	NoPause   bool
	Bandwidth []transport.Bandwidth
}

// Apply sets the fields of a transport that a file has a say in, all of them, also those
// that the file says nothing about. The transport must not have been used.
func (c *Config) Apply(t *transport.Transport) {
	t.Retry, t.Routes, t.Budget = c.Retry, c.Routes, c.Budget
	t.Windows, t.NoPause, t.Bandwidth = c.Windows, c.NoPause, c.Bandwidth
}

// Error says what is wrong with a file, and where. It takes one line.
type Error struct {
	File   string // its name; "" if it is not known
	Line   int    // from 1
	Column int    // in bytes, from 1
	Field  string // such as routes[1].retry.base; "" for what is no TOML
	Text   string // what it is, and what it should be
}

// Error names the file, the place in it, the field, and what to do.
func (e *Error) Error() string {
	file := e.File
	if file == "" {
		file = "policy"
	}
	text := e.Text
	if e.Field != "" {
		text = e.Field + " " + text
	}
	return fmt.Sprintf("redial: %s:%d:%d: %s", file, e.Line, e.Column, text)
}

// File reads the file of that name.
func File(name string) (*Config, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("redial: read policy: %w", err)
	}
	defer f.Close()
	return Read(f)
}

// maxSize is how long a file may be: far longer than anyone writes one.
const maxSize = 256 << 10

// Read reads a file that is open. If r has a name, as an [os.File] has, errors have it too.
func Read(r io.Reader) (*Config, error) {
	name := ""
	if n, ok := r.(interface{ Name() string }); ok {
		name = n.Name()
	}
	text, err := io.ReadAll(io.LimitReader(r, maxSize+1))
	if err != nil {
		return nil, fmt.Errorf("redial: read policy: %w", err)
	}
	if len(text) > maxSize {
		return nil, &Error{File: name, Line: 1, Column: 1, Text: "is longer than 256 KiB: that is no policy"}
	}
	return parse(name, string(text))
}

// parse makes a Config of a file's text.
func parse(name, text string) (*Config, error) {
	c := new(Config)
	err := settings.Read(name, text, c.take)
	if e := (*settings.Error)(nil); errors.As(err, &e) {
		return nil, &Error{File: e.File, Line: e.Line, Column: e.Column, Field: e.Field, Text: e.Text}
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}
