package operation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
	"redial/transport"
)

// script answers requests one after another, in fake time and without a network.
type script struct {
	mu      sync.Mutex
	replies []reply
	seen    []string // method, path, key and body of each request
	at      []time.Duration
	start   time.Time
}

// reply is one answer. The zero value is 201 without a body.
type reply struct {
	status int
	body   string
	header http.Header
	err    error         // instead of an answer
	after  time.Duration // how long it takes
	broken bool          // the body ends with an error
}

func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	body := ""
	if r.Body != nil {
		b, _ := io.ReadAll(r.Body)
		r.Body.Close()
		body = string(b)
	}
	s.mu.Lock()
	key := r.Header[strings.ToLower("Idempotency-Key")] // so that net/http does not replay it
	s.seen = append(s.seen, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", r.Method, r.URL.RequestURI(), strings.Join(key, ","), body)))
	s.at = append(s.at, time.Since(s.start))
	if len(s.replies) == 0 {
		s.mu.Unlock()
		return nil, errors.New("the script is at its end")
	}
	a := s.replies[0]
	s.replies = s.replies[1:]
	s.mu.Unlock()
	select {
	case <-time.After(a.after):
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	if a.err != nil {
		return nil, a.err
	}
	return a.response(r), nil
}

func (a *reply) response(r *http.Request) *http.Response {
	status, h := a.status, a.header
	if status == 0 {
		status = http.StatusCreated
	}
	if h == nil {
		h = http.Header{}
	}
	var body io.Reader = strings.NewReader(a.body)
	if a.broken {
		body = io.MultiReader(body, brokenReader{})
	}
	return &http.Response{StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: h,
		Body: io.NopCloser(body), ContentLength: -1, Request: r}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// bench is everything that a test of Do needs.
type bench struct {
	*script
	store *memory
	ops   *Operations
}

func newBench(t *testing.T, replies ...reply) *bench {
	b := &bench{script: &script{replies: replies, start: time.Now()}, store: newMemory()}
	b.ops = b.open(1)
	t.Cleanup(func() { b.ops.Close() })
	return b
}

func (b *bench) open(session ledger.SessionID) *Operations {
	client := &http.Client{Transport: &transport.Transport{Base: b.script, Retry: transport.SafeRetry}}
	return New(client, b.store, Options{Session: session})
}

// order is an operation of an API that honours keys and can be asked.
func order(key string) Operation {
	r, _ := http.NewRequest("POST", "https://orders.example.test/orders", strings.NewReader(`{"sku":55}`))
	return Operation{
		Name: "create order", Key: key, Request: r, Policy: ledger.KeyPolicy{Honoured: true},
		Lookup: &ledger.Lookup{URL: "https://orders.example.test/orders?key={key}"},
	}
}

// refusedDial is the error of a connection that was never made.
var errReset = errors.New("connection reset by peer")

func TestDoEndsInWhatTheAnswersProve(t *testing.T) {
	notFound := reply{status: 404}
	for _, test := range []struct {
		name    string
		change  func(*Operation)
		replies []reply
		state   ledger.OperationState
		life    string
	}{
		{"a 201 is a success", nil, []reply{{}}, ledger.OpSucceeded, "sent answered"},
		{"a 400 is a failure", nil, []reply{{status: 400}}, ledger.OpFailed, "sent refused"},
		{"no answer is looked up, and found", nil, []reply{{err: errReset}, {status: 200}}, ledger.OpSucceeded,
			"sent no-answer looked-up found"},
		{"no answer, not found often enough: the same key again", nil,
			[]reply{{err: errReset}, notFound, notFound, notFound, notFound, notFound, notFound, {}}, ledger.OpSucceeded,
			"sent no-answer looked-up looked-up looked-up looked-up looked-up looked-up resubmitted answered"},
		{"a 500 proves nothing", nil, []reply{{status: 500}, {status: 200}}, ledger.OpSucceeded, "sent server-error looked-up found"},
		{"a 202 is a promise", nil, []reply{{status: 202}, {status: 200}}, ledger.OpSucceeded, "sent promised looked-up found"},
		{"a 202 that the policy takes for the answer", func(o *Operation) { o.Policy.Accepted = true }, []reply{{status: 202}}, ledger.OpSucceeded, "sent answered"},
		{"a redirect is not followed", nil, []reply{{status: 302, header: http.Header{"Location": {"https://evil.example.test/"}}}, {status: 200}},
			ledger.OpSucceeded, "sent redirected looked-up found"},
		{"an answer that breaks off is looked up", nil, []reply{{body: `{"id":`, broken: true}, {status: 200}}, ledger.OpSucceeded, "sent unreadable looked-up found"},
		{"an undeclared 409 is looked up", nil, []reply{{status: 409}, {status: 200}}, ledger.OpSucceeded, "sent undeclared looked-up found"},
		{"a 409 that means in flight waits with the same key", func(o *Operation) { o.Policy.Conflict = ledger.InFlight },
			[]reply{{status: 409}, {}}, ledger.OpSucceeded, "sent in-flight wait-over answered"},
		{"a 422 that means another payload needs a person", func(o *Operation) { o.Policy.Unprocessable = ledger.OtherPayload },
			[]reply{{status: 422}}, ledger.OpPending, "sent other-payload other-payload"},
		{"a 429 is asked again", nil, []reply{{status: 429}, {}}, ledger.OpSucceeded, "sent throttled wait-over answered"},
		{"without a lookup a person is needed", func(o *Operation) { o.Lookup = nil }, []reply{{err: errReset}}, ledger.OpPending, "sent no-answer no-lookup"},
		{"keys that are not honoured are never sent again", func(o *Operation) { o.Policy.Honoured = false },
			[]reply{{err: errReset}, notFound, notFound, notFound, notFound, notFound, notFound, notFound, notFound}, ledger.OpPending, ""},
		{"a lookup that finds it twice needs a person", func(o *Operation) { o.Lookup.Count = "/items" },
			[]reply{{err: errReset}, {status: 200, body: `{"items":[1,2]}`}}, ledger.OpPending, "sent no-answer looked-up found-twice"},
		{"a lookup that finds another payload needs a person", func(o *Operation) { o.Lookup.Match = []ledger.Match{{Pointer: "/sku", Value: "55"}} },
			[]reply{{err: errReset}, {status: 200, body: `{"sku":56}`}}, ledger.OpPending, "sent no-answer looked-up found-other"},
		{"lookups that fail need a person", nil, []reply{{err: errReset}, {status: 500}, {status: 500}, {status: 500}}, ledger.OpPending,
			"sent no-answer looked-up looked-up looked-up lookup-failed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, test.replies...)
				op := order("order-8841")
				if test.change != nil {
					test.change(&op)
				}
				_, err := b.ops.Do(t.Context(), op)
				o, _ := b.store.Operation(t.Context(), ledger.ID{Service: "shop", Key: "order-8841"})
				if o.State != test.state {
					t.Fatalf("it is %s after %v: %v", o.State, b.store.life("order-8841"), err)
				}
				if life := strings.Join(b.store.life("order-8841"), " "); test.life != "" && life != test.life {
					t.Errorf("\n got %s\nwant %s", life, test.life)
				}
				b.checkError(t, &o, err)
				b.checkSends(t)
				b.ops.Close()
			})
		})
	}
}

