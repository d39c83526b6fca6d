package db_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
)

// killed returns a path where a killed service left its log beside the file.
func killed(t *testing.T) string {
	t.Helper()
	path := newFile(t)
	p := startProcess(t, "record", path, 0)
	for range 5 {
		p.line()
	}
	p.kill(t)
	if log, err := os.Stat(path + "-wal"); err != nil || log.Size() == 0 {
		t.Fatalf("the killed service left no log: %v", err)
	}
	return path
}

// TestTheLogOfAKilledServiceIsNotWrittenOverAForeignFile opens what was put in place of a
// file whose log is still there.
func TestTheLogOfAKilledServiceIsNotWrittenOverAForeignFile(t *testing.T) {
	theirs := newFile(t)
	sqlite(t, theirs, "CREATE TABLE song (title)", "INSERT INTO song VALUES ('x')")
	foreign, err := os.ReadFile(theirs)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"text": bytes.Repeat([]byte("Dear diary, "), 1500), "foreign database": foreign} {
		for as, openAs := range map[string]func(string) (*db.DB, error){"Open": db.Open, "OpenExisting": db.OpenExisting} {
			t.Run(name+" "+as, func(t *testing.T) {
				path := killed(t)
				moveOver(t, path, content)
				d, err := openAs(path)
				if err == nil {
					_ = d.Close()
				}
				if !errors.Is(err, db.ErrNotRedial) {
					t.Errorf("%s says %v", as, err)
				}
				if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, content) {
					t.Errorf("the file was changed: it has %d bytes (%v)", len(after), err)
				}
			})
		}
	}
}

