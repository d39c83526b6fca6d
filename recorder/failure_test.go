package recorder

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
)

var errDisk = errors.New("database or disk is full")

func TestCallsOutliveAStoreThatFails(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, r *Recorder, store *fakeStore) {
		store.failWith(errDisk)
		for range 100 {
			r.Record(aCall(r))
			pass(time.Second)
		}
		tries := store.tries("write")
		if tries < 100 || tries > 250 {
			t.Errorf("a failing store was asked %d times in 100 s, want about once each second", tries)
		}
		store.failWith(nil)
		pass(longestPause + tick)
		if got := len(store.calls()); got != 100 {
			t.Errorf("%d of 100 calls are in the store", got)
		}
		if c := r.Counters(); c.NotWritten() != 0 {
			t.Errorf("calls are counted as not written: %+v", c)
		}
		if gaps := store.gaps(); len(gaps) != 0 {
			t.Errorf("gaps are on record, though nothing is missing: %+v", gaps)
		}
	})
}

func TestGapIsOnRecordAsSoonAsTheStoreWorks(t *testing.T) {
	inBubble(t, Options{QueueSize: 10}, func(t *testing.T, r *Recorder, store *fakeStore) {
		store.failWith(errDisk)
		for range 10 {
			r.Record(aCall(r))
		}
		pass(10 * time.Second)
		from := time.Now()
		r.Record(aCall(r))
		pass(time.Hour)
		to := time.Now()
		r.Record(aCall(r))
		store.failWith(nil)
		pass(longestPause + tick)
		gaps := store.gaps()
		if len(gaps) != 1 || gaps[0].Calls != 2 || !gaps[0].From.Equal(from) || !gaps[0].To.Equal(to) {
			t.Fatalf("gaps are %+v, want one from %v to %v", gaps, from, to)
		}
		if !strings.Contains(gaps[0].Reason, errDisk.Error()) {
			t.Errorf("the reason is %q", gaps[0].Reason)
		}
		all := store.all() // The writer may have taken the first calls while the others came.
		first := slices.IndexFunc(all, func(b ledger.Batch) bool { return len(b.Calls) > 0 })
		if first < 0 || len(all[first].Gaps) == 0 {
			t.Error("the gap was not in the first batch with calls")
		}
		r.Record(aCall(r))
		pass(tick)
		if len(store.calls()) != 11 {
			t.Error("recording did not go on")
		}
	})
}

func TestGapsOfOverloadAreWrittenOnceASecond(t *testing.T) {
	inBubble(t, Options{QueueSize: 10}, func(t *testing.T, r *Recorder, store *fakeStore) {
		for range 200 { // ten seconds
			for range 20 {
				r.Record(aCall(r))
			}
			pass(tick)
		}
		pass(2 * time.Second)
		gaps, lost := store.gaps(), int64(0)
		for _, g := range gaps {
			lost += g.Calls
		}
		if lost != r.Counters().QueueFull || lost == 0 || len(gaps) < 9 || len(gaps) > 13 {
			t.Errorf("%d gaps tell of %d calls, want about ten that tell of %d", len(gaps), lost, r.Counters().QueueFull)
		}
	})
}

func TestHangingStoreHoldsUpNoCall(t *testing.T) {
	inBubble(t, Options{QueueSize: 50}, func(t *testing.T, r *Recorder, store *fakeStore) {
		hang := make(chan struct{})
		store.hangUntil(hang)
		r.Record(aCall(r))
		pass(time.Hour)
		start := time.Now()
		for range 100 {
			r.Record(aCall(r))
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("recording took %v", took)
		}
		if c := r.Counters(); c.QueueFull != 51 {
			t.Errorf("counters are %+v, want 51 calls refused", c)
		}
		store.hangUntil(nil)
		close(hang)
		pass(longestPause + 2*tick)
		if c := r.Counters(); c.Written != 50 {
			t.Errorf("after the store came back, counters are %+v", c)
		}
	})
}

func TestWriteThatHangsIsGivenUpAndTriedAgain(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, r *Recorder, store *fakeStore) {
		store.hangUntil(make(chan struct{}))
		r.Record(aCall(r))
		pass(time.Minute)
		store.hangUntil(nil)
		pass(2*writeTimeout + longestPause)
		if len(store.calls()) != 1 {
			t.Error("the call was not written")
		}
	})
}

func TestPanickingStoreIsAFailingStore(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, r *Recorder, store *fakeStore) {
		store.failBy(func(string, *ledger.Batch) error { panic("oops") })
		r.Record(aCall(r))
		pass(time.Second)
		store.failWith(nil)
		pass(longestPause)
		if len(store.calls()) != 1 {
			t.Error("the call is missing")
		}
	})
	synctest.Test(t, func(t *testing.T) {
		r := New(nil, Options{})
		r.Record(&ledger.Call{})
		if err := r.Close(); err == nil {
			t.Error("closing a recorder without a store is no error")
		}
		if c := r.Counters(); c.StoreFailed != 1 {
			t.Errorf("counters are %+v", c)
		}
	})
}

