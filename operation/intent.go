package operation

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"redial/ledger"
	"redial/transport"
)

// intent makes what is written down of an operation, and returns the headers that are not,
// since they are credentials. It reads the request's body to its end and closes it.
func (op *Operation) intent(service string) (in ledger.Intent, withheld http.Header, err error) {
	if op.Request == nil {
		return in, nil, errors.New("the operation has no request: set Operation.Request")
	}
	body, err := readAll(op.Request)
	if err != nil {
		return in, nil, err
	}
	in = ledger.Intent{
		Service: service, Key: op.Key, Name: op.Name, Ref: op.Ref,
		Method: method(op.Request), Body: body,
		Policy: op.Policy, Budget: op.Budget, Lookup: op.Lookup, Asks: op.LookupFunc != nil, Undo: op.Undo,
	}
	if in.Key == "" {
		in.Key = rand.Text()
	}
	if op.Request.URL != nil {
		in.URL = op.Request.URL.String()
	}
	if err := check(&in, op.Request); err != nil {
		return in, nil, err
	}
	in.Header, withheld = split(op.Request, in.Policy.KeyHeader())
	if err := sendable(&in, withheld); err != nil {
		return in, nil, err
	}
	in.Withheld = slices.Sorted(maps.Keys(withheld))
	in.Fingerprint = in.Sum()
	return in, withheld, nil
}

// check returns an error for what cannot be an operation. Nothing was written or sent.
func check(in *ledger.Intent, r *http.Request) error {
	if err := ledger.CheckKey(in.Key); err != nil {
		return err
	}
	switch {
	case r.URL == nil || r.URL.Host == "" || r.URL.Scheme != "http" && r.URL.Scheme != "https":
		return errors.New("the operation's request needs an http or https URL with a host")
	case in.Budget.Sends < 0 || in.Budget.For < 0 || in.Budget.AttemptTimeout < 0 || in.Budget.Base < 0 || in.Budget.Max < 0:
		return errors.New("the operation's budget has a negative field: use 0 for the default")
	case in.Policy.Lifetime < 0:
		return errors.New("the policy's Lifetime is negative: use 0 for 24 hours")
	}
	if in.Lookup != nil {
		if err := in.Lookup.Check(in); err != nil {
			return err
		}
	}
	return checkUndo(in)
}

func checkUndo(in *ledger.Intent) error {
	u := in.Undo
	switch {
	case u == nil:
		return nil
	case u.Method == "":
		return errors.New("the operation's Undo has no method: set it to DELETE or POST, for instance")
	case !strings.Contains(u.URL+string(u.Body), "{key}") && !strings.Contains(u.URL+string(u.Body), "{ref}"):
		return fmt.Errorf("the Undo of the operation names neither {key} nor {ref}: it must say what is undone")
	case strings.Contains(u.URL+string(u.Body), "{ref}") && in.Ref == "":
		return errors.New("the Undo of the operation asks for {ref}, and the operation has no Ref: set it")
	}
	to, err := url.Parse(in.Fill(u.URL))
	if err != nil || to.Host == "" || to.Scheme != "http" && to.Scheme != "https" {
		return fmt.Errorf("the Undo of the operation has the URL %q, which is not an http or https URL with a host", u.URL)
	}
	return nil
}

// sendable returns an error for what no connection carries: it would be refused at each send,
// when the key is spent on it.
func sendable(in *ledger.Intent, withheld http.Header) error {
	r, err := request(in, withheld)
	if err := carried("request", r, err); err != nil {
		return err
	}
	if in.Lookup != nil {
		r, err := lookupRequest(in)
		if err := cmp.Or(leadsElsewhere("Lookup", in, in.Lookup.URL), carried("Lookup", r, err)); err != nil {
			return err
		}
	}
	if in.Undo != nil {
		r, err := http.NewRequest(in.Undo.Method, in.Fill(in.Undo.URL), nil)
		return cmp.Or(leadsElsewhere("Undo", in, in.Undo.URL), carried("Undo", r, err))
	}
	return nil
}

