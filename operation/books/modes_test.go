package books_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"redial/operation/books"
)

func TestHonouredKeyGivesTheStoredReply(t *testing.T) {
	for _, m := range []books.Mode{books.L1, books.L5, books.L7} {
		s := start(t, books.Options{})
		p := openShop(t, s, m)
		first, again := p.post("key-1", order("order-1")), p.post("key-1", order("order-1"))
		wantStatus(t, m.String(), first, 201)
		wantStatus(t, m.String(), again, 201)
		if first.stored() || !again.stored() || first.body != again.body || !s.Account("order-1").Orders[1].Stored {
			t.Errorf("%s: first %+v, then %+v", m, first, again)
		}
		wantEffects(t, s, "order-1", 1, 1)
	}
}

func TestIgnoredKeyDoesItTwice(t *testing.T) {
	for m, lookup := range map[books.Mode]int{books.L2: 200, books.L3: 501} {
		s := start(t, books.Options{})
		p := openShop(t, s, m)
		p.post("key-1", order("order-1"))
		p.post("key-1", order("order-1"))
		wantEffects(t, s, "order-1", 2, 2)
		wantStatus(t, m.String(), p.get("/order-1"), lookup)
	}
}

func TestL4ForgetsTheKey(t *testing.T) {
	clock := &books.Manual{}
	s := start(t, books.Options{Clock: clock, Lifetime: time.Minute})
	p := openShop(t, s, books.L4)
	p.post("key-1", order("order-1"))
	clock.Advance(time.Minute - 1)
	if a := p.post("key-1", order("order-1")); !a.stored() {
		t.Errorf("within its lifetime: %+v", a)
	}
	clock.Advance(1)
	if a := p.post("key-1", order("order-1")); a.stored() {
		t.Errorf("after its lifetime: %+v", a)
	}
	wantEffects(t, s, "order-1", 2, 2)
}

func TestL5ShowsOrdersLate(t *testing.T) {
	clock := &books.Manual{}
	s := start(t, books.Options{Clock: clock, Stale: time.Minute})
	p := openShop(t, s, books.L5)
	p.post("key-1", order("order-1"))
	wantEffects(t, s, "order-1", 1, 1)
	clock.Advance(time.Minute - 1)
	wantStatus(t, "stale", p.get("?key=key-1"), 404)
	clock.Advance(1)
	wantStatus(t, "fresh", p.get("?key=key-1"), 200)
}

// later posts in the background.
func (p shop) later(ctx context.Context, key, body string) <-chan answer {
	c := make(chan answer, 1)
	go func() { c <- send(ctx, p.c, "POST", p.url, key, body) }()
	return c
}

func TestL6LandsLate(t *testing.T) {
	clock := &books.Manual{}
	s := start(t, books.Options{Clock: clock})
	p := openShop(t, s, books.L6)
	parked := p.later(t.Context(), "key-1", order("order-1"))
	clock.Await(1)
	wantStatus(t, "parked", p.get("?key=key-1"), 404)
	wantEffects(t, s, "order-1", 0, 0)
	clock.Advance(time.Second)
	wantStatus(t, "landed", <-parked, 201)
	wantStatus(t, "landed", p.get("?key=key-1"), 200)
}

func TestL6LandsThoughTheClientIsGone(t *testing.T) {
	clock := &books.Manual{}
	s := start(t, books.Options{Clock: clock})
	p := openShop(t, s, books.L6)
	ctx, giveUp := context.WithCancel(t.Context())
	parked := p.later(ctx, "key-1", order("order-1"))
	clock.Await(1)
	giveUp()
	if a := <-parked; a.err == nil {
		t.Errorf("the client did not give up: %+v", a)
	}
	clock.Advance(time.Second)
	settle(t, s)
	wantEffects(t, s, "order-1", 1, 1)
}

