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

// windowsBefore returns what a session is told of windows.
func windowsBefore(t *testing.T, d *db.DB, id ledger.SessionID) []ledger.Window {
	t.Helper()
	list, err := d.WindowsBefore(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestAWindowThatStillCountsIsToldToTheNextSession(t *testing.T) {
	now := time.Now().UTC().Round(0)
	soon, past := now.Add(time.Hour), now.Add(-time.Hour)
	for name, test := range map[string]struct {
		window ledger.Window
		beat   time.Time
		want   bool
	}{
		"a period that runs":               {ledger.Window{Limit: 3, Per: time.Hour, Used: 1, Opens: soon}, now, true},
		"one that is over":                 {ledger.Window{Limit: 3, Per: time.Hour, Used: 3, Opens: past}, now, false},
		"nothing used":                     {ledger.Window{Limit: 3, Per: time.Hour, Opens: soon}, now, false},
		"a sliding one with room":          {ledger.Window{Kind: ledger.SlidingWindow, Limit: 3, Per: time.Hour, Used: 1}, now.Add(-time.Minute), true},
		"a sliding one that has slid away": {ledger.Window{Kind: ledger.SlidingWindow, Limit: 3, Per: time.Minute, Used: 1}, past, false},
		"a pause":                          {ledger.Window{Paused: soon}, past, true},
		"a pause that is over":             {ledger.Window{Paused: past}, now, false},
		"a declaration":                    {ledger.Window{Declared: ledger.Declared{At: past, Limit: 10, Remaining: 2, Resets: soon}}, past, true},
		"a declaration that is over":       {ledger.Window{Declared: ledger.Declared{At: past, Limit: 10, Remaining: 2, Resets: past}}, now, false},
		"a declaration that says no time":  {ledger.Window{Declared: ledger.Declared{At: now, Limit: 10}}, now, false},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, newFile(t))
			s := session("checkout")
			s.LastSeen = test.beat
			first := enrol(t, d, s)
			w := test.window
			w.Host, w.Name, w.Waiting, w.Since = "quota.example.test", "/items", 2, past
			write(t, d, &ledger.Batch{Session: first, Beat: test.beat, Windows: []ledger.Window{w}})
			got := windowsBefore(t, d, enrol(t, d, session("checkout")))
			w.Waiting, w.Since = 0, time.Time{} // who waited is gone
			if want := []ledger.Window{w}; test.want && !reflect.DeepEqual(got, want) || !test.want && len(got) != 0 {
				t.Errorf("it is told %+v", got)
			}
		})
	}
}

func TestOnlyTheSameServiceOnTheSameMachineIsToldOfWindows(t *testing.T) {
	d := open(t, newFile(t))
	window := func(used int) []ledger.Window {
		return []ledger.Window{{Host: "a", Limit: 9, Per: time.Hour, Used: used, Opens: time.Now().UTC().Round(0).Add(time.Hour)}}
	}
	elsewhere := session("checkout")
	elsewhere.Host = "elsewhere"
	for used, s := range []ledger.Session{session("checkout"), session("search"), elsewhere, session("checkout")} {
		write(t, d, &ledger.Batch{Session: enrol(t, d, s), Windows: window(used + 1)})
	}
	last := enrol(t, d, session("checkout"))
	write(t, d, &ledger.Batch{Session: last, Windows: window(9)})
	var used []int
	for _, w := range windowsBefore(t, d, last) {
		used = append(used, w.Used)
	}
	if !slices.Equal(used, []int{4}) {
		t.Errorf("it is told of windows with %v used, want 4 of the latest alone", used)
	}
}

func TestWhatMayNotBeRepeatedIsToldToTheNextSession(t *testing.T) {
	d := open(t, newFile(t))
	s := enrol(t, d, session("checkout"))
	post := func(n int64) ledger.Call {
		c := plainCall(s, n)
		c.Method = "POST"
		c.AttemptList[0].Request.Body = ledger.Body{Data: make([]byte, 500), Size: 500, SHA256: [32]byte{byte(n)}}
		return c
	}
	write(t, d, &ledger.Batch{Session: s, Calls: []ledger.Call{post(1), plainCall(s, 2), post(3), post(4)}})
	search := enrol(t, d, session("search"))
	write(t, d, &ledger.Batch{Session: search, Calls: []ledger.Call{fullCall(search, 1)}})
	next := enrol(t, d, session("checkout"))
	got, err := d.SentBefore(context.Background(), next, start.Add(2*time.Second))
	if err != nil || !slices.Equal(ids(got), []string{"1-3", "1-4"}) {
		t.Fatalf("it is told of %v (%v)", ids(got), err)
	}
	if b := got[0].AttemptList[0].Request.Body; b.Data != nil || b.Size != 500 || b.SHA256 != [32]byte{3} {
		t.Errorf("the body is %+v", b)
	}
}