// checkError checks that the caller is told how the operation stands.
func (b *bench) checkError(t *testing.T, o *ledger.Operation, err error) {
	t.Helper()
	want := map[ledger.OperationState]error{ledger.OpPending: ErrPending, ledger.OpFailed: ErrFailed}[o.State]
	if !errors.Is(err, want) || want == nil && err != nil {
		t.Errorf("it is %s, and the caller is told: %v", o.State, err)
	}
}

// checkSends checks that every send had the same key and the same bytes.
func (b *bench) checkSends(t *testing.T) {
	t.Helper()
	for _, r := range b.seen {
		if strings.HasPrefix(r, "POST") && r != `POST /orders order-8841 {"sku":55}` {
			t.Errorf("sent %s", r)
		}
	}
}

func TestTheCallerMayLeaveAndTheOperationGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, reply{after: 3 * time.Second})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := b.ops.Do(ctx, order("order-8841"))
		if !errors.Is(err, ErrPending) || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("got %v", err)
		}
		result, err := b.ops.Wait(t.Context(), "order-8841")
		if err != nil || result.Status != 201 {
			t.Fatalf("got %v, %v", result, err)
		}
		b.ops.Close()
	})
}

// As in the rest of Go, a context that has ended is known by its own error and by its cause.
func TestNothingBeginsForACallerWhoHasLeft(t *testing.T) {
	b := newBench(t, reply{})
	gone := errors.New("the customer closed the page")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(gone)
	if _, err := b.ops.Do(ctx, order("order-8841")); !errors.Is(err, context.Canceled) || !errors.Is(err, gone) || errors.Is(err, ErrPending) {
		t.Errorf("it is said: %v", err)
	}
	if len(b.seen) > 0 || len(b.store.rows) > 0 {
		t.Errorf("sent %v, written %v", b.seen, b.store.rows)
	}
}

func TestTheSameKeyIsTheSameOperation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, reply{body: "55120", after: time.Second})
		var group sync.WaitGroup
		for range 20 {
			group.Go(func() {
				r, err := b.ops.Do(t.Context(), order("order-8841"))
				if err != nil || string(r.Body) != "55120" {
					t.Errorf("got %v, %v", r, err)
				}
			})
		}
		group.Wait()
		if r, err := b.ops.Do(t.Context(), order("order-8841")); err != nil || string(r.Body) != "55120" {
			t.Errorf("afterwards: %v, %v", r, err)
		}
		other := order("order-8841")
		other.Request, _ = http.NewRequest("POST", "https://orders.example.test/orders", strings.NewReader(`{"sku":56}`))
		if _, err := b.ops.Do(t.Context(), other); !errors.Is(err, ErrOtherRequest) {
			t.Errorf("with another request: %v", err)
		}
		if len(b.seen) != 1 {
			t.Errorf("sent %d times: %v", len(b.seen), b.seen)
		}
		b.ops.Close()
	})
}

func TestNothingIsSentThatIsNotWrittenDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, reply{})
		b.store.fail = func(string) error { return errors.New("disk full") }
		_, err := b.ops.Do(t.Context(), order("order-8841"))
		if !errors.Is(err, ErrNotWritten) || !strings.Contains(err.Error(), "disk full") {
			t.Errorf("got %v", err)
		}
		if len(b.seen) > 0 {
			t.Errorf("sent %v", b.seen)
		}
		b.ops.Close()
	})
}

func TestOperationsWaitForARecorderThatIsLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, reply{})
		late := time.Now().Add(3 * time.Second)
		b.store.fail = func(what string) error {
			if what == "enrolled" && time.Now().Before(late) {
				return errors.New("not yet")
			}
			return nil
		}
		ops := b.open(0)
		if r, err := ops.Do(t.Context(), order("order-8841")); err != nil || r.Status != 201 {
			t.Errorf("got %v, %v", r, err)
		}
		if b.at[0] < 3*time.Second {
			t.Errorf("sent after %s, before there was a session", b.at[0])
		}
		ops.Close()
		b.ops.Close()
	})
}
