package db_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
	_ "time/tzdata" // for machines without

	"redial/db"
	"redial/ledger"
)

// mixed returns calls of a session in which every key of the filter language finds some
// and misses others. They are ten minutes apart, and their starts now and then out of
// order by a few milliseconds.
func mixed(s ledger.SessionID, n int) (list []ledger.Call) {
	random := rand.New(rand.NewPCG(uint64(s), 7))
	pick := func(texts ...string) string { return texts[random.IntN(len(texts))] }
	for i := range n {
		c := ledger.Call{
			ID:      ledger.NewCallID(s, int64(i+1)),
			Started: start.Add(time.Duration(i)*10*time.Minute + time.Duration(random.IntN(30))*time.Millisecond),
			Took:    time.Duration(random.Int64N(int64(3 * time.Second))),
			Method:  pick("GET", "POST", "PUT", "purge"), Scheme: pick("http", "https"),
			Host:  pick("api.example.test", "api.example.test:8443", "[::1]:80", "other.test", "other.test", "rare.test"),
			Path:  pick("/orders", "/Orders", "/orders/100%_off", fmt.Sprintf("/orders/%d", i), "", "*", "/ü", "/a\x00b", "/K"),
			Query: pick("", "", "page=2", fmt.Sprintf("q=%d", i), "orders=ä"),
			Key:   pick("", "", fmt.Sprintf("order-%d", i%40), fmt.Sprintf("Order-%d", i%40)),
			Error: pick("", "", "", "unexpected EOF", "dial tcp: Zeitüberschreitung"),
		}
		if i == 20 && s == 2 {
			c.Key = "ordеr-7" // the e is Cyrillic
		}
		if c.Host == "rare.test" && i%10 != 0 {
			c.Host = "other.test"
		}
		for k := range 1 + random.IntN(3) {
			a := ledger.Attempt{N: k + 1, RetryAfter: -1, WireSends: random.IntN(3), Outcome: ledger.Answered, Status: []int{200, 201, 404, 429, 503}[random.IntN(5)]}
			if random.IntN(6) == 0 {
				a.Status, a.Outcome = 0, []ledger.Outcome{ledger.Unknown, ledger.NotSent}[random.IntN(2)]
			}
			c.AttemptList = append(c.AttemptList, a)
			if k > 0 {
				c.Waits = append(c.Waits, ledger.Wait{Before: k + 1, Kind: ledger.WaitKind(random.IntN(ledger.NumWaitKinds)), Took: time.Duration(random.Int64N(int64(2 * time.Second)))})
			}
		}
		c.Summarise()
		list = append(list, c)
	}
	return list
}

// TestALongSessionIsSearchedInTheRightPlace has enough calls for those that are looked for
// to lie far from where a careless search would look.
func TestALongSessionIsSearchedInTheRightPlace(t *testing.T) {
	d := open(t, newFile(t))
	s := enrol(t, d, session("checkout"))
	list := make([]ledger.Call, 8000) // one each second
	for i := range list {
		list[i] = plainCall(s, int64(i+1))
		list[i].Status = 404 // an index that has them all
		if i == 1500 || i == 4000 || i == 7900 {
			list[i].Host, list[i].Took = "rare.test", 40*time.Minute // it ends far from where it starts
		}
	}
	for batch := range slices.Chunk(list, 1000) {
		write(t, d, &ledger.Batch{Session: s, Calls: batch})
	}
	end := start.Add(8001 * time.Second)
	if err := d.End(context.Background(), s, end, ledger.Counters{}); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "host:rare.test", "last:10m", "at:12:30..12:31", "at:13:00..13:01", "host:rare.test at:12:20..13:10", "host:rare.test last:2h", "status:404 last:1h",
		"status:404 host:rare.test", "dur:>1s", "/orders/ last:100m", "absent"} {
		f := filter(t, text)
		for _, newest := range []bool{false, true} {
			want := selected(list, f, map[ledger.SessionID]string{s: "checkout"}, end, newest)
			if got := ids(calls(t, d, ledger.Query{Filter: f, Newest: newest})); !slices.Equal(got, want) {
				t.Errorf("%q, newest %v, selects %d calls, want %d", text, newest, len(got), len(want))
			}
		}
	}
}

func TestAtTellsTheTimeOfItsZone(t *testing.T) {
	d := open(t, newFile(t))
	s := enrol(t, d, session("checkout"))
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	var list []ledger.Call
	for n := range int64(24 * 5 * 4) { // quarters of an hour, across the night in which clocks go back
		c := plainCall(s, n+1)
		c.Started = time.Date(2026, 10, 23, 0, 0, 0, 0, time.UTC).Add(time.Duration(n) * 15 * time.Minute)
		list = append(list, c)
	}
	store(t, d, s, list)
	for _, text := range []string{"at:02:00..03:00", "at:01:30..02:30", "at:23:00..02:15", "at:12:00..12:30", "at:03:00"} {
		f := filter(t, text)
		want := ids(slices.DeleteFunc(slices.Clone(list), func(c ledger.Call) bool { return !f.Match(&c, ledger.Env{Zone: zone}) }))
		if got := ids(calls(t, d, ledger.Query{Filter: f, Zone: zone})); !slices.Equal(got, want) {
			t.Errorf("%q selects %d calls, want %d", text, len(got), len(want))
		}
	}
}

