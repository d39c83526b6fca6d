package operation

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
	"redial/transport"
)

// desk opens a desk of ana's beside the service.
func (b *bench) desk(by string) *Desk {
	client := &http.Client{Transport: &transport.Transport{Base: b.script}}
	return NewDesk(client, b.store, Options{Session: b.store.enrol()}, by)
}

// pendingOrder leaves a pending operation behind, whose service has ended.
func pendingOrder(t *testing.T, replies ...reply) (*bench, ledger.Operation) {
	b := newBench(t, append([]reply{{err: errReset}}, replies...)...)
	op := order("order-8841")
	op.Lookup.Times, op.Policy.Honoured = 1, false
	b.replies = append([]reply{{err: errReset}, {status: 404}, {status: 404}, {status: 404}, {status: 404}, {status: 404}}, replies...)
	o := b.pend(t, op)
	b.ops.Close()
	b.store.stop(1)
	return b, o
}

func TestWhatNobodyClaimsIsWithdrawnAndDoneFromHere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, o := pendingOrder(t, reply{status: 200})
		d := b.desk("ana")
		ask := ledger.Ask{Service: o.Service, Key: o.Key, Kind: ledger.AskLookup}
		began := time.Now()
		if _, err := d.Ask(t.Context(), ask); !errors.Is(err, ErrNobody) || time.Since(began) != ledger.AskPatience {
			t.Fatalf("after %s: %v", time.Since(began), err)
		}
		if a := b.store.answer(1); a.State != ledger.AskWithdrawn {
			t.Errorf("the ask is %s", a.State)
		}
		if answer, err := d.Here(t.Context(), ask); err != nil || answer != "it is succeeded" {
			t.Errorf("from here: %q, %v", answer, err)
		}
		d.Close()
	})
}

func TestAReplayFromHereNeedsTheCredentials(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, reply{err: errReset})
		op := order("order-8841")
		op.Lookup = nil
		op.Request.Header.Set("Authorization", "Bearer s3cr3t")
		o := b.pend(t, op)
		b.ops.Close()
		if len(o.Withheld) != 1 || strings.Contains(strings.ToLower(fmtOperation(&o)), "s3cr3t") {
			t.Errorf("the credential is on record: %+v", o.Intent)
		}
		d := b.desk("ana")
		ask := ledger.Ask{Service: o.Service, Key: o.Key, Kind: ledger.AskReplay, Version: o.Version, Despite: []string{ledger.CheckLookedUp}}
		_, err := d.Here(t.Context(), ask)
		if want := "not sent: it does not hold that the credentials are there (missing: Authorization)"; err == nil || err.Error() != want {
			t.Errorf("\n got %v\nwant %s", err, want)
		}
		if b.posts() != 1 {
			t.Errorf("sent %v", b.seen)
		}
		d.Close()
	})
}

func TestOfManyWhoSettleOneWinsAndTheOthersAreToldWho(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, o := pendingOrder(t, reply{status: 404})
		var group sync.WaitGroup
		var won atomic.Int32
		for _, by := range []string{"ana", "ben", "cem", "dua"} {
			d := b.desk(by)
			t.Cleanup(func() { d.Close() })
			group.Go(func() {
				_, err := d.Settle(t.Context(), &o, by == "ana", "the vendor says so", "")
				switch {
				case err == nil:
					won.Add(1)
				case !strings.Contains(err.Error(), "nothing was changed: "+b.stand().SettledBy.Name+" made it "):
					t.Errorf("%s is told: %v", by, err)
				}
			})
		}
		group.Wait()
		if won.Load() != 1 {
			t.Errorf("%d of 4 won", won.Load())
		}
	})
}

// A note says nothing of who settled it and when.
func TestTheOneWhoWasSlowerIsToldOfTheMoveAndNotOfALaterNote(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, o := pendingOrder(t)
		ana, ben := b.desk("ana"), b.desk("ben")
		settled, err := ana.Settle(t.Context(), &o, false, "the vendor says so", "")
		if err != nil {
			t.Fatal(err)
		}
		back, err := ana.Reopen(t.Context(), &settled, "it was another order")
		if err != nil {
			t.Fatal(err)
		}
		at := time.Now()
		time.Sleep(time.Minute)
		if noted, err := ben.Note(t.Context(), o.ID(), "asked the vendor"); err != nil || !noted.Moved.Equal(at) || noted.Updated.Equal(at) {
			t.Errorf("moved %s, updated %s (%v), want %s and a minute later", noted.Moved, noted.Updated, err, at)
		}
		_, err = ben.Settle(t.Context(), &settled, true, "the vendor says so", "")
		want := "nothing was changed: ana made it pending at " + at.Local().Format("15:04:05")
		if err == nil || err.Error() != want || back.State != ledger.OpPending {
			t.Errorf("\n got %v\nwant %s", err, want)
		}
		ana.Close()
		ben.Close()
	})
}

