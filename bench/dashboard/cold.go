package main

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// cool lets the kernel forget what it keeps of a file, which needs no rights: what is not
// on the disk yet is written there first.
func cool(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil {
		return err
	}
	return unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED)
}

// warm reads a file, so that the kernel keeps it.
func warm(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(io.Discard, f)
	return err
}
