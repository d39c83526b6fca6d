package db_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
)

// start is when everything in these tests begins. It is a whole number of nanoseconds
// that no float holds.
var start = time.Date(2026, 3, 1, 12, 0, 0, 123456789, time.UTC)

// newFile returns the path of a file that does not exist yet.
func newFile(t testing.TB) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "redial.db")
}

func open(t testing.TB, path string) *db.DB {
	t.Helper()
	d, err := db.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("close %s: %v", path, err)
		}
	})
	return d
}

func openExisting(t testing.TB, path string) *db.DB {
	t.Helper()
	d, err := db.OpenExisting(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// lock keeps everybody from writing to a file until release is called.
func lock(t testing.TB, path string) (release func()) {
	t.Helper()
	pool, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pool.Close() })
	c, err := pool.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.ExecContext(context.Background(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		if _, err := c.ExecContext(context.Background(), "COMMIT"); err != nil {
			t.Fatal(err)
		}
	}
}

// session returns a session of this process.
func session(service string) ledger.Session {
	host, _ := os.Hostname()
	return ledger.Session{
		Service: service, Version: "v1.2.3", Host: host, PID: os.Getpid(),
		Started: start, LastSeen: time.Now().UTC().Round(0),
	}
}

func enrol(t testing.TB, d *db.DB, s ledger.Session) ledger.SessionID {
	t.Helper()
	id, err := d.Enrol(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func write(t testing.TB, d *db.DB, b *ledger.Batch) {
	t.Helper()
	if b.Beat.IsZero() {
		b.Beat = time.Now()
	}
	if err := d.Write(context.Background(), b); err != nil {
		t.Fatal(err)
	}
}

func calls(t testing.TB, d *db.DB, q ledger.Query) []ledger.Call {
	t.Helper()
	list, err := d.Calls(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// ids returns the ids of calls as text.
func ids(list []ledger.Call) []string {
	names := []string{}
	for i := range list {
		names = append(names, list[i].ID.String())
	}
	return names
}

// plainCall returns call n of a session: answered at once with 200, one second after the
// call before it.
func plainCall(s ledger.SessionID, n int64) ledger.Call {
	c := ledger.Call{
		ID: ledger.NewCallID(s, n), Method: "GET", Scheme: "http", Host: "api.example.test", Path: "/orders",
		Started: start.Add(time.Duration(n) * time.Second), Took: 20 * time.Millisecond,
		AttemptList: []ledger.Attempt{{
			N: 1, Took: 20 * time.Millisecond, Status: 200, Proto: "HTTP/1.1", Outcome: ledger.Answered,
			RetryAfter: -1, WireSends: 1, Decision: ledger.Done,
		}},
	}
	c.Summarise()
	return c
}

// fullCall returns a call in which every field is set.
func fullCall(s ledger.SessionID, n int64) ledger.Call {
	body := ledger.Body{Data: []byte(`{"order":1}`), Size: 11, SHA256: [32]byte{1, 2, 3}}
	request := ledger.Message{Header: []ledger.Field{{Name: "Accept", Value: "*/*"}, {Name: "X-Twice", Value: "b"}, {Name: "X-Twice", Value: "a"}}, Body: body}
	c := ledger.Call{
		ID: ledger.NewCallID(s, n), Previous: ledger.NewCallID(s+1, 7), Key: "order-8841", Method: "POST", Scheme: "https", Host: "api.example.test:8443",
		Path: "/v1/orders/ü", Query: "page=2&token=…", Started: start, Took: 3 * time.Second, Error: "unexpected EOF",
		Policy: "3 attempts, full jitter",
		AttemptList: []ledger.Attempt{
			{
				N: 1, Took: time.Second, Status: 503, Proto: "HTTP/2.0", Outcome: ledger.Answered, RetryAfter: 1500 * time.Millisecond,
				Phases: ledger.Phases{DNS: 1, Connect: 2, TLS: 3, Send: 4, Wait: 5, Receive: 6}, Remote: "192.0.2.1:8443", WireSends: 2,
				BytesSent: 11, BytesReceived: 4, Decision: ledger.AgainStatus, Request: request,
				Response: ledger.Message{Header: []ledger.Field{}, Body: ledger.Body{Data: []byte("busy"), Size: 4, SHA256: [32]byte{9}}},
			},
			{
				N: 2, Reason: ledger.AuthLeg, Start: 2 * time.Second, Took: time.Second, Outcome: ledger.Unknown, Err: "unexpected EOF",
				RetryAfter: -1, Reused: true, WireSends: 1, BytesSent: 11, Decision: ledger.NoAttemptsLeft, Request: request,
				Response: ledger.Message{Body: ledger.Body{Data: []byte{0, 0xff}, Size: 1 << 40, Truncated: true}},
			},
		},
		Waits: []ledger.Wait{
			{Before: 1, Kind: ledger.WindowWait, Took: time.Millisecond, Planned: 2 * time.Millisecond, Rule: ledger.Rule{Limit: 3, Per: 4500 * time.Millisecond, Ahead: 4}},
			{Before: 2, Kind: ledger.BackoffWait, Start: time.Second, Planned: 250 * time.Millisecond, Took: 250 * time.Millisecond,
				Rule: ledger.Rule{Base: 400 * time.Millisecond, Multiplier: 2, Exponent: 3, Max: time.Minute, Jitter: ledger.NoJitter, Fraction: 0.625}},
			{Before: 2, Kind: ledger.RetryAfterWait, Start: 1250 * time.Millisecond, Planned: 750 * time.Millisecond, Took: 750 * time.Millisecond,
				Rule: ledger.Rule{Asked: 1500 * time.Millisecond, ByDate: true}},
			{Before: 2, Kind: ledger.BandwidthWait, Start: 2 * time.Second, Planned: time.Second, Took: time.Second, Rule: ledger.Rule{Rate: 1 << 20, Upload: true}},
			{Before: 3, Kind: ledger.WindowWait, Start: 3 * time.Second, Planned: time.Second, Took: 1, Rule: ledger.Rule{Window: ledger.GCRAWindow, Limit: 1, Paused: true}},
		},
	}
	c.Summarise()
	return c
}
