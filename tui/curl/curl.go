// Package curl writes a recorded request as a curl command that a person can paste.
//
// What is in the request came from anywhere, and the command goes into a shell: so it
// promises that the shell takes every byte of the request as text, and runs curl and, for
// a body that no argument can hold, printf, and nothing else. Nothing in it is a control
// character, which a terminal would act on while it is pasted. curl sends the method, the
// target, the headers and the body that are on record: none of its own but Host and
// Content-Length, and no file is read because a value looks like the name of one.
//
// What was redacted is not on record. In its place stands an environment variable that is
// named after the header, the parameter or the field, such as "$AUTHORIZATION".
//
// The commands are for bash, zsh and ksh, and, as long as nothing in the request is a
// control character, for every POSIX shell.
package curl

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"redial/ledger"
)

// Request is what a command sends.
type Request struct {
	Method string
	Scheme string // http or https
	Host   string // host and port
	Target string // path and query, as they are sent; "" is /
	Header []ledger.Field
	Body   ledger.Body
}

// OfCall returns the request of attempt n of a call, or for 0 of its last one. A call
// without lists has neither headers nor a body.
func OfCall(c *ledger.Call, n int) Request {
	r := Request{Method: c.Method, Scheme: c.Scheme, Host: c.Host, Target: c.Path}
	if c.Path == "" {
		r.Target = "/"
	}
	if c.Query != "" {
		r.Target += "?" + c.Query
	}
	if n == 0 {
		n = len(c.AttemptList)
	}
	for i := range c.AttemptList {
		if a := &c.AttemptList[i]; a.N == n {
			r.Header, r.Body = a.Request.Header, a.Request.Body
		}
	}
	return r
}

// OfOperation returns the request that sends an operation as it may be shown, with its key.
// Its body is size bytes long and not known.
func OfOperation(o *ledger.Operation, size int) Request {
	r := split(o.Method, o.URL)
	r.Header = append([]ledger.Field{{Name: o.Policy.KeyHeader(), Value: o.Key}}, o.Header...)
	for _, name := range o.Withheld {
		r.Header = append(r.Header, ledger.Field{Name: name, Value: redacted})
	}
	r.Body = ledger.Body{Size: int64(size), Truncated: size > 0}
	return r
}

// OfLookup returns the request that looks an operation up, which changes nothing. The
// operation has a lookup.
func OfLookup(o *ledger.Operation) Request {
	l := o.Lookup.WithDefaults()
	r := split(l.Method, o.Fill(l.URL))
	r.Header = append([]ledger.Field{}, l.Header...)
	return r
}

// split returns a request with the parts of a URL, which need not be one.
func split(method, raw string) Request {
	r := Request{Method: method}
	raw, _, _ = strings.Cut(raw, "#")
	r.Scheme, raw, _ = strings.Cut(raw, "://")
	r.Host, r.Target = raw, "/"
	if i := strings.IndexAny(raw, "/?"); i >= 0 {
		r.Host, r.Target = raw[:i], raw[i:]
	}
	if r.Target[0] == '?' {
		r.Target = "/" + r.Target
	}
	return r
}

// command is one that is being written.
type command struct {
	*Request
	notes []string
	args  []string // each with its option, quoted
	pipe  string   // what writes the body to curl, "" if curl has it as an argument
}

// Command returns the command, with what is missing from it in comments before it. It
// returns an error for a request that no curl can send as it is on record.
func (r *Request) Command() (string, error) {
	c := command{Request: r}
	if err := c.check(); err != nil {
		return "", fmt.Errorf("write a curl command: %w", err)
	}
	c.url()
	c.method()
	c.headers()
	c.body()
	var b strings.Builder
	for _, note := range c.notes {
		b.WriteString(Comment(note) + "\n")
	}
	b.WriteString(c.pipe + "curl " + strings.Join(c.args, " \\\n  "))
	return b.String(), nil
}

