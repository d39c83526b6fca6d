package db_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
)

// version1 returns the path of a file as redial made it before it knew operations.
func version1(t *testing.T) string {
	t.Helper()
	schema, err := os.ReadFile("schema.sql")
	if err != nil {
		t.Fatal(err)
	}
	path := newFile(t)
	sqlite(t, path, "PRAGMA journal_mode = WAL", string(schema), "PRAGMA application_id = 0x7264616c", "PRAGMA user_version = 1",
		"INSERT INTO session (service, version, host, pid, boot, started, last_seen) VALUES ('checkout', '', '', 1, '', 1, 2)")
	return path
}

// version returns the version of the schema of a file.
func version(t *testing.T, path string) (n int) {
	t.Helper()
	c, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.QueryRow("PRAGMA user_version").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// newest returns the version of the schema that a new file has.
func newest(t *testing.T) int {
	t.Helper()
	path := newFile(t)
	if err := open(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	return version(t, path)
}

func TestAnOlderFileIsReadWithoutOperationsAndLeftAsItIs(t *testing.T) {
	path := version1(t)
	before := snapshot(t, filepath.Dir(path))
	ctx := context.Background()
	d, err := db.OpenExisting(path)
	if err != nil {
		t.Fatal(err)
	}
	sessions, err := d.Sessions(ctx)
	if err != nil || len(sessions) != 1 || sessions[0].Service != "checkout" || sessions[0].Pending != 0 {
		t.Errorf("the sessions are %+v (%v)", sessions, err)
	}
	id := ledger.ID{Service: "checkout", Key: "order-1"}
	list, err := d.Operations(ctx, ledger.OperationQuery{Open: true, Urgent: true})
	byKey, err2 := d.OperationByKey(ctx, id.Key)
	due, err3 := d.Due(ctx, id.Service, now, 10)
	settled, err4 := d.Settlements(ctx, id.Service, 0, 10)
	counts, err5 := d.OperationCounts(ctx, "")
	asks, err6 := d.Asks(ctx, id)
	total, err7 := d.OperationTotal(ctx, "")
	if err := errors.Join(err, err2, err3, err4, err5, err6, err7); err != nil || total != 0 ||
		len(list)+len(byKey)+len(due)+len(settled)+len(asks) != 0 || counts != (ledger.OperationCounts{}) {
		t.Errorf("there are %v, %v, %v, %v, %v, %v (%v)", list, byKey, due, settled, counts, asks, err)
	}
	_, err = d.Operation(ctx, id)
	_, err2 = d.Transitions(ctx, id)
	_, err3 = d.Reading(ctx, id)
	if !errors.Is(err, ledger.ErrNoOperation) || !errors.Is(err2, ledger.ErrNoOperation) || !errors.Is(err3, ledger.ErrNoOperation) {
		t.Errorf("Operation says %v, Transitions %v, Reading %v", err, err2, err3)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if after := snapshot(t, filepath.Dir(path)); before != after {
		t.Errorf("the folder held\n%s, and now\n%s", before, after)
	}
}

func TestAnOlderFileIsBroughtUpToDateByAWriterUnderAReader(t *testing.T) {
	path := version1(t)
	reader := openExisting(t, path)
	if _, err := reader.Operations(context.Background(), ledger.OperationQuery{}); err != nil {
		t.Fatal(err)
	}
	d := open(t, path)
	o := pend(t, d, "order-1")
	if got := operation(t, reader, o.ID()); got.State != ledger.OpPending {
		t.Errorf("the reader has %+v", got)
	}
	sessions, err := reader.Sessions(context.Background())
	if want := newest(t); err != nil || len(sessions) != 1 || sessions[0].Pending != 1 || version(t, path) != want {
		t.Errorf("the sessions are %+v (%v), the version is %d, want %d", sessions, err, version(t, path), want)
	}
	checkIntegrity(t, path)
}

func TestAnOlderFileThatWasChangedIsRefusedAndLeftAlone(t *testing.T) {
	for name, test := range map[string]struct {
		statement string
		kind      error
		says      string
	}{
		"missing table": {"DROP TABLE rollup", db.ErrDamaged, "lacks rollup"},
		"trigger":       {"CREATE TRIGGER evil AFTER INSERT ON call BEGIN DELETE FROM session; END", db.ErrNotRedial, "trigger evil"},
	} {
		t.Run(name, func(t *testing.T) {
			path := version1(t)
			sqlite(t, path, test.statement)
			for as, openAs := range map[string]func(string) (*db.DB, error){"Open": db.Open, "OpenExisting": db.OpenExisting} {
				_, err := openAs(path)
				if err == nil {
					t.Fatalf("%s accepts it", as)
				}
				checkRefusal(t, as, err, path, test.kind, test.says)
			}
			if version(t, path) != 1 {
				t.Error("it was brought up to date")
			}
		})
	}
}

// TestAnOlderFileWithATableOfTheSameNameStaysAsItIs has a file to which somebody added what
// the next version would add.
func TestAnOlderFileWithATableOfTheSameNameStaysAsItIs(t *testing.T) {
	path := version1(t)
	sqlite(t, path, "CREATE TABLE operation (mine)", "INSERT INTO operation VALUES ('x')")
	if d, err := db.Open(path); err == nil {
		t.Error("Open accepts it")
		_ = d.Close()
	}
	if list, err := openExisting(t, path).Operations(context.Background(), ledger.OperationQuery{}); err != nil || len(list) != 0 || version(t, path) != 1 {
		t.Errorf("it has %v (%v)", list, err)
	}
}

func TestWindowsAndRollupsOfAnOlderFileStayAsTheyWere(t *testing.T) {
	path := version1(t)
	sqlite(t, path, `INSERT INTO "window" VALUES (1, 0, 'quota.test', 3, 4500000000, 2, 7000000000, 1, 5000000000)`,
		"INSERT INTO text VALUES (1, 1, 'quota.test')",
		"INSERT INTO rollup VALUES (1, 5, 1, 4, 5, 1, 0, 0, 10, 20, 30, x'01')")
	before := openExisting(t, path)
	read := func(d *db.DB) (list []ledger.Window, sums []ledger.Rollup) {
		t.Helper()
		list, err := d.Windows(context.Background(), nil)
		sums, err2 := d.Rollups(context.Background(), nil, time.Unix(0, 0), time.Unix(60, 0))
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		return list, sums
	}
	windows, sums := read(before)
	want := ledger.Window{Host: "quota.test", Limit: 3, Per: 4500 * time.Millisecond, Used: 2,
		Opens: time.Unix(7, 0).UTC(), Waiting: 1, Since: time.Unix(5, 0).UTC()}
	if len(windows) != 1 || windows[0] != want || len(sums) != 1 || sums[0].Waited != [ledger.NumWaitKinds]time.Duration{10, 20, 30} {
		t.Errorf("before: %+v, %+v", windows, sums)
	}
	after := open(t, path)
	for _, d := range []*db.DB{after, before} { // one that was open all the time
		if w, s := read(d); !reflect.DeepEqual(w, windows) || !reflect.DeepEqual(s, sums) {
			t.Errorf("after: %+v, %+v", w, s)
		}
	}
}
