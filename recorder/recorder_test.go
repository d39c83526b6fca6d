package recorder

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
)

// A recorder is what a transport wants, without either knowing the other.
var _ interface {
	NewID() ledger.CallID
	BodyLimit() int64
	Record(*ledger.Call)
	Watch(ledger.Live)
} = (*Recorder)(nil)

// inBubble runs a test in fake time with a recorder on a fake store. The recorder is closed
// at the end, and every call must be accounted for then.
func inBubble(t *testing.T, o Options, test func(t *testing.T, r *Recorder, store *fakeStore)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		store := &fakeStore{}
		r := New(store, o)
		t.Cleanup(func() {
			store.failWith(nil)
			_ = r.Close()
			c := r.Counters()
			if c.Queued != c.Written+c.QueueFull+c.StoreFailed {
				t.Errorf("after Close, calls are unaccounted for: %+v", c)
			}
			if got := int64(len(store.calls())); got != c.Written {
				t.Errorf("%d calls are in the store, and %d are counted as written", got, c.Written)
			}
		})
		test(t, r, store)
	})
}

// pass lets time go by, and the recorder do what is due then.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func TestCallIsWrittenWithinATick(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, r *Recorder, store *fakeStore) {
		pass(tick / 2)
		r.Record(aCall(r))
		synctest.Wait()
		if len(store.calls()) != 0 {
			t.Error("a single call woke the writer")
		}
		pass(tick)
		calls := store.calls()
		if len(calls) != 1 {
			t.Fatalf("%d calls are in the store, want 1", len(calls))
		}
		if want := ledger.NewCallID(1, 1); calls[0].ID != want {
			t.Errorf("the call has the id %v, want %v", calls[0].ID, want)
		}
		if got, want := r.Counters(), (ledger.Counters{Queued: 1, Written: 1}); got != want {
			t.Errorf("counters are %+v, want %+v", got, want)
		}
		if got := store.last().Counters; got != r.Counters() {
			t.Errorf("the store knows of %+v, want the totals after the batch: %+v", got, r.Counters())
		}
	})
}

func TestManyCallsWakeTheWriterBeforeItsTick(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, r *Recorder, store *fakeStore) {
		pass(tick + tick/2)
		c := aCall(r)
		for range batchCalls {
			c.ID = r.NewID()
			r.Record(c)
		}
		synctest.Wait()
		if got := len(store.calls()); got != batchCalls {
			t.Errorf("%d calls are in the store before the tick, want %d", got, batchCalls)
		}
	})
}

func TestBatchesAreBounded(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, r *Recorder, store *fakeStore) {
		hang := make(chan struct{})
		store.hangUntil(hang)
		for range 3*batchCalls + 5 {
			r.Record(aCall(r))
		}
		pass(time.Second)
		store.hangUntil(nil)
		close(hang)
		pass(2 * tick)
		for _, b := range store.all() {
			if len(b.Calls) > batchCalls {
				t.Errorf("a batch has %d calls, want at most %d", len(b.Calls), batchCalls)
			}
		}
		for i, c := range store.calls() {
			if c.ID.N() != int64(i+1) {
				t.Fatalf("call %d is written as number %d", c.ID.N(), i+1)
			}
		}
	})
}

func TestRecordCopiesWhatItKeeps(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, r *Recorder, store *fakeStore) {
		c := aCall(r)
		c.Waits = []ledger.Wait{{Kind: ledger.BackoffWait, Took: time.Second}}
		c.AttemptList[0].Request.Header = []ledger.Field{{Name: "Accept", Value: "*/*"}}
		c.AttemptList[0].Response.Header = []ledger.Field{}
		r.Record(c)
		c.AttemptList[0].Request.Header[0].Value = "changed"
		c.AttemptList[0].Status = 0
		c.Waits[0].Took = 0
		c.Host = "changed"
		pass(tick)
		got := store.calls()[0]
		a := got.AttemptList[0]
		if a.Request.Header[0].Value != "*/*" || a.Status != 200 || got.Waits[0].Took != time.Second || got.Host == "changed" {
			t.Errorf("the recorded call changed with the caller's: %+v", got)
		}
		if a.Response.Header == nil {
			t.Error("headers that are known to be none were recorded as not kept")
		}
	})
}

func TestIdsFromBeforeEnrolmentGetTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &fakeStore{}
		store.failWith(errDisk)
		r := New(store, Options{})
		if r.Session() != 0 {
			t.Errorf("the session is %v before it is enrolled", r.Session())
		}
		r.Record(aCall(r))
		r.Record(&ledger.Call{Method: "GET"}) // without an id
		pass(3 * time.Second)
		store.failWith(nil)
		pass(enrolEvery + tick)
		if r.Session() != 1 {
			t.Fatalf("the session is %v, want 1", r.Session())
		}
		if tries := store.tries("enrol"); tries < 4 || tries > 6 {
			t.Errorf("enrolment was tried %d times in four seconds", tries)
		}
		calls := store.calls()
		if len(calls) != 2 || calls[0].ID != ledger.NewCallID(1, 1) || calls[1].ID != ledger.NewCallID(1, 2) {
			t.Errorf("calls from before the enrolment are %+v", calls)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestNewReturnsThoughTheStoreHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		store := &fakeStore{fail: func(string, *ledger.Batch) error { <-hang; return nil }}
		start := time.Now()
		r := New(store, Options{})
		if took := time.Since(start); took != enrolBound {
			t.Errorf("New took %v, want %v", took, enrolBound)
		}
		r.Record(aCall(r))
		close(hang)
		pass(tick)
		if len(store.calls()) != 1 {
			t.Error("the call from before the enrolment is missing")
		}
		_ = r.Close()
	})
}

func TestSessionTellsWhoRecords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &fakeStore{}
		now := time.Now()
		for _, service := range []string{"", "checkout"} {
			_ = New(store, Options{Service: service, Version: "1.2"}).Close()
		}
		host, _ := os.Hostname()
		for i, service := range []string{filepath.Base(os.Args[0]), "checkout"} {
			s := store.sessions[i]
			if s.Service != service || s.Version != "1.2" || s.Host != host || s.PID != os.Getpid() || !s.Started.Equal(now) {
				t.Errorf("session %d is %+v", i, s)
			}
			if boot, err := os.ReadFile(bootFile); err == nil && s.Boot+"\n" != string(boot) {
				t.Errorf("the boot is %q, want %q", s.Boot, boot)
			}
		}
	})
}

func TestIdleRecorderBeatsEachSecond(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, r *Recorder, store *fakeStore) {
		pass(10*time.Second + tick)
		if n := len(store.all()); n < 10 || n > 12 {
			t.Errorf("%d batches were written in ten idle seconds, want one each second", n)
		}
		if got := store.last().Beat; time.Since(got) > beatEvery+tick {
			t.Errorf("the last beat is %v ago", time.Since(got))
		}
	})
}

func TestQueueIsBoundedInCalls(t *testing.T) {
	inBubble(t, Options{QueueSize: 10}, func(t *testing.T, r *Recorder, store *fakeStore) {
		store.failWith(errDisk)
		for range 25 {
			r.Record(aCall(r))
		}
		if c := r.Counters(); c.Queued != 25 || c.QueueFull != 15 {
			t.Errorf("counters are %+v, want 15 of 25 calls refused", c)
		}
		pass(time.Minute)
		if c := r.Counters(); c.Queued != 25 || c.QueueFull != 15 || c.Written+c.StoreFailed != 0 {
			t.Errorf("while the store fails, counters are %+v", c)
		}
	})
}

func TestQueueIsBoundedInBytes(t *testing.T) {
	inBubble(t, Options{QueueBytes: 1 << 20}, func(t *testing.T, r *Recorder, store *fakeStore) {
		store.failWith(errDisk)
		for i := range 20 {
			c := aCall(r)
			c.AttemptList[0].Response.Body = ledger.Body{Data: make([]byte, 100<<10), Size: 100 << 10}
			if i%2 == 1 {
				c.AttemptList[0].Response.Body = ledger.Body{}
				c.AttemptList[0].Response.Header = []ledger.Field{{Name: "X", Value: string(make([]byte, 100<<10))}}
			}
			r.Record(c)
			pass(tick)
		}
		if c := r.Counters(); c.QueueFull != 10 {
			t.Errorf("%d of 20 calls of 100 KiB were refused by a queue of 1 MiB, want 10", c.QueueFull)
		}
		store.failWith(nil)
		pass(2 * time.Second)
		r.Record(aCall(r))
		if c := r.Counters(); c.QueueFull != 10 {
			t.Error("the bytes of calls that were written are still counted")
		}
		if _, bytes := held(r); bytes != int64(len("/orders/8841")) {
			t.Errorf("%d bytes are counted as waiting", bytes)
		}
	})
}

