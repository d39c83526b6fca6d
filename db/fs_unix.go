//go:build unix

package db

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// lockFolder takes the lock under which redial makes and migrates files in the folder of
// path, so that no two processes do so at once. It returns what releases it. A folder
// that cannot be locked, or is for too long, is used without: SQLite's own locks then
// have to do.
func lockFolder(path string) (unlock func()) {
	f, err := os.Open(filepath.Dir(path))
	if err != nil {
		return func() {}
	}
	for deadline := time.Now().Add(busyTimeout); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) {
			break
		}
	}
	return func() { _ = f.Close() } // which releases the lock too
}

func isFull(err error) bool {
	return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT)
}

func isReadOnlyFS(err error) bool { return errors.Is(err, unix.EROFS) }

// exists reports whether a process with this id exists, be it another user's.
func exists(pid int) bool {
	err := unix.Kill(pid, 0)
	return err == nil || !errors.Is(err, unix.ESRCH)
}
