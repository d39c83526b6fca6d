package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"redial/ledger"
	"redial/tui/visible"
)

// errDeclined says that the person did not say yes.
var errDeclined = errors.New("nothing was done, as you did not say yes")

// question tells the person what is about to be done and asks for a yes. Whatever else
// they say, or nothing, is a no. What was typed before the question is thrown away: it was
// not an answer to it.
func (c *clerk) question(ctx context.Context, o *ledger.Operation, checks []ledger.Check, live []ledger.Session) error {
	w, host := c.app.err, hostOf(o.URL)
	o = shown(o)
	facts := []fact{
		{c.deed.verb, cell{fullName(o.ID()), heading}},
		{"name", cell{text: orDash(o.Name)}},
		{"request", cell{text: o.Method + " " + o.URL}},
		{"host", cell{text: host}},
		{"key", cell{text: o.Key}},
		{"state", cell{standing(o.State).text + " since " + c.app.moment(o.Moved), standing(o.State).style}},
		{"effect", cell{text: c.deed.will(o)}},
	}
	if c.deed.sends {
		facts = append(facts, fact{"sent by", cell{text: sender(o, live)}})
	}
	if c.deed.settles {
		read, err := c.reading(ctx, o)
		if err != nil {
			return err
		}
		facts = append(facts, fact{"reader", cell{text: read}})
	}
	if err := w.facts(append(facts, c.checkFacts(checks)...)); err != nil {
		return err
	}
	fmt.Fprint(w, visible.Text(fmt.Sprintf("Type yes to %s it: ", c.deed.verb)))
	dropTyped(c.app.in) // before the question is seen: an answer to it, however quick, is kept
	if err := w.Flush(); err != nil {
		return err
	}
	yes, err := readYes(ctx, c.app.in)
	if err == nil && !yes {
		err = errDeclined
	}
	return err
}

// reading says whether the service has read the last word of a person on an operation.
func (c *clerk) reading(ctx context.Context, o *ledger.Operation) (string, error) {
	r, err := c.store.Reading(ctx, o.ID())
	return r.Words(orDash(o.Service), c.app.moment(r.At)), err
}

// checkFacts writes the checklist, a line for each check with its verdict.
func (c *clerk) checkFacts(checks []ledger.Check) (facts []fact) {
	for _, k := range checks {
		verdict, look := "holds", plain
		switch {
		case !k.OK && slices.Contains(c.flags.despite, k.Name):
			verdict, look = "overridden", bad
		case !k.OK:
			verdict, look = "fails", bad
		}
		facts = append(facts, fact{verdict, cell{k.Text + ": " + k.Facts, look}})
	}
	if slices.ContainsFunc(checks, func(k ledger.Check) bool { return !k.OK }) {
		facts = append(facts, fact{"beware", cell{"this may do it a second time", bad}})
	}
	return facts
}

// sender says who would send.
func sender(o *ledger.Operation, live []ledger.Session) string {
	if len(live) == 0 {
		return "this process, as no session of " + orDash(o.Service) + " is live"
	}
	return fmt.Sprintf("the live %s, session %s", o.Service, live[0].ID)
}

// hostOf returns host and port of a URL.
func hostOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "-"
	}
	return orDash(u.Host)
}

// readYes reads one line from a terminal and reports whether it is a yes.
func readYes(ctx context.Context, in io.Reader) (bool, error) {
	type line struct {
		text string
		err  error
	}
	read := make(chan line, 1) // the reader is left behind when ctx ends
	go func() {
		buf := make([]byte, 1024)
		n, err := in.Read(buf) // a terminal gives one line at a time
		read <- line{string(buf[:n]), err}
	}()
	select {
	case l := <-read:
		word, ended := strings.CutSuffix(l.text, "\n")
		return ended && strings.EqualFold(strings.TrimSpace(word), "yes"), ctx.Err()
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
}