// refuses makes the store fail on every batch that has one of these calls.
func refuses(store *fakeStore, poison func(n int64) bool) {
	store.failBy(func(op string, b *ledger.Batch) error {
		if op != "write" {
			return nil
		}
		for _, c := range b.Calls {
			if poison(c.ID.N()) {
				return fmt.Errorf("call %d cannot be written", c.ID.N())
			}
		}
		return nil
	})
}

func TestCallThatCannotBeWrittenDoesNotHoldUpTheRest(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, r *Recorder, store *fakeStore) {
		refuses(store, func(n int64) bool { return n == 700 })
		for range 1000 {
			r.Record(aCall(r))
		}
		pass(2 * time.Second)
		if got := len(store.calls()); got != 999 {
			t.Errorf("after two seconds %d calls are in the store, want 999", got)
		}
		for range 10 {
			r.Record(aCall(r))
			pass(time.Second)
		}
		if got, want := r.Counters(), (ledger.Counters{Queued: 1010, Written: 1009, StoreFailed: 1}); got != want {
			t.Errorf("counters are %+v, want %+v", got, want)
		}
		gaps := store.gaps()
		if len(gaps) != 1 || gaps[0].Calls != 1 || !strings.Contains(gaps[0].Reason, "call 700 cannot be written") {
			t.Errorf("gaps are %+v", gaps)
		}
		tries := store.tries("write")
		pass(10 * time.Second)
		if store.tries("write")-tries > 11 {
			t.Error("the call is still tried")
		}
	})
}

func TestManyCallsThatCannotBeWrittenAreGivenUp(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, r *Recorder, store *fakeStore) {
		refuses(store, func(n int64) bool { return n%100 == 0 })
		for range 100 {
			for range 100 {
				r.Record(aCall(r))
			}
			pass(time.Second)
		}
		pass(time.Minute)
		r.Record(aCall(r))
		pass(time.Minute)
		if got, want := r.Counters().Written, int64(100*99+1); got != want {
			t.Errorf("%d calls were written, want %d: %+v", got, want, r.Counters())
		}
	})
}

func TestCallThatWasSetAsideIsWrittenIfTheStoreTakesItLater(t *testing.T) {
	for _, n := range []int{1, 100} {
		inBubble(t, Options{}, func(t *testing.T, r *Recorder, store *fakeStore) {
			for range 300 { // so that there are arrays to be used again
				r.Record(aCall(r))
			}
			pass(tick)
			refuses(store, func(n int64) bool { return n == 301 })
			for range n {
				r.Record(aCall(r))
			}
			pass(3 * tick)
			for range 200 {
				r.Record(aCall(r))
			}
			pass(3 * tick)
			store.failWith(nil)
			pass(parkFor)
			seen := make(map[ledger.CallID]int)
			for _, c := range store.calls() {
				seen[c.ID]++
			}
			if seen[ledger.NewCallID(1, 301)] != 1 || len(seen) != n+500 || len(store.calls()) != n+500 {
				t.Errorf("%d calls are in the store, %d different ones, want %d", len(store.calls()), len(seen), n+500)
			}
		})
	}
}

func TestCallsThatAreSetAsideAreBounded(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, r *Recorder, store *fakeStore) {
		var most atomic.Int64
		refuses(store, func(n int64) bool {
			if now := int64(len(r.writer.backlog.parked)); now > most.Load() {
				most.Store(now)
			}
			return n%10 == 0
		})
		for range 1000 {
			r.Record(aCall(r))
		}
		pass(200 * tick)
		if got := most.Load(); got != maxParked {
			t.Errorf("at most %d calls were set aside at a time, want %d", got, maxParked)
		}
		if got := r.Counters(); got.Written != 900 || got.StoreFailed+maxParked < 100 {
			t.Errorf("counters are %+v, want 900 calls written and most of the others given up", got)
		}
	})
}

// A full disk can have room for a beat and for no call.
func TestNothingIsGivenUpWhileTheStoreTakesNoCallAtAll(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, r *Recorder, store *fakeStore) {
		refuses(store, func(int64) bool { return true })
		for range 1000 {
			r.Record(aCall(r))
		}
		pass(time.Hour)
		if c := r.Counters(); c.NotWritten() != 0 {
			t.Errorf("calls were given up: %+v", c)
		}
		if tries := store.tries("write"); tries > 2*3600+1000 {
			t.Errorf("the store was asked %d times in an hour", tries)
		}
		store.failWith(nil)
		pass(3 * time.Second)
		if got := r.Counters().Written; got != 1000 {
			t.Errorf("when the store worked again, %d of 1000 calls were written", got)
		}
	})
}

// A write can fail while smaller ones succeed.
func TestBatchThatIsTooLargeIsWrittenInParts(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, r *Recorder, store *fakeStore) {
		store.failBy(func(_ string, b *ledger.Batch) error { return errIf(b != nil && len(b.Calls) > 100) })
		for range 1000 {
			r.Record(aCall(r))
		}
		pass(2 * tick)
		if got := r.Counters().Written; got != 1000 {
			t.Errorf("%d of 1000 calls were written", got)
		}
		if calls, bytes := held(r); calls != 0 || bytes != 0 {
			t.Errorf("%d calls and %d bytes are counted as waiting", calls, bytes)
		}
	})
}
