package ledger

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// mustParse returns the filter or ends the test.
func mustParse(t testing.TB, text string) Filter {
	t.Helper()
	f, err := ParseFilter(text)
	if err != nil {
		t.Fatalf("parse %q: %v", text, err)
	}
	return f
}

// exampleCalls are calls with their summaries alone, as a list has them.
func exampleCalls() map[string]*Call {
	started := time.Date(2026, 11, 29, 13, 5, 12, 410e6, time.UTC)
	return map[string]*Call{
		"retried": {
			ID: NewCallID(3, 7), Key: "order-8841", Method: "POST", Scheme: "https", Host: "Orders.example.test:8443",
			Path: "/orders", Query: "dry=No", Started: started, Took: 2500 * time.Millisecond, Attempts: 3, WireSends: 4,
			Waited: 1140 * time.Millisecond, WaitedFor: 1<<BackoffWait | 1<<RetryAfterWait, Status: 201, Outcome: Answered,
		},
		"failed": {
			ID: NewCallID(3, 8), Method: "GET", Scheme: "http", Host: "rates.example.test", Path: "/fx", Started: started,
			Took: 84 * time.Millisecond, Attempts: 1, WireSends: 1, Status: 503, Outcome: Answered,
		},
		"lost": {
			ID: NewCallID(3, 9), Method: "POST", Scheme: "http", Host: "[::1]:80", Path: "/charges", Started: started,
			Took: 5 * time.Second, Attempts: 1, WireSends: 2, Outcome: Unknown, Duplicate: Duplicate{NewCallID(3, 9), NewCallID(3, 9), WireTwice}, Error: "Post: Connection RESET by peer",
		},
		"refused": {
			ID: NewCallID(4, 1), Method: "GET", Scheme: "http", Host: "mail.example.test", Started: started, Outcome: NotSent,
			Attempts: 1, Error: "dial: connection refused",
		},
		"waiting": {
			ID: NewCallID(4, 2), Method: "GET", Scheme: "http", Host: "quota.example.test", Path: "/items/19", Started: started,
			State: Waiting, Since: started.Add(time.Second), WaitedFor: 1 << WindowWait, Waited: 200 * time.Millisecond,
		},
	}
}

func TestFilterMatchesTheCallsItDescribes(t *testing.T) {
	const all = "failed lost refused retried waiting"
	env := Env{
		End:     time.Date(2026, 11, 29, 13, 5, 15, 0, time.UTC),
		Zone:    time.FixedZone("UTC+1", 3600),
		Service: "Checkout",
	}
	for _, row := range table(t, "filter-match.txt") {
		filter := mustParse(t, row[0])
		var selected []string
		for _, name := range strings.Fields(all) {
			if filter.Match(exampleCalls()[name], env) {
				selected = append(selected, name)
			}
		}
		got := strings.Join(selected, " ")
		switch got {
		case "":
			got = "none"
		case all:
			got = "all"
		}
		if got != row[1] {
			t.Errorf("%-40s selects %s, want %s", row[0], got, row[1])
		}
	}
}

func TestLastCountsBackFromTheEndOfTheRecording(t *testing.T) {
	end := time.Date(2020, 1, 2, 0, 1, 0, 0, time.UTC)
	filter := mustParse(t, "last:5m")
	for _, test := range []struct {
		before time.Duration // the end of the recording
		want   bool
	}{{0, true}, {5 * time.Minute, true}, {5*time.Minute + 1, false}, {-time.Second, true}} {
		call := Call{Started: end.Add(-test.before)}
		if got := filter.Match(&call, Env{End: end}); got != test.want {
			t.Errorf("started %v before the end: %v, want %v", test.before, got, test.want)
		}
	}
}

func TestAtPassesMidnightInTheZoneOfTheScreen(t *testing.T) {
	filter := mustParse(t, "at:23:50..0:10")
	zone := time.FixedZone("UTC-3", -3*3600)
	for _, test := range []struct {
		utc  string
		want bool
	}{
		{"02:49:59.999", false}, {"02:50:00", true}, {"03:00:00", true}, {"03:09:59.999", true}, {"03:10:00", false}, {"23:55:00", false},
	} {
		started, err := time.Parse("15:04:05", test.utc)
		if err != nil {
			t.Fatal(err)
		}
		if got := filter.Match(&Call{Started: started}, Env{Zone: zone}); got != test.want {
			t.Errorf("%s UTC: %v, want %v", test.utc, got, test.want)
		}
	}
	if !filter.Match(&Call{Started: time.Date(2026, 1, 1, 23, 55, 0, 0, time.UTC)}, Env{}) {
		t.Error("without a zone the time of day is not that of UTC")
	}
}

// The clock on the wall is what the user sees, also on the day it is put forward.
func TestAtFollowsTheClockOnTheWall(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	started := time.Date(2026, 3, 29, 10, 0, 0, 0, zone) // nine hours after midnight
	if !mustParse(t, "at:10:00").Match(&Call{Started: started}, Env{Zone: zone}) {
		t.Error("10:00 on the day of the change is not found at 10:00")
	}
}

func TestClockThatIsBehindDoesNotMakeRunningCallsNegative(t *testing.T) {
	started := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	call := Call{Started: started, State: Waiting, Since: started}
	if !mustParse(t, "dur:0 waited:0").Match(&call, Env{End: started.Add(-time.Hour)}) {
		t.Error("a running call that began after now has not lasted 0")
	}
}

