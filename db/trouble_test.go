package db_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
)

// totals returns what the file says in sum: calls in the session's row, rows of calls,
// and calls in the rollups.
func totals(t *testing.T, d *db.DB) string {
	t.Helper()
	ctx := context.Background()
	sessions, err := d.Sessions(ctx)
	if err != nil {
		t.Fatal(err)
	}
	rollups, err := d.Rollups(ctx, nil, start.Add(-time.Hour), start.Add(1000*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	inSessions, inRollups := int64(0), int64(0)
	for _, s := range sessions {
		inSessions += s.Calls
	}
	for i := range rollups {
		inRollups += rollups[i].Calls
	}
	return fmt.Sprint(inSessions, len(calls(t, d, ledger.Query{})), inRollups)
}

func TestAfterAFailedBatchNothingOfItStays(t *testing.T) {
	d := open(t, newFile(t))
	s := enrol(t, d, session("checkout"))
	list := mixed(s, 300)
	write(t, d, &ledger.Batch{Session: s, Calls: list[:100]})
	bad := slices.Clone(list[100:200])
	bad[99].ID = ledger.NewCallID(s+1, 7)
	gap := []ledger.Gap{{From: start, To: start, Calls: 1, Reason: "test"}}
	running := []ledger.Call{{ID: ledger.NewCallID(s, 900), Method: "GET", State: ledger.Sending, Started: start}}
	for range 3 {
		if err := d.Write(context.Background(), &ledger.Batch{Session: s, Beat: time.Now(), Calls: bad, Gaps: gap, Running: running}); err == nil {
			t.Fatal("a call of another session is accepted")
		}
	}
	if got, want := totals(t, d), "100 100 100"; got != want {
		t.Errorf("the totals are %s, want %s", got, want)
	}
	if live, err := d.Running(context.Background(), nil); err != nil || len(live) != 0 {
		t.Errorf("%d calls are running (%v)", len(live), err)
	}
	for batch := range slices.Chunk(list[100:], 10) {
		write(t, d, &ledger.Batch{Session: s, Calls: batch})
	}
	if got, want := totals(t, d), "300 300 300"; got != want {
		t.Errorf("the totals are %s, want %s", got, want)
	}
	for i, c := range calls(t, d, ledger.Query{}) {
		if c.Host != list[i].Host || c.Path != list[i].Path || c.Error != list[i].Error {
			t.Errorf("call %s is of %s %s %q, want %s %s %q", c.ID, c.Host, c.Path, c.Error, list[i].Host, list[i].Path, list[i].Error)
		}
	}
}

func TestABatchOfASessionThatIsNotEnrolledIsRefused(t *testing.T) {
	d := open(t, newFile(t))
	if err := d.Write(context.Background(), &ledger.Batch{Session: 4}); err == nil {
		t.Error("it is accepted")
	}
}

func TestALockedFileIsAnErrorSoonAndWorksAgain(t *testing.T) {
	path := newFile(t)
	d := open(t, path)
	s := enrol(t, d, session("checkout"))
	other, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	lock, err := other.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lock.ExecContext(context.Background(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	b := &ledger.Batch{Session: s, Beat: time.Now(), Calls: mixed(s, 50)}
	checkRefusal(t, "Write", d.Write(context.Background(), b), path, db.ErrLocked, "locked by another process")

	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if err := d.Write(ctx, b); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Write with a deadline says %v", err)
	}
	if list := calls(t, d, ledger.Query{}); len(list) != 0 { // readers do not wait
		t.Errorf("%d calls are there", len(list))
	}
	if again, err := db.Open(path); err != nil { // nor does opening
		t.Errorf("Open says %v", err)
	} else if err := again.Close(); err != nil {
		t.Error(err)
	}
	if _, err := lock.ExecContext(context.Background(), "COMMIT"); err != nil {
		t.Fatal(err)
	}
	write(t, d, b)
	if got, want := totals(t, d), "50 50 50"; got != want {
		t.Errorf("the totals are %s, want %s", got, want)
	}
}

func TestAWaitForTheWriterEndsWithTheContext(t *testing.T) {
	d := open(t, newFile(t))
	s := enrol(t, d, session("checkout"))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := d.Write(ctx, &ledger.Batch{Session: s, Beat: time.Now(), Calls: mixed(s, 5)}); !errors.Is(err, context.Canceled) {
		t.Errorf("Write says %v", err)
	}
	if got, want := totals(t, d), "0 0 0"; got != want {
		t.Errorf("the totals are %s, want %s", got, want)
	}
}

func TestAFullDiskIsAnErrorAndWorksAgain(t *testing.T) {
	path, free := smallDisk(t)
	d := open(t, path)
	s := enrol(t, d, session("checkout"))
	if free == nil { // no disk of our own: the file gets a limit
		if err := d.LimitPages(100); err != nil {
			t.Fatal(err)
		}
		free = func() {
			if err := d.LimitPages(0); err != nil {
				t.Fatal(err)
			}
		}
	}
	list := mixed(s, 100_000)
	written := 0
	var err error
	for err == nil {
		if written == len(list) {
			t.Fatal("the disk does not fill up")
		}
		err = d.Write(context.Background(), &ledger.Batch{Session: s, Beat: time.Now(), Calls: list[written : written+500]})
		if err == nil {
			written += 500
		}
	}
	checkRefusal(t, "Write", err, path, db.ErrFull, "disk is full: free some space, recording goes on by itself")
	for range 3 {
		err := d.Write(context.Background(), &ledger.Batch{Session: s, Beat: time.Now(), Calls: list[written : written+500]})
		checkRefusal(t, "Write", err, path, db.ErrFull, "disk is full")
	}
	want := fmt.Sprint(written, written, written)
	if got := totals(t, d); got != want {
		t.Errorf("when it is full, the totals are %s, want %s", got, want)
	}
	free()
	write(t, d, &ledger.Batch{Session: s, Calls: list[written : written+500]})
	want = fmt.Sprint(written+500, written+500, written+500)
	if got := totals(t, d); got != want {
		t.Errorf("when there is room again, the totals are %s, want %s", got, want)
	}
	checkIntegrity(t, path)
}

// checkIntegrity checks a file as SQLite would.
func checkIntegrity(t *testing.T, path string) {
	t.Helper()
	c, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var said string
	if err := c.QueryRow("PRAGMA integrity_check").Scan(&said); err != nil || said != "ok" {
		t.Errorf("integrity_check says %q (%v)", said, err)
	}
}

func TestADeletedFileIsMadeAgain(t *testing.T) {
	for name, suffixes := range map[string][]string{"alone": {""}, "with its log": {"", "-wal", "-shm"}, "with its folder": nil} {
		t.Run(name, func(t *testing.T) {
			path := newFile(t) + "/redial.db"
			d := open(t, path)
			before := enrol(t, d, session("before"))
			ended := enrol(t, d, session("ended"))
			if err := d.End(context.Background(), ended, time.Now(), ledger.Counters{}); err != nil {
				t.Fatal(err)
			}
			s := enrol(t, d, session("checkout"))
			list := mixed(s, 300)
			store(t, d, s, list[:100])
			version, err := d.Version(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			remove(t, path, suffixes)
			if _, err := d.Sessions(context.Background()); err == nil {
				t.Error("a deleted file is read")
			}
			store(t, d, s, list[100:200])
			again := enrol(t, d, session("again"))
			store(t, d, s, list[200:])
			if again != 4 {
				t.Errorf("a new session has number %d, want 4", again)
			}
			sessions, err := d.Sessions(context.Background())
			if err != nil || len(sessions) != 3 || sessions[0].ID != again || sessions[1].ID != s || sessions[2].ID != before {
				t.Errorf("the sessions are %+v (%v)", sessions, err)
			}
			if got, want := totals(t, d), "200 200 200"; got != want {
				t.Errorf("the totals are %s, want %s", got, want)
			}
			if now, err := d.Version(context.Background()); err != nil || now == version {
				t.Errorf("the version is still %d (%v)", now, err)
			}
			checkIntegrity(t, path)
		})
	}
}

// remove removes a file and what its name with these suffixes stands for, or, with nil,
// its folder.
func remove(t *testing.T, path string, suffixes []string) {
	t.Helper()
	if suffixes == nil {
		if err := os.RemoveAll(path[:len(path)-len("/redial.db")]); err != nil {
			t.Fatal(err)
		}
	}
	for _, suffix := range suffixes {
		if err := os.Remove(path + suffix); err != nil {
			t.Fatal(err)
		}
	}
}

func TestALogThatIsDeletedTakesNothingWithIt(t *testing.T) {
	path := newFile(t)
	d := open(t, path)
	s := enrol(t, d, session("checkout"))
	list := mixed(s, 300)
	store(t, d, s, list[:100])
	remove(t, path, []string{"-wal", "-shm"})
	store(t, d, s, list[100:200])
	other := open(t, path)
	again := enrol(t, other, session("search"))
	store(t, other, again, mixed(again, 100))
	store(t, d, s, list[200:])
	if got, want := totals(t, openExisting(t, path)), "400 400 400"; got != want {
		t.Errorf("the totals are %s, want %s", got, want)
	}
	checkIntegrity(t, path)
}

func TestAMovedFileIsWhole(t *testing.T) {
	path := newFile(t)
	d := open(t, path)
	s := enrol(t, d, session("checkout"))
	list := mixed(s, 200)
	store(t, d, s, list[:100])
	moved := path + ".old"
	replace(t, moved, path)
	store(t, d, s, list[100:])
	if got, want := totals(t, openExisting(t, moved)), "100 100 100"; got != want {
		t.Errorf("in the moved file the totals are %s, want %s", got, want)
	}
	if got, want := totals(t, d), "100 100 100"; got != want {
		t.Errorf("in the new file the totals are %s, want %s", got, want)
	}
	checkIntegrity(t, path)
	checkIntegrity(t, moved)
}

func TestAFileThatTakesThePlaceOfAnotherIsWrittenToo(t *testing.T) {
	path := newFile(t)
	d := open(t, path)
	s := enrol(t, d, session("checkout"))
	list := mixed(s, 200)
	store(t, d, s, list[:100])
	other := recorded(t) // its session has the same number
	remove(t, path, []string{"", "-wal", "-shm"})
	replace(t, path, other)
	store(t, d, s, list[100:])
	sessions, err := d.Sessions(context.Background())
	if err != nil || len(sessions) != 2 || sessions[0].ID != 2 || sessions[0].Calls != 100 || sessions[1].Calls != 300 {
		t.Errorf("the sessions are %+v (%v)", sessions, err)
	}
	if list := calls(t, d, ledger.Query{Sessions: []ledger.SessionID{2}}); len(list) != 100 || list[0].ID != ledger.NewCallID(2, 101) {
		t.Errorf("session 2 has calls %v", ids(list))
	}
	checkIntegrity(t, path)
}

func TestAForeignFileThatTakesThePlaceOfOursIsLeftAlone(t *testing.T) {
	path := newFile(t)
	d := open(t, path)
	s := enrol(t, d, session("checkout"))
	remove(t, path, []string{"", "-wal", "-shm"})
	put(t, path, []byte("notes of somebody else, long enough"))
	b := &ledger.Batch{Session: s, Beat: time.Now(), Calls: mixed(s, 5)}
	checkRefusal(t, "Write", d.Write(context.Background(), b), path, db.ErrNotRedial, "not a redial database")
	if data, err := os.ReadFile(path); err != nil || string(data) != "notes of somebody else, long enough" {
		t.Errorf("the file holds %q (%v)", data, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	write(t, d, b)
	if got, want := totals(t, d), "5 5 5"; got != want {
		t.Errorf("the totals are %s, want %s", got, want)
	}
}