// check refuses what would make curl do something else than to send one request.
func (c *command) check() error {
	switch {
	case c.Scheme != "http" && c.Scheme != "https":
		return errors.New("the URL is neither http nor https")
	case !token(c.Method):
		return errors.New("the method is not one that can be sent")
	case c.Host == "" || strings.ContainsFunc(c.Host, noHost):
		return errors.New("the URL has no host that can be connected to")
	case strings.ContainsFunc(c.Target, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return errors.New("the URL has a control character in it")
	case len(c.Target) > longest:
		return errors.New("the URL is longer than an argument of a command can be")
	}
	return nil
}

const (
	alnum     = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	hostBytes = alnum + "-._~:[]%"
	// urlBytes are those that curl sends as they stand in a URL.
	urlBytes   = alnum + "-._~!$&'()*+,;=:@/?%[]{}"
	tokenBytes = alnum + "!#$%&'*+-.^_`|~" // RFC 9110, section 5.6.2
)

// noHost reports whether a character is in no host, with a port or without.
func noHost(r rune) bool { return !strings.ContainsRune(hostBytes, r) && !unicode.IsLetter(r) }

func token(s string) bool { return s != "" && strings.Trim(s, tokenBytes) == "" }

// url writes the URL. A target that curl would change on its way goes beside it.
func (c *command) url() {
	parts, names := c.secrets(c.Target, func(before string) string {
		before = before[strings.LastIndexAny(before, "?&;")+1:]
		name, _, ok := strings.Cut(before, "=")
		if !ok {
			return ""
		}
		return name
	})
	origin := c.Scheme + "://" + c.Host
	joined := strings.Join(parts, "")
	if !strings.HasPrefix(c.Target, "/") || strings.Trim(joined, urlBytes) != "" {
		c.add("--url", quote(origin+"/"))
		c.add("--request-target", word(parts, names))
		return
	}
	parts[0] = origin + parts[0]
	c.add("--url", word(parts, names))
	if len(names) > 0 || strings.ContainsAny(c.Host+joined, "[]{}") {
		c.args = append(c.args, "--globoff")
	}
	if strings.Contains(joined, "/.") {
		c.args = append(c.args, "--path-as-is")
	}
}

func (c *command) method() {
	switch none := c.Body.Size == 0 && len(c.Body.Data) == 0; {
	case none && c.Method == "GET":
	case none && c.Method == "HEAD":
		c.args = append(c.args, "--head")
	default:
		c.add("-X", quote(c.Method))
	}
}

// framing are the headers that come from the connection and from the length of the body.
var framing = [...]string{"content-length", "host", "trailer", "transfer-encoding"}

// headers writes the headers, and takes away those that curl would send by itself.
func (c *command) headers() {
	fields := slices.Clone(c.Header)
	slices.SortStableFunc(fields, func(a, b ledger.Field) int {
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	own := []string{"Accept", "User-Agent"}
	if c.sendsBody() {
		own = append(own, "Content-Type", "Expect")
	}
	for _, f := range fields {
		name := strings.ToLower(f.Name)
		if slices.Contains(framing[:], name) {
			continue
		}
		own = slices.DeleteFunc(own, func(s string) bool { return strings.ToLower(s) == name })
		c.header(f)
	}
	if c.Header == nil {
		c.note("the headers were not kept")
		return
	}
	for _, name := range own {
		c.add("-H", quote(name+":"))
	}
}

// header writes one header line. curl takes one that begins with @ for a file, and one
// without a value for a header that is not to be sent.
func (c *command) header(f ledger.Field) {
	value := strings.Trim(f.Value, " \t")
	switch {
	case !token(f.Name) || strings.ContainsAny(value, "\r\n\x00"):
		c.note("left out, as no request can have it: header " + f.Name)
		return
	case len(f.Name)+len(value) > longest:
		c.note("left out, as no argument of a command can be so long: header " + f.Name)
		return
	case value == "":
		c.add("-H", quote(f.Name+";"))
		return
	}
	parts, names := c.secrets(value, func(string) string { return f.Name })
	parts[0] = f.Name + ": " + parts[0]
	c.add("-H", word(parts, names))
}

func (c *command) add(option, arg string) { c.args = append(c.args, option+" "+arg) }

func (c *command) note(text string) {
	if !slices.Contains(c.notes, text) {
		c.notes = append(c.notes, text)
	}
}
