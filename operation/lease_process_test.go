//go:build unix

package operation_test

import (
	"bufio"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
	"redial/operation/books"
)

// gate holds an order up where the server has read all of it, before or after its effect.
type gate struct {
	at      books.Point
	reached chan struct{} // closed when the first request is there
	open    chan struct{} // closed to let it go on
	once    sync.Once
}

func (g *gate) point(id string, p books.Point) {
	if !strings.HasSuffix(id, "-0") || p != g.at {
		return
	}
	first := false
	g.once.Do(func() { first = true; close(g.reached) })
	if first {
		<-g.open
	}
}

// A process that stands still for longer than its lease lasts, in the middle of a send, has
// lost the operation when it goes on. What it learns then is evidence, and it sends nothing.
func TestAnOwnerThatStoodStillLosesTheOperationAndSendsNothingMore(t *testing.T) {
	if !whole() {
		t.Log("only with -whole, as a lease lasts ten seconds")
		return
	}
	for _, at := range []books.Point{books.AfterCommit, books.BeforeCommit} {
		t.Run(at.String(), func(t *testing.T) {
			t.Parallel()
			g := &gate{at: at, reached: make(chan struct{}), open: make(chan struct{})}
			server, err := books.New(5, books.Options{OnPoint: g.point})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(server.Close)
			path := filepath.Join(t.TempDir(), "shop.db")
			owner := shopCommand(t, server, path, "held")
			owner.Env = append(owner.Env, "REDIAL_TEST_PAIRS=1", "REDIAL_TEST_TIMEOUT=20s")
			out, err := owner.StdoutPipe()
			if err == nil {
				err = owner.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { owner.Process.Kill() })
			<-g.reached
			other, err := openShop(server.URL(), path, &http.Transport{})
			if err != nil {
				t.Fatal(err)
			}
			defer other.close()
			halt(t, owner.Process, other.store)
			stopped := time.Now()
			taken := until(t, other.store, "key-order-held-0", func(o *ledger.Operation) bool { return o.Fence > 1 })
			t.Logf("taken over after %s by session %d", time.Since(stopped).Round(100*time.Millisecond), taken.Owner)
			posts := len(server.Account("order-held-0").Orders)
			close(g.open)
			if err := owner.Process.Signal(syscall.SIGCONT); err != nil {
				t.Fatal(err)
			}
			if line, _ := bufio.NewReader(out).ReadString('\n'); line != "settled\n" {
				t.Errorf("the one that stood still says %q", line)
			}
			if err := owner.Wait(); err != nil {
				t.Error(err)
			}
			other.settle(t)
			checkLate(t, other, server, posts)
		})
	}
}

// halt stops a process at a moment at which it does not hold the lock of the file, which
// would stop everybody else too.
func halt(t *testing.T, p *os.Process, store *db.DB) {
	t.Helper()
	for range 100 {
		if err := p.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		note := ledger.Transition{Code: ledger.CodeNote, Actor: ledger.Actor{Kind: ledger.Person, Name: "ana"}, Reason: "it stands still"}
		if _, err := store.Add(t.Context(), ledger.ID{Service: "shop", Key: "key-order-held-0"}, note); err == nil {
			return
		}
		if err := p.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
		<-time.After(10 * time.Millisecond)
	}
	t.Fatal("the process never lets go of the file")
}

// checkLate checks what became of the order that was held up.
func checkLate(t *testing.T, s *shop, server *books.Server, posts int) {
	t.Helper()
	a := server.Account("order-held-0")
	if len(a.Effects) != 1 || len(a.Orders) != posts || posts != 1 {
		t.Errorf("%d effects of %d requests, of which %d were before the takeover", len(a.Effects), len(a.Orders), posts)
	}
	id := ledger.ID{Service: "shop", Key: "key-order-held-0"}
	o, err := s.store.Operation(t.Context(), id)
	rows, err2 := s.store.Transitions(t.Context(), id)
	if err != nil || err2 != nil || o.State != ledger.OpSucceeded || o.Sends != 1 {
		t.Fatalf("it is %s after %d sends (%v, %v)", o.State, o.Sends, err, err2)
	}
	var late []string
	for _, row := range rows {
		if row.Code == ledger.CodeEvidence {
			late = append(late, row.Reason)
		}
	}
	if len(late) != 1 || !strings.HasPrefix(late[0], "an answer came late: answered with 201") {
		t.Errorf("the late answer became %q", late)
	}
}

// until waits until an operation is as it should be.
func until(t *testing.T, store *db.DB, key string, is func(*ledger.Operation) bool) ledger.Operation {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; {
		changed := store.Changed()
		o, err := store.Operation(t.Context(), ledger.ID{Service: "shop", Key: key})
		switch {
		case err == nil && is(&o):
			return o
		case time.Now().After(end):
			t.Fatalf("%s is %s with fence %d (%v)", key, o.State, o.Fence, err)
		}
		select {
		case <-changed:
		case <-time.After(100 * time.Millisecond):
		}
	}
}
