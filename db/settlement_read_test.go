package db_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
)

// reading returns what is on record of the last word of a person on an operation.
func reading(t *testing.T, d *db.DB, o *ledger.Operation) ledger.Reading {
	t.Helper()
	r, err := d.Reading(context.Background(), o.ID())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func mark(t *testing.T, d *db.DB, service string, after, upTo int64) {
	t.Helper()
	if err := d.MarkRead(context.Background(), service, after, upTo); err != nil {
		t.Fatal(err)
	}
}

// last returns the position of the last transition of an operation.
func last(t *testing.T, d *db.DB, o *ledger.Operation) int64 {
	list := transitions(t, d, o.ID())
	return list[len(list)-1].N
}

func TestAWordOfAPersonIsReadWhenTheServiceHasComeToIt(t *testing.T) {
	path := newFile(t)
	d, reader := open(t, path), openExisting(t, path)
	at := now.Add(time.Hour)
	d.SetNow(func() time.Time { return at })
	o := pend(t, d, "order-1")
	want := func(what string, r ledger.Reading) {
		t.Helper()
		for name, d := range map[string]*db.DB{"the writer": d, "a reader": reader} {
			if got := reading(t, d, &o); got.State != r.State || got.Listens != r.Listens || !got.At.Equal(r.At) {
				t.Errorf("%s, to %s it is %+v, want %+v", what, name, got, r)
			}
		}
	}
	want("without a word", ledger.Reading{})
	o = move(t, d, o, person(ledger.OpFailed, ledger.CodeDenied))
	want("settled", ledger.Reading{State: ledger.ReadByNobody})
	mark(t, d, "search", 0, 100)
	want("with another service that reads its own", ledger.Reading{State: ledger.ReadByNobody})
	n := last(t, d, &o)
	mark(t, d, "checkout", 0, n-1)
	want("read up to the one before", ledger.Reading{State: ledger.NotRead, Listens: true})
	mark(t, d, "checkout", n-1, n)
	read := ledger.Reading{State: ledger.WasRead, At: at, Listens: true}
	want("read", read)
	at = at.Add(time.Hour)
	mark(t, d, "checkout", 0, n)
	want("read again", read)
	o = move(t, d, o, person(ledger.OpPending, ledger.CodeReopened))
	want("reopened", read)
	o = move(t, d, o, person(ledger.OpSucceeded, ledger.CodeConfirmed))
	want("settled again", ledger.Reading{State: ledger.NotRead, Listens: true})
	checkIntegrity(t, path)
}

func TestNothingIsWrittenOfReadingsThatAreNoNews(t *testing.T) {
	path := newFile(t)
	d, watcher := open(t, path), open(t, path)
	o := move(t, d, create(t, d, plainIntent("order-1")), ledger.Transition{To: ledger.OpSucceeded, At: now, Code: ledger.CodeAnswered})
	mark(t, d, "checkout", 0, 0)
	before := watcher.LedgerState()
	mark(t, d, "checkout", 0, last(t, d, &o))
	mark(t, d, "checkout", 0, 0)
	if after := watcher.LedgerState(); after != before {
		t.Errorf("the file has changed: %+v, before %+v", after, before)
	}
	if r := reading(t, d, &o); r.State != ledger.NoWord || !r.Listens {
		t.Errorf("of what no person settled it is %+v", r)
	}
	if err := openExisting(t, path).MarkRead(context.Background(), "checkout", 0, 1); err == nil {
		t.Error("a file that is only read takes it")
	}
	if _, err := d.Reading(context.Background(), ledger.ID{Service: "checkout", Key: "none"}); !errors.Is(err, ledger.ErrNoOperation) {
		t.Errorf("of what is not there it says %v", err)
	}
}

// version2 returns the path of a file as redial made it before it knew readings, with an
// operation that a person has settled.
func version2(t *testing.T) string {
	t.Helper()
	path := version1(t)
	schema, err := os.ReadFile("schema_operations.sql")
	if err != nil {
		t.Fatal(err)
	}
	sqlite(t, path, string(schema), "PRAGMA user_version = 2",
		`INSERT INTO operation (service, key, fingerprint, asks, created, state, disputed, held, version, fence, owner, updated, moved, sends, doubts, lookups, not_found, failing)
		VALUES ('checkout', 'order-1', zeroblob(32), 0, 1, 'failed', 0, 1, 4, 1, 0, 2, 2, 1, 0, 0, 0, 0)`,
		`INSERT INTO transition (operation, settles, "from", "to", at, actor_kind, actor, code, reason, call, no_effect)
		VALUES (1, 'checkout', 'pending', 'failed', 2, 'person', 'mia', 'denied', 'they say no', 0, 0)`)
	return path
}

func TestWhatIsOlderThanTheRecordOfReadingsIsNotSaidToBeUnread(t *testing.T) {
	path := version2(t)
	o := operation(t, openExisting(t, path), ledger.ID{Service: "checkout", Key: "order-1"})
	unknown := ledger.Reading{State: ledger.ReadUnknown}
	if r := reading(t, openExisting(t, path), &o); r != unknown || version(t, path) != 2 {
		t.Errorf("in the older file it is %+v, the version is %d", r, version(t, path))
	}
	d := open(t, path)
	if r := reading(t, d, &o); r != unknown || version(t, path) != newest(t) {
		t.Errorf("brought up to date it is %+v, the version is %d", r, version(t, path))
	}
	mark(t, d, "checkout", 0, 1)
	if r := reading(t, d, &o); r.State != ledger.WasRead {
		t.Errorf("read it is %+v", r)
	}
	checkIntegrity(t, path)
}
