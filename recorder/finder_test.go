package recorder

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"redial/ledger"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// anOrder returns a POST that was answered with 201, n seconds after noon.
func anOrder(n int64, change ...func(*ledger.Call)) *ledger.Call {
	c := &ledger.Call{
		ID: ledger.NewCallID(1, n), Method: "POST", Scheme: "http", Host: "orders.example.test", Path: "/orders", Query: "a=1",
		Started: noon.Add(time.Duration(n) * time.Second),
		AttemptList: []ledger.Attempt{{N: 1, Outcome: ledger.Answered, Status: 201, WireSends: 1, BytesSent: 7,
			Request: ledger.Message{Body: ledger.Body{Size: 7, SHA256: [32]byte{7}}}}},
	}
	for _, do := range change {
		do(c)
	}
	return c
}

func key(k string) func(*ledger.Call) { return func(c *ledger.Call) { c.Key = k } }

func answered(status int) func(*ledger.Call) {
	return func(c *ledger.Call) { c.AttemptList[0].Status = status }
}

func unanswered(o ledger.Outcome) func(*ledger.Call) {
	return func(c *ledger.Call) { c.AttemptList[0].Status, c.AttemptList[0].Outcome = 0, o }
}

func method(m string) func(*ledger.Call) { return func(c *ledger.Call) { c.Method = m } }

// again adds an attempt.
func again(reason ledger.Reason, o ledger.Outcome, status int) func(*ledger.Call) {
	return func(c *ledger.Call) {
		a := c.AttemptList[0]
		a.N, a.Reason, a.Outcome, a.Status = len(c.AttemptList)+1, reason, o, status
		c.AttemptList = append(c.AttemptList, a)
	}
}

// found returns what a finder says of calls, as "2=1 no-key" for each that it says something of.
func found(f *finder, calls ...*ledger.Call) string {
	var said []string
	for _, c := range calls {
		f.see(c)
		if d := c.Duplicate; d.Kind != ledger.NoDuplicate {
			said = append(said, fmt.Sprintf("%d=%d %s", d.Call.N(), d.Other.N(), d.Kind))
		}
	}
	return strings.Join(said, ", ")
}