// selected returns what Match says of all calls, in the order of a query.
func selected(list []ledger.Call, f ledger.Filter, services map[ledger.SessionID]string, end time.Time, newest bool) []string {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b ledger.Call) int {
		if a.ID.Session() == b.ID.Session() {
			return int(a.ID.N() - b.ID.N())
		}
		return a.Started.Compare(b.Started)
	})
	if newest {
		slices.Reverse(list)
	}
	return ids(slices.DeleteFunc(list, func(c ledger.Call) bool {
		return !f.Match(&c, ledger.Env{End: end, Service: services[c.ID.Session()]})
	}))
}

// store writes calls in batches, so that the later ones find the dictionary filled.
func store(t *testing.T, d *db.DB, s ledger.SessionID, list []ledger.Call) {
	t.Helper()
	for batch := range slices.Chunk(list, 50) {
		write(t, d, &ledger.Batch{Session: s, Calls: batch})
	}
}

// twice returns duplicates among the calls, and marks those that are in them.
func twice(list []ledger.Call) (found []ledger.Duplicate) {
	for i := 9; i < len(list); i += 17 {
		d := ledger.Duplicate{Call: list[i].ID, Other: list[i-5].ID, Kind: ledger.DuplicateKind(1 + i%3)}
		if d.Kind == ledger.WireTwice {
			d.Other = d.Call
		} else {
			list[i-5].Duplicate = ledger.Duplicate{Call: d.Other, Other: d.Call, Kind: d.Kind}
		}
		list[i].Duplicate = d
		found = append(found, d)
	}
	return found
}

func TestAFilterSelectsWhatMatchSelects(t *testing.T) {
	d := open(t, newFile(t))
	services := map[ledger.SessionID]string{1: "checkout", 2: "search"}
	var all []ledger.Call
	end := start.Add(60 * time.Hour)
	for s := ledger.SessionID(1); s <= 2; s++ {
		enrol(t, d, session(services[s]))
		list := mixed(s, 250)
		store(t, d, s, list)
		write(t, d, &ledger.Batch{Session: s, Duplicates: twice(list)})
		all = append(all, list...)
		if err := d.End(context.Background(), s, end, ledger.Counters{}); err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range []string{
		"", "status:5xx", "status:0", "status:>=400", "status:200..404", "-status:200", "attempts:>1", "attempts:3", "attempts:<3", "sends:0",
		"sends:>2", "dur:>2s", "dur:>=1s", "dur:<500ms", "dur:1s..2s", "waited:>1s", "waited:>0s", "waited:<1s", "wait:backoff", "-wait:window",
		"outcome:unknown", "outcome:not-sent", "outcome:answered", "-outcome:answered", "running:yes", "running:no", "state:pending", "-state:pending",
		"session:1", "session:>1", "service:search", "-service:s*", "host:api.example.test", "host:other.test", "host:rare.test", "host:absent.test",
		"host:[::1]", "host:*.test", "-host:*.test", "method:get", "method:P*", "-method:purge", "path:/orders", "path:/orders/*", "path:*%_off", `path:""`,
		`-path:""`, "path:/ü", "path:/Ü", "path:/k", "path:*", "key:order-7", "key:ORDER-7", "key:order-*", `key:""`, "-key:order-7", "key:/order-7/", "error:eof",
		"error:/zeit/", `error:""`, "-error:eof", "error:überschreitung", "orders", "order-7", "api.example.test", "page", "page=2", "example.test/orders", "https", ":8443",
		"/q=1[0-9]/", "url:orders/1", "url:*orders*9", "-orders", "-url:https", "\"100%_off\"", "ä", "last:5h", "last:1000h", "-last:5h", "at:12:00..14:00",
		"at:23:30..00:30", "at:22:00..24:00", "-at:12:00..14:00", "at:14:13", "host:rare.test at:12:00..18:00 last:50h", "host:rare.test status:5xx",
		"status:5xx or attempts:>2", "(host:rare.test or host:[::1]) -status:200", "-(status:5xx host:other.test)", "status:5xx dur:>2s waited:>1s",
		"key:order-7 or path:/ü", "not (orders or error:eof)", "outcome:unknown error:eof", "-host:absent.test",
		"wait:bandwidth", "duplicate:yes", "duplicate:no", "-duplicate:yes", "-duplicate:no", "duplicate:no-key", "duplicate:two-keys", "duplicate:wire-twice",
		"duplicate:yes status:5xx", "duplicate:no attempts:>1", "duplicate:yes or status:0", "duplicate:yes at:12:00..18:00", "-duplicate:no-key",
	} {
		f, err := ledger.ParseFilter(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		for _, newest := range []bool{false, true} {
			want := selected(all, f, services, end, newest)
			if got := ids(calls(t, d, ledger.Query{Filter: f, Newest: newest})); !slices.Equal(got, want) {
				t.Errorf("%q, newest %v: %d calls, want %d\n got %v\nwant %v", text, newest, len(got), len(want), got, want)
			}
			want = want[:min(7, len(want))]
			if got := ids(calls(t, d, ledger.Query{Filter: f, Newest: newest, Limit: 7})); !slices.Equal(got, want) {
				t.Errorf("%q, newest %v, limit 7:\n got %v\nwant %v", text, newest, got, want)
			}
		}
	}
}
