package transport_test

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"text/tabwriter"

	"github.com/charmbracelet/x/exp/golden"

	"redial/ledger"
	"redial/transport"
)

// row is one request of the matrix, sent to a site that fails at one point.
type row struct {
	point *point
	method, key,
	body string
}

// rows returns all rows of a point: every method, with and without a key, with every kind
// of body. In all there are many times the 96 that would do.
func (p *point) rows() (rows []row) {
	for _, method := range []string{"GET", "PUT", "DELETE", "POST", "PATCH"} {
		for _, key := range []string{"", "key"} {
			for _, body := range []string{"none", "replayable", "one-shot"} {
				if body != "none" || p.spoil == "" {
					rows = append(rows, row{p, method, key, body})
				}
			}
		}
	}
	return rows
}

// repeatable is the gate's rule about methods and keys, written down once more.
func (r row) repeatable() bool {
	return r.key != "" || slices.Contains([]string{"GET", "PUT", "DELETE"}, r.method)
}

// verdict is what became of a row.
type verdict struct {
	row
	call ledger.Call
	site *site
	got  string // what the caller got: a status and a body, the class of the error, or both
}

// TestMatrix sends every kind of request to a server that fails at every point of an
// exchange, and holds what came of it against testdata/TestMatrix.golden, which is meant to
// be read: it says for each of these requests what the server saw, how often it did the
// work, what was decided after each attempt and what the caller got.
// After a change that is meant, `go test ./transport -run TestMatrix -update` writes it.
func TestMatrix(t *testing.T) {
	var all sync.WaitGroup
	var verdicts []*verdict
	room := make(chan struct{}, 100) // of rows at once
	for _, p := range points() {
		for _, r := range p.rows() {
			v := &verdict{row: r}
			verdicts = append(verdicts, v)
			all.Go(func() {
				room <- struct{}{}
				defer func() { <-room }()
				v.play(t)
			})
		}
	}
	all.Wait()
	if len(verdicts) < 96 {
		t.Errorf("the matrix has %d rows", len(verdicts))
	}
	for _, v := range verdicts {
		v.check(t)
	}
	golden.RequireEqual(t, []byte(render(verdicts)))
}

// play sends the row's request.
func (v *verdict) play(t *testing.T) {
	var err error
	if v.site, err = newSite(v.point); err != nil {
		t.Error(err)
		return
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	v.site.leave = cancel
	base := &http.Transport{DialContext: v.site.dial}
	j := newJournal()
	rt := &transport.Transport{Base: base, Recorder: j, Retry: quick}
	rt.Retry.AttemptTimeout = v.point.timeout
	if v.point.reused {
		if resp, err := (&http.Client{Transport: rt}).Get(v.site.url()); err == nil {
			finish(resp, nil)
		}
	}
	bs := &bodies{}
	v.send(rt, v.request(t, bs).WithContext(ctx))
	base.CloseIdleConnections()
	bs.closedOnce(t)
	v.site.close(t)
	calls := j.all()
	v.call = calls[len(calls)-1]
}

// send sends the request and notes what its caller got.
func (v *verdict) send(rt http.RoundTripper, req *http.Request) {
	resp, err := rt.RoundTrip(req)
	if err != nil {
		v.got = class(err)
		return
	}
	code, text, err := finish(resp, nil)
	v.got = fmt.Sprintf("%d, %q", code, text)
	if err != nil {
		v.got += ", " + class(err)
	}
}

// request makes the row's request. Its bodies are of no kind that net/http knows.
func (v *verdict) request(t *testing.T, bs *bodies) *http.Request {
	if v.body != "none" {
		bs.text = payload
	}
	req := bs.request(t, v.method, v.site.url(), v.body == "replayable")
	v.point.spoils(req)
	if v.key != "" {
		req.Header.Set("Idempotency-Key", "order-8841")
	}
	return req
}

// check holds the verdict against what must be true of every row, so that no surprise can
// find its way into the golden file.
func (v *verdict) check(t *testing.T) {
	sends := 0
	for _, a := range v.call.AttemptList {
		sends += a.WireSends
	}
	want := ""
	if v.body != "none" {
		want = payload
	}
	for _, seen := range v.site.seen {
		if seen.whole && seen.body != want {
			t.Errorf("%v: the server read %q, want %q", v.row, seen.body, want)
		}
	}
	switch {
	case sends != len(v.site.seen):
		t.Errorf("%v: %d wire sends recorded, the server saw %d", v.row, sends, len(v.site.seen))
	case (!v.repeatable() || v.body == "one-shot") && sends > 1:
		t.Errorf("%v: sent %d times", v.row, sends)
	case (v.key != "" || !v.repeatable()) && v.site.done > 1:
		t.Errorf("%v: the work was done %d times", v.row, v.site.done)
	case v.call.Attempts > 3:
		t.Errorf("%v: %d attempts", v.row, v.call.Attempts)
	}
}

func (r row) String() string {
	return fmt.Sprintf("%s: %s %s %s", r.point.name, r.method, r.key, r.body)
}

// class names the kind of an error. What differs from run to run, such as whether a write
// or a read meets a reset first, is one kind.
func class(err error) string {
	var certificate x509.UnknownAuthorityError
	var timeout net.Error
	switch {
	case err == nil:
		return ""
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case strings.Contains(err.Error(), "its body had 9 bytes"):
		return "body of another length"
	case errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return "timed out"
	case errors.Is(err, errDiskGone):
		return "the body's own error"
	case errors.As(err, &certificate):
		return "certificate refused"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "broken off"
	case strings.Contains(err.Error(), "malformed HTTP"):
		return "no HTTP"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, io.EOF), errors.Is(err, net.ErrClosed),
		strings.Contains(err.Error(), "server closed idle connection"):
		return "connection lost"
	}
	return err.Error()
}

