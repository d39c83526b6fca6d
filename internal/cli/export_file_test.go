package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
)

func TestAnExportThatIsGivenUpLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	store, err := db.Open(filepath.Join(dir, "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	id, err := store.Enrol(t.Context(), ledger.Session{Service: "s", Started: time.Unix(1e9, 0)})
	if err != nil {
		t.Fatal(err)
	}
	c := ledger.Call{ID: ledger.NewCallID(id, 1), Method: "GET", Scheme: "http", Host: "a", Started: time.Unix(1e9, 0), Took: time.Second}
	c.Summarise()
	if err := store.Write(t.Context(), &ledger.Batch{Session: id, Calls: []ledger.Call{c}}); err != nil {
		t.Fatal(err)
	}
	a := &app{out: newOutput(io.Discard, nil), err: newOutput(io.Discard, nil), now: time.Now, zone: time.UTC}
	out := filepath.Join(dir, "out", "a.har")
	if err := os.Mkdir(filepath.Dir(out), 0o700); err != nil {
		t.Fatal(err)
	}
	left := func() int {
		files, err := os.ReadDir(filepath.Dir(out))
		if err != nil {
			t.Fatal(err)
		}
		return len(files)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.exportShown(ctx, store, "har", ledger.Filter{}, []ledger.SessionID{id}, out); !errors.Is(err, context.Canceled) || left() != 0 {
		t.Errorf("%v, and %d files are left", err, left())
	}
	if n, err := a.exportShown(t.Context(), store, "har", ledger.Filter{}, []ledger.SessionID{id}, out); n != 1 || err != nil || left() != 1 {
		t.Errorf("%d calls, %v, and %d files are there", n, err, left())
	}
	if _, err := a.exportShown(t.Context(), store, "har", ledger.Filter{}, []ledger.SessionID{id}, out); err == nil || left() != 1 {
		t.Errorf("%v, and %d files are there", err, left())
	}
	if n, err := a.exportShown(t.Context(), store, "csv", ledger.Filter{}, []ledger.SessionID{id + 1}, out+".csv"); n != 0 || err != nil {
		t.Errorf("of another session there are %d calls, %v", n, err)
	}
}
