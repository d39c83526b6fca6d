package books_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"redial/operation/books"
)

// wantField checks a number in a JSON answer.
func wantField(t *testing.T, a answer, field string, want float64) {
	t.Helper()
	var got map[string]any
	if err := json.Unmarshal([]byte(a.body), &got); err != nil || got[field] != want {
		t.Errorf("%s is %v in %s, %v, want %v", field, got[field], a.body, err, want)
	}
}

// symptom says what the client sees of a fault.
func symptom(a answer) string {
	retry := a.header.Get("Retry-After")
	switch {
	case a.err != nil && a.status == 0:
		return "no answer"
	case a.err != nil:
		return fmt.Sprint(a.status, " cut off")
	case !json.Valid([]byte(a.body)):
		return fmt.Sprint(a.status, " unreadable")
	case retry != "":
		return fmt.Sprint(a.status, " retry after ", retry)
	}
	return fmt.Sprint(a.status)
}

// faultCases says what each fault does to a client that sends once.
var faultCases = map[books.Fault]struct {
	effects int
	symptom string
}{
	books.NoFault:           {1, "201"},
	books.Refuse:            {0, "no answer"},
	books.ResetMidRequest:   {0, "no answer"},
	books.ResetBeforeReply:  {0, "no answer"},
	books.CommitReset:       {1, "no answer"},
	books.CommitHalfReply:   {1, "201 cut off"},
	books.CommitHang:        {1, "no answer"},
	books.CommitUnavailable: {1, "503"},
	books.Truncated:         {1, "200 cut off"},
	books.CutJSON:           {1, "200 unreadable"},
	books.OneByte:           {1, "201"},
	books.TooMany:           {0, "429"},
	books.TooManyRetry:      {0, "429 retry after 7"},
	books.Unavailable:       {0, "503"},
	books.UnavailableRetry:  {0, "503 retry after 7"},
	books.TLSAlert:          {1, "no answer"},
	books.GoAwayUnread:      {0, "no answer"},
	books.GoAway:            {1, "no answer"},
}

func TestFaultsDoWhatTheirNamesSay(t *testing.T) {
	for _, over := range []struct {
		name       string
		tls, http2 bool
	}{{"HTTP", false, false}, {"TLS", true, false}, {"HTTP2", true, true}} {
		t.Run(over.name, func(t *testing.T) {
			s := start(t, books.Options{TLS: over.tls, Hang: 20 * time.Millisecond, Tick: time.Microsecond, RetryAfter: "7"})
			for _, f := range append(books.Faults(), books.NoFault) {
				if f == books.TLSAlert && !over.tls || (f == books.GoAway || f == books.GoAwayUnread) && !over.http2 {
					continue
				}
				want := faultCases[f]
				tr := s.Transport(over.http2)
				id := strings.ReplaceAll(f.String(), " ", "-")
				s.Plan(id, f)
				// A body that cannot be had again keeps net/http from sending by itself.
				r, _ := http.NewRequestWithContext(t.Context(), "POST", s.OrdersURL(books.L1), io.MultiReader(strings.NewReader(order(id))))
				r.ContentLength = int64(len(order(id)))
				a := do(&http.Client{Transport: tr}, r)
				tr.CloseIdleConnections()
				if got := symptom(a); got != want.symptom {
					t.Errorf("%s: the client saw %q, %v, want %q", f, got, a.err, want.symptom)
				}
				if (want.effects == 1) != f.Commits() {
					t.Errorf("%s commits: %v", f, f.Commits())
				}
				wantEffects(t, s, id, want.effects, want.effects)
				checkError(t, f, a.err, over.http2)
				if n := len(s.Account(id).Orders); n != 1 {
					t.Errorf("%s: %d requests", f, n)
				}
			}
			settle(t, s)
		})
	}
}

// checkError checks those errors that tell faults apart.
func checkError(t *testing.T, f books.Fault, err error, http2 bool) {
	t.Helper()
	part := map[books.Fault]string{
		books.TLSAlert:  "remote error: tls:",
		books.Truncated: "unexpected EOF",
		books.GoAway:    "GOAWAY",
	}[f]
	if part != "" && (err == nil || !strings.Contains(err.Error(), part)) {
		t.Errorf("%s: the error is %v, want %q in it", f, err, part)
	}
	resets := f == books.ResetBeforeReply || f == books.CommitReset || f == books.CommitHalfReply
	if resets && !http2 && !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("%s: the error is %v, want a reset", f, err)
	}
}

func TestLookupsAndCancelsHaveFaultsToo(t *testing.T) {
	s := start(t, books.Options{RetryAfter: "7"})
	p := openShop(t, s, books.L1)
	p.post("key-1", order("order-1"))
	s.PlanLookups("order-1", books.ResetBeforeReply, books.CommitHalfReply, books.UnavailableRetry)
	for _, want := range []string{"no answer", "200 cut off", "503 retry after 7", "200"} {
		if got := symptom(p.get("?key=key-1")); got != want {
			t.Errorf("lookup: %q, want %q", got, want)
		}
	}
	s.Plan("order-1", books.NoFault, books.ResetBeforeReply, books.CommitReset)
	for _, active := range []int{1, 0} {
		if got := symptom(p.cancel("/order-1")); got != "no answer" {
			t.Errorf("cancel: %q", got)
		}
		wantEffects(t, s, "order-1", 1, active)
	}
}

