package operation

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"redial/ledger"
)

// lookUp asks whether an operation happened. The result is what is kept if it did.
func (ops *Operations) lookUp(values context.Context, o *ledger.Operation, r *run) (ledger.Finding, *ledger.Result) {
	ask := r.ask
	if ask == nil {
		ask = ops.o.Lookups[o.Name]
	}
	asked := time.Now()
	var f ledger.Finding
	var result *ledger.Result
	switch {
	case ask != nil:
		f = ops.askFunc(values, o, ask)
	case o.Lookup != nil:
		f, result = ops.askServer(values, o, r.withheld)
	default:
		f = ledger.Finding{Verdict: ledger.LookupFailed, Text: "its lookup is a function that this process does not have: give it in Options.Lookups"}
	}
	f.Asked = asked
	return f, result
}

// askFunc asks through the service's own function.
func (ops *Operations) askFunc(values context.Context, o *ledger.Operation, ask LookupFunc) (f ledger.Finding) {
	ctx, cancel := context.WithTimeout(values, o.Budget.WithDefaults().AttemptTimeout)
	defer cancel()
	defer context.AfterFunc(ops.life, cancel)()
	defer func() {
		if p := recover(); p != nil {
			f = ledger.Finding{Verdict: ledger.LookupFailed, Text: fmt.Sprintf("the lookup function panicked: %v", p)}
		}
	}()
	ctx = ledger.WithTrace(ctx, &ledger.Trace{Key: o.Key, Reason: ledger.LookUp})
	f, err := ask(ctx, ops.client, o.Intent)
	if err != nil {
		return ledger.Finding{Verdict: ledger.LookupFailed, Text: plain(err).Error()}
	}
	if f.Verdict == ledger.NoVerdict {
		f.Verdict, f.Text = ledger.LookupFailed, "the lookup function returned neither a verdict nor an error"
	}
	return f
}

// askServer asks as the operation's data says.
func (ops *Operations) askServer(values context.Context, o *ledger.Operation, withheld http.Header) (ledger.Finding, *ledger.Result) {
	l := o.Lookup.WithDefaults()
	req, err := lookupRequest(&o.Intent)
	if err != nil {
		return ledger.Finding{Verdict: ledger.LookupFailed, Text: plain(err).Error()}, nil
	}
	if sameOrigin(req.URL, o.URL) { // credentials go to no other
		for name, values := range withheld {
			req.Header[name] = values
		}
	}
	s := ops.exchange(values, req, o, ledger.LookUp, nil)
	f := finding(&o.Intent, &l, s)
	f.Call, f.Status = s.call, s.status
	f.Text = fmt.Sprintf("%s %s: %s", l.Method, req.URL.Path, f.Text)
	result := &ledger.Result{Status: s.status, Body: s.body, Dropped: s.long, Found: true}
	result.Header, _ = split(&http.Request{Header: s.header}, "")
	return f, result
}

// lookupRequest makes the request of a lookup by data, without credentials.
func lookupRequest(in *ledger.Intent) (*http.Request, error) {
	l := in.Lookup.WithDefaults()
	r, err := http.NewRequest(l.Method, in.Fill(l.URL), nil)
	if err != nil {
		return nil, err
	}
	for _, f := range l.Header {
		r.Header.Add(f.Name, f.Value)
	}
	return r, nil
}

func sameOrigin(u *url.URL, other string) bool {
	o, err := url.Parse(other)
	return err == nil && o.Scheme == u.Scheme && strings.EqualFold(o.Hostname(), u.Hostname()) && port(o) == port(u)
}

// port returns the port of a URL, also where it is not written.
func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	return map[string]string{"http": "80", "https": "443"}[u.Scheme]
}

// finding says what the answer to a lookup means.
func finding(in *ledger.Intent, l *ledger.Lookup, s *sent) ledger.Finding {
	failed := func(why string) ledger.Finding { return ledger.Finding{Verdict: ledger.LookupFailed, Text: why} }
	switch {
	case s.err != nil:
		return failed(s.err.Error())
	case slices.Contains(l.NotFound, s.status):
		return ledger.Finding{Verdict: ledger.FoundNothing, Text: text(s.status)}
	case !slices.Contains(l.Found, s.status):
		return failed(text(s.status))
	case l.Method == http.MethodHead, len(l.Match) == 0 && l.Count == "":
		if s.read != nil {
			return failed(fmt.Sprintf("%s, and the answer could not be read: %v", text(s.status), s.read))
		}
		return ledger.Finding{Verdict: ledger.FoundMatching, Text: text(s.status)}
	case s.read != nil || s.long:
		return failed(text(s.status) + ", and the answer could not be read whole")
	}
	verdict, why, err := match(in, l, s.body)
	if err != nil {
		return failed(fmt.Sprintf("%s, and the answer could not be understood: %v", text(s.status), err))
	}
	return ledger.Finding{Verdict: verdict, Text: text(s.status) + why}
}

var errNotJSON = errors.New("it is not JSON")
