package db_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"redial/db"
)

// smallDisk returns the path for a file on a disk with room for a megabyte, and what makes
// more room. Where no disk can be mounted, the path is on any disk, and free is nil.
func smallDisk(t *testing.T) (path string, free func()) {
	folder := t.TempDir()
	if err := unix.Mount("tmpfs", folder, "tmpfs", 0, "size=1m,mode=0700"); err != nil {
		return filepath.Join(folder, "redial.db"), nil
	}
	t.Cleanup(func() {
		if err := unix.Unmount(folder, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	// What fills the disk is not the file alone.
	ballast := filepath.Join(folder, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 500<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(folder, "redial.db"), func() {
		if err := os.Remove(ballast); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOnAFullDiskNoFileIsLeftBehind opens files where some kilobytes are left.
func TestOnAFullDiskNoFileIsLeftBehind(t *testing.T) {
	path, free := smallDisk(t)
	if free == nil {
		return // only root can have a disk that is full
	}
	more := filepath.Join(filepath.Dir(path), "more")
	for _, room := range []int64{0, 4, 8, 32, 48} {
		fill(t, more, room<<10)
		_, err := db.Open(path)
		checkRefusal(t, "Open", err, path, db.ErrFull, "disk is full")
		checkRefusal(t, "Open", err, path, db.ErrFull, "free some space, or name another file (--db, REDIAL_DB), and start again: nothing is recorded")
		if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != 2 {
			t.Errorf("with room for %d KiB, the disk holds %v (%v), want what was there before", room, files, err)
		}
	}
	free()
	enrol(t, open(t, path), session("checkout"))
}

// fill makes a file that leaves so much room on its disk.
func fill(t *testing.T, path string, room int64) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	size := int64(0)
	for ; err == nil; size += 4096 {
		_, err = f.Write(make([]byte, 4096))
	}
	if err2 := errors.Join(f.Truncate(size-4096-room), f.Close()); err2 != nil || !errors.Is(err, unix.ENOSPC) {
		t.Fatal(err, err2)
	}
}

// alone runs the test in a process of its own, and reports whether it has done so: a limit
// that the process is given would hold for whatever else writes from it, such as the tool
// that runs the tests.
func alone(t *testing.T) (done bool) {
	t.Helper()
	if os.Getenv("REDIAL_DB_TEST_ALONE") == t.Name() {
		return false
	}
	c := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	c.Env = append(os.Environ(), "REDIAL_DB_TEST_ALONE="+t.Name())
	if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("%v\n%s", err, out)
	}
	return true
}

// limited calls do while the process may have no more than so much of a resource.
func limited(t *testing.T, resource int, most uint64, do func()) {
	t.Helper()
	var before unix.Rlimit
	if err := unix.Getrlimit(resource, &before); err != nil {
		t.Fatal(err)
	}
	if err := unix.Setrlimit(resource, &unix.Rlimit{Cur: most, Max: before.Max}); err != nil {
		t.Fatal(err)
	}
	do()
	if err := unix.Setrlimit(resource, &before); err != nil {
		t.Fatal(err)
	}
}

// TestWithTooManyOpenFilesPermissionsAreNotBlamed opens files when no more can be opened.
func TestWithTooManyOpenFilesPermissionsAreNotBlamed(t *testing.T) {
	if alone(t) {
		return
	}
	there := recorded(t)
	for name, path := range map[string]string{"new": newFile(t), "there": there, "with a log": killed(t)} {
		for as, openAs := range map[string]func(string) (*db.DB, error){"Open": db.Open, "OpenExisting": db.OpenExisting} {
			if name == "new" && as == "OpenExisting" {
				continue
			}
			var err error
			limited(t, unix.RLIMIT_NOFILE, 3, func() { _, err = openAs(path) })
			checkRefusal(t, name+" "+as, err, path, db.ErrNotWritable, "too many files are open: close some, or raise the limit")
		}
	}
	if _, err := openExisting(t, there).Sessions(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestALimitOnFileSizesIsNoDamage opens a file that may not become as large as it must.
func TestALimitOnFileSizesIsNoDamage(t *testing.T) {
	if alone(t) {
		return
	}
	for _, c := range []struct {
		limit uint64
		kind  error
		says  string
	}{
		{16 << 10, db.ErrFull, "has no room for the index of its log (-shm), its disk is full or a quota or a limit on file sizes is reached: free some space"},
		{40_000, db.ErrDamaged, "look after its disk, quotas and limits on file sizes, or record to another file"},
	} {
		path := newFile(t)
		var err error
		limited(t, unix.RLIMIT_FSIZE, c.limit, func() { _, err = db.Open(path) })
		checkRefusal(t, "Open", err, path, c.kind, c.says)
		if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != 0 {
			t.Errorf("the folder holds %v (%v)", files, err)
		}
	}
}

func TestAPipeIsRefusedWithoutWaiting(t *testing.T) {
	path := newFile(t)
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := db.Open(path)
	checkRefusal(t, "Open", err, path, db.ErrNotRedial, "not a regular file")
	_, err = db.OpenExisting(path)
	checkRefusal(t, "OpenExisting", err, path, db.ErrNotRedial, "not a regular file")
}
