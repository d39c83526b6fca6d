package cli

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"redial/ledger"
)

func TestStampsSortAsText(t *testing.T) {
	zone := time.FixedZone("", 5*3600+1800)
	early := time.Date(2026, 11, 30, 1, 0, 0, 0, zone)
	for _, c := range []struct {
		at   time.Time
		want string
	}{
		{early, "2026-11-29T19:30:00.000000000Z"},
		{early.Add(1), "2026-11-29T19:30:00.000000001Z"},
		{early.Add(time.Second - time.Millisecond), "2026-11-29T19:30:00.999000000Z"},
	} {
		if got := stamp(c.at); got == nil || *got != c.want {
			t.Errorf("stamp of %v is %v, want %s", c.at, got, c.want)
		}
	}
	if stamp(time.Time{}) != nil {
		t.Error("the zero time has a stamp")
	}
}

func TestDurationsInJSONKeepTheirNanoseconds(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                           "0",
		1:                           "0.000001",
		911_123_456:                 "911.123456",
		36 * time.Hour:              "129600000",
		90*time.Millisecond + 1_000: "90.001",
	} {
		got, err := json.Marshal(millis(d))
		if err != nil || string(got) != want {
			t.Errorf("%v is %s in JSON, want %s; %v", d, got, want, err)
		}
	}
}

// TestUnknownIsNullNeverZero holds a call of which nothing is known to the promise that
// scripts rely on.
func TestUnknownIsNullNeverZero(t *testing.T) {
	c := ledger.Call{
		ID: ledger.NewCallID(3, 7), Method: "GET", Scheme: "http", Host: "a.test", State: ledger.Waiting,
		AttemptList: []ledger.Attempt{{N: 1}}, Waits: []ledger.Wait{{Before: 1}},
	}
	c.Summarise()
	got, err := json.Marshal(encodeCallDetail(&c))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"id":"3-7","session":"3","operation_key":null,`, `"started":null,"duration_ms":null,"attempts":1,"wire_sends":0,"waited_ms":0`,
		`"status":null,"outcome":null,"error":null,"running":true`,
		`"attempt_list":[{"n":1,"reason":"first",`, `"duration_ms":null,"status":null,"outcome":null,"error":null,`,
		`"phases_ms":{"dns":null,"connect":null,"tls":null,"send":null,"wait":null,"receive":null}`,
		`"remote":null,"reused":null,"bytes_sent":0,"bytes_received":0,"decision":null}]`,
		`"waits":[{"before_attempt":1,"kind":"window",`, `"planned_ms":0,"waited_ms":null,`,
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%s is not in\n%s", want, got)
		}
	}
	none := ledger.Session{ID: 4}
	got, err = json.Marshal(encodeSession(&none, time.Now()))
	want := `{"id":"4","service":null,"version":null,"host":null,"pid":null,"started":null,"last_seen":null,"ended":null,"live":false,"calls":0,"pending":0,"name":null,"pinned":false}`
	if err != nil || string(got) != want {
		t.Errorf("a session of which nothing is known is %s; %v", got, err)
	}
}

// TestUnknownOfOperationsIsNull does the same for an operation and a step of which nothing
// is known.
func TestUnknownOfOperationsIsNull(t *testing.T) {
	o := ledger.Operation{Intent: ledger.Intent{Key: "k"}, State: ledger.OpPrepared}
	got, err := json.Marshal(encodeOperationDetail(&o, []ledger.Transition{{}}, ledger.Reading{}))
	want := `{"key":"k","service":null,"name":null,"state":"prepared","method":"","url":"","fingerprint":null,"created":null,"updated":null,` +
		`"key_expires":null,"sends":0,"lookups":0,"last_error":null,"owner":null,"settlement_read":null,"settlement_read_at":null,` +
		`"transitions":[{"from":null,"to":null,"at":null,"actor":null,"code":null,"reason":null,"evidence":null,"call":null}]}`
	if err != nil || string(got) != want {
		t.Errorf("got  %s\nwant %s; %v", got, want, err)
	}
}

func TestListsAreNeverNull(t *testing.T) {
	got, err := json.Marshal(encodeCallDetail(&ledger.Call{}))
	if err != nil || !strings.HasSuffix(string(got), `"attempt_list":[],"waits":[]}`) {
		t.Errorf("%s, %v", got, err)
	}
	got, err = json.Marshal(encodeOperationDetail(&ledger.Operation{}, nil, ledger.Reading{}))
	if err != nil || !strings.HasSuffix(string(got), `"transitions":[]}`) {
		t.Errorf("%s, %v", got, err)
	}
}

func TestWireSendsOfABaseThatDoesNotTellAreUnknown(t *testing.T) {
	for _, c := range []struct {
		outcome ledger.Outcome
		sends   int
		want    string
	}{
		{ledger.Answered, 0, "null"}, {ledger.Unknown, 0, "null"}, {ledger.NotSent, 0, "0"},
		{ledger.NoOutcome, 0, "0"}, {ledger.Answered, 2, "2"},
	} {
		got, _ := json.Marshal(wireSends(&ledger.Call{Outcome: c.outcome, WireSends: c.sends}))
		if string(got) != c.want {
			t.Errorf("%d sends with outcome %q are %s, want %s", c.sends, c.outcome, got, c.want)
		}
	}
}
