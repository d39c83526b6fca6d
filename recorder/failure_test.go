package recorder

import (
	"errors"
	"fmt"
	"strings"
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
		tries := store.writes
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
		if b := store.all(); len(b[len(b)-1].Gaps)+len(b[len(b)-2].Gaps) == 0 {
			t.Error("the gap was not in the first batch")
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
		pass(2 * tick)
		if c := r.Counters(); c.Written != 50 {
			t.Errorf("after the store came back, counters are %+v", c)
		}
	})
}

func TestPanickingStoreIsAFailingStore(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, r *Recorder, store *fakeStore) {
		store.mu.Lock()
		store.fail = func(string, *ledger.Batch) error { panic("oops") }
		store.mu.Unlock()
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

// refuses makes the store fail on every batch that has one of these calls, and count how
// often it was asked.
func refuses(store *fakeStore, poison func(n int64) bool) {
	store.mu.Lock()
	defer store.mu.Unlock()
	store.fail = func(op string, b *ledger.Batch) error {
		if op != "write" {
			return nil
		}
		for _, c := range b.Calls {
			if poison(c.ID.N()) {
				return fmt.Errorf("call %d cannot be written", c.ID.N())
			}
		}
		return nil
	}
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
		if len(r.writer.backlog.parked) != 0 {
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
		if store.writes > 2*3600+1000 {
			t.Errorf("the store was asked %d times in an hour", store.writes)
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
		store.mu.Lock()
		store.fail = func(_ string, b *ledger.Batch) error {
			if b != nil && len(b.Calls) > 100 {
				return errDisk
			}
			return nil
		}
		store.mu.Unlock()
		for range 1000 {
			r.Record(aCall(r))
		}
		pass(2 * tick)
		if got := r.Counters().Written; got != 1000 {
			t.Errorf("%d of 1000 calls were written", got)
		}
		if r.queue.bytes != 0 || r.queue.calls != 0 {
			t.Errorf("%d calls and %d bytes are counted as waiting", r.queue.calls, r.queue.bytes)
		}
	})
}