// held returns how many calls count as waiting, and how many bytes.
func held(r *Recorder) (calls int, bytes int64) {
	r.queue.mu.Lock()
	defer r.queue.mu.Unlock()
	return r.queue.calls, r.queue.bytes
}

func TestBatchesAreBoundedInBytes(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, r *Recorder, store *fakeStore) {
		hang := make(chan struct{})
		store.hangUntil(hang)
		for range 60 {
			c := aCall(r)
			c.AttemptList[0].Response.Body = ledger.Body{Data: make([]byte, 1<<20), Size: 1 << 20}
			r.Record(c)
		}
		pass(time.Second)
		store.hangUntil(nil)
		close(hang)
		pass(time.Second)
		if got := len(store.calls()); got != 60 {
			t.Errorf("%d of 60 calls were written", got)
		}
		for _, b := range store.all() {
			if n := len(b.Calls) << 20; n > batchBytes+2*pageBytes {
				t.Errorf("a batch has %d MiB of bodies", n>>20)
			}
		}
	})
}

func TestPagesOfABurstAreLetGo(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, r *Recorder, _ *fakeStore) {
		spare := func() int {
			r.queue.mu.Lock()
			defer r.queue.mu.Unlock()
			return len(r.queue.spare)
		}
		for range 30_000 {
			r.Record(aCall(r))
		}
		pass(tick)
		pass(tick)
		if got := spare(); got != maxSpare {
			t.Errorf("after a burst %d pages are kept, want %d", got, maxSpare)
		}
		pass(2 * time.Minute)
		if got := spare(); got != 2 {
			t.Errorf("two minutes after a burst %d pages are kept, want 2", got)
		}
	})
}

func TestNilRecorderRecordsNothing(t *testing.T) {
	var r *Recorder
	r.Record(&ledger.Call{})
	r.Watch(&fakeLive{})
	if r.NewID() != 0 || r.BodyLimit() != 0 || r.Session() != 0 || r.Counters() != (ledger.Counters{}) || r.Close() != nil {
		t.Error("a nil recorder does something")
	}
}

func TestBodyLimit(t *testing.T) {
	for option, want := range map[int64]int64{0: DefaultBodyLimit, -1: 0, 100: 100} {
		inBubble(t, Options{BodyLimit: option}, func(t *testing.T, r *Recorder, _ *fakeStore) {
			if got := r.BodyLimit(); got != want {
				t.Errorf("with the option %d the limit is %d, want %d", option, got, want)
			}
		})
	}
}

func TestCountersAddUpWhileManyGoroutinesRecord(t *testing.T) {
	store := &fakeStore{}
	r := New(store, Options{QueueSize: 500})
	var recording, watching sync.WaitGroup
	stop := make(chan struct{})
	watching.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			c := r.Counters()
			if waiting := c.Queued - c.Written - c.QueueFull - c.StoreFailed; waiting < 0 || waiting > 500 {
				t.Errorf("%d calls are on their way: %+v", waiting, c)
				return
			}
		}
	})
	for range 64 {
		recording.Go(func() {
			for i := range 300 {
				r.Record(aCall(r))
				if i%100 == 0 {
					r.Session()
					r.Watch(&fakeLive{})
				}
			}
		})
	}
	recording.Wait()
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	close(stop)
	watching.Wait()
	c := r.Counters()
	if c.Queued != 64*300 || c.Queued != c.Written+c.QueueFull || int64(len(store.calls())) != c.Written {
		t.Errorf("%d calls are in the store, counters are %+v", len(store.calls()), c)
	}
	seen := make(map[ledger.CallID]bool)
	for _, call := range store.calls() {
		if seen[call.ID] {
			t.Fatalf("call %v is in the store twice", call.ID)
		}
		seen[call.ID] = true
	}
}