// render writes the matrix as a document, with a line for all requests that fare alike.
func render(verdicts []*verdict) string {
	var b strings.Builder
	b.WriteString(legend)
	for len(verdicts) > 0 {
		p, n := verdicts[0].point, 0
		for n < len(verdicts) && verdicts[n].point == p {
			n++
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", p.name, p.story)
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "methods\tkey\tbody\tserver read\tdid\tattempts\tcaller got")
		for _, l := range lines(verdicts[:n]) {
			fmt.Fprintf(w, "%s\t%s\n", strings.Join(l.of[:], "\t"), l.what)
		}
		w.Flush()
		verdicts = verdicts[n:]
	}
	return b.String()
}

// line is what becomes of some requests: of each method, with each key and each body that
// it names.
type line struct {
	of   [3]string // methods, keys, bodies
	what string
}

// lines sums verdicts up, as few lines as there can be if methods are put together first.
func lines(verdicts []*verdict) (all []line) {
	for _, v := range verdicts {
		key := "no"
		if v.key != "" {
			key = "yes"
		}
		all = append(all, line{[3]string{v.method, key, v.body}, v.String()})
	}
	for _, by := range []int{0, 2, 1} {
		all = merged(all, by)
	}
	return all
}

// merged puts lines together that are the same but for one thing.
func merged(all []line, by int) (fewer []line) {
	for _, l := range all {
		i := slices.IndexFunc(fewer, func(f line) bool {
			f.of[by] = l.of[by]
			return f == l
		})
		if i < 0 {
			fewer = append(fewer, l)
			continue
		}
		fewer[i].of[by] += " " + l.of[by]
	}
	return fewer
}

// String writes down what came of a request.
func (v *verdict) String() string {
	return fmt.Sprintf("%s\t%d\t%s\t%s", v.site.read(), v.site.done, v.attempts(), v.got)
}

// attempts writes down each attempt: its outcome, its sends if they are not one, and what
// was decided after it.
func (v *verdict) attempts() string {
	var all []string
	for _, a := range v.call.AttemptList {
		sends := ""
		if a.WireSends != 1 {
			sends = fmt.Sprintf(" ×%d", a.WireSends)
		}
		all = append(all, fmt.Sprintf("%v%s: %v", a.Outcome, sends, a.Decision))
	}
	return strings.Join(all, ", ")
}

const legend = `# What becomes of a request

Each section is a point at which an exchange fails. Each line is about requests that fare
alike: their methods, whether they have an idempotency key, and their bodies (none;
replayable, which GetBody makes again; one-shot, which nobody can make again). The policy
makes up to three attempts.

server read: how much of the request it read at each arrival: "whole", "part" (not the whole
  body), or "-" (not a byte). What it read as a whole were the same bytes each time.
did: how often it did the work that the request asks for. It knows a key again, and then
  answers without doing it once more.
attempts: of each the outcome, how often it was on the wire if not once, and the decision.
caller got: the status and the body, and the kind of the error.
`