// leadsElsewhere returns an error for a URL in whose path the key or the business number is
// "." or "..". No escaping keeps servers from taking that for the way to another resource,
// which must not be undone.
func leadsElsewhere(part string, in *ledger.Intent, template string) error {
	path, _, _ := strings.Cut(template, "?")
	for segment := range strings.SplitSeq(path, "/") {
		if s := in.Fill(segment); s != segment && (s == "." || s == "..") {
			return fmt.Errorf("the operation's %s puts %q into the path of %q, where it means another place: give another Key or Ref, or put it into the query", part, s, template)
		}
	}
	return nil
}

// carried returns the error with which a part of an operation was made, or would be refused.
func carried(part string, r *http.Request, err error) error {
	if err == nil {
		err = transport.Check(r)
	}
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w, in the operation's %s", plain(err), part)
}

// readAll reads the request's body, which is kept exactly as it is.
func readAll(r *http.Request) ([]byte, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	body, err := io.ReadAll(r.Body)
	if closeErr := r.Body.Close(); err == nil {
		err = closeErr
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the operation's request body, nothing was sent: %w", err)
	case r.ContentLength > 0 && r.ContentLength != int64(len(body)):
		return nil, fmt.Errorf("the operation's request body has %d bytes and its ContentLength says %d: nothing was sent", len(body), r.ContentLength)
	}
	return body, nil
}

func method(r *http.Request) string {
	if r.Method == "" {
		return http.MethodGet
	}
	return r.Method
}

// split parts the request's headers into those that are kept, in the order of their names,
// and the credentials. The key's header is in neither: it is made from the key.
func split(r *http.Request, keyHeader string) (kept []ledger.Field, withheld http.Header) {
	withheld = http.Header{}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		switch {
		case strings.EqualFold(name, keyHeader):
		case credential(name):
			withheld[name] = slices.Clone(r.Header[name])
		default:
			for _, v := range r.Header[name] {
				kept = append(kept, ledger.Field{Name: name, Value: v})
			}
		}
	}
	if r.Host != "" && r.Host != r.URL.Host {
		kept = append(kept, ledger.Field{Name: "Host", Value: r.Host})
	}
	return kept, withheld
}

// credential reports whether a header of this name is one. Rather one too many: what is
// withheld is asked for again, and what is kept stays in a file.
func credential(name string) bool {
	name = strings.ToLower(name)
	for _, part := range []string{"auth", "cookie", "token", "secret", "password", "signature", "credential", "api-key", "apikey", "access-key"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// request makes the request of one send from what was written down. withheld has the
// credentials; nil if there are none.
func request(in *ledger.Intent, withheld http.Header) (*http.Request, error) {
	var body io.Reader
	if in.Body != nil {
		body = bytes.NewReader(in.Body)
	}
	r, err := http.NewRequest(in.Method, in.URL, body)
	if err != nil {
		return nil, fmt.Errorf("make the request of operation %s: %w", in.Key, err)
	}
	for _, f := range in.Header {
		if f.Name == "Host" {
			r.Host = f.Value
			continue
		}
		r.Header[f.Name] = append(r.Header[f.Name], f.Value)
	}
	maps.Copy(r.Header, withheld)
	setKey(r.Header, in)
	return r, nil
}

// setKey sets the key's header. The names by which net/http would replay the request on
// its own are spelled in lower case, which says the same to the server.
func setKey(h http.Header, in *ledger.Intent) {
	name := http.CanonicalHeaderKey(in.Policy.KeyHeader())
	if name == "Idempotency-Key" || name == "X-Idempotency-Key" {
		name = strings.ToLower(name)
	}
	h[name] = []string{in.Policy.KeyValue(in.Key)}
}

// missing returns the names of credentials that were withheld and that r does not have.
func missing(in *ledger.Intent, h http.Header) []string {
	var names []string
	for _, name := range in.Withheld {
		if len(h[name]) == 0 {
			names = append(names, name)
		}
	}
	return names
}
