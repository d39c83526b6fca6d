package demo

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestASummaryIsReadAsText(t *testing.T) {
	s := Summary{
		Seed: 1, DB: "/tmp/demo.db", Session: "1", Duration: 10042, Calls: 70, Attempts: 82, Retries: 12,
		Waits:          map[string]WaitSum{"window": {Count: 4, Total: 11900}, "backoff": {Count: 8, Total: 6100}, "retry-after": {}},
		Outcomes:       map[string]int{"answered": 75, "not-sent": 3, "unknown": 4},
		VendorRequests: 79, Agree: true, Differences: []string{},
		Hosts: []HostSummary{
			{Host: "mail.example.test:2525", Calls: 1, Attempts: 3, NotSent: 3},
			{Host: "orders.example.test", Calls: 69, Attempts: 79, WireSends: 79, VendorRequests: 79},
		},
	}
	want := `Demo with seed 1, 10.0 s, recorded to /tmp/demo.db as session 1.

70 calls made 82 attempts, 12 of them retries.
Attempts: 75 answered, 3 not sent, 4 unknown.
Waits:    4 window (11.9 s), 8 backoff (6.1 s), 0 retry-after (0.0 s).

                    host  calls  attempts  not sent  wire sends  vendor counted
  mail.example.test:2525      1         3         3           0               0
  orders.example.test        69        79         0          79              79
  all                        70        82         3          79              79

The recording and the vendor's own account agree, request by request: nothing is
missing, nothing was done twice, and no declared limit was exceeded.
`
	if got := text(t, s); got != want {
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
		`"waits":{"backoff":{"count":0,"total_ms":0},"retry-after":{"count":0,"total_ms":0},"window":{"count":0,"total_ms":0}}`,
		`"outcomes":{"answered":0,"not-sent":0,"unknown":0}`,
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%s is not in %s", want, got)
		}
	}
}
