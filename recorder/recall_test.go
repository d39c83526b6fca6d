package recorder

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
)

// rememberingStore is a store with a past.
type rememberingStore struct {
	fakeStore
	windows []ledger.Window
	sent    []ledger.Call
	past    error // what both questions return
	since   time.Time
}

func (s *rememberingStore) WindowsBefore(_ context.Context, id ledger.SessionID) ([]ledger.Window, error) {
	if id == 0 {
		return nil, errors.New("no session")
	}
	return s.windows, s.past
}

func (s *rememberingStore) SentBefore(_ context.Context, _ ledger.SessionID, since time.Time) ([]ledger.Call, error) {
	s.since = since
	return s.sent, s.past
}

// restorable is a transport that can be told of the past.
type restorable struct {
	fakeLive
	once sync.Mutex
	told [][]ledger.Window
}

func (r *restorable) RestoreWindows(w []ledger.Window) {
	r.once.Lock()
	defer r.once.Unlock()
	r.told = append(r.told, w)
	if len(w) > 0 && w[0].Host == "break" {
		panic("cannot")
	}
	for i := range w {
		w[i].Host = "changed" // what it was given is its own
	}
}

func TestATransportIsToldWhatSessionsBeforeLeftOfItsWindows(t *testing.T) {
	left := []ledger.Window{{Host: "quota.example.test", Limit: 3, Used: 3}, {Host: "b"}}
	for name, enrolLater := range map[string]bool{"it comes after enrolment": false, "it comes before enrolment": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := &rememberingStore{windows: left}
				if enrolLater {
					store.failWith(errors.New("locked"))
				}
				r := New(store, Options{})
				defer r.Close()
				first, second := &restorable{}, &restorable{}
				r.Watch(first)
				r.Watch(second)
				store.failWith(nil)
				pass(2 * time.Second)
				r.Watch(&fakeLive{}) // which cannot be told
				for _, live := range []*restorable{first, second} {
					if len(live.told) != 1 || len(live.told[0]) != 2 {
						t.Errorf("it was told %+v", live.told)
					}
				}
				if want := (ledger.Window{Host: "quota.example.test", Limit: 3, Used: 3}); left[0] != want {
					t.Errorf("the store's own became %+v", left[0])
				}
			})
		})
	}
}

func TestAPastThatCannotBeReadIsNoPast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &rememberingStore{windows: []ledger.Window{{Host: "a"}}, past: errors.New("damaged")}
		r := New(store, Options{})
		defer r.Close()
		live := &restorable{}
		r.Watch(live)
		c := aCall(r)
		r.Record(c)
		pass(tick)
		if len(live.told) != 0 || len(store.calls()) != 1 || r.Session() != 1 {
			t.Errorf("it was told %v, and %d calls are written", live.told, len(store.calls()))
		}
	})
}

func TestATransportThatBreaksOnThePastGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &rememberingStore{windows: []ledger.Window{{Host: "break"}}}
		r := New(store, Options{})
		defer r.Close()
		live := &restorable{}
		r.Watch(live)
		if len(live.told) != 1 {
			t.Errorf("it was told %v", live.told)
		}
	})
}

func TestWhatASessionBeforeSentIsKnownToTheFinder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		old := *anOrder(7, func(c *ledger.Call) { c.Started = time.Now().Add(-time.Minute) })
		store := &rememberingStore{sent: []ledger.Call{old}}
		began := time.Now()
		r := New(store, Options{DuplicateSpan: 5 * time.Minute})
		defer r.Close()
		c := anOrder(1, func(c *ledger.Call) { c.ID, c.Started = r.NewID(), time.Now() })
		r.Record(c)
		pass(tick)
		want := []ledger.Duplicate{{Call: ledger.NewCallID(1, 1), Other: old.ID, Kind: ledger.NoKey}}
		if got := store.last().Duplicates; !reflect.DeepEqual(got, want) {
			t.Errorf("found %+v, want %+v", got, want)
		}
		if !store.since.Equal(began.Add(-5 * time.Minute)) {
			t.Errorf("it asked for what was sent since %v", store.since)
		}
	})
}

func TestTheLastStateOfTheWindowsIsWrittenAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &fakeStore{}
		r := New(store, Options{})
		live := &fakeLive{}
		r.Watch(live)
		pass(tick)
		live.set(nil, []ledger.Window{{Host: "a", Limit: 3, Used: 2, Opens: time.Now().Add(time.Minute)}})
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		if w := store.last().Windows; len(w) != 1 || w[0].Used != 2 {
			t.Errorf("the windows are %+v", w)
		}
	})
}

func TestARedirectFromBeforeEnrolmentIsOfTheSession(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, r *Recorder, store *fakeStore) {
		c := aCall(r)
		c.Previous = ledger.NewCallID(0, 9)
		r.Record(c)
		pass(tick)
		if got := store.calls()[0].Previous; got != ledger.NewCallID(1, 9) {
			t.Errorf("the call before it is %s", got)
		}
	})
}
