package ledger

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// Lookup says how to ask a server whether an operation happened. It is data, so that
// others than the service can ask.
type Lookup struct {
	Method string // GET or HEAD; "" is GET
	URL    string // with {key} or {ref}, which are escaped as they are put in
	Header []Field

	Found    []int // statuses that mean that it is there; nil: 200
	NotFound []int // statuses that mean that it is not; nil: 404 and 410

	Match []Match // all have to hold, else what was found is another operation's
	Count string  // JSON pointer (RFC 6901) to an array or a number: 0 is not found, 2 or more is found twice; "": not counted

	// Settle is how long after a send a "not found" does not count yet, and Times how many
	// have to come after that. Zero: 5 seconds, and 2.
	Settle time.Duration
	Times  int
}

// The defaults of [Lookup].
const (
	DefaultSettle = 5 * time.Second
	DefaultTimes  = 2
)

// Match says what a found answer must hold to be ours.
type Match struct {
	Pointer string // JSON pointer (RFC 6901)
	Value   string // the string there, or the number or boolean as it is written; {key} and {ref} are put in
}

// WithDefaults returns the lookup with its zero fields filled in.
func (l Lookup) WithDefaults() Lookup {
	set(&l.Method, "GET")
	set(&l.Settle, DefaultSettle)
	set(&l.Times, DefaultTimes)
	if l.Found == nil {
		l.Found = []int{200}
	}
	if l.NotFound == nil {
		l.NotFound = []int{404, 410}
	}
	return l
}

// Check returns an error for a lookup that cannot be made, or that could change something.
func (l *Lookup) Check(i *Intent) error {
	switch {
	case l.Method != "" && l.Method != "GET" && l.Method != "HEAD":
		return fmt.Errorf("the lookup's method is %q: a lookup must not change anything, so use GET or HEAD", l.Method)
	case !strings.Contains(l.URL, "{key}") && !strings.Contains(l.URL, "{ref}"):
		return fmt.Errorf("the lookup's URL %q has neither {key} nor {ref}: it must say which operation it asks for", l.URL)
	case strings.Contains(l.URL, "{ref}") && i.Ref == "":
		return fmt.Errorf("the lookup's URL %q asks by {ref}, and the operation has no Ref: set it", l.URL)
	case l.Settle < 0 || l.Times < 0:
		return errors.New("the lookup's Settle or Times is negative: use 0 for the default")
	case l.Method == "HEAD" && (len(l.Match) > 0 || l.Count != ""):
		return errors.New("the lookup uses HEAD, whose answer has no body to match or to count in: use GET")
	}
	for _, pointer := range append([]string{l.Count}, pointers(l.Match)...) {
		if pointer != "" && pointer[0] != '/' {
			return fmt.Errorf("the lookup's JSON pointer %q does not begin with a slash", pointer)
		}
	}
	u, err := url.Parse(i.Fill(l.URL))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("the lookup's URL %q is not an http or https URL with a host", l.URL)
	}
	return nil
}

func pointers(ms []Match) []string {
	ps := make([]string, len(ms))
	for i, m := range ms {
		ps[i] = m.Pointer
	}
	return ps
}

// Fill puts the key and the business number into a URL with {key} and {ref}.
func (i *Intent) Fill(template string) string {
	path, query, hasQuery := strings.Cut(template, "?")
	path = i.put(path, url.PathEscape)
	if hasQuery {
		path += "?" + i.put(query, url.QueryEscape)
	}
	return path
}

// FillText puts the key and the business number into a text as they are.
func (i *Intent) FillText(template string) string {
	return i.put(template, func(s string) string { return s })
}

func (i *Intent) put(template string, escape func(string) string) string {
	return strings.NewReplacer("{key}", escape(i.Key), "{ref}", escape(i.Ref)).Replace(template)
}

// Counts reports whether a "not found" that was asked for at asked counts: it came late
// enough after the last send for the original to have shown.
func (o *Operation) Counts(asked time.Time) bool {
	l := o.lookup()
	return !asked.Before(o.LastSent.Add(l.Settle))
}

// Absent reports whether it was not found often and long enough to be sent again.
func (o *Operation) Absent() bool {
	l := o.lookup()
	return o.NotFound >= l.Times
}

// lookup returns the operation's lookup with its defaults. A function has the defaults.
func (o *Operation) lookup() Lookup {
	if o.Lookup == nil {
		return Lookup{}.WithDefaults()
	}
	return o.Lookup.WithDefaults()
}

// CanLookUp reports whether there is any way to ask.
func (i *Intent) CanLookUp() bool { return i.Lookup != nil || i.Asks }

// Finding is what a lookup brought.
type Finding struct {
	Verdict Verdict
	Status  int       // of the answer; 0: none
	Asked   time.Time // when it was asked, wall clock
	Text    string    // in words, what was found or what went wrong; redacted
	Call    CallID    // 0 when nothing was sent
}

// Verdict is what a lookup says of the effect.
type Verdict uint8

// The verdicts.
const (
	NoVerdict     Verdict = iota // nobody has asked
	LookupFailed                 // no usable answer: an error, or a status that says neither
	FoundMatching                // it is there, and it is ours
	FoundNothing                 // it is not there, as far as the server can tell yet
	FoundTwice                   // it is there more than once
	FoundOther                   // something is there, with another payload
	numVerdicts
)

// String returns the verdict as one word.
func (v Verdict) String() string {
	return word(v, "", "failed", "found", "not-found", "found-twice", "found-other")
}

// LookupTimes returns how many lookups have to find nothing before that counts.
func (o *Operation) LookupTimes() int { return o.lookup().Times }
