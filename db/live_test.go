package db_test

import (
	"context"
	"reflect"
	"slices"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
)

// runningCall returns call n of a session while it waits for its second attempt.
func runningCall(s ledger.SessionID, n int64) ledger.Call {
	c := ledger.Call{
		ID: ledger.NewCallID(s, n), Key: "order-1", Method: "PUT", Scheme: "https", Host: "api.example.test", Path: "/orders/ü", Query: "a=b",
		Started: start.Add(time.Duration(n) * time.Second), State: ledger.Waiting, Since: start.Add(time.Duration(n)*time.Second + time.Second), Policy: "3 attempts", Previous: ledger.NewCallID(s, 1000),
		AttemptList: []ledger.Attempt{{N: 1, Took: time.Second, Status: 503, Outcome: ledger.Answered, RetryAfter: 2 * time.Second, Proto: "HTTP/1.1",
			Remote: "192.0.2.1:443", WireSends: 1, Decision: ledger.AgainStatus, Phases: ledger.Phases{Send: 1, Wait: 2, Receive: 3}}},
		Waits: []ledger.Wait{{Before: 2, Kind: ledger.RetryAfterWait, Start: time.Second, Planned: 2 * time.Second, Rule: ledger.Rule{Asked: 2 * time.Second}}},
	}
	c.Summarise()
	return c
}