func TestTheSameCallTwiceIsFound(t *testing.T) {
	for name, test := range map[string]struct {
		calls []*ledger.Call
		want  string
	}{
		"twice without a key":            {[]*ledger.Call{anOrder(1), anOrder(2)}, "2=1 no-key"},
		"three times":                    {[]*ledger.Call{anOrder(1), anOrder(2), anOrder(3)}, "2=1 no-key, 3=2 no-key"},
		"the earlier one ends later":     {[]*ledger.Call{anOrder(2), anOrder(1)}, "2=1 no-key"},
		"a key for each send":            {[]*ledger.Call{anOrder(1, key("a")), anOrder(2, key("b"))}, "2=1 two-keys"},
		"one key":                        {[]*ledger.Call{anOrder(1, key("a")), anOrder(2, key("a"))}, ""},
		"two keys, and the first again":  {[]*ledger.Call{anOrder(1, key("a")), anOrder(2, key("b")), anOrder(3, key("a"))}, "2=1 two-keys"},
		"with and without a key":         {[]*ledger.Call{anOrder(1, key("a")), anOrder(2)}, ""},
		"no answer to the first":         {[]*ledger.Call{anOrder(1, unanswered(ledger.Unknown)), anOrder(2)}, "2=1 no-key"},
		"the first was not sent":         {[]*ledger.Call{anOrder(1, unanswered(ledger.NotSent)), anOrder(2)}, ""},
		"the second was not sent":        {[]*ledger.Call{anOrder(1), anOrder(2, unanswered(ledger.NotSent))}, ""},
		"the first was refused":          {[]*ledger.Call{anOrder(1, answered(429)), anOrder(2)}, ""},
		"the credentials came second":    {[]*ledger.Call{anOrder(1, answered(401)), anOrder(2)}, ""},
		"a refusal in between":           {[]*ledger.Call{anOrder(1), anOrder(2, answered(429)), anOrder(3)}, "2=1 no-key, 3=1 no-key"},
		"the first took too long":        {[]*ledger.Call{anOrder(1, answered(408)), anOrder(2)}, "2=1 no-key"},
		"the first broke":                {[]*ledger.Call{anOrder(1, answered(500)), anOrder(2)}, "2=1 no-key"},
		"too far apart":                  {[]*ledger.Call{anOrder(1), anOrder(602)}, ""},
		"as far apart as they may be":    {[]*ledger.Call{anOrder(1), anOrder(601)}, "601=1 no-key"},
		"another method":                 {[]*ledger.Call{anOrder(1), anOrder(2, method("PATCH"))}, ""},
		"PATCH":                          {[]*ledger.Call{anOrder(1, method("PATCH")), anOrder(2, method("PATCH"))}, "2=1 no-key"},
		"a method that may be repeated":  {[]*ledger.Call{anOrder(1, method("PUT")), anOrder(2, method("PUT"))}, ""},
		"another host":                   {[]*ledger.Call{anOrder(1), anOrder(2, func(c *ledger.Call) { c.Host = "b" })}, ""},
		"another path":                   {[]*ledger.Call{anOrder(1), anOrder(2, func(c *ledger.Call) { c.Path = "/b" })}, ""},
		"another query":                  {[]*ledger.Call{anOrder(1), anOrder(2, func(c *ledger.Call) { c.Query = "a=2" })}, ""},
		"a redirect to itself":           {[]*ledger.Call{anOrder(1, answered(307)), anOrder(2, func(c *ledger.Call) { c.Previous = ledger.NewCallID(1, 1) })}, ""},
		"after a 401, with credentials":  {[]*ledger.Call{anOrder(1, answered(401), again(ledger.AuthLeg, ledger.Answered, 201))}, ""},
		"two attempts without an answer": {[]*ledger.Call{anOrder(1, unanswered(ledger.Unknown), again(ledger.Retry, ledger.Answered, 201))}, "1=1 wire-twice"},
		"after a refused attempt":        {[]*ledger.Call{anOrder(1, answered(429), again(ledger.Retry, ledger.Answered, 201))}, ""},
		"after one that was not sent":    {[]*ledger.Call{anOrder(1, unanswered(ledger.NotSent), again(ledger.Retry, ledger.Answered, 201))}, ""},
		"two attempts under a key":       {[]*ledger.Call{anOrder(1, key("a"), answered(503), again(ledger.Retry, ledger.Answered, 201))}, ""},
		"sent again by net/http":         {[]*ledger.Call{anOrder(1, func(c *ledger.Call) { c.AttemptList[0].WireSends = 2 })}, "1=1 wire-twice"},
		"sent again by net/http, GET":    {[]*ledger.Call{anOrder(1, method("GET"), func(c *ledger.Call) { c.AttemptList[0].WireSends = 2 })}, ""},
		"both in one":                    {[]*ledger.Call{anOrder(1), anOrder(2, answered(503), again(ledger.Retry, ledger.Answered, 201))}, "2=1 no-key"},
		"nothing was sent of it":         {[]*ledger.Call{anOrder(1, func(c *ledger.Call) { c.AttemptList = nil }), anOrder(2)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := found(newFinder(DefaultDuplicateSpan), test.calls...); got != test.want {
				t.Errorf("found %q, want %q", got, test.want)
			}
		})
	}
}

func TestOnlyTheSameBodyIsTheSameCall(t *testing.T) {
	body := func(size int64, hash byte, sent int64) func(*ledger.Call) {
		return func(c *ledger.Call) {
			a := &c.AttemptList[0]
			a.BytesSent, a.Request.Body = sent, ledger.Body{Size: size, SHA256: [32]byte{hash}}
		}
	}
	for name, test := range map[string]struct {
		first, second func(*ledger.Call)
		want          string
	}{
		"none":                   {body(0, 0, 0), body(0, 0, 0), "2=1 no-key"},
		"another one":            {body(7, 7, 7), body(7, 8, 7), ""},
		"none and some":          {body(0, 0, 0), body(7, 7, 7), ""},
		"of which no hash is":    {body(0, 0, 7), body(0, 0, 7), ""},
		"of which no hash is, 2": {body(7, 0, 7), body(7, 0, 7), ""},
	} {
		if got := found(newFinder(time.Minute), anOrder(1, test.first), anOrder(2, test.second)); got != test.want {
			t.Errorf("%s: found %q, want %q", name, got, test.want)
		}
	}
	half := func(c *ledger.Call) { // the first attempt broke in the middle of the body
		again(ledger.Retry, ledger.Answered, 201)(c)
		c.AttemptList[0].Request.Body = ledger.Body{Size: 3, SHA256: [32]byte{3}}
		c.AttemptList[0].Outcome = ledger.NotSent
	}
	if got := found(newFinder(time.Minute), anOrder(1, half), anOrder(2)); got != "2=1 no-key" {
		t.Errorf("after half of a body: found %q", got)
	}
}

