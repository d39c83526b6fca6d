package ledger

import (
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
			Took: 5 * time.Second, Attempts: 1, WireSends: 1, Outcome: Unknown, Error: "Post: Connection RESET by peer",
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
	berlin := time.FixedZone("UTC+1", 3600)
	env := Env{End: time.Date(2026, 11, 29, 13, 5, 15, 0, time.UTC), Zone: berlin, Service: "Checkout"}
	const all = "failed lost refused retried waiting"
	for _, test := range []struct{ filter, want string }{
		{"", all},

		{"host:orders.example.test", "retried"},
		{"host:orders.example.test:8443", "retried"},
		{"host:orders.example.test:80", ""},
		{"host:orders", ""},
		{"host:*.example.test", "failed refused retried waiting"},
		{"host:[::1]", "lost"},
		{"host:[::1]:80", "lost"},
		{"host:*:80", "lost"},
		{"host:/^(rates|mail)/", "failed refused"},
		{"method:post", "lost retried"},
		{"method:P*", "lost retried"},
		{"path:/ORDERS", "retried"},
		{"path:/order", ""},
		{"path:/items/*", "waiting"},
		{"path:*", "failed lost retried waiting"},
		{`path:""`, "refused"},
		{"path:/./", "failed lost retried waiting"},
		{"url:example.test/f", "failed"},
		{"url:dry=no", "retried"},
		{"url:https://*/orders?dry", "retried"},
		{"error:reset", "lost"},
		{`error:"connection re*"`, "lost refused"},
		{"error:*", "lost refused"},
		{`error:""`, "failed retried waiting"},
		{"service:checkout", all},
		{"service:check", ""},

		// A call without a key matches no key but the empty one.
		{"key:order-8841", "retried"},
		{"key:order-*", "retried"},
		{"key:*", "retried"},
		{"key:/^/", "retried"},
		{"-key:*", "failed lost refused waiting"},
		{`key:""`, "failed lost refused waiting"},
		{"-key:order-8841", "failed lost refused waiting"},

		// A bare word is looked for in URL and key, and nowhere else.
		{"8841", "retried"},
		{"fx", "failed"},
		{"e*/f", "failed"},
		{"/^order/", "retried"},
		{"/FX$/", "failed"},
		{"reset", ""},
		{"post", ""},

		// A call without a response has no status but 0.
		{"status:503", "failed"},
		{"status:2xx", "retried"},
		{"status:>=500", "failed"},
		{"status:<500", "retried"},
		{"status:..999", "failed retried"},
		{"status:0", "lost refused waiting"},
		{"-status:2xx", "failed lost refused waiting"},
		{"-status:>0", "lost refused waiting"},

		{"attempts:>1", "retried"},
		{"attempts:1", "failed lost refused"},
		{"attempts:<1", "waiting"},
		{"sends:>3", "retried"},
		{"sends:0", "refused waiting"},
		{"session:4", "refused waiting"},
		{"session:>3", "refused waiting"},

		// Running calls have lasted, and waited, until now.
		{"dur:>2s", "lost retried waiting"},
		{"dur:>2500ms", "lost waiting"},
		{"dur:>=2500ms", "lost retried waiting"},
		{"dur:<84ms", "refused"},
		{"dur:<=84ms", "failed refused"},
		{"dur:0", "refused"},
		{"dur:84ms..2500ms", "failed retried"},
		{"dur:2590ms..2590ms", "waiting"},
		{"-dur:84ms..2500ms", "lost refused waiting"},
		{"waited:>1s", "retried waiting"},
		{"waited:1790ms..1790ms", "waiting"},
		{"waited:0", "failed lost refused"},

		{"wait:backoff", "retried"},
		{"wait:retry-after", "retried"},
		{"wait:window", "waiting"},
		{"outcome:answered", "failed retried"},
		{"outcome:unknown", "lost"},
		{"outcome:not-sent", "refused"},
		{"-outcome:answered", "lost refused waiting"},
		{"running:yes", "waiting"},
		{"running:no", "failed lost refused retried"},

		// No call has an operation.
		{"state:pending", ""},
		{"state:*", ""},
		{"-state:pending", all},

		// Both ends of what is in the past.
		{"last:3s", all},
		{"last:2590ms", all},
		{"last:2589ms", ""},
		{"at:14:05", all},
		{"at:13:05", ""},
		{"at:14:05:12", all},
		{"at:14:05:12.410", all},
		{"at:14:05:12.411", ""},
		{"at:14:05:12.409", ""},
		{"at:14:00..14:05:12.410", ""},
		{"at:14:05:12.410..14:06", all},
		{"at:23:00..14:06", all},
		{"at:23:00..14:05", ""},
		{"at:14:06..14:05", ""},

		// How terms are joined.
		{"method:get status:0", "refused waiting"},
		{"method:get or status:0", "failed lost refused waiting"},
		{"method:post status:0 or status:503", "failed lost"},
		{"method:post (status:0 or status:503)", "lost"},
		{"-(method:post status:0)", "failed refused retried waiting"},
		{"-method:post status:0", "refused waiting"},
		{"--method:post", "lost retried"},
		{"not (method:get or outcome:unknown)", "retried"},
	} {
		filter := mustParse(t, test.filter)
		var got []string
		for _, name := range strings.Fields(all) {
			if filter.Match(exampleCalls()[name], env) {
				got = append(got, name)
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%-40s selects %v, want [%s]", test.filter, got, test.want)
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
