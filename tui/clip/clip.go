// Package clip copies: what there is to copy of a call or an operation, the menu in which
// one chooses, and the ways to the clipboard.
//
// A terminal is told by OSC 52 what to put into its clipboard, which works over SSH and
// says nothing back, so nobody learns whether it did. In tmux the text goes into its
// buffer as well, since as it is set up by default it lets no program reach the clipboard
// otherwise. What no clipboard takes, or what would act on whatever it is pasted into, is
// written to a file that only its owner can read.
package clip

import (
	"fmt"
	"slices"
	"strings"

	"redial/ledger"
	"redial/tui/curl"
	"redial/tui/draw"
)

// Item is something that can be copied.
type Item struct {
	Name string // as it stands in the menu
	Text string
	None string // why there is nothing to copy; "" if there is
	Note string // what stands beside the name; "" is the size and the beginning of Text
}

// Subject is what the items are of.
type Subject struct {
	Name  string // such as "call 3-1207"
	Items []Item
}

// OfCall returns what can be copied of attempt n of a call that was read whole, or for 0 of
// its last attempt.
func OfCall(c *ledger.Call, n int) Subject {
	s := Subject{Name: "call " + c.ID.String()}
	var a ledger.Attempt
	if n == 0 {
		n = len(c.AttemptList)
	}
	for i := range c.AttemptList {
		if c.AttemptList[i].N == n {
			a = c.AttemptList[i]
		}
	}
	if len(c.AttemptList) > 1 {
		s.Name += fmt.Sprintf(", attempt %d", n)
	}
	r := curl.OfCall(c, n)
	s.Items = []Item{
		command(&r),
		text("URL", c.URL(), ""),
		text("idempotency key", c.Key, "the call has none"),
		headers("request headers", a.Request.Header),
		body("request body", &a.Request.Body),
		headers("response headers", a.Response.Header),
		body("response body", &a.Response.Body),
	}
	return s
}

// OfOperation returns what can be copied of an operation as it may be shown. Its body, of
// size bytes, is not among that. What only asks stands before what would send it again.
func OfOperation(o *ledger.Operation, size int) Subject {
	s := Subject{Name: "operation " + o.Key}
	lookup := Item{Name: "curl that looks it up", None: "it has no lookup that is data"}
	if o.Lookup != nil && o.Lookup.URL != "" {
		r := curl.OfLookup(o)
		lookup = command(&r)
		lookup.Name = "curl that looks it up"
	}
	r := curl.OfOperation(o, size)
	send := command(&r)
	send.Name = "curl that SENDS it again"
	s.Items = []Item{
		lookup,
		text("URL", o.URL, ""),
		text("idempotency key", o.Key, ""),
		text("name for redial ops", o.Service+"/"+o.Key, ""),
		headers("request headers", o.Header),
		text("business number", o.Ref, "it has none"),
		send,
	}
	if o.Result != nil {
		b := ledger.Body{Data: o.Result.Body, Size: int64(len(o.Result.Body))}
		s.Items = append(s.Items, headers("headers of the answer", o.Result.Header), body("body of the answer", &b))
	}
	return s
}

func command(r *curl.Request) Item {
	c, err := r.Command()
	if err != nil {
		return Item{Name: "curl command", None: err.Error()}
	}
	return Item{Name: "curl command", Text: c}
}

func text(name, value, none string) Item {
	if value == "" {
		return Item{Name: name, None: none}
	}
	return Item{Name: name, Text: value}
}

func headers(name string, fields []ledger.Field) Item {
	if len(fields) == 0 {
		return Item{Name: name, None: "none were kept"}
	}
	fields = slices.Clone(fields)
	slices.SortStableFunc(fields, func(a, b ledger.Field) int { return strings.Compare(a.Name, b.Name) })
	var b strings.Builder
	for _, f := range fields {
		b.WriteString(f.Name + ": " + f.Value + "\n")
	}
	return Item{Name: name, Text: b.String()}
}

func body(name string, b *ledger.Body) Item {
	switch {
	case b.Size == 0 && len(b.Data) == 0:
		return Item{Name: name, None: "there was none"}
	case len(b.Data) == 0:
		return Item{Name: name, None: "it was not kept"}
	case b.Truncated:
		name += ", its first " + draw.Bytes(int64(len(b.Data)))
	}
	return Item{Name: name, Text: string(b.Data)}
}