func running(t testing.TB, d *db.DB, ids ...ledger.SessionID) []ledger.Call {
	t.Helper()
	list, err := d.Running(context.Background(), ids)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestRunningCallsAreReadAsTheyWereLastSeen(t *testing.T) {
	d := open(t, newFile(t))
	s := enrol(t, d, session("checkout"))
	a, b := runningCall(s, 1), runningCall(s, 2)
	write(t, d, &ledger.Batch{Session: s, Running: []ledger.Call{b, a}})
	if got, want := running(t, d), []ledger.Call{a, b}; !reflect.DeepEqual(got, want) {
		t.Errorf("running are\n%+v, want\n%+v", got, want)
	}
	if got, err := d.Call(context.Background(), b.ID); err != nil || !reflect.DeepEqual(got, b) {
		t.Errorf("call 2 is\n%+v (%v), want\n%+v", got, err, b)
	}
	if list := calls(t, d, ledger.Query{}); len(list) != 0 {
		t.Errorf("running calls are listed as ended: %v", ids(list))
	}
	b.State, b.Since = ledger.Sending, b.Since.Add(time.Second)
	b.AttemptList = append(b.AttemptList, ledger.Attempt{N: 2, Reason: ledger.Retry, Start: 3 * time.Second, RetryAfter: -1})
	b.Summarise()
	ended := plainCall(s, 1)
	write(t, d, &ledger.Batch{Session: s, Calls: []ledger.Call{ended}, Running: []ledger.Call{a, b}}) // a ended after it was pulled
	if got, want := running(t, d, s), []ledger.Call{b}; !reflect.DeepEqual(got, want) {
		t.Errorf("running are\n%+v, want\n%+v", got, want)
	}
	if got := ids(calls(t, d, ledger.Query{})); !slices.Equal(got, []string{"1-1"}) {
		t.Errorf("ended are %v", got)
	}
	write(t, d, &ledger.Batch{Session: s})
	if got := running(t, d, s); len(got) != 0 {
		t.Errorf("running are %v", ids(got))
	}
}

func TestARunningCallThatIsAsItWasIsNotWrittenAgain(t *testing.T) {
	path := newFile(t)
	d := open(t, path)
	s := enrol(t, d, session("checkout"))
	same, other := runningCall(s, 1), runningCall(s, 2)
	write(t, d, &ledger.Batch{Session: s, Running: []ledger.Call{same, other}})
	sqlite(t, path, "DELETE FROM live") // what is written again comes back
	other.State = ledger.Sending
	write(t, d, &ledger.Batch{Session: s, Running: []ledger.Call{same, other}})
	if got := ids(running(t, d)); !slices.Equal(got, []string{"1-2"}) {
		t.Errorf("written again are %v, want 1-2 alone", got)
	}
}

func TestWhatRanWhenASessionEndedIsCutOff(t *testing.T) {
	d := open(t, newFile(t))
	first, second := enrol(t, d, session("checkout")), enrol(t, d, session("search"))
	for _, s := range []ledger.SessionID{first, second} {
		write(t, d, &ledger.Batch{Session: s, Calls: []ledger.Call{plainCall(s, 1), plainCall(s, 3), plainCall(s, 5)},
			Running: []ledger.Call{runningCall(s, 2), runningCall(s, 4), runningCall(s, 6)}})
	}
	if err := d.End(context.Background(), first, time.Now(), ledger.Counters{}); err != nil {
		t.Fatal(err)
	}
	want := runningCall(first, 4)
	want.State = ledger.CutOff
	want.Summarise()
	got, err := d.Call(context.Background(), want.ID)
	if err != nil || !reflect.DeepEqual(got, want) || got.Outcome != ledger.Unknown || got.Running() {
		t.Errorf("call 4 is\n%+v (%v), want\n%+v", got, err, want)
	}
	for _, test := range []struct {
		q    ledger.Query
		want []string
	}{
		{ledger.Query{}, []string{"1-1", "2-1", "1-2", "1-3", "2-3", "1-4", "1-5", "2-5", "1-6"}},
		{ledger.Query{Newest: true}, []string{"1-6", "2-5", "1-5", "1-4", "2-3", "1-3", "1-2", "2-1", "1-1"}},
		{ledger.Query{Newest: true, Limit: 3}, []string{"1-6", "2-5", "1-5"}},
		{ledger.Query{Newest: true, Before: ledger.NewCallID(1, 4)}, []string{"2-3", "1-3", "1-2", "2-1", "1-1"}},
		{ledger.Query{Newest: true, Before: ledger.NewCallID(2, 5)}, []string{"1-5", "1-4", "2-3", "1-3", "1-2", "2-1", "1-1"}},
		{ledger.Query{After: ledger.NewCallID(1, 4)}, []string{"1-5", "2-5", "1-6"}},
		{ledger.Query{After: ledger.NewCallID(2, 5)}, []string{"1-6"}},
		{ledger.Query{After: ledger.NewCallID(2, 1), Before: ledger.NewCallID(1, 5)}, []string{"1-2", "1-3", "2-3", "1-4"}},
		{ledger.Query{Filter: filter(t, "outcome:unknown")}, []string{"1-2", "1-4", "1-6"}},
		{ledger.Query{Filter: filter(t, "key:order-1"), Newest: true}, []string{"1-6", "1-4", "1-2"}},
		{ledger.Query{Filter: filter(t, "method:put host:absent.test")}, []string{}},
		{ledger.Query{Sessions: []ledger.SessionID{2}}, []string{"2-1", "2-3", "2-5"}},
		{ledger.Query{Sessions: []ledger.SessionID{}}, []string{}},
		{ledger.Query{Sessions: []ledger.SessionID{9}}, []string{}},
	} {
		list := calls(t, d, test.q)
		if got := ids(list); !slices.Equal(got, test.want) {
			t.Errorf("%+v selects %v, want %v", test.q, got, test.want)
		}
		for i := range list {
			if list[i].AttemptList != nil || list[i].Waits != nil {
				t.Errorf("%s has lists", list[i].ID)
			}
		}
	}
	s, err := d.Session(context.Background(), first)
	if err != nil || s.Running != 3 || s.Calls != 3 || s.Dead {
		t.Errorf("the session is %+v (%v)", s, err)
	}
}

func filter(t testing.TB, text string) ledger.Filter {
	t.Helper()
	f, err := ledger.ParseFilter(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestASilentSessionIsCutOffUnlessItsProcessRuns(t *testing.T) {
	d := open(t, newFile(t))
	here, elsewhere := session("here"), session("elsewhere")
	elsewhere.Host, elsewhere.PID = "other-machine", 77
	a, b := enrol(t, d, here), enrol(t, d, elsewhere)
	beat := time.Now()
	write(t, d, &ledger.Batch{Session: a, Beat: beat, Running: []ledger.Call{runningCall(a, 1)}})
	write(t, d, &ledger.Batch{Session: b, Beat: beat, Running: []ledger.Call{runningCall(b, 1)}})
	for _, test := range []struct {
		after time.Duration
		want  ledger.State
	}{{ledger.BeatTimeout - time.Second, ledger.Waiting}, {ledger.BeatTimeout + time.Second, ledger.CutOff}} {
		d.SetNow(func() time.Time { return beat.Add(test.after) })
		for _, c := range running(t, d) {
			want := test.want
			if c.ID.Session() == a && knowsProcesses {
				want = ledger.Waiting // it may be stopped, or its disk full
			}
			if c.State != want {
				t.Errorf("%s after the last beat, %s is %s, want %s", test.after, c.ID, c.State, want)
			}
		}
	}
}

func TestWindowsAreReadAsTheyWereLastSeen(t *testing.T) {
	d := open(t, newFile(t))
	first, second := enrol(t, d, session("checkout")), enrol(t, d, session("search"))
	a := ledger.Window{Host: "api.example.test", Limit: 3, Per: 4500 * time.Millisecond, Used: 2, Opens: start, Waiting: 1, Since: start.Add(-time.Second)}
	b := ledger.Window{Host: "ü.test:80", Name: "GET /ü/*", Kind: ledger.GCRAWindow, Limit: 10, Per: time.Minute, Paused: start.Add(time.Minute),
		Declared: ledger.Declared{At: start, Limit: 9, Per: time.Hour, Remaining: 2, Resets: start.Add(time.Hour)}}
	c := ledger.Window{Host: "c.test", Limit: 1, Per: time.Second}
	check := func(want []ledger.Window, sessions ...ledger.SessionID) {
		t.Helper()
		if got, err := d.Windows(context.Background(), sessions); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("the windows are\n%+v (%v), want\n%+v", got, err, want)
		}
	}
	write(t, d, &ledger.Batch{Session: first, Windows: []ledger.Window{a, b}})
	write(t, d, &ledger.Batch{Session: second, Windows: []ledger.Window{c}})
	check([]ledger.Window{a, b, c}, first, second)
	check([]ledger.Window{c}, second)
	b.Used = 7
	write(t, d, &ledger.Batch{Session: first, Windows: []ledger.Window{a, b}})
	check([]ledger.Window{a, b}, first)
	write(t, d, &ledger.Batch{Session: first, Windows: []ledger.Window{b}})
	check([]ledger.Window{b, c})
	write(t, d, &ledger.Batch{Session: first})
	check([]ledger.Window{c})
}
