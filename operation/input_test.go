package operation

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"redial/ledger"
)

func TestBadInputIsOneClearErrorAndNothingIsWrittenOrSent(t *testing.T) {
	body := func(r io.Reader) func(*Operation) {
		return func(o *Operation) { o.Request.Body = io.NopCloser(r) }
	}
	for _, test := range []struct {
		name   string
		change func(*Operation)
		want   string
	}{
		{"a long key", func(o *Operation) { o.Key = strings.Repeat("k", 256) }, "the idempotency key has 256 characters: give 1 to 255"},
		{"a key with a line break", func(o *Operation) { o.Key = "order\n8841" }, "is not printable ASCII"},
		{"a key in another script", func(o *Operation) { o.Key = "заказ" }, "is not printable ASCII"},
		{"a key that ends with a blank", func(o *Operation) { o.Key = "order " }, "begins or ends with a blank"},
		{"no request", func(o *Operation) { o.Request = nil }, "has no request: set Operation.Request"},
		{"no host", func(o *Operation) { o.Request.URL.Host = "" }, "needs an http or https URL with a host"},
		{"a body that breaks off", body(iotest.ErrReader(errors.New("disk gone"))), "read the operation's request body, nothing was sent: disk gone"},
		{"a body that is too short", func(o *Operation) { o.Request.ContentLength = 99 }, "has 10 bytes and its ContentLength says 99"},
		{"a lookup for everything", func(o *Operation) { o.Lookup.URL = "https://orders.example.test/orders" }, "has neither {key} nor {ref}"},
		{"a lookup by a number that is not there", func(o *Operation) { o.Lookup.URL = "https://orders.example.test/{ref}" }, "the operation has no Ref: set it"},
		{"a lookup that could change something", func(o *Operation) { o.Lookup.Method = "POST" }, "use GET or HEAD"},
		{"a lookup that matches in no body", func(o *Operation) { o.Lookup.Method, o.Lookup.Count = "HEAD", "/n" }, "HEAD, whose answer has no body"},
		{"a pointer without a slash", func(o *Operation) { o.Lookup.Match = []ledger.Match{{Pointer: "id"}} }, "does not begin with a slash"},
		{"an undoing of everything", func(o *Operation) { o.Undo = &ledger.Undo{Method: "DELETE", URL: "https://x.example.test/all"} }, "names neither {key} nor {ref}"},
		{"an undoing at no server", func(o *Operation) { o.Undo = &ledger.Undo{Method: "DELETE", URL: "/orders/{key}"} }, "not an http or https URL with a host"},
		{"an undoing by no method", func(o *Operation) { o.Undo = &ledger.Undo{Method: "DE LETE", URL: "https://x.example.test/{key}"} }, `invalid method "DE LETE", in the operation's Undo`},
		{"an undoing of what the key leads to", func(o *Operation) {
			o.Key, o.Undo = "..", &ledger.Undo{Method: "DELETE", URL: "https://x.example.test/orders/{key}"}
		}, `puts ".." into the path`},
		{"a lookup of what the number leads to", func(o *Operation) { o.Ref, o.Lookup.URL = ".", "https://x.example.test/{ref}?key={key}" }, `puts "." into the path`},
		{"a lookup that counts before it was made", func(o *Operation) { o.Lookup.Times = -1 }, "Settle or Times is negative"},
		{"a lookup with a line break in a header", func(o *Operation) { o.Lookup.Header = []ledger.Field{{Name: "X-Tenant", Value: "a\nb"}} }, `header "X-Tenant": it has a control character, in the operation's Lookup`},
		{"a header with a line break", func(o *Operation) { o.Request.Header["X-Tenant"] = []string{"a\r\nb"} }, `header "X-Tenant": it has a control character, in the operation's request`},
		{"a credential with a line break", func(o *Operation) { o.Request.Header["Authorization"] = []string{"Bearer secret\n"} }, `header "Authorization": it has a control character`},
		{"a key header that is none", func(o *Operation) { o.Policy.Header = "Key Header" }, `invalid header name "Key Header"`},
		{"a method that is none", func(o *Operation) { o.Request.Method = "PO ST" }, `invalid method "PO ST", in the operation's request`},
		{"a query with a control", func(o *Operation) { o.Request.URL.RawQuery = "token=secret\x1b" }, "invalid control character in URL, in the operation's request"},
		{"a host that is none", func(o *Operation) { o.Request.Host = "a\nb" }, "Request.Host has a control character"},
		{"a negative budget", func(o *Operation) { o.Budget.Sends = -1 }, "negative"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(t, reply{})
			op := order("order-8841")
			test.change(&op)
			_, err := b.ops.Do(t.Context(), op)
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("\n got %v\nwant %s", err, test.want)
			}
			if err != nil && strings.Contains(err.Error(), "secret") {
				t.Errorf("it tells a secret: %v", err)
			}
			if len(b.seen) > 0 || len(b.store.rows) > 0 {
				t.Errorf("sent %v, written %v", b.seen, b.store.rows)
			}
		})
	}
}

func TestAKeyIsMadeOnceWhereNoneIsGiven(t *testing.T) {
	b := newBench(t, reply{}, reply{})
	keys := map[string]bool{}
	for range 2 {
		r, err := b.ops.Do(t.Context(), order(""))
		if err != nil || r.Key == "" {
			t.Fatalf("got %v, %v", r, err)
		}
		keys[r.Key] = true
	}
	if len(keys) != 2 {
		t.Errorf("two intents have the keys %v", keys)
	}
}

func TestAClientThatIsNotOursIsNotBelieved(t *testing.T) {
	b := newBench(t, reply{}, reply{status: 200})
	foreign := New(&http.Client{Transport: b.script}, b.store, Options{Session: 1})
	defer foreign.Close()
	op := order("order-8841")
	if r, err := foreign.Do(t.Context(), op); err != nil || !r.Found {
		t.Errorf("got %v, %v after %v", r, err, b.store.life("order-8841"))
	}
	if life := strings.Join(b.store.life("order-8841"), " "); life != "sent unanswerable looked-up found" {
		t.Errorf("its life is %s", life)
	}
}
