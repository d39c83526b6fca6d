//go:build !linux

package db_test

import "testing"

// smallDisk returns a path; a disk of a certain size cannot be had here.
func smallDisk(t *testing.T) (path string, free func()) { return newFile(t), nil }
