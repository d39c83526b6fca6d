package operation_test

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
	"redial/operation/books"
)

// TestMain lets the test binary be the shop that is killed.
func TestMain(m *testing.M) {
	if url := os.Getenv("REDIAL_TEST_SHOP"); url != "" {
		os.Exit(shopProcess(url))
	}
	os.Exit(m.Run())
}

// shopProcess is a shop as a process: it takes up what an earlier one left, and makes
// orders of the run that the environment names, two at a time, until it is killed or has
// made as many pairs as it is told to. Without a run it only brings to an end what is there.
// When nothing moves any more, it says so.
func shopProcess(url string) int {
	s, err := openShop(url, os.Getenv("REDIAL_DB"), &http.Transport{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer s.close()
	s.patience, _ = time.ParseDuration(os.Getenv("REDIAL_TEST_TIMEOUT"))
	run, told := os.Getenv("REDIAL_TEST_RUN"), os.Getenv("REDIAL_TEST_TOLD")
	if told != "" {
		s.told = func(id string, err error) { fmt.Printf("%s: %v\n", id, err) }
	}
	pairs, err := strconv.Atoi(os.Getenv("REDIAL_TEST_PAIRS"))
	for n := 0; run != "" && (err != nil || n < 2*pairs); n += 2 {
		pair := []string{fmt.Sprintf("order-%s-%d", run, n), fmt.Sprintf("order-%s-%d", run, n+1)}
		s.run(2, pair, killMode)
	}
	if told != "" {
		return 0 // without waiting for what the disk may never take
	}
	if err := s.rest(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println("settled")
	return 0
}

// rest waits until nothing of the shop is under way any more, and what else is due by now has
// been seen to.
func (s *shop) rest(ctx context.Context) error {
	for now := time.Now(); ; {
		changed := s.store.Changed()
		due, err := s.store.Due(ctx, "shop", now, 1)
		if err != nil || len(due) == 0 {
			return err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// killMode gives the first order of a pair a server that honours keys, and the second one
// that can only be asked.
func killMode(n int) books.Mode { return []books.Mode{books.L1, books.L2}[n%2] }

// executioner kills the shop when a request has come to a point.
type executioner struct {
	mu     sync.Mutex
	shop   *exec.Cmd
	target books.Point
	done   chan struct{} // closed when the shop is dead; nil: nobody is to be killed
	ids    []string      // that have reached the server
}

// point is called by the server, whose request waits for it.
func (e *executioner) point(id string, p books.Point) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if p == books.RequestLine {
		e.ids = append(e.ids, id)
	}
	if e.done == nil || p != e.target {
		return
	}
	e.shop.Process.Kill()
	e.shop.Wait()
	close(e.done)
	e.done = nil
}

// start starts a shop that is killed at the point.
func (e *executioner) start(shop *exec.Cmd, p books.Point) (dead chan struct{}, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := shop.Start(); err != nil {
		return nil, err
	}
	e.shop, e.target, e.done = shop, p, make(chan struct{})
	return e.done, nil
}

func TestAKilledShopNeitherRepeatsNorForgets(t *testing.T) {
	kills := 45
	if whole() {
		kills = 1000
	}
	const seed = 4711
	var e executioner
	server, err := books.New(seed, books.Options{Rate: 0.4, LookupRate: 0.1, Hang: time.Second, RetryAfter: "0", OnPoint: e.point,
		Faults: []books.Fault{books.ResetBeforeReply, books.ResetMidRequest, books.CommitReset, books.CommitHalfReply, books.Truncated, books.Unavailable}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	t.Log(server)
	path := filepath.Join(t.TempDir(), "shop.db")
	points := books.Points()
	counts := make(map[string]int)
	for n := range kills {
		p := points[n%len(points)]
		shop := shopCommand(t, server, path, strconv.Itoa(n))
		dead, err := e.start(shop, p)
		if err != nil {
			t.Fatal(err)
		}
		select {
		case <-dead:
			counts[p.String()]++
		case <-time.After(20 * time.Second):
			shop.Process.Signal(syscall.SIGQUIT) // it says where it stands
			shop.Wait()
			t.Fatalf("after %d kills a shop came to no %s", n, p)
		}
	}
	t.Logf("%d kills: %v", kills, counts)
	finish(t, server, path)
	e.check(t, server, path)
}

func shopCommand(t *testing.T, server *books.Server, path, run string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	shop := exec.Command(self)
	shop.Env = append(os.Environ(), "REDIAL_TEST_SHOP="+server.URL(), "REDIAL_DB="+path, "REDIAL_TEST_RUN="+run)
	shop.Stderr = os.Stderr
	return shop
}

// finish starts a shop that only brings to an end what the killed ones left.
func finish(t *testing.T, server *books.Server, path string) {
	t.Helper()
	shop := shopCommand(t, server, path, "")
	out, err := shop.StdoutPipe()
	if err == nil {
		err = shop.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(2*time.Minute, func() { shop.Process.Kill() })
	defer timer.Stop()
	line, _ := bufio.NewReader(out).ReadString('\n')
	if err := shop.Wait(); err != nil || line != "settled\n" {
		t.Fatalf("the last shop said %q: %v", line, err)
	}
}

// check holds what the file says against the books.
func (e *executioner) check(t *testing.T, server *books.Server, path string) {
	t.Helper()
	if err := server.Gone(t.Context()); err != nil {
		t.Fatal(err)
	}
	store, err := db.OpenExisting(path)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	list, err := store.Operations(t.Context(), ledger.OperationQuery{})
	if err != nil {
		t.Fatal(err)
	}
	claims, states := map[string]books.Claim{}, map[string]int{}
	for _, o := range list {
		claims[o.Ref] = books.Claim{State: o.State, Key: o.Key, Since: o.Updated, Evidence: o.LastError}
		states[o.State.String()]++
	}
	t.Logf("%d operations: %v", len(list), states)
	for _, v := range server.Check(e.ids, claims) {
		t.Error(v)
	}
	for _, a := range server.Accounts() {
		if len(a.Keys) > 1 || len(a.Hashes) > 1 {
			t.Errorf("%s came with %d keys and %d bodies", a.ID, len(a.Keys), len(a.Hashes))
		}
	}
	checkIntegrity(t, path)
}

// checkIntegrity checks the file as SQLite does.
func checkIntegrity(t *testing.T, path string) {
	t.Helper()
	c, err := sql.Open("sqlite", path) // the driver that db brings along
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var said string
	if err := c.QueryRow("PRAGMA integrity_check").Scan(&said); err != nil || said != "ok" {
		t.Errorf("integrity_check says %q (%v)", said, err)
	}
}
