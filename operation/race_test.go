package operation_test

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
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

func races() int {
	if whole() {
		return 200
	}
	return 20
}

// stuck leaves so many pending operations in a file, whose replies were lost after the
// effect, or before it. The service that made them has ended.
func stuck(t *testing.T, server *books.Server, path string, n int, fault books.Fault) (list []ledger.Operation) {
	t.Helper()
	s, err := openShop(server.URL(), path, &http.Transport{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		id := fmt.Sprint("order-", i)
		server.Plan(id, fault)
		op := s.order(id, books.L1)
		op.Budget.Sends = 1
		op.Lookup.Settle, op.Lookup.Times = time.Millisecond, 1
		server.PlanLookups(id, books.Unavailable, books.Unavailable, books.Unavailable, books.Unavailable)
		if _, err := s.ops.Do(t.Context(), op); err == nil {
			t.Fatalf("%s is done", id)
		}
	}
	list = s.list(t, ledger.OpPending)
	s.close()
	if len(list) != n {
		t.Fatalf("%d of %d are pending", len(list), n)
	}
	return list
}

// deskAt opens a desk with a file of its own, and a session that sends from there.
func deskAt(t *testing.T, path, by string) (*operation.Desk, *db.DB) {
	t.Helper()
	store, err := db.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	rec := recorder.New(store, recorder.Options{Service: "redial"})
	base := &http.Transport{}
	client := &http.Client{Transport: &transport.Transport{Base: base, Recorder: rec}}
	d := operation.NewDesk(client, store, operation.Options{Session: rec.Session()}, by)
	t.Cleanup(func() {
		d.Close()
		rec.Close()
		store.Close()
		base.CloseIdleConnections()
	})
	return d, store
}

// both runs two at the same time. Which is begun first depends on n.
func both(n int, a, b func()) {
	if n%2 == 1 {
		a, b = b, a
	}
	var group sync.WaitGroup
	start := make(chan struct{})
	for _, f := range []func(){a, b} {
		group.Go(func() {
			<-start
			f()
		})
	}
	close(start)
	group.Wait()
}

func newBooks(t *testing.T) *books.Server {
	t.Helper()
	server, err := books.New(11, books.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	return server
}

func TestOfTwoWhoSettleThroughOneFileOneWinsAndTheOtherIsToldWho(t *testing.T) {
	server, path := newBooks(t), filepath.Join(t.TempDir(), "shop.db")
	list := stuck(t, server, path, races(), books.ResetBeforeReply)
	ana, store := deskAt(t, path, "ana")
	ben, _ := deskAt(t, path, "ben")
	won := map[string]int{}
	for i := range list {
		o := &list[i]
		var errs [2]error
		both(i, func() { _, errs[0] = ana.Settle(t.Context(), o, true, "seen at the vendor", "") },
			func() { _, errs[1] = ben.Settle(t.Context(), o, false, "not at the vendor", "") })
		now, err := store.Operation(t.Context(), o.ID())
		if err != nil || (errs[0] == nil) == (errs[1] == nil) {
			t.Fatalf("%s: ana %v, ben %v (%v)", o.Key, errs[0], errs[1], err)
		}
		winner, state, lost := "ana", ledger.OpSucceeded, errs[1]
		if errs[1] == nil {
			winner, state, lost = "ben", ledger.OpFailed, errs[0]
		}
		won[winner]++
		want := fmt.Sprintf("nothing was changed: %s made it %s at %s", winner, state, now.Moved.Local().Format("15:04:05"))
		if lost.Error() != want || now.State != state || now.SettledBy.Name != winner {
			t.Errorf("%s is %s by %s, and the other is told %q, want %q", o.Key, now.State, now.SettledBy, lost, want)
		}
	}
	t.Logf("won: %v", won)
}

// A person replays at the very moment at which the service looks the operation up by itself:
// from here, and through the service.
func TestAReplayRacesTheServiceAndThereIsOneEffect(t *testing.T) {
	for _, fault := range []books.Fault{books.ResetBeforeReply, books.CommitReset} {
		t.Run(fault.String(), func(t *testing.T) {
			server, path := newBooks(t), filepath.Join(t.TempDir(), "shop.db")
			list := stuck(t, server, path, races()/2, fault)
			s, err := openShop(server.URL(), path, &http.Transport{})
			if err != nil {
				t.Fatal(err)
			}
			ana, store := deskAt(t, path, "ana")
			counts := map[string]int{}
			for i := range list {
				replayRace(t, s, ana, store, &list[i], i, counts)
			}
			t.Logf("%v", counts)
			for i := range list {
				if a := server.Account(list[i].Ref); len(a.Effects) > 1 || len(a.Keys) != 1 || len(a.Hashes) != 1 {
					t.Errorf("%s has %d effects, %d keys and %d bodies", a.ID, len(a.Effects), len(a.Keys), len(a.Hashes))
				}
			}
			s.settle(t)
			claims := s.claims(t)
			s.close()
			for _, v := range server.Check(nil, claims) {
				t.Error(v)
			}
		})
	}
}

var toldWho = regexp.MustCompile(`^nothing was done: (ana|the service|the reconciler) (?:made it|took it up, as it is) \S+ at \d\d:\d\d:\d\d(?:; it is \S+ since \d\d:\d\d:\d\d, driven by [a-z]+, pid \d+, session \d+)?$`)

var toldWhich = regexp.MustCompile(`^nothing was done: it is (?:\S+ since \d\d:\d\d:\d\d, driven|being driven at this moment) by [a-z]+, pid \d+, session \d+$`)

// replayRace lets a person replay an operation, and the service be asked to look it up.
func replayRace(t *testing.T, s *shop, d *operation.Desk, store *db.DB, o *ledger.Operation, n int, counts map[string]int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	ask := ledger.Ask{Service: o.Service, Key: o.Key, Version: o.Version, Kind: ledger.AskReplay, Reason: "customer waits",
		Despite: []string{ledger.CheckLookedUp}}
	lookup := ask
	lookup.Kind = ledger.AskLookup
	do := d.Here
	if n%2 == 1 {
		do = d.Ask
	}
	var said [2]string
	var errs [2]error
	both(n/2, func() { said[0], errs[0] = do(ctx, ask) }, func() { said[1], errs[1] = d.Ask(ctx, lookup) })
	for i, who := range []string{"replay", "lookup"} {
		counts[fmt.Sprintf("%s went through: %t", who, errs[i] == nil)]++
		if errs[i] == nil {
			continue
		}
		if m := toldWho.FindStringSubmatch(errs[i].Error()); m != nil {
			counts["told of "+m[1]]++
		} else if !toldWhich.MatchString(errs[i].Error()) {
			t.Errorf("%s: the %s is refused with %q", o.Key, who, errs[i])
		}
	}
	if errs[0] != nil && errs[1] != nil {
		t.Errorf("%s: both are refused: %v; %v", o.Key, errs[0], errs[1])
	}
	if _, err := store.Operation(ctx, o.ID()); err != nil {
		t.Error(err)
	}
}
