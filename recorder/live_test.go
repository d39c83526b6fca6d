package recorder

import (
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
	"weak"

	"redial/ledger"
)

// fakeLive is a transport with the calls and windows that it is told to have.
type fakeLive struct {
	mu      sync.Mutex
	calls   []ledger.Call
	windows []ledger.Window
	pulled  func() // called at each pull, if not nil
}

func (l *fakeLive) set(calls []ledger.Call, windows []ledger.Window) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls, l.windows = calls, windows
}

func (l *fakeLive) AppendRunning(buf []ledger.Call, before time.Time) []ledger.Call {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pulled != nil {
		l.pulled()
	}
	for _, c := range l.calls {
		if c.Started.Before(before) {
			c.AttemptList = slices.Clone(c.AttemptList)
			c.Waits = slices.Clone(c.Waits)
			buf = append(buf, c)
		}
	}
	return buf
}

func (l *fakeLive) AppendWindows(buf []ledger.Window) []ledger.Window {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append(buf, l.windows...)
}

// aRunningCall returns a call that has been running for a second.
func aRunningCall(r *Recorder) ledger.Call {
	return ledger.Call{
		ID: r.NewID(), Method: "GET", Scheme: "http", Host: "api.example.test", Path: "/slow",
		Started: time.Now().Add(-time.Second), State: ledger.Sending, Since: time.Now().Add(-time.Second),
		AttemptList: []ledger.Attempt{{N: 1, Start: 1}},
	}
}

// ended returns the call as the transport records it at its end.
func ended(c ledger.Call) *ledger.Call {
	c.State, c.Since, c.Took = ledger.Ended, time.Time{}, time.Since(c.Started)
	return &c
}

// runningIDs returns the running calls as the store knows them.
func runningIDs(store *fakeStore) []int64 {
	var ids []int64
	for _, c := range store.last().Running {
		ids = append(ids, c.ID.N())
	}
	return ids
}

func TestRunningCallIsShownUntilItEnds(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, r *Recorder, store *fakeStore) {
		live := &fakeLive{}
		r.Watch(live)
		a, b := aRunningCall(r), aRunningCall(r)
		young := aRunningCall(r)
		young.Started = time.Now()
		live.set([]ledger.Call{b, a, young}, nil)
		pass(tick)
		if got := runningIDs(store); !slices.Equal(got, []int64{1, 2}) {
			t.Fatalf("calls %d are shown as running, want those older than a tick in order: 1 and 2", got)
		}
		if got := store.last().Running[0].ID.Session(); got != 1 {
			t.Errorf("a running call has the session %v", got)
		}
		live.set([]ledger.Call{b, young}, nil)
		r.Record(ended(a))
		pass(tick)
		if got := runningIDs(store); !slices.Equal(got, []int64{2, 3}) {
			t.Errorf("after call 1 has ended, %d are shown as running", got)
		}
	})
}

func TestCallIsNeverShownAsRunningAndEnded(t *testing.T) {
	for name, arrange := range map[string]func(r *Recorder, live *fakeLive, c ledger.Call){
		"ends between the pull and the batch": func(r *Recorder, live *fakeLive, c ledger.Call) {
			live.pulled = func() { live.pulled = nil; r.Record(ended(c)) }
		},
		"is recorded before it is no longer running": func(r *Recorder, live *fakeLive, c ledger.Call) {
			r.Record(ended(c))
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, Options{}, func(t *testing.T, r *Recorder, store *fakeStore) {
				live := &fakeLive{}
				r.Watch(live)
				c := aRunningCall(r)
				live.set([]ledger.Call{c}, nil)
				pass(tick)
				live.mu.Lock()
				arrange(r, live, c)
				live.mu.Unlock()
				for range 2 {
					pass(tick)
					if got := runningIDs(store); len(store.calls()) != 1 || len(got) != 0 {
						t.Errorf("%d calls have ended, %d are shown as running", len(store.calls()), got)
					}
				}
			})
		})
	}
}

func TestCallOnItsWayThroughTheQueueIsStillShown(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, r *Recorder, store *fakeStore) {
		live := &fakeLive{}
		r.Watch(live)
		c := aRunningCall(r)
		live.set([]ledger.Call{c}, nil)
		pass(tick)
		refuses(store, func(n int64) bool { return n == 500 }) // so that many batches are written
		for range 1000 {
			r.Record(aCall(r))
		}
		r.Record(ended(c))
		live.set(nil, nil)
		pass(10 * time.Second)
		arrived := false
		for i, b := range store.all()[1:] { // the first one is the beat of a new session
			for _, e := range b.Calls {
				arrived = arrived || e.ID.N() == c.ID.N()
			}
			if shown := len(b.Running) == 1; shown == arrived {
				t.Errorf("batch %d: ended %t, shown as running %t", i, arrived, shown)
			}
		}
		if !arrived {
			t.Error("the call did not arrive")
		}
	})
}

func TestCallThatNeverArrivesIsNotShownForEver(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, r *Recorder, store *fakeStore) {
		live := &fakeLive{}
		r.Watch(live)
		live.set([]ledger.Call{aRunningCall(r)}, nil)
		pass(tick)
		live.set(nil, nil)
		pass(3 * tick)
		if got := runningIDs(store); len(got) != 0 {
			t.Errorf("calls %d are still shown", got)
		}
	})
}

func TestWhatIsUnderWayIsWrittenWhenItChanges(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, r *Recorder, store *fakeStore) {
		live := &fakeLive{}
		r.Watch(live)
		pass(time.Second + tick)
		c := aRunningCall(r)
		w := ledger.Window{Host: "api.example.test", Limit: 3, Per: time.Second, Opens: time.Now()}
		change := func(what string, want int) {
			t.Helper()
			before := len(store.all())
			live.set([]ledger.Call{c}, []ledger.Window{w})
			pass(4 * tick)
			if got := len(store.all()) - before; got != want {
				t.Errorf("%s: %d batches were written, want %d", what, got, want)
			}
			r.Record(aCall(r)) // moves the beat
			pass(tick)
		}
		change("a call and a window are new", 1)
		change("nothing", 0)
		c.AttemptList[0].BytesReceived++
		change("bytes have come in", 0)
		c.AttemptList[0].Status = 200
		change("a response has come in", 1)
		c.State = ledger.Receiving
		change("its state is another", 1)
		c.AttemptList = append(c.AttemptList, ledger.Attempt{N: 2})
		change("an attempt is new", 1)
		w.Opens = w.Opens.Add(time.Second)
		change("an unused window has moved on", 0)
		w.Used = 1
		change("a window is used", 1)
	})
}

func TestClosedRecorderLetsGoOfItsTransports(t *testing.T) {
	r := New(&fakeStore{}, Options{})
	live := &fakeLive{}
	held := weak.Make(live)
	r.Watch(live)
	_ = r.Close()
	runtime.GC()
	if held.Value() != nil {
		t.Error("a transport is still held")
	}
	runtime.KeepAlive(r)
}

func TestPanickingTransportIsNotPulled(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, r *Recorder, store *fakeStore) {
		r.Watch(&fakeLive{pulled: func() { panic("oops") }})
		r.Record(aCall(r))
		pass(tick)
		if len(store.calls()) != 1 {
			t.Error("the call is missing")
		}
	})
}
