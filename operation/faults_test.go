package operation_test

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
	"redial/operation"
	"redial/operation/books"
	"redial/recorder"
	"redial/transport"
)

// whole reports whether the long tests are to be as long as they are meant to be.
func whole() bool { return flag.Lookup("whole").Value.(flag.Getter).Get().(bool) }

// shop is a client of a books server: redial with everything that it has, and a real file.
type shop struct {
	url      string // of the server
	store    *db.DB
	rec      *recorder.Recorder
	ops      *operation.Operations
	base     *http.Transport
	patience time.Duration              // of each send; 0: half a second
	told     func(id string, err error) // called with what becomes of every order; nil: nobody wants to know
}

func openShop(url, path string, base *http.Transport) (*shop, error) {
	store, err := db.Open(path)
	if err != nil {
		return nil, err
	}
	rec := recorder.New(store, recorder.Options{Service: "shop"})
	// With pauses, each 429 of one operation would hold up all the others.
	client := &http.Client{Transport: &transport.Transport{Base: base, Recorder: rec, Retry: transport.SafeRetry, NoPause: true}}
	return &shop{url: url, store: store, rec: rec, ops: operation.New(client, store, operation.Options{Session: rec.Session()}), base: base}, nil
}

func (s *shop) close() {
	s.ops.Close()
	s.rec.Close()
	s.store.Close()
	s.base.CloseIdleConnections()
}

// order is an operation as the API of that mode has to be declared.
func (s *shop) order(id string, m books.Mode) operation.Operation {
	url := s.url + "/" + m.String() + "/orders"
	body := fmt.Sprintf(`{"id":%q,"amount":5}`, id)
	r, _ := http.NewRequest("POST", url+"?ref="+id, strings.NewReader(body))
	op := operation.Operation{
		Name: "create order", Key: "key-" + id, Ref: id, Request: r,
		Policy: ledger.KeyPolicy{Honoured: m.Honours()},
		Lookup: &ledger.Lookup{URL: url + "?ref={ref}", Count: "/count",
			Match:  []ledger.Match{{Pointer: "/id", Value: "{ref}"}, {Pointer: "/amount", Value: "5"}},
			Settle: 150 * time.Millisecond, Times: 2},
		Budget: ledger.Budget{Sends: 6, For: 20 * time.Second, AttemptTimeout: 500 * time.Millisecond, Base: 5 * time.Millisecond, Max: 50 * time.Millisecond},
	}
	if s.patience > 0 {
		op.Budget.AttemptTimeout, op.Budget.For = s.patience, 2*s.patience
	}
	switch m {
	case books.L3:
		op.Lookup = nil
	case books.L4:
		op.Policy.Lifetime = time.Millisecond
	case books.L7:
		op.Policy.Conflict, op.Policy.Unprocessable = ledger.InFlight, ledger.OtherPayload
	}
	return op
}

// settle waits until nothing of the service moves any more.
func (s *shop) settle(t testing.TB) {
	for end := time.Now().Add(time.Minute); ; {
		moving := 0
		for _, state := range []ledger.OperationState{ledger.OpSending, ledger.OpBackingOff, ledger.OpChecking} {
			moving += len(s.list(t, state))
		}
		if moving == 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d operations still move", moving)
		}
		<-time.After(20 * time.Millisecond)
	}
}

func (s *shop) list(t testing.TB, states ...ledger.OperationState) []ledger.Operation {
	list, err := s.store.Operations(context.Background(), ledger.OperationQuery{States: states})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// claims returns what the client says of every business id.
func (s *shop) claims(t testing.TB) map[string]books.Claim {
	claims := map[string]books.Claim{}
	for _, o := range s.list(t) {
		claims[o.Ref] = books.Claim{State: o.State, Key: o.Key, Since: o.Updated, Evidence: o.LastError}
	}
	return claims
}

func (s *shop) do(id string, m books.Mode) {
	ctx := context.Background()
	if s.told != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, 2*time.Second)
		defer cancel()
	}
	_, err := s.ops.Do(ctx, s.order(id, m))
	if s.told != nil {
		s.told(id, err)
	}
}

// run does operations with so many workers.
func (s *shop) run(workers int, ids []string, mode func(n int) books.Mode) {
	next := make(chan int)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for n := range next {
				s.do(ids[n], mode(n))
			}
		})
	}
	for n := range ids {
		next <- n
	}
	close(next)
	group.Wait()
}

func TestNothingHappensTwiceOrIsLostUnderAllFaults(t *testing.T) {
	count := 450
	if whole() {
		count = 10_000
	}
	for _, http2 := range []bool{false, true} {
		t.Run(map[bool]string{false: "HTTP1", true: "HTTP2"}[http2], func(t *testing.T) {
			t.Parallel()
			underFaults(t, count/2, http2)
		})
	}
}

func underFaults(t *testing.T, count int, http2 bool) {
	const seed = 8841
	server, err := books.New(seed, books.Options{TLS: http2, Rate: 0.5, LookupRate: 0.15, RefuseRate: 0.02, Hang: time.Second,
		Stale: 100 * time.Millisecond, Land: 120 * time.Millisecond, Work: 20 * time.Millisecond, RetryAfter: "0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	t.Log(server)
	s, err := openShop(server.URL(), filepath.Join(t.TempDir(), "shop.db"), server.Transport(http2))
	if err != nil {
		t.Fatal(err)
	}
	modes := books.Modes()
	mode := func(n int) books.Mode { return modes[n%len(modes)] }
	ids := make([]string, count)
	for n := range ids {
		ids[n] = fmt.Sprintf("order-%d", n)
	}
	began := time.Now()
	s.run(8, ids, mode)
	s.settle(t)
	t.Logf("%d operations in %s", count, time.Since(began).Round(time.Millisecond))
	claims := s.claims(t)
	s.checkPending(t, ids, mode, claims)
	s.close()
	if err := server.Gone(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, v := range server.Check(ids, claims) {
		t.Error(v)
	}
}

// checkPending bounds what people are asked to do: where keys are honoured and lookups tell
// the truth, next to nothing. Two servers leave it undecidable even so: L4, which forgets
// keys before anything can be sent again, and L8, which gives a stored 500 for ever and does
// not show whether there was an effect.
func (s *shop) checkPending(t *testing.T, ids []string, mode func(int) books.Mode, claims map[string]books.Claim) {
	decidable, pending := 0, 0
	states := map[books.Mode]map[string]int{}
	for n, id := range ids {
		m := mode(n)
		if states[m] == nil {
			states[m] = map[string]int{}
		}
		states[m][claims[id].State.String()]++
		if m.Honours() && m.LooksUp() && m != books.L4 && m != books.L8 {
			decidable++
			if claims[id].State == ledger.OpPending {
				pending++
				t.Logf("pending: %s in %s: %s", id, m, claims[id].Evidence)
			}
		}
	}
	t.Logf("by mode: %v", states)
	if pending*100 > decidable {
		t.Errorf("%d of %d that could be decided are pending", pending, decidable)
	}
}
