package db_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
)

func TestWhatAKilledProcessWroteIsThere(t *testing.T) {
	path := newFile(t)
	d := open(t, path)
	p := startProcess(t, "record", path, 0)
	for range 5 {
		p.line()
	}
	if _, err := d.Session(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	p.kill(t)
	d.SetNow(func() time.Time { return time.Now().Add(2 * time.Second) }) // when it is looked for again
	s, err := d.Session(context.Background(), 1)
	if err != nil || s.Calls < 50 || s.Dead != knowsProcesses || !s.Ended.IsZero() || s.Running != 1 {
		t.Errorf("the session is %+v (%v)", s, err)
	}
	if !knowsProcesses {
		d.SetNow(func() time.Time { return time.Now().Add(time.Hour) })
	}
	list := calls(t, d, ledger.Query{})
	last := list[len(list)-1]
	if int64(len(list)) != s.Calls+1 || last.State != ledger.CutOff || last.Outcome != ledger.Unknown {
		t.Errorf("there are %d calls, the last one %+v, want %d and one that was cut off", len(list), last, s.Calls)
	}
}

func TestTwoProcessesThatWriteTakeTurns(t *testing.T) {
	path := newFile(t)
	open(t, path)
	a, b := startProcess(t, "record", path, 200), startProcess(t, "record", path, 200)
	for _, p := range []*process{a, b} {
		p.end(t)
	}
	if got, want := totals(t, openExisting(t, path)), "4000 4000 4000"; got != want {
		t.Errorf("the totals are %s, want %s", got, want)
	}
}

// TestProcessesComeAndGo restarts a service, a dashboard and a command line on one file
// again and again, most of them killed in the middle of what they do.
func TestProcessesComeAndGo(t *testing.T) {
	path := newFile(t)
	written := map[ledger.SessionID]int64{}
	watcher := startProcess(t, "watch", path, 0)
	for i := range 50 {
		recorder := startProcess(t, "record", path, 3+i%7)
		var s ledger.SessionID
		var n int64
		for range 1 + i%7 {
			if _, err := fmt.Sscan(recorder.line(), &s, &n); err != nil {
				t.Errorf("round %d: the recorder ended: %v", i, err)
			}
		}
		if i%3 == 0 {
			watcher.line()
			watcher.kill(t)
			watcher = startProcess(t, "watch", path, 0)
		}
		printCalls(t, path)
		if i%5 == 0 {
			if last := recorder.end(t); last != "" {
				if _, err := fmt.Sscan(last, &s, &n); err != nil {
					t.Error(err)
				}
			}
		} else {
			recorder.kill(t)
		}
		written[s] = n
	}
	watcher.kill(t)
	d := openExisting(t, path)
	for s, n := range written {
		if list := calls(t, d, ledger.Query{Sessions: []ledger.SessionID{s}, Filter: filter(t, "outcome:answered")}); int64(len(list)) < n {
			t.Errorf("session %d has %d calls, but had written %d", s, len(list), n)
		}
	}
	if len(written) != 50 {
		t.Errorf("there were %d sessions", len(written))
	}
	checkIntegrity(t, path)
}

// printCalls does what the command line does: it opens the file, reads it, and leaves.
func printCalls(t *testing.T, path string) {
	t.Helper()
	d, err := db.OpenExisting(path)
	if err != nil {
		t.Fatal(err)
	}
	err = d.Each(context.Background(), ledger.Query{}, func(*ledger.Call) error { return nil })
	if err := errors.Join(err, d.Close()); err != nil {
		t.Fatal(err)
	}
}

// alternate keeps at least one read transaction open at any time, none of them for long,
// until stop is closed.
func alternate(path string, stop <-chan struct{}) error {
	pool, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer pool.Close()
	var before *sql.Tx
	for {
		tx, err := pool.Begin()
		if err != nil {
			return err
		}
		var n int
		if err := tx.QueryRow("SELECT count(*) FROM session").Scan(&n); err != nil {
			return err
		}
		if before != nil {
			if err := before.Rollback(); err != nil {
				return err
			}
		}
		before = tx
		select {
		case <-stop:
			return before.Rollback()
		default:
		}
	}
}

func TestTheLogStaysShortUnderReaders(t *testing.T) {
	path := newFile(t)
	d := open(t, path)
	if err := d.LimitLog(50); err != nil {
		t.Fatal(err)
	}
	s := enrol(t, d, session("checkout"))
	stop, ended := make(chan struct{}), make(chan error, 1)
	go func() { ended <- alternate(path, stop) }()
	list := mixed(s, 6_000) // some 4,000 pages
	for i := 0; i < len(list); i += 100 {
		write(t, d, &ledger.Batch{Session: s, Calls: list[i : i+100]})
	}
	close(stop)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if log, err := os.Stat(path + "-wal"); err != nil || log.Size() > 1500*4096 {
		t.Errorf("the log grew to %d bytes (%v)", log.Size(), err)
	}
}

func TestAReaderThatStaysDoesNotHoldUpRecording(t *testing.T) {
	path := newFile(t)
	d := open(t, path)
	if err := d.LimitLog(10); err != nil {
		t.Fatal(err)
	}
	s := enrol(t, d, session("checkout"))
	pool, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	tx, err := pool.Begin()
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := tx.QueryRow("SELECT count(*) FROM call").Scan(&n); err != nil {
		t.Fatal(err)
	}
	for _, c := range mixed(s, 300) {
		write(t, d, &ledger.Batch{Session: s, Calls: []ledger.Call{c}})
	}
	if waits := d.PatientCheckpoints(); waits < 1 || waits > 10 {
		t.Errorf("the reader was waited for %d times", waits)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if got, want := totals(t, d), "300 300 300"; got != want {
		t.Errorf("the totals are %s, want %s", got, want)
	}
}
