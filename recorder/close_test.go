package recorder

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
)

func TestCloseWritesWhatWaitsAndEndsTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &fakeStore{}
		r := New(store, Options{})
		for range 10_000 {
			r.Record(aCall(r))
		}
		start := time.Now()
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("Close took %v with a store that works", took)
		}
		if len(store.calls()) != 10_000 || len(store.ended) != 1 {
			t.Fatalf("%d calls are in the store, the session ended %d times", len(store.calls()), len(store.ended))
		}
		if got, want := store.ended[0], (ledger.Counters{Queued: 10_000, Written: 10_000}); got != want {
			t.Errorf("the session ended with %+v, want %+v", got, want)
		}
	})
}

func TestClosingAgainDoesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &fakeStore{}
		store.failWith(errDisk)
		r := New(store, Options{})
		r.Record(aCall(r))
		errs := make([]error, 3)
		var closing sync.WaitGroup
		for i := range errs {
			closing.Go(func() { errs[i] = r.Close() })
		}
		closing.Wait()
		again := r.Close()
		if again == nil || errs[0] != again || errs[1] != again || errs[2] != again {
			t.Errorf("Close returned %v, and then %v", errs, again)
		}
	})
}

func TestCallAfterCloseIsCountedAsNotWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &fakeStore{}
		r := New(store, Options{})
		_ = r.Close()
		r.Record(aCall(r))
		if got, want := r.Counters(), (ledger.Counters{Queued: 1, StoreFailed: 1}); got != want {
			t.Errorf("counters are %+v, want %+v", got, want)
		}
	})
}

func TestCloseIsBoundedWhateverTheStoreDoes(t *testing.T) {
	hang := make(chan struct{})
	for name, fail := range map[string]func(string, *ledger.Batch) error{
		"fails":        func(string, *ledger.Batch) error { return errDisk },
		"takes beats":  func(op string, b *ledger.Batch) error { return errIf(op == "write" && len(b.Calls) > 0) },
		"cannot end":   func(op string, _ *ledger.Batch) error { return errIf(op == "end") },
		"hangs in end": func(op string, _ *ledger.Batch) error { return hangIf(op == "end", hang) },
		"comes late": func(op string, b *ledger.Batch) error {
			_ = hangIf(op == "write" && len(b.Calls) > 0, hang)
			return nil
		},
		"hangs":        func(op string, b *ledger.Batch) error { return hangIf(op == "write" && len(b.Calls) > 0, hang) },
		"no enrolment": func(op string, _ *ledger.Batch) error { return errIf(op == "enrol") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				hang = make(chan struct{})
				store := &fakeStore{fail: fail}
				r := New(store, Options{CloseTimeout: 3 * time.Second})
				for range 300 {
					r.Record(aCall(r))
				}
				start := time.Now()
				err := r.Close()
				if took := time.Since(start); took > 3*time.Second {
					t.Errorf("Close took %v, want at most 3 s", took)
				}
				if err == nil {
					t.Error("Close returned no error")
				}
				c := r.Counters()
				if c.Queued != 300 || c.Queued != c.Written+c.StoreFailed {
					t.Errorf("counters are %+v", c)
				}
				close(hang)
				synctest.Wait()
				if r.Counters() != c {
					t.Errorf("counters changed after Close from %+v to %+v", c, r.Counters())
				}
			})
		})
	}
}

func errIf(cond bool) error {
	if cond {
		return errDisk
	}
	return nil
}

func hangIf(cond bool, until chan struct{}) error {
	if cond {
		<-until
		return errDisk
	}
	return nil
}

func TestCloseDoesNotSitOutAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &fakeStore{}
		store.failWith(errDisk)
		r := New(store, Options{})
		pass(10*time.Second + tick/2)
		r.Record(aCall(r))
		pass(10 * time.Second)
		store.failWith(nil)
		start := time.Now()
		if err := r.Close(); err != nil || time.Since(start) != 0 {
			t.Errorf("Close took %v, and returned %v", time.Since(start), err)
		}
	})
}

func TestCloseSaysWhyCallsWereNotWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &fakeStore{}
		r := New(store, Options{})
		store.hangUntil(make(chan struct{}))
		r.Record(aCall(r))
		want := "close recorder: 1 calls were not written: there was no time left"
		if err := r.Close(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("Close returned %v, want %s", err, want)
		}
	})
}

