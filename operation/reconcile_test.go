package operation

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
	"redial/transport"
)

func TestASecondClientOfTheServiceLeavesTheFirstOnesOperationsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, reply{after: 20 * time.Second})
		second := b.open(1) // the same session, as for another API
		r, err := b.ops.Do(t.Context(), order("order-8841"))
		if err != nil || r.Status != 201 || len(b.seen) != 1 {
			t.Errorf("got %v, %v after %v", r, err, b.store.life("order-8841"))
		}
		second.Close()
		b.ops.Close()
	})
}

// crowd counts how many requests are under way at once.
type crowd struct {
	mu        sync.Mutex
	now, most int
}

func (c *crowd) RoundTrip(r *http.Request) (*http.Response, error) {
	c.mu.Lock()
	c.now++
	c.most = max(c.most, c.now)
	c.mu.Unlock()
	time.Sleep(time.Second)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now--
	return (&reply{status: 200}).response(r), nil
}

func TestWhatAnOutageLeftDoesNotFallUponTheServerAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.ops.Close()
		const many = 500
		for n := range many {
			op := order(fmt.Sprint("order-", n))
			in, _, err := op.intent("shop")
			if err != nil {
				t.Fatal(err)
			}
			first := ledger.Transition{To: ledger.OpSending, Code: ledger.CodeSent, At: time.Now()}
			if _, err := b.store.Create(t.Context(), in, first, 1); err != nil {
				t.Fatal(err)
			}
		}
		b.store.sessions[1].Dead = true
		var c crowd
		ops := New(&http.Client{Transport: &transport.Transport{Base: &c}}, b.store, Options{Session: b.store.enrol()})
		time.Sleep(5 * time.Minute)
		ops.Close()
		found := 0
		for n := range many {
			found += strings.Count(strings.Join(b.store.life(fmt.Sprint("order-", n)), " "), "found")
		}
		if found != many || c.most > maxTurns {
			t.Errorf("%d of %d were found, with %d lookups at once", found, many, c.most)
		}
	})
}
