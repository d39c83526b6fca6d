package db_test

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
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
	if err := os.WriteFile(ballast, make([]byte, 300<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(folder, "redial.db"), func() {
		if err := os.Remove(ballast); err != nil {
			t.Fatal(err)
		}
	}
}