func TestWhatCloseGaveUpIsOnRecordIfTheStoreTakesBeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &fakeStore{}
		refuses(store, func(int64) bool { return true })
		r := New(store, Options{})
		for range 30 {
			r.Record(aCall(r))
		}
		err := r.Close()
		if err == nil || !strings.Contains(err.Error(), "30 calls were not written") {
			t.Errorf("Close returned %v", err)
		}
		if gaps := store.gaps(); len(gaps) != 1 || gaps[0].Calls != 30 {
			t.Errorf("gaps are %+v", gaps)
		}
		if len(store.ended) != 1 || store.ended[0].StoreFailed != 30 {
			t.Errorf("the session ended with %+v", store.ended)
		}
	})
}

// lockedStore waits for a lock that it does not get, as long as it may.
type lockedStore struct{ fakeStore }

var errLocked = errors.New("file is locked by another process")

func (*lockedStore) Enrol(ctx context.Context, _ ledger.Session) (ledger.SessionID, error) {
	select {
	case <-time.After(1500 * time.Millisecond):
		return 0, errLocked
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func TestCloseNamesTheLockThatKeptTheSessionOut(t *testing.T) {
	for _, after := range []time.Duration{0, time.Second, 10 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			r := New(&lockedStore{}, Options{})
			r.Record(aCall(r))
			pass(after)
			err := r.Close()
			if !errors.Is(err, errLocked) || errors.Is(err, context.Canceled) {
				t.Errorf("after %v Close returned %v, want the lock in it and no cancellation", after, err)
			}
		})
	}
}

// A disk can have room again when the calls have already been given up.
func TestTheEndAndTheGapAreTriedUntilCloseReturns(t *testing.T) {
	for name, c := range map[string]struct {
		refuses string
		back    time.Duration // when the store takes all again
	}{
		"gaps and end": {"", 4200 * time.Millisecond},
		"end":          {"end", 4200 * time.Millisecond},
		"gaps":         {"write", 3750 * time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			store := &fakeStore{}
			r := New(store, Options{})
			store.failBy(func(op string, b *ledger.Batch) error {
				return errIf(c.refuses == "" || op == c.refuses || b != nil && len(b.Calls) > 0)
			})
			for range 30 {
				r.Record(aCall(r))
			}
			time.AfterFunc(c.back, func() { store.failWith(nil) })
			if err := r.Close(); err == nil || !strings.Contains(err.Error(), "30 calls were not written") {
				t.Errorf("%s: Close returned %v", name, err)
			}
			if gaps := store.gaps(); len(gaps) != 1 || gaps[0].Calls != 30 {
				t.Errorf("%s: gaps are %+v", name, gaps)
			}
			if len(store.ended) != 1 || store.ended[0].StoreFailed != 30 {
				t.Errorf("%s: the session ended with %+v", name, store.ended)
			}
		})
	}
}

func TestStoreThatTakesOnlyTheEndGetsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &fakeStore{}
		r := New(store, Options{})
		store.failBy(func(op string, _ *ledger.Batch) error { return errIf(op == "write") })
		r.Record(aCall(r))
		if err := r.Close(); !errors.Is(err, errDisk) {
			t.Errorf("Close returned %v", err)
		}
		if len(store.ended) != 1 || store.ended[0].StoreFailed != 1 {
			t.Errorf("the session ended with %+v", store.ended)
		}
	})
}

func TestStoreThatComesBackWhileClosingGetsEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &fakeStore{}
		store.failWith(errDisk)
		r := New(store, Options{})
		for range 300 {
			r.Record(aCall(r))
		}
		time.AfterFunc(2*time.Second, func() { store.failWith(nil) })
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if got := len(store.calls()); got != 300 {
			t.Errorf("%d of 300 calls are in the store", got)
		}
	})
}

func TestNoCallIsUncountedWhileClosing(t *testing.T) {
	store := &fakeStore{}
	r := New(store, Options{})
	var recording sync.WaitGroup
	for range 64 {
		recording.Go(func() {
			for range 100 {
				r.Record(aCall(r))
			}
		})
	}
	_ = r.Close()
	recording.Wait()
	c := r.Counters()
	if c.Queued != 6400 || c.Queued != c.Written+c.QueueFull+c.StoreFailed {
		t.Errorf("counters are %+v", c)
	}
	if int64(len(store.calls())) != c.Written {
		t.Errorf("%d calls are in the store, %d are counted", len(store.calls()), c.Written)
	}
}
