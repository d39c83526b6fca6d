package db_test

import (
	"database/sql"
	"errors"
	"os"
	"testing"
	"time"

	"redial/ledger"
)

// TestTheLogStaysShortUnderTwoWritersAndReaders has readers keep the log from being used
// anew, although next to none of it waits to be moved into the file.
func TestTheLogStaysShortUnderTwoWritersAndReaders(t *testing.T) {
	path := newFile(t)
	a, b := open(t, path), open(t, path)
	one, two := enrol(t, a, session("one")), enrol(t, b, session("two"))
	if err := errors.Join(a.LimitLog(100), b.LimitLog(100)); err != nil {
		t.Fatal(err)
	}
	stop, turns, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() { ended <- overlap(path, stop, turns) }()
	first, second := mixed(one, 1_500), mixed(two, 1_500)
	for i := 0; i < len(first); i += 10 { // some 8,000 pages
		write(t, a, &ledger.Batch{Session: one, Calls: first[i : i+10]})
		write(t, b, &ledger.Batch{Session: two, Calls: second[i : i+10]})
		<-turns // so that little is written while one reader reads
	}
	close(stop)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	log, err := os.Stat(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	if log.Size() > 1500*4096 {
		t.Errorf("the log grew to %d bytes", log.Size())
	}
}

// overlap keeps a read transaction open at any time, each for some milliseconds, until
// stop is closed. Whoever receives from turns learns when the next one has taken over: nobody
// is waited for, and turns is closed at the end.
func overlap(path string, stop <-chan struct{}, turns chan<- struct{}) error {
	defer close(turns)
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
			err = before.Rollback()
		}
		before = tx
		select {
		case turns <- struct{}{}:
		default:
		}
		select {
		case <-stop:
			return errors.Join(err, before.Rollback())
		case <-time.After(5 * time.Millisecond):
		}
		if err != nil {
			return err
		}
	}
}
