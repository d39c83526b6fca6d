package books_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"redial/operation/books"
)

// start starts a server that ends with the test.
func start(t *testing.T, o books.Options) *books.Server {
	t.Helper()
	s, err := books.New(1, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	t.Log(s)
	return s
}

// plain returns a client that opens a connection for each request and follows nothing, so
// that net/http has no reason to send anything twice.
func plain(t *testing.T, s *books.Server) *http.Client {
	t.Helper()
	tr := s.Transport(false)
	tr.DisableKeepAlives = true
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr}
}

// answer is what a client got.
type answer struct {
	status int
	header http.Header
	body   string
	err    error // of the request or of its body
}

func (a answer) stored() bool { return a.header.Get("Idempotent-Replayed") == "true" }

// send sends a request with a key, if that is not empty.
func send(ctx context.Context, c *http.Client, method, url, key, body string) answer {
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return answer{err: err}
	}
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	return do(c, r)
}

func do(c *http.Client, r *http.Request) answer {
	resp, err := c.Do(r)
	if err != nil {
		return answer{err: err}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return answer{resp.StatusCode, resp.Header, string(body), err}
}

func order(id string) string { return `{"id":"` + id + `","amount":5}` }

// shop posts and looks up in one mode, with a plain client.
type shop struct {
	t   *testing.T
	s   *books.Server
	c   *http.Client
	url string
}

func openShop(t *testing.T, s *books.Server, m books.Mode) shop {
	return shop{t, s, plain(t, s), s.OrdersURL(m)}
}

func (p shop) post(key, body string) answer {
	return send(p.t.Context(), p.c, "POST", p.url, key, body)
}

func (p shop) get(query string) answer { return send(p.t.Context(), p.c, "GET", p.url+query, "", "") }

func (p shop) cancel(query string) answer {
	return send(p.t.Context(), p.c, "DELETE", p.url+query, "", "")
}

// wantStatus checks the status of an answer that has to have come whole.
func wantStatus(t *testing.T, what string, a answer, want int) {
	t.Helper()
	if a.err != nil || a.status != want {
		t.Errorf("%s: got %d %q, %v, want %d", what, a.status, a.body, a.err, want)
	}
}

// wantEffects checks how many effects the books have, and how many of them are active.
func wantEffects(t *testing.T, s *books.Server, id string, all, active int) {
	t.Helper()
	if a := s.Account(id); len(a.Effects) != all || len(a.Active()) != active {
		t.Errorf("%s has %d effects, %d of them active, want %d and %d", id, len(a.Effects), len(a.Active()), all, active)
	}
}

// settle waits until the server has nothing more to do, its clients being gone.
func settle(t *testing.T, s *books.Server) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := s.Gone(ctx); err != nil {
		t.Fatal(err)
	}
}

func TestOrdersAreCountedByTheIDInTheBody(t *testing.T) {
	s := start(t, books.Options{})
	p := openShop(t, s, books.L1)
	wantStatus(t, "first", p.post("key-1", order("order-1")), 201)
	wantStatus(t, "second, with another key", p.post("key-2", `{"id":"order-1", "amount":6}`), 201)
	wantStatus(t, "with the key of another order", p.post("key-1", order("order-2")), 201)
	settle(t, s)
	a := s.Account("order-1")
	if len(a.Effects) != 2 || len(a.Keys) != 2 || len(a.Hashes) != 2 || len(a.Orders) != 2 {
		t.Errorf("the books have %+v", a)
	}
	if a.Orders[1].Key != "key-2" || a.Orders[1].Status != 201 || !a.Orders[1].Told || a.Effects[1].Amount != "6" {
		t.Errorf("the second order is %+v, %+v", a.Orders[1], a.Effects[1])
	}
	wantEffects(t, s, "order-2", 0, 0) // It got the stored reply of the other.
}

func TestKeysAreFoundWhereAPIsPutThem(t *testing.T) {
	s := start(t, books.Options{KeyHeader: "X-Idempotency-Key"})
	p := openShop(t, s, books.L1)
	for _, value := range []string{`key-1`, `"key-1"`} {
		r, _ := http.NewRequestWithContext(t.Context(), "POST", p.url, strings.NewReader(order("order-1")))
		r.Header.Set("X-Idempotency-Key", value)
		wantStatus(t, value, do(p.c, r), 201)
	}
	wantStatus(t, "in the body", p.post("", `{"id":"order-1","amount":5,"idempotency_key":"key-1"}`), 201)
	wantEffects(t, s, "order-1", 1, 1)
}

func TestLookupsGoByKeyAndByID(t *testing.T) {
	s := start(t, books.Options{})
	p := openShop(t, s, books.L1)
	wantStatus(t, "nobody knows it", p.get("?key=key-1"), 404)
	wantStatus(t, "order", p.post("key-1", order("order-1")), 201)
	for _, query := range []string{"?key=key-1", "?ref=order-1", "/order-1"} {
		a := p.get(query)
		wantStatus(t, query, a, 200)
		var got struct {
			ID     string
			Amount int
			Count  int
			Orders []struct{ Key string }
		}
		if err := json.Unmarshal([]byte(a.body), &got); err != nil || got.ID != "order-1" || got.Amount != 5 ||
			got.Count != 1 || len(got.Orders) != 1 || got.Orders[0].Key != "key-1" {
			t.Errorf("%s: %s, %v", query, a.body, err)
		}
	}
	wantStatus(t, "HEAD", send(t.Context(), p.c, "HEAD", p.url+"/order-1", "", ""), 200)
	if n := len(s.Account("order-1").Lookups); n != 4 {
		t.Errorf("%d lookups, want 4", n)
	}
}

func TestCancelsUndoButForgetNothing(t *testing.T) {
	s := start(t, books.Options{})
	p := openShop(t, s, books.L1)
	wantStatus(t, "before there is anything", p.cancel("/order-1"), 404)
	wantStatus(t, "order", p.post("key-1", order("order-1")), 201)
	wantStatus(t, "cancel", p.cancel("?key=key-1"), 200)
	wantStatus(t, "once more", p.cancel("/order-1"), 200)
	wantStatus(t, "lookup", p.get("/order-1"), 404)
	wantEffects(t, s, "order-1", 1, 0)
}

func TestClosedServerLeavesNoPort(t *testing.T) {
	s := start(t, books.Options{})
	if !strings.HasPrefix(s.URL(), "http://127.0.0.1:") {
		t.Errorf("it listens at %s", s.URL())
	}
	p := openShop(t, s, books.L1)
	s.Close()
	if a := p.post("key-1", order("order-1")); !errors.Is(a.err, syscall.ECONNREFUSED) {
		t.Errorf("after the end: %+v", a)
	}
}

func TestGoneWaitsForWhatCanStillHappen(t *testing.T) {
	clock := &books.Manual{}
	s := start(t, books.Options{Clock: clock})
	soon := func(wait func(context.Context) error) error {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		return wait(ctx)
	}
	tr := s.Transport(false)
	p := shop{t, s, &http.Client{Transport: tr}, s.OrdersURL(books.L6)}
	parked := p.later(t.Context(), "key-1", order("order-1"))
	clock.Await(1)
	for _, wait := range []func(context.Context) error{s.Idle, s.Gone} {
		if err := soon(wait); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("an order is parked, and it says %v", err)
		}
	}
	clock.Advance(time.Second)
	wantStatus(t, "landed", <-parked, 201)
	if err := s.Idle(t.Context()); err != nil {
		t.Error(err)
	}
	if err := soon(s.Gone); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the client keeps its connection, and it says %v", err)
	}
	tr.CloseIdleConnections()
	settle(t, s)
}
