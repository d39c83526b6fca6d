package db

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"redial/ledger"
)

// planned returns a database with 200 calls of which every tenth is unusual in each way.
func planned(t *testing.T) *DB {
	t.Helper()
	d, err := Open(filepath.Join(t.TempDir(), "redial.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	start := time.Unix(1_800_000_000, 0)
	s, err := d.Enrol(context.Background(), ledger.Session{Service: "checkout", Started: start})
	if err != nil {
		t.Fatal(err)
	}
	b := &ledger.Batch{Session: s, Beat: start}
	for n := range int64(200) {
		c := ledger.Call{ID: ledger.NewCallID(s, n+1), Method: "GET", Host: "api.example.test", Path: "/a", Started: start.Add(time.Duration(n) * time.Second),
			Took: time.Millisecond, Status: 200, Outcome: ledger.Answered, Attempts: 1}
		if n%10 == 0 {
			c.Status, c.Outcome, c.Attempts, c.Took, c.Waited, c.WaitedFor = 0, ledger.Unknown, 2, 2*time.Second, time.Second, 1
			c.Key, c.Error = "order-1", "unexpected EOF"
		}
		if n == 50 {
			c.Key = "order-2"
		}
		b.Calls = append(b.Calls, c)
	}
	if err := d.Write(context.Background(), b); err != nil {
		t.Fatal(err)
	}
	return d
}

// explain returns which index a filter is answered with, and what SQLite makes of it.
func explain(t *testing.T, d *DB, text string) (p plan, detail string) {
	t.Helper()
	f, err := ledger.ParseFilter(text)
	if err != nil {
		t.Fatal(err)
	}
	err = d.reads.read(context.Background(), func(v *view) error {
		sessions, err := v.sessions(context.Background(), nil, time.Now())
		if err != nil {
			return err
		}
		s, err := v.scan(context.Background(), &ledger.Query{Filter: f}, limits{}, sessions[0])
		if err != nil || s == nil {
			p.never = true
			return err
		}
		p = s.plan
		args := append(append(values(s.lo, s.hi), p.args...), int64(10))
		return v.query(context.Background(), "EXPLAIN QUERY PLAN "+p.sql("DESC"), args, func(r row) error {
			detail += r.text(3) + "\n"
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return p, detail
}

func TestAFilterIsAnsweredWithTheIndexForIt(t *testing.T) {
	d := planned(t)
	for text, want := range map[string]string{
		"status:0": "call_failed", "outcome:unknown": "call_doubt", "attempts:>1": "call_retried", "dur:>1s": "call_slow",
		"waited:>500ms": "call_waited", "wait:window": "call_waited", "error:eof": "call_error", "key:ORDER-1": "call_key",
		"key:order-2 attempts:>1": "call_key", "path:/a outcome:unknown": "call_doubt", "-path:/b status:0 (dur:>2s or dur:<1s)": "call_failed",
		"path:/a": "", "status:200": "", "dur:>1ms": "", "key:order-*": "", "-attempts:>1": "", "duplicate:no": "", "attempts:>1 or dur:>1s": "",
	} {
		p, detail := explain(t, d, text)
		search := "SEARCH call USING INDEX " + want + " ("
		if want == "" {
			search = "SEARCH call USING INTEGER PRIMARY KEY ("
		}
		if p.index != want || !strings.Contains(detail, search) || strings.Contains(detail, "TEMP B-TREE") {
			t.Errorf("%q is answered with %q: %s", text, p.index, detail)
		}
	}
}

// TestOfTwoIndexesWithManyEntriesTheThinnerOneIsTaken fills both beyond what is counted.
func TestOfTwoIndexesWithManyEntriesTheThinnerOneIsTaken(t *testing.T) {
	d := planned(t)
	b := &ledger.Batch{Session: 1, Beat: time.Unix(1_800_001_000, 0)}
	for n := range int64(6 * enough) {
		c := ledger.Call{ID: ledger.NewCallID(1, 1000+n), Method: "GET", Host: "api.example.test", Path: "/a", Started: time.Unix(1_800_001_000+n, 0),
			Took: time.Millisecond, Status: 200, Outcome: ledger.Answered, Attempts: 2}
		if n%3 == 0 {
			c.Took = 2 * time.Second
		}
		b.Calls = append(b.Calls, c)
	}
	if err := d.Write(context.Background(), b); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"attempts:>1 dur:>1s", "dur:>1s attempts:>1"} {
		if p, detail := explain(t, d, text); p.index != "call_slow" {
			t.Errorf("%q is answered with %q: %s", text, p.index, detail)
		}
	}
}

func TestWhatWasSentTwiceIsReadFromTheTableOfIt(t *testing.T) {
	d := planned(t)
	list := []ledger.Duplicate{{Call: ledger.NewCallID(1, 12), Other: ledger.NewCallID(1, 9), Kind: ledger.NoKey}}
	if err := d.Write(context.Background(), &ledger.Batch{Session: 1, Beat: time.Now(), Duplicates: list}); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"duplicate:yes", "duplicate:no-key path:/a", "duplicate:yes -status:0"} {
		p, detail := explain(t, d, text)
		if p.index != duplicates || !strings.Contains(detail, "SEARCH duplicate USING INTEGER PRIMARY KEY") || strings.Contains(detail, "TEMP B-TREE") {
			t.Errorf("%q is answered with %q: %s", text, p.index, detail)
		}
	}
}

func TestAFilterThatCannotMatchIsNotLookedFor(t *testing.T) {
	d := planned(t)
	for _, text := range []string{"host:absent.test", "service:search", "session:7", "running:yes", "state:pending", "status:503", "key:order-9", "wait:backoff", "outcome:not-sent", "duplicate:yes"} {
		if p, _ := explain(t, d, text); !p.never {
			t.Errorf("%q is looked for", text)
		}
	}
}
