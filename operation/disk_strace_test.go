//go:build linux && strace

package operation_test

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"redial/db"
	"redial/operation/books"
)

// A disk that fails at any moment, once or from then on, may keep things from being sent,
// and nothing else: whatever the server has seen is on record, and who asked for what could
// not be written down is told so.
func TestADiskThatFailsKeepsThingsFromBeingSentAndNothingElse(t *testing.T) {
	every := 13
	if whole() {
		every = 1
	}
	for _, fault := range []struct {
		name, inject string
		from, to     int
	}{
		{"fsync", "inject=fsync,fdatasync:error=EIO:when=%d", 1, 30},
		{"every-fsync-from", "inject=fsync,fdatasync:error=EIO:when=%d+", 1, 30},
		{"pwrite64", "inject=pwrite64:error=EIO:when=%d", 1, 120},
		{"full-from", "inject=pwrite64:error=ENOSPC:when=%d+", 1, 120},
	} {
		t.Run(fault.name, func(t *testing.T) {
			t.Parallel()
			counts := map[string]int{}
			for n := fault.from; n <= fault.to; n += every {
				underDiskFault(t, fmt.Sprintf(fault.inject, n), fmt.Sprint(fault.name, "-", n), counts)
			}
			t.Logf("what callers were told: %v", counts)
			if counts["done"] == 0 || counts["not written"]+counts["says why"] == 0 {
				t.Error("the faults hit nothing, or all")
			}
		})
	}
}

var (
	toldLine    = regexp.MustCompile(`(?m)^(order-\S+): (.*)$`)
	notWritten  = "the operation could not be written down, so nothing was sent"
	mayHappened = "may have happened and is being confirmed"
)

func underDiskFault(t *testing.T, inject, run string, counts map[string]int) {
	t.Helper()
	server, err := books.New(7, books.Options{Rate: 0.3, Hang: time.Second, RetryAfter: "0",
		Faults: []books.Fault{books.ResetBeforeReply, books.CommitReset, books.Unavailable}})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	path := filepath.Join(t.TempDir(), "shop.db")
	store, err := db.Open(path) // made before, so that most faults come later than that
	if err == nil {
		err = store.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	var said, out bytes.Buffer
	shop := shopCommand(t, server, path, run)
	shop.Env = append(shop.Env, "REDIAL_TEST_PAIRS=5", "REDIAL_TEST_TOLD=1")
	shop.Args = append([]string{"strace", "-f", "-qq", "--seccomp-bpf", "-e", "trace=fsync,fdatasync,pwrite64", "-e", inject, "-o", "/dev/null"}, shop.Args...)
	if shop.Path, err = exec.LookPath("strace"); err != nil {
		t.Fatal(err)
	}
	shop.Stdout, shop.Stderr = &out, &said
	if err := shop.Start(); err != nil {
		t.Fatal(err)
	}
	hung := time.AfterFunc(time.Minute, func() { shop.Process.Kill() })
	err = shop.Wait()
	if !hung.Stop() {
		t.Fatalf("%s: the shop hung: %s%s", inject, &out, &said)
	}
	if err != nil { // it did not even start
		counts["says why"]++
		if !strings.Contains(said.String(), path) || strings.Contains(said.String(), "goroutine ") {
			t.Errorf("%s: it ended with %v and says %q", inject, err, &said)
		}
	}
	if err := server.Gone(t.Context()); err != nil {
		t.Fatal(err)
	}
	recorded := onRecord(t, path)
	for _, a := range server.Accounts() {
		if _, ok := recorded[a.ID]; !ok {
			t.Errorf("%s: %s was sent and is not on record", inject, a.ID)
		}
	}
	var ids []string
	for _, m := range toldLine.FindAllStringSubmatch(out.String(), -1) {
		id, what := m[1], m[2]
		ids = append(ids, id)
		switch a := server.Account(id); {
		case what == "<nil>":
			counts["done"]++
			if len(a.Effects) != 1 {
				t.Errorf("%s: %s is said to be done, and there are %d effects", inject, id, len(a.Effects))
			}
		case strings.HasPrefix(what, notWritten):
			counts["not written"]++
			if _, ok := recorded[id]; ok {
				counts["not written, and on record all the same"]++
			}
			if len(a.Orders) > 0 {
				t.Errorf("%s: %s is said not to have been sent: %s", inject, id, what)
			}
		case strings.Contains(what, mayHappened):
			counts["being confirmed"]++
		default:
			counts["failed"]++
			if len(a.Effects) > 0 {
				t.Errorf("%s: there is an effect of %s, and what is said is %q", inject, id, what)
			}
		}
	}
	if err == nil && len(ids) != 10 {
		t.Errorf("%s: only %d of 10 callers were told anything: %s%s", inject, len(ids), &out, &said)
	}
	afterDiskFault(t, server, path, inject)
}

// afterDiskFault brings everything to an end with a disk that works again, and holds the file
// against the books.
func afterDiskFault(t *testing.T, server *books.Server, path, inject string) {
	t.Helper()
	finish(t, server, path)
	if err := server.Gone(t.Context()); err != nil {
		t.Fatal(err)
	}
	claims := onRecord(t, path)
	var sent []string
	for _, a := range server.Accounts() {
		sent = append(sent, a.ID)
		if len(a.Keys) > 1 || len(a.Hashes) > 1 {
			t.Errorf("%s: %s came with %d keys and %d bodies", inject, a.ID, len(a.Keys), len(a.Hashes))
		}
	}
	for _, v := range server.Check(sent, claims) {
		t.Errorf("%s: %s", inject, v)
	}
	for id, c := range claims {
		if c.State.UnderWay() {
			t.Errorf("%s: %s is still %s", inject, id, c.State)
		}
	}
	checkIntegrity(t, path)
}

// onRecord returns what is in the file, by business id.
func onRecord(t *testing.T, path string) map[string]books.Claim {
	t.Helper()
	store, err := db.OpenExisting(path)
	if err != nil {
		return nil // it was never made
	}
	defer store.Close()
	s := shop{store: store}
	return s.claims(t)
}
