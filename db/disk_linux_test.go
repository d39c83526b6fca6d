package db_test

import (
	"errors"
	"os"
	"path/filepath"
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

func TestOnAFullDiskNoFileIsLeftBehind(t *testing.T) {
	path, free := smallDisk(t)
	if free == nil {
		return // only root can have a disk that is full
	}
	f, err := os.Create(filepath.Join(filepath.Dir(path), "more"))
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	if !errors.Is(err, unix.ENOSPC) || f.Close() != nil {
		t.Fatal(err)
	}
	_, err = db.Open(path)
	checkRefusal(t, "Open", err, path, db.ErrFull, "disk is full")
	if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != 2 {
		t.Errorf("the disk holds %v (%v), want what was there before", files, err)
	}
	free()
	enrol(t, open(t, path), session("checkout"))
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