func TestFilterNeedsNoLists(t *testing.T) {
	for text, want := range map[string]bool{"attempts:3": true, "wait:backoff": true, "status:201": true, "sends:>3": true} {
		call := exampleCalls()["retried"]
		bare := mustParse(t, text).Match(call, Env{})
		call.AttemptList = []Attempt{{Status: 500}}
		call.Waits = []Wait{{Kind: WindowWait}}
		if listed := mustParse(t, text).Match(call, Env{}); bare != want || listed != want {
			t.Errorf("%s: %v without lists and %v with them, want %v", text, bare, listed, want)
		}
	}
}

func TestWildcardsStandForAnyRun(t *testing.T) {
	for _, test := range []struct {
		pattern, value string
		want           bool
	}{
		{"a*", "a", true}, {"a*", "abc", true}, {"a*", "ba", false},
		{"*a", "a", true}, {"*a", "cba", true}, {"*a", "ab", false},
		{"a*a", "a", false}, {"a*a", "aa", true}, {"a*a", "aba", true},
		{"a*b*c", "a-b-b-c", true}, {"a*b*c", "acb", false},
		{"*ab*ab*", "abab", true}, {"*ab*ab*", "aba", false}, {"ab*ba", "aba", false},
		{"*", "x", true}, {"a.c", "abc", false}, {"a%", "abc", false}, {"a_c", "abc", false}, {"a?c", "abc", false},
		{"straße*", "STRASSE", false}, {"ÄÖ*", "äöü", true},
	} {
		if got := mustParse(t, "key:"+test.pattern).Match(&Call{Key: test.value}, Env{}); got != test.want {
			t.Errorf("%s on %s: %v, want %v", test.pattern, test.value, got, test.want)
		}
	}
}

func TestBytesThatAreNotTextCanBeSearched(t *testing.T) {
	call := Call{Key: "a\xff\x00b", Scheme: "http", Host: "h\x9b"}
	for _, text := range []string{"key:a*b", "a*b", "key:/a.*b/", "host:h*"} {
		if !mustParse(t, text).Match(&call, Env{}) {
			t.Errorf("%s does not find the call", text)
		}
	}
}

func TestKeysHaveNames(t *testing.T) {
	for key := KeyHost; int(key) < len(keyNames); key++ {
		if key.String() == "" || key.String() == "?" {
			t.Errorf("key %d has no name", key)
		}
	}
	if got := Key(len(keyNames)).String(); got != "?" {
		t.Errorf("the key beyond the last is %q", got)
	}
}

func BenchmarkMatch(b *testing.B) {
	call := exampleCalls()["retried"]
	for _, text := range []string{"status:5xx", "host:*.example.test", "orders", "/order-[0-9]+/"} {
		filter := mustParse(b, text)
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				filter.Match(call, Env{})
			}
		})
	}
}

func TestAFilterNamesSettledStatesOrDoesNot(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "state:pending": false, "state:succeeded": true, "state:FAILED host:x": true, "state:fail*": true, "state:/^succ/": true,
		"state:pending or state:failed": true, "-state:pending": false, "-state:failed": false, "succeeded": false, "key:failed": false,
	} {
		f, err := ParseFilter(text)
		if err != nil || f.NamesSettled() != want {
			t.Errorf("%q names settled states: %t, want %t (%v)", text, f.NamesSettled(), want, err)
		}
	}
}

func TestAFilterOfCallsIsToldWhatOnlyOperationsHave(t *testing.T) {
	for text, wrong := range map[string]string{
		"": "", "host:x status:5xx": "", "pending": "", "state:": "state:",
		"state:pending": "state:pending", "status:5xx -state:failed": "state:failed", "(host:x or state:p*) key:y": "state:p*",
	} {
		_, err := ParseCallFilter(text)
		var at *FilterError
		switch {
		case err == nil && wrong != "":
			t.Errorf("%q is accepted", text)
		case err != nil && (!errors.As(err, &at) || text[at.Start:at.End] != wrong):
			t.Errorf("%q: %v, at %+v, want %q", text, err, at, wrong)
		}
	}
	_, err := ParseCallFilter("state:pending")
	if want := "filter, column 1: calls have no state: list operations by it, or calls by key: or outcome:"; err == nil || err.Error() != want {
		t.Errorf("\n got %v\nwant %s", err, want)
	}
}

func TestAFilterOfOperationsIsToldWhatOnlyCallsHave(t *testing.T) {
	for text, wrong := range map[string]string{
		"": "", "host:x status:5xx attempts:>1 sends:2 dur:>1s last:5m": "", "order-*": "", "state:pending key:x -method:GET": "",
		"outcome:unknown": "outcome:unknown", "state:pending -duplicate:yes": "duplicate:yes", "(key:x or running:yes) last:5m": "running:yes",
		"wait:window": "wait:window", "key:x waited:>1s": "waited:>1s", "session:3": "session:3",
	} {
		_, err := ParseOperationFilter(text)
		var at *FilterError
		switch {
		case err == nil && wrong != "":
			t.Errorf("%q is accepted", text)
		case err != nil && (!errors.As(err, &at) || text[at.Start:at.End] != wrong):
			t.Errorf("%q: %v, at %+v, want %q", text, err, at, wrong)
		}
	}
	_, err := ParseOperationFilter("key:x outcome:unknown")
	if want := "filter, column 7: operations have no outcome:, which is for calls: they have at, attempts, dur, error, host, key, last, method, path, sends, service, state, status and url"; err == nil || err.Error() != want {
		t.Errorf("\n got %v\nwant %s", err, want)
	}
}