// TestAReaderDoesNotFollowToAForeignFile has a dashboard open when the file is replaced
// after its service was killed.
func TestAReaderDoesNotFollowToAForeignFile(t *testing.T) {
	path := killed(t)
	d := openExisting(t, path)
	content := bytes.Repeat([]byte("Dear diary, "), 1500)
	moveOver(t, path, content)
	if _, err := d.Sessions(context.Background()); !errors.Is(err, db.ErrNotRedial) {
		t.Errorf("Sessions says %v", err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, content) {
		t.Errorf("the file was changed: it has %d bytes (%v)", len(after), err)
	}
}

// TestAServiceThatStopsLeavesNoLogBesideAnotherFile closes a service after the file was
// replaced, without another write.
func TestAServiceThatStopsLeavesNoLogBesideAnotherFile(t *testing.T) {
	other, err := os.ReadFile(recorded(t))
	if err != nil {
		t.Fatal(err)
	}
	path := newFile(t)
	d, err := db.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	s := enrol(t, d, session("checkout"))
	write(t, d, &ledger.Batch{Session: s, Calls: []ledger.Call{plainCall(s, 1)}})
	moveOver(t, path, other)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if sessions, err := openExisting(t, path).Sessions(context.Background()); err != nil || len(sessions) != 1 || sessions[0].Service != "recorded" {
		t.Errorf("the other file has sessions %+v (%v)", sessions, err)
	}
}

// TestServicesThatShareAFileLeaveItTogether replaces or deletes a file that two services
// write. Neither may touch the log of the new file as if it were the old one's.
func TestServicesThatShareAFileLeaveItTogether(t *testing.T) {
	other, err := os.ReadFile(recorded(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, swap := range map[string]func(t *testing.T, path string){
		"replaced": func(t *testing.T, path string) { moveOver(t, path, other) },
		"deleted":  func(t *testing.T, path string) { remove(t, path, []string{""}) },
		"moved":    func(t *testing.T, path string) { replace(t, path+".old", path) },
	} {
		t.Run(name, func(t *testing.T) {
			path := newFile(t)
			a, b := open(t, path), open(t, path)
			one, two := enrol(t, a, session("one")), enrol(t, b, session("two"))
			next := func(d *db.DB, s ledger.SessionID, n int64) {
				t.Helper()
				write(t, d, &ledger.Batch{Session: s, Beat: time.Now(), Calls: []ledger.Call{plainCall(s, n)}})
			}
			next(a, one, 1)
			next(b, two, 1)
			swap(t, path)
			next(a, one, 2)
			next(b, two, 2)
			next(a, one, 3)
			next(b, two, 3)
			byService := map[string]int64{}
			sessions, err := openExisting(t, path).Sessions(context.Background())
			for _, s := range sessions {
				byService[s.Service] = s.Calls
			}
			if err != nil || byService["one"] != 2 || byService["two"] != 2 || (name == "replaced") != (byService["recorded"] == 300) {
				t.Errorf("the calls by service are %v (%v)", byService, err)
			}
			checkIntegrity(t, path)
		})
	}
}

// TestAFileWhoseMakerWasKilledOpens opens files whose schema is in the log alone.
func TestAFileWhoseMakerWasKilledOpens(t *testing.T) {
	made := newFile(t)
	sqlite(t, made, "PRAGMA journal_mode = WAL")
	reader, err := sql.Open("sqlite", made) // keeps the schema from being moved into the file
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	tx, err := reader.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback() //nolint:errcheck // it only reads
	var n int
	if err := tx.QueryRow("SELECT count(*) FROM sqlite_schema").Scan(&n); err != nil {
		t.Fatal(err)
	}
	open(t, made)
	file, err := os.ReadFile(made)
	log, err2 := os.ReadFile(made + "-wal")
	if err := errors.Join(err, err2); err != nil || len(file) > 4096 || len(log) == 0 {
		t.Fatalf("the file has %d bytes, its log %d (%v), want no schema in the file", len(file), len(log), err)
	}
	for name, file := range map[string][]byte{"a page": file, "no byte": nil} {
		t.Run(name, func(t *testing.T) {
			path := newFile(t)
			put(t, path, file)
			put(t, path+"-wal", log)
			if file != nil {
				openExisting(t, path)
			}
			enrol(t, open(t, path), session("checkout"))
		})
	}
}

// TestANewFileSaysThatItIsOurs looks for the application_id in the file itself.
func TestANewFileSaysThatItIsOurs(t *testing.T) {
	path := newFile(t)
	open(t, path)
	if file, err := os.ReadFile(path); err != nil || len(file) < 100 || string(file[68:72]) != "rdal" {
		t.Errorf("the file has %d bytes (%v), and not our application_id", len(file), err)
	}
}

// TestAFileWhoseCheckpointWasKilledOpens cuts a file as it is when a process is killed
// after it moved the first page of the log, which tells a size that the file has not yet.
func TestAFileWhoseCheckpointWasKilledOpens(t *testing.T) {
	ours := killed(t)
	for _, c := range []struct {
		application string
		want        error
	}{{"rdal", nil}, {"\x00\x00\x00\x07", db.ErrNotRedial}, {"\x00\x00\x00\x00", db.ErrNotRedial}} {
		path := newFile(t)
		for _, suffix := range []string{"", "-wal"} {
			data, err := os.ReadFile(ours + suffix)
			if err != nil {
				t.Fatal(err)
			}
			put(t, path+suffix, data)
		}
		cut(t, path, 4096)
		patch(t, path, 28, []byte{0, 0, 1, 0}) // pages
		patch(t, path, 24, []byte{0, 0, 0, 9}) // changes, twice the same if the size is true
		patch(t, path, 92, []byte{0, 0, 0, 9})
		patch(t, path, 68, []byte(c.application))
		d, err := db.OpenExisting(path)
		if err == nil {
			_ = d.Close()
		}
		if c.want == nil && errors.Is(err, db.ErrNotRedial) || !errors.Is(err, c.want) && c.want != nil {
			t.Errorf("with application_id %q, OpenExisting says %v, want %v", c.application, err, c.want)
		}
	}
}

// TestToLookAtAFileKeepsItsLocks opens a file twice in this process. If that dropped the
// locks of the first, the next process would take itself for the last, and remove the log.
func TestToLookAtAFileKeepsItsLocks(t *testing.T) {
	path := newFile(t)
	d := open(t, path)
	s := enrol(t, d, session("checkout"))
	write(t, d, &ledger.Batch{Session: s, Calls: []ledger.Call{plainCall(s, 1)}})
	before, err := os.Stat(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	for _, openAs := range []func(string) (*db.DB, error){db.Open, db.OpenExisting} {
		again, err := openAs(path)
		if err == nil {
			err = again.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	startProcess(t, "record", path, 1).end(t)
	if after, err := os.Stat(path + "-wal"); err != nil || !os.SameFile(before, after) {
		t.Errorf("another process removed the log that is in use (%v)", err)
	}
}
