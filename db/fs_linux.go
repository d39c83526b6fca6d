package db

import (
	"path/filepath"

	"golang.org/x/sys/unix"
)

// networkFS returns the name of the network file system that the folder of path lies on,
// "" if it lies on none. SQLite's log needs memory that all its users share, which those
// do not give, and locks that hold.
func networkFS(path string) string {
	var st unix.Statfs_t
	if err := unix.Statfs(filepath.Dir(path), &st); err != nil {
		return ""
	}
	return networkName(int64(uint32(st.Type)))
}

// networkName returns the name of a file system by its magic number, as in statfs(2), if
// it is a network one.
func networkName(magic int64) string {
	switch magic {
	case unix.NFS_SUPER_MAGIC:
		return "NFS"
	case unix.SMB_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC:
		return "SMB"
	case unix.V9FS_MAGIC:
		return "9P"
	case unix.CEPH_SUPER_MAGIC:
		return "Ceph"
	case unix.AFS_SUPER_MAGIC, unix.AFS_FS_MAGIC:
		return "AFS"
	case unix.CODA_SUPER_MAGIC:
		return "Coda"
	}
	return ""
}