func TestL6IsOvertakenAndStillRemovesDuplicates(t *testing.T) {
	for key, effects := range map[string]int{"key-1": 1, "key-2": 2} {
		clock := &books.Manual{}
		s := start(t, books.Options{Clock: clock})
		p := openShop(t, s, books.L6)
		parked := p.later(t.Context(), "key-1", order("order-1"))
		clock.Await(1)
		wantStatus(t, "sent again with "+key, p.post(key, order("order-1")), 201)
		wantEffects(t, s, "order-1", 1, 1)
		clock.Advance(time.Second)
		if a := <-parked; a.status != 201 || a.stored() != (key == "key-1") {
			t.Errorf("sent again with %s, then the original landed: %+v", key, a)
		}
		wantEffects(t, s, "order-1", effects, effects)
	}
}

func TestL7SaysThatItIsAtWork(t *testing.T) {
	clock := &books.Manual{}
	s := start(t, books.Options{Clock: clock})
	p := openShop(t, s, books.L7)
	first := p.later(t.Context(), "key-1", order("order-1"))
	clock.Await(1)
	wantStatus(t, "while the first is at work", p.post("key-1", order("order-1")), 409)
	clock.Advance(time.Second)
	wantStatus(t, "first", <-first, 201)
	wantStatus(t, "the key with another body", p.post("key-1", `{"id":"order-1","amount":6}`), 422)
	wantStatus(t, "when it is done", p.post("key-1", order("order-1")), 201)
	wantEffects(t, s, "order-1", 1, 1)
}

func TestL8KeepsA500(t *testing.T) {
	s := start(t, books.Options{})
	p := openShop(t, s, books.L8)
	effects := map[int]int{}
	for i := range 20 {
		id := fmt.Sprint("order-", i)
		wantStatus(t, "first", p.post(id, order(id)), 500)
		again := p.post(id, order(id))
		wantStatus(t, "again", again, 500)
		if !again.stored() {
			t.Errorf("%s was not stored", id)
		}
		n := len(s.Account(id).Effects)
		effects[n]++
		wantStatus(t, "lookup", p.get("?key="+id), map[int]int{0: 404, 1: 200}[n])
	}
	if effects[0] == 0 || effects[1] == 0 || effects[0]+effects[1] != 20 {
		t.Errorf("orders by their number of effects: %v, want some with none and some with one", effects)
	}
}

func TestL9LooksUpWrongly(t *testing.T) {
	failures := map[string]books.LookupFailure{
		"order-1": books.LookupError, "order-2": books.LookupHangs, "order-3": books.LookupTwice, "order-4": books.LookupOther,
	}
	s := start(t, books.Options{Lookup: func(id string) books.LookupFailure { return failures[id] }, Hang: time.Millisecond})
	p := openShop(t, s, books.L9)
	for id := range failures {
		wantStatus(t, "order", p.post(id, order(id)), 201)
		wantEffects(t, s, id, 1, 1)
	}
	wantStatus(t, "error", p.get("/order-1"), 500)
	if a := p.get("/order-2"); a.err == nil {
		t.Errorf("it hung, and then answered %+v", a)
	}
	twice, other := p.get("?key=order-3"), p.get("?key=order-4")
	wantStatus(t, "twice", twice, 200)
	wantField(t, twice, "count", 2)
	wantStatus(t, "other", other, 200)
	wantField(t, other, "count", 1)
	wantField(t, other, "amount", 987654321)
}

func TestModeBelongsToTheID(t *testing.T) {
	s := start(t, books.Options{Modes: func(id string) books.Mode {
		if id == "order-2" {
			return books.L2
		}
		return books.L1
	}})
	p := openShop(t, s, books.ByID)
	for _, id := range []string{"order-1", "order-2"} {
		p.post(id, order(id))
		p.post(id, order(id))
	}
	wantEffects(t, s, "order-1", 1, 1)
	wantEffects(t, s, "order-2", 2, 2)
}

func TestPathNamesTheMode(t *testing.T) {
	s := start(t, books.Options{Land: 1, Work: 1})
	for _, m := range books.Modes() {
		openShop(t, s, m).post("key", order("order-"+m.String()))
		if got := s.Account("order-" + m.String()).Orders[0].Mode; got != m {
			t.Errorf("%s was taken for %s", m, got)
		}
	}
	wantStatus(t, "no such mode", openShop(t, s, books.L9+1).get("/order-1"), 404)
}
