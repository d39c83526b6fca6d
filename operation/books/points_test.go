package books_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"redial/operation/books"
)

// diary writes down which points were reached.
type diary struct {
	mu     sync.Mutex
	points []string
}

func (d *diary) enter(id string, p books.Point) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.points = append(d.points, id+": "+p.String())
}

// take returns what was entered since it was last called.
func (d *diary) take() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	taken := d.points
	d.points = nil
	return taken
}

func TestPointsComeInTheirOrder(t *testing.T) {
	all := []string{
		"o: the request line", "o: the resubmission", "o: half of the body", "o: the whole body", "o: before the commit",
		"o: after the commit", "o: half of the reply", "o: the whole reply",
	}
	without := func(points ...string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(p string) bool { return slices.Contains(points, p) })
	}
	for _, http2 := range []bool{false, true} {
		var d diary
		s := start(t, books.Options{TLS: http2, OnPoint: d.enter})
		p := shop{t, s, &http.Client{Transport: s.Transport(http2)}, s.OrdersURL(books.L1)}
		for _, step := range []struct {
			name string
			do   func() answer
			want []string
		}{
			{"first", func() answer { return p.post("key-1", order("o")) }, without("o: the resubmission")},
			{"again", func() answer { return p.post("key-1", order("o")) }, without("o: before the commit", "o: after the commit")},
			{"with another key", func() answer { return p.post("key-2", order("o")) }, all},
			{"lookup", func() answer { return p.get("?key=key-1") }, []string{"o: the lookup"}},
			{"lookup of nothing", func() answer { return p.get("?key=key-9") }, []string{": the lookup"}},
			{"cancel", func() answer { return p.cancel("/o") }, without("o: the resubmission", "o: half of the body", "o: the whole body")},
		} {
			step.do()
			if err := s.Idle(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := d.take(); !slices.Equal(got, step.want) {
				t.Errorf("%s, HTTP/2 %v: %q, want %q", step.name, http2, got, step.want)
			}
		}
		p.c.CloseIdleConnections()
	}
}

// TestPointsOfTheBodyComeAsItComes holds back the body and looks which points are reached.
func TestPointsOfTheBodyComeAsItComes(t *testing.T) {
	for _, http2 := range []bool{false, true} {
		reached := make(chan books.Point, 10)
		s := start(t, books.Options{TLS: http2, OnPoint: func(_ string, p books.Point) { reached <- p }})
		next := func(want books.Point) {
			t.Helper()
			if got := <-reached; got != want {
				t.Fatalf("reached %s, want %s", got, want)
			}
			if len(reached) > 0 {
				t.Fatalf("and went on to %s", <-reached)
			}
		}
		body, w := io.Pipe()
		r, _ := http.NewRequestWithContext(t.Context(), "POST", s.OrdersURL(books.L1)+"?ref=order-1", body)
		text := order("order-1") + strings.Repeat(" ", 1000)
		r.ContentLength = int64(len(text))
		tr := s.Transport(http2)
		answered := make(chan answer, 1)
		go func() { answered <- do(&http.Client{Transport: tr}, r) }()
		next(books.RequestLine)
		_, _ = io.WriteString(w, text[:len(text)/2])
		next(books.HalfBody)
		_, _ = io.WriteString(w, text[len(text)/2:])
		_ = w.Close()
		if got := <-reached; got != books.WholeBody {
			t.Errorf("reached %s, want the whole body", got)
		}
		wantStatus(t, "order", <-answered, 201)
		tr.CloseIdleConnections()
	}
}

func TestHalfOfTheReplyIsOnTheWire(t *testing.T) {
	half, read := make(chan struct{}), make(chan struct{})
	s := start(t, books.Options{OnPoint: func(_ string, p books.Point) {
		if p == books.HalfReply {
			close(half)
			<-read
		}
	}})
	resp, err := plain(t, s).Post(s.OrdersURL(books.L1), "application/json", strings.NewReader(order("order-1")))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	<-half
	if s.Account("order-1").Orders[0].Told {
		t.Error("half of the reply was taken for all of it")
	}
	if _, err := io.ReadFull(resp.Body, make([]byte, resp.ContentLength/2)); err != nil {
		t.Error(err)
	}
	close(read)
	if rest, err := io.ReadAll(resp.Body); err != nil || int64(len(rest)) != resp.ContentLength-resp.ContentLength/2 {
		t.Errorf("the rest is %q, %v", rest, err)
	}
}

// TestWhoeverLeavesAtAPointLeavesHonestBooks ends the client at each point, as a kill does,
// before the server goes on.
func TestWhoeverLeavesAtAPointLeavesHonestBooks(t *testing.T) {
	for _, at := range books.Points() {
		var s *books.Server
		var before, after int
		ctx, leave := context.WithCancel(t.Context())
		gone := make(chan struct{})
		s = start(t, books.Options{OnPoint: func(id string, p books.Point) {
			switch p {
			case books.BeforeCommit:
				before = len(s.Account(id).Effects)
			case books.AfterCommit:
				after = len(s.Account(id).Effects)
			}
			if p == at {
				leave()
				<-gone
			}
		}})
		c := plain(t, s)
		a := send(ctx, c, "POST", s.OrdersURL(books.L1), "key-1", order("order-1"))
		switch at {
		case books.Lookup:
			a = send(ctx, c, "GET", s.OrdersURL(books.L1)+"?key=key-1", "", "")
		case books.Resubmission:
			a = send(ctx, c, "POST", s.OrdersURL(books.L1), "key-1", order("order-1"))
		}
		close(gone)
		if a.err == nil && at != books.WholeReply {
			t.Errorf("left at %s, and got %+v", at, a)
		}
		settle(t, s)
		if ctx.Err() == nil {
			t.Errorf("%s was never reached", at)
		}
		leave()
		wantEffects(t, s, "order-1", 1, 1) // The body had arrived, and a server does not look back.
		if before != 0 || after != 1 {
			t.Errorf("left at %s: %d effects before the commit, %d after it", at, before, after)
		}
	}
}

// TestHalfABodyIsNoOrder ends the client when half of a long body has come.
func TestHalfABodyIsNoOrder(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	body, w := io.Pipe()
	s := start(t, books.Options{OnPoint: func(_ string, p books.Point) {
		if p == books.HalfBody {
			leave()
			_ = w.CloseWithError(context.Canceled) // net/http waits for a body that it reads from.
		}
	}})
	go func() { _, _ = fmt.Fprint(w, order("order-1")) }()
	r, _ := http.NewRequestWithContext(ctx, "POST", s.OrdersURL(books.L1), body)
	r.ContentLength = int64(2 * len(order("order-1")))
	if a := do(plain(t, s), r); a.err == nil {
		t.Errorf("got %+v", a)
	}
	settle(t, s)
	wantEffects(t, s, "order-1", 0, 0)
	if orders := s.Account("order-1").Orders; len(orders) != 1 || orders[0].Hash != "" {
		t.Errorf("the books have %+v", orders)
	}
}