func TestHangLastsUntilTheClientGivesUp(t *testing.T) {
	ctx, giveUp := context.WithCancel(t.Context())
	s := start(t, books.Options{Hang: time.Hour, OnPoint: func(_ string, p books.Point) {
		if p == books.AfterCommit {
			giveUp()
		}
	}})
	s.Plan("order-1", books.CommitHang)
	p := openShop(t, s, books.L1)
	if a := send(ctx, p.c, "POST", p.url, "key-1", order("order-1")); !errors.Is(a.err, context.Canceled) {
		t.Errorf("got %+v", a)
	}
	settle(t, s)
	wantEffects(t, s, "order-1", 1, 1)
}

func TestOneByteAtATime(t *testing.T) {
	clock := &books.Manual{}
	s := start(t, books.Options{Clock: clock})
	s.Plan("order-1", books.OneByte)
	resp, err := plain(t, s).Post(s.OrdersURL(books.L1), "application/json", strings.NewReader(order("order-1")))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	for i := range resp.ContentLength {
		clock.Await(1)
		if n, err := resp.Body.Read(make([]byte, 100)); n != 1 {
			t.Fatalf("byte %d: %d at once, %v", i+1, n, err)
		}
		clock.Advance(time.Second)
	}
}

func TestConnectionsAreRefused(t *testing.T) {
	s := start(t, books.Options{TLS: true})
	p := openShop(t, s, books.L1)
	refused := shop{t, s, p.c, s.RefusedURL()}
	post := func() error { return p.post("key-1", order("order-1")).err }
	if err := refused.post("key-1", order("order-1")).err; !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("the port that refuses: %v", err)
	}
	s.RefuseNext(1)
	if err := post(); err == nil || errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("a connection that is closed unread: %v", err)
	}
	s.AlertNext(1)
	if err := post(); err == nil || !strings.Contains(err.Error(), "remote error: tls:") {
		t.Errorf("a handshake that is turned away: %v", err)
	}
	s.Down()
	if err := post(); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("down: %v", err)
	}
	if n := len(s.Account("order-1").Orders); n != 0 {
		t.Errorf("%d requests went through", n)
	}
	if err := s.Up(); err != nil {
		t.Fatal(err)
	}
	wantStatus(t, "up again", p.post("key-1", order("order-1")), 201)
}

// TestNetHTTPSendsTwiceByItself shows what the books are for: the client sent once.
func TestNetHTTPSendsTwiceByItself(t *testing.T) {
	for _, c := range []struct {
		name  string
		http2 bool
		fault books.Fault
		sends int
	}{
		{"a reset connection that was used before", false, books.CommitReset, 2},
		{"GOAWAY for a stream that was not worked on", true, books.GoAwayUnread, 2},
		{"GOAWAY for a stream that was", true, books.GoAway, 1},
	} {
		s := start(t, books.Options{TLS: c.http2})
		tr := s.Transport(c.http2)
		p := shop{t, s, &http.Client{Transport: tr}, s.OrdersURL(books.L2)}
		p.post("key-0", order("order-0"))
		s.Plan("order-1", c.fault)
		p.post("key-1", order("order-1"))
		tr.CloseIdleConnections()
		settle(t, s)
		a := s.Account("order-1")
		if len(a.Orders) != c.sends {
			t.Errorf("%s: %d requests, want %d", c.name, len(a.Orders), c.sends)
		}
	}
}

func TestChanceFollowsTheSeedAlone(t *testing.T) {
	draw := func(backwards bool) []books.Account {
		s := start(t, books.Options{Rate: 0.5, Hang: time.Millisecond, Tick: 1, Land: 1, Work: 1})
		p := openShop(t, s, books.ByID)
		ids := make([]string, 40)
		for i := range ids {
			ids[i] = fmt.Sprint("order-", i)
		}
		if backwards {
			slices.Reverse(ids)
		}
		for _, id := range ids {
			p.post(id, order(id))
			p.post(id, order(id))
		}
		settle(t, s)
		return s.Accounts()
	}
	forth, back := draw(false), draw(true)
	faults, modes := map[books.Fault]bool{}, map[books.Mode]bool{}
	for i, a := range forth {
		for j, r := range a.Orders {
			if other := back[i].Orders[j]; r.Fault != other.Fault || r.Mode != other.Mode {
				t.Errorf("%s: %+v in one order, %+v in the other", a.ID, r, other)
			}
			faults[r.Fault], modes[r.Mode] = true, true
		}
	}
	if len(faults) < 12 || len(modes) != 9 || len(forth) != 40 {
		t.Errorf("%d orders drew %d faults and %d modes", len(forth), len(faults), len(modes))
	}
}