// Nothing is written when a process dies, so nothing tells the one who waits for its answer.
func TestWhoeverWaitsForASessionThatIsGoneIsToldSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, o := pendingOrder(t)
		d, service := b.desk("ana"), b.store.enrol()
		go func() {
			time.Sleep(time.Second)
			ask, err := b.store.ClaimAsk(t.Context(), o.Service, service)
			if err != nil || ask == nil {
				t.Errorf("claimed %v, %v", ask, err)
			}
			b.store.kill(service)
		}()
		began := time.Now()
		_, err := d.Ask(t.Context(), ledger.Ask{Service: o.Service, Key: o.Key, Kind: ledger.AskReplay, Version: o.Version})
		if err == nil || !strings.Contains(err.Error(), "of shop took it up and is gone, so nobody knows what it did") || time.Since(began) > 2*time.Second {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
		d.Close()
	})
}

func TestAPersonNeedsAReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, o := pendingOrder(t)
		d := b.desk("ana")
		if _, err := d.Settle(t.Context(), &o, true, "", ""); err == nil || !strings.Contains(err.Error(), "a reason is missing") {
			t.Errorf("settled: %v", err)
		}
		settled, err := d.Settle(t.Context(), &o, true, "seen at the vendor", "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Reopen(t.Context(), &settled, ""); err == nil {
			t.Error("reopened without a reason")
		}
		if back, err := d.Reopen(t.Context(), &settled, "it was another order"); err != nil || back.State != ledger.OpPending {
			t.Errorf("reopened: %s, %v", back.State, err)
		}
		if _, err := d.Note(t.Context(), o.ID(), ""); err == nil {
			t.Error("an empty note was written")
		}
		d.Close()
	})
}

func TestTheServiceHearsOfASettlementAlsoAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, o := pendingOrder(t)
		d := b.desk("ana")
		if _, err := d.Settle(t.Context(), &o, true, "seen at the vendor", ""); err != nil {
			t.Fatal(err)
		}
		ops := b.open(b.store.enrol())
		var position int64
		for s, err := range ops.Settlements(t.Context(), 0) {
			if err != nil || s.Key != o.Key || s.State != ledger.OpSucceeded || s.By != "ana" {
				t.Errorf("got %+v, %v", s, err)
			}
			position = s.Position
			break
		}
		now := b.stand()
		if _, err := d.Reopen(t.Context(), &now, "it was another order"); err != nil {
			t.Fatal(err)
		}
		for s, err := range ops.Settlements(t.Context(), position) {
			if err != nil || s.State != ledger.OpPending {
				t.Errorf("then %+v, %v", s, err)
			}
			break
		}
		ops.Close()
		d.Close()
	})
}

// fmtOperation returns all that is on record of an operation in one string.
func fmtOperation(o *ledger.Operation) string {
	text := string(o.Body) + o.URL + o.LastError
	for _, f := range o.Header {
		text += f.Name + f.Value
	}
	return text
}

func TestWhoFindsAnOperationDrivenIsToldByWhomAndSinceWhen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, reply{after: 20 * time.Second})
		b.store.mu.Lock()
		b.store.sessions[1].PID = 4242
		b.store.mu.Unlock()
		go b.ops.Do(t.Context(), order("order-8841"))
		time.Sleep(time.Second)
		o, d := b.stand(), b.desk("ana")
		who := "sending since " + clock(o.Moved) + ", driven by shop, pid 4242, session 1"
		if _, err := d.Settle(t.Context(), &o, true, "I know", ""); err == nil || err.Error() != "nothing was changed: it is "+who {
			t.Errorf("settled: %v", err)
		}
		ask := ledger.Ask{Service: "shop", Key: o.Key, Kind: ledger.AskReplay, By: "ana", Version: o.Version}
		want := "nothing was done: the service made it sending at " + clock(o.Moved) + "; it is " + who
		if _, err := d.Here(t.Context(), ask); err == nil || err.Error() != want {
			t.Errorf("replayed from here: %v\nwant %s", err, want)
		}
		b.answered(t, ask, ledger.AskRefused, want)
		checks := d.Checklist(t.Context(), &o, []ledger.Session{{ID: 1, Service: "shop", PID: 4242, LastSeen: time.Now()}})
		if c := checks[3]; c.OK || c.Facts != "shop, pid 4242, session 1, holds it" {
			t.Errorf("the checklist says %+v", c)
		}
		d.Close()
		b.ops.Close()
	})
}

// The service has taken it up between the reading of a person's ask and its replay.
func TestAReplayOfWhatTheSameProcessDrivesNamesIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, o := pendingOrder(t)
		id := b.store.enrol()
		ops := b.open(id)
		r := newRun(&o.Intent, ledger.Service)
		if other, err := ops.enter(r); err != nil || other != nil {
			t.Fatal(other, err)
		}
		_, err := ops.replayFor(o, ledger.Ask{Version: o.Version, By: "ana"})
		if want := "nothing was done: it is being driven at this moment by shop, session " + id.String(); err == nil || err.Error() != want {
			t.Errorf("told %v, want %s", err, want)
		}
		ops.leave(r, o, nil)
		ops.Close()
	})
}
