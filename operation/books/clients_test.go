package books_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"redial/ledger"
	"redial/operation/books"
)

// life is the connections of a client until it ends, as they would end with its process.
type life struct {
	mu    sync.Mutex
	over  bool
	conns []net.Conn
}

func (l *life) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	c, err := new(net.Dialer).DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.conns = append(l.conns, c)
	if l.over {
		_ = c.Close()
	}
	return c, nil
}

func (l *life) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
	for _, c := range l.conns {
		_ = c.Close()
	}
}

// toy is a small client that does each order once, or says that it does not know. Each
// flag breaks it in one way.
type toy struct {
	s     *books.Server
	http2 bool
	c     *http.Client
	life  *life

	newKey   bool // resubmits with a key of its own
	late     bool // writes its intent down after the send
	hopeless bool // takes a timeout for a failure

	mu      sync.Mutex
	written map[string]books.Claim
}

func (y *toy) write(id string, state ledger.OperationState, key, evidence string) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.written[id] = books.Claim{State: state, Key: key, Since: time.Now(), Evidence: evidence}
}

// order does the i-th order. One in ten times it is killed after the send, and started again.
func (y *toy) order(i int) (id string) {
	id = fmt.Sprint("order-", i)
	url := y.s.OrdersURL(books.Modes()[i%9])
	key := "key-" + id
	if !y.late {
		y.write(id, ledger.OpPending, key, "about to be sent")
	}
	a := y.post(url, key, id)
	if rand.New(rand.NewPCG(y.s.Seed(), uint64(i))).IntN(10) == 0 {
		if !y.late {
			y.doubt(id, url, key, "killed")
		}
		return id
	}
	switch {
	case ours(a, id):
		y.write(id, ledger.OpSucceeded, key, "answered")
	case a.err == nil && a.status >= 400 && a.status < 500 && a.status != 409:
		y.write(id, ledger.OpFailed, key, "refused")
	case a.err != nil && y.hopeless:
		y.write(id, ledger.OpFailed, key, "timed out")
	default:
		y.doubt(id, url, key, fmt.Sprint(a.status, a.err))
	}
	return id
}

// doubt looks up what became of an order, and sends it again only where that is safe.
func (y *toy) doubt(id, url, key, why string) {
	y.write(id, ledger.OpPending, key, why)
	r, _ := http.NewRequest("GET", url+"?key="+key, nil)
	found := do(y.c, r)
	if ours(found, id) {
		y.write(id, ledger.OpSucceeded, key, "found")
		return
	}
	mode := strings.TrimSuffix(strings.TrimPrefix(url, y.s.URL()+"/"), "/orders")
	if found.err != nil || found.status != 404 || mode == "l2" || mode == "l3" || mode == "l4" {
		return
	}
	if y.newKey {
		key += "-again"
	}
	if ours(y.post(url, key, id), id) {
		y.write(id, ledger.OpSucceeded, key, "answered again")
	}
}

// post sends an order. The name of the header is in lower case, since net/http sends a
// request with an Idempotency-Key again by itself.
func (y *toy) post(url, key, id string) answer {
	r, _ := http.NewRequest("POST", url, strings.NewReader(order(id)))
	r.Header["idempotency-key"] = []string{key}
	return do(y.c, r)
}

// ours reports whether an answer shows the one order that was asked for.
func ours(a answer, id string) bool {
	var got struct {
		ID            string
		Amount, Count int
	}
	err := json.Unmarshal([]byte(a.body), &got)
	return a.err == nil && err == nil && a.status/100 == 2 && got.ID == id && got.Amount == 5 && got.Count == 1
}

// run does orders until n are done or the books contradict the client, and returns how
// many it did and what is wrong.
func (y *toy) run(t *testing.T, n, step int) (done int, wrong []books.Violation) {
	t.Helper()
	var submitted []string
	for done < n && len(wrong) == 0 {
		y.live()
		ids := make([]string, step)
		todo := make(chan int, step)
		for i := range step {
			todo <- i
		}
		close(todo)
		var workers sync.WaitGroup
		for range 16 {
			workers.Go(func() {
				for i := range todo {
					ids[i] = y.order(done + i)
				}
			})
		}
		workers.Wait()
		done += step
		submitted = append(submitted, ids...)
		y.life.end()
		settle(t, y.s)
		wrong = y.s.Check(submitted, y.written)
	}
	return done, wrong
}

// openToy starts a server at its worst, and a toy that calls it.
func openToy(t *testing.T, http2 bool) *toy {
	s := start(t, books.Options{
		TLS: http2, Rate: 0.4, LookupRate: 0.2, RefuseRate: 0.05,
		Land: 300 * time.Millisecond, Work: 250 * time.Millisecond, Tick: 3 * time.Millisecond, // The client waits for 200 ms.
	})
	return &toy{s: s, http2: http2, written: map[string]books.Claim{}}
}

// live gives the client a new process, so to speak.
func (y *toy) live() {
	y.life = &life{}
	tr := y.s.Transport(y.http2)
	tr.DisableKeepAlives = !y.http2
	tr.DialContext = y.life.dial
	y.c = &http.Client{Transport: tr, Timeout: 200 * time.Millisecond}
}

func TestSabotagedClientsAreCaught(t *testing.T) {
	for name, c := range map[string]struct {
		sabotage func(*toy)
		want     books.Kind
	}{
		"new key on resubmission":        {func(y *toy) { y.newKey = true }, books.Twice},
		"intent written after the send":  {func(y *toy) { y.late = true }, books.UnknownEffect},
		"a timeout means that it failed": {func(y *toy) { y.hopeless = true }, books.FailedEffect},
	} {
		t.Run(name, func(t *testing.T) {
			y := openToy(t, false)
			c.sabotage(y)
			done, wrong := y.run(t, 500, 50)
			if len(wrong) == 0 {
				t.Fatalf("seed %d: not caught in %d orders", y.s.Seed(), done)
			}
			t.Logf("caught within %d orders: %s", done, wrong[0])
			for _, v := range wrong {
				if v.Kind != c.want && (!y.late || v.Kind != books.Unwritten && v.Kind != books.Lost) {
					t.Errorf("caught for something else: %s", v)
				}
			}
		})
	}
}

func TestCarefulClientIsNotBlamed(t *testing.T) {
	for _, http2 := range []bool{false, true} {
		y := openToy(t, http2)
		_, wrong := y.run(t, 500, 500)
		for _, v := range wrong {
			t.Error(v)
		}
		states := map[ledger.OperationState]int{}
		for _, c := range y.written {
			states[c.State]++
		}
		t.Logf("HTTP/2 %v: %d succeeded, %d failed, %d pending", http2, states[ledger.OpSucceeded], states[ledger.OpFailed], states[ledger.OpPending])
		if states[ledger.OpSucceeded] == 0 || states[ledger.OpPending] == 0 || states[ledger.OpFailed] == 0 {
			t.Error("it had too little to be careful of")
		}
	}
}
