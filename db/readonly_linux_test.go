package db_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"redial/db"
	"redial/ledger"
)

// unprivileged runs do as somebody who owns no file, on a thread that ends with it, so
// that modes count for root too.
func unprivileged(do func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		if os.Geteuid() == 0 {
			_ = unix.Setfsgid(65534)
			_ = unix.Setfsuid(65534)
		}
		do()
	}()
	<-done
}

// modes gives files and folders modes, and gives them back theirs in the end.
func modes(t *testing.T, folder, file os.FileMode, path string) {
	t.Helper()
	t.Cleanup(func() { _ = os.Chmod(filepath.Dir(path), 0o700) })
	above := filepath.Dir(filepath.Dir(path)) // t.TempDir makes it for its owner alone
	for name, mode := range map[string]os.FileMode{path: file, filepath.Dir(path): folder, above: 0o755} {
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAFileThatCannotBeWrittenIsRefusedButRead(t *testing.T) {
	tests := []struct {
		name         string
		folder, file os.FileMode
	}{
		{"read-only file in a folder that can be written", 0o777, 0o444},
		{"read-only file in a read-only folder", 0o555, 0o444},
		{"file in a read-only folder", 0o555, 0o666},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := recorded(t)
			modes(t, test.folder, test.file, path)
			unprivileged(func() {
				if d, err := db.Open(path); err == nil {
					t.Error("Open accepts it")
					_ = d.Close()
				} else {
					checkRefusal(t, "Open", err, path, db.ErrNotWritable, "writable")
				}
				d, err := db.OpenExisting(path)
				if err != nil {
					t.Errorf("OpenExisting says %v", err)
					return
				}
				defer d.Close()
				list, err := d.Calls(context.Background(), ledger.Query{})
				if err != nil || len(list) != 300 {
					t.Errorf("it has %d calls (%v)", len(list), err)
				}
				checkRefusal(t, "Write", d.Write(context.Background(), &ledger.Batch{}), path, db.ErrNotWritable, "opened for reading")
			})
		})
	}
}

func TestAFolderThatCannotBeWrittenIsRefused(t *testing.T) {
	there := recorded(t)
	modes(t, 0o555, 0o600, there)
	path := filepath.Join(filepath.Dir(there), "new.db")
	unprivileged(func() {
		_, err := db.Open(path)
		checkRefusal(t, "Open", err, path, db.ErrNotWritable, "cannot be written")
		deep := filepath.Join(filepath.Dir(path), "a", "redial.db")
		_, err = db.Open(deep)
		checkRefusal(t, "Open", err, deep, db.ErrNotWritable, "cannot be written")
	})
}

func TestAFileThatMayNotBeReadIsRefused(t *testing.T) {
	path := recorded(t)
	modes(t, 0o777, 0o000, path)
	unprivileged(func() {
		_, err := db.OpenExisting(path)
		checkRefusal(t, "OpenExisting", err, path, db.ErrNotWritable, "")
	})
}

func TestALogThatCannotBeReadWhereItIsIsNotPassedOver(t *testing.T) {
	path := newFile(t)
	d := open(t, path)
	s := enrol(t, d, session("checkout"))
	write(t, d, &ledger.Batch{Session: s, Calls: []ledger.Call{plainCall(s, 1)}})
	copied := newFile(t)
	for _, suffix := range []string{"", "-wal"} { // as a careless copy would
		data, err := os.ReadFile(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		put(t, copied+suffix, data)
		if err := os.Chmod(copied+suffix, 0o444); err != nil {
			t.Fatal(err)
		}
	}
	modes(t, 0o555, 0o444, copied)
	unprivileged(func() {
		_, err := db.OpenExisting(copied)
		checkRefusal(t, "OpenExisting", err, copied, db.ErrNotWritable, "copy both to a folder")
	})
}
