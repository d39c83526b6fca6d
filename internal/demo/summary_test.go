package demo

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestASummaryIsReadAsText(t *testing.T) {
	s := Summary{
		Seed: 1, DB: "/tmp/demo.db", Session: "1", Duration: 10042, Calls: 70, Attempts: 82, Retries: 12,
		Waits:      map[string]WaitSum{"window": {Count: 4, Total: 11900}, "backoff": {Count: 8, Total: 6100}, "retry-after": {}, "bandwidth": {Count: 1, Total: 1900}},
		Duplicates: 1,
		Outcomes:   map[string]int{"answered": 75, "not-sent": 3, "unknown": 4},
		Operations: map[string]int{"succeeded": 60, "pending": 2, "failed": 1}, Lookups: 21, Resubmissions: 3, Replays: 1,
		Unsettled: []Unsettled{
			{Key: "charge-8840", Name: "charge card", State: "pending", LastError: "not found: 2 sends are used up"},
			{Key: "reserve-8841", Name: "reserve stock", State: "pending", Effects: 1, LastError: "not found"},
		},
		Effects:        map[string]int{"orders order-8838": 1, "pay order-8838": 1},
		VendorRequests: 79, Agree: true, Differences: []string{},
		Hosts: []HostSummary{
			{Host: "mail.example.test:2525", Calls: 1, Attempts: 3, NotSent: 3},
			{Host: "orders.example.test", Calls: 69, Attempts: 79, WireSends: 79, VendorRequests: 79},
		},
	}
	want := `Demo with seed 1, 10.0 s, recorded to /tmp/demo.db as session 1.

70 calls made 82 attempts, 12 of them retries.
Attempts: 75 answered, 3 not sent, 4 unknown.
Waits:    4 window (11.9 s), 8 backoff (6.1 s), 0 retry-after (0.0 s), 1 bandwidth (1.9 s).

63 operations: 2 pending, 60 succeeded, 1 failed.
21 lookups, 3 sent again by themselves after them, 1 by a person.
The vendor did 2 things, none of them twice.
redial found 1 call that was sent twice without a key, by a loop of the shop's own.

Not settled, and how often the vendor did it, which redial cannot know:

  pending  charge card    charge-8840   0×  not found: 2 sends are used up
  pending  reserve stock  reserve-8841  1×  not found

                    host  calls  attempts  not sent  wire sends  vendor counted
  mail.example.test:2525      1         3         3           0               0
  orders.example.test        69        79         0          79              79
  all                        70        82         3          79              79

The recording and the vendor's own account agree, request by request: nothing is
missing, nothing was done twice but what redial found to be sent twice, and no
declared limit was exceeded. Of the operations what succeeded was done once, and what
failed was not done or was taken back.
`
	if got := text(t, s); got != want {
		t.Errorf("got\n%s", got)
	}
	s.Effects["pay order-8838"] = 2
	s.Agree = false
	if got := text(t, s); !strings.Contains(got, "The vendor did 2 things, 1 of them MORE THAN ONCE.\n") {
		t.Errorf("got\n%s", got)
	}
	for range mostUnsettled {
		s.Unsettled = append(s.Unsettled, s.Unsettled[0])
	}
	if got := text(t, s); strings.Count(got, "charge-8840") != mostUnsettled-1 || !strings.Contains(got, "\n  and 2 more\n\n") {
		t.Errorf("got\n%s", got)
	}
	s.Agree, s.Differences = false, []string{"calls that could not be written: 1"}
	if got := text(t, s); !strings.HasSuffix(got, "account DIFFER:\n  - calls that could not be written: 1\n") {
		t.Errorf("got\n%s", got)
	}
}

func text(t *testing.T, s Summary) string {
	t.Helper()
	var b strings.Builder
	if err := s.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestASummaryOfNothingStillHasEveryName(t *testing.T) {
	f := &findings{seed: 1}
	f.prepare()
	got, err := json.Marshal(f.close())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"calls":0`, `"attempts":0`, `"retries":0`, `"vendor_requests":0`, `"agree":true`, `"differences":[]`, `"hosts":[]`,
		`"waits":{"backoff":{"count":0,"total_ms":0},"bandwidth":{"count":0,"total_ms":0},"retry-after":{"count":0,"total_ms":0},"window":{"count":0,"total_ms":0}}`,
		`"operations":{"backing-off":0,"checking":0,"disputed":0,"failed":0,"pending":0,"prepared":0,"sending":0,"succeeded":0}`,
		`"lookups":0,"resubmissions":0,"replays":0,"unsettled":[],"effects":{}`,
		`"outcomes":{"answered":0,"not-sent":0,"unknown":0}`,
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%s is not in %s", want, got)
		}
	}
}