func TestTheFinderRemembersBoundedly(t *testing.T) {
	f := newFinder(time.Hour)
	path := func(n int) func(*ledger.Call) {
		return func(c *ledger.Call) { c.Path, c.Started = fmt.Sprint("/", n), noon }
	}
	for n := range 3 * maxSent {
		f.see(anOrder(int64(n+1), path(n)))
	}
	if len(f.sent) != maxSent {
		t.Errorf("%d requests are remembered, want %d", len(f.sent), maxSent)
	}
	if got := found(f, anOrder(1e6, path(2*maxSent))); got != fmt.Sprintf("1000000=%d no-key", 2*maxSent+1) {
		t.Errorf("the oldest that should be remembered: found %q", got)
	}
	if got := found(f, anOrder(1e6, path(2*maxSent-1))); got != "" {
		t.Errorf("one that made room: found %q", got)
	}
}

func TestWhatIsSentAllTheTimeIsNotReportedForEver(t *testing.T) {
	f := newFinder(time.Minute)
	said := 0
	for n := range int64(100) {
		if found(f, anOrder(n+1)) != "" {
			said++
		}
	}
	if said != maxSaid {
		t.Errorf("%d of 99 repetitions are reported, want %d", said, maxSaid)
	}
	found(f, anOrder(1000))
	if got := found(f, anOrder(1001)); got != "1001=1000 no-key" {
		t.Errorf("after a long time: found %q", got)
	}
}

func TestNoFinderFindsNothing(t *testing.T) {
	f := newFinder(-1)
	c := anOrder(1)
	c.Duplicate.Kind = ledger.NoKey
	if got := found(f, c, anOrder(2)); f != nil || got != "" {
		t.Errorf("found %q", got)
	}
}

// A secret in which two calls differ is the same mark in both once they are redacted.
func TestCallsAreComparedBeforeTheyAreRedacted(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, r *Recorder, store *fakeStore) {
		for i, token := range []string{"one", "two", "two"} {
			c := anOrder(int64(i+1), func(c *ledger.Call) { c.Query = "access_token=" + token })
			c.ID = r.NewID()
			r.Record(c)
		}
		pass(tick)
		var got []ledger.Duplicate
		for _, b := range store.all() {
			got = append(got, b.Duplicates...)
		}
		want := ledger.Duplicate{Call: ledger.NewCallID(1, 3), Other: ledger.NewCallID(1, 2), Kind: ledger.NoKey}
		if len(got) != 1 || got[0] != want {
			t.Errorf("found %+v, want %+v alone", got, want)
		}
		if q := store.calls()[0].Query; strings.Contains(q, "one") {
			t.Errorf("the query is %q", q)
		}
	})
}

func TestADuplicateComesWithItsCallHoweverBatchesAreSplit(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, r *Recorder, store *fakeStore) {
		store.failBy(func(op string, b *ledger.Batch) error {
			if op == "write" && len(b.Calls) > 1 {
				return fmt.Errorf("too many")
			}
			return nil
		})
		for range 4 {
			c := anOrder(1)
			c.ID = r.NewID()
			r.Record(c)
		}
		pass(10 * time.Second)
		n := 0
		for _, b := range store.all() {
			for _, d := range b.Duplicates {
				n++
				if len(b.Calls) != 1 || b.Calls[0].ID != d.Call {
					t.Errorf("%+v comes with %v", d, b.Calls)
				}
			}
		}
		if n != 3 {
			t.Errorf("%d duplicates were written, want 3", n)
		}
	})
}
